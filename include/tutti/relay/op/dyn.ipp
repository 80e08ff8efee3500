#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/dyn.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op::dyn {

TUTTI_CONSTEXPR type_id expand_dims::infer(relation& r, const attributes& a) {
    if (!knows_all(r)) return type_id::none;
    if (a.num_newaxis < 0 || a.num_newaxis > most_dimensions)
        r.refuse_attribute("num_newaxis", "out of range", "0 to 64");
    r.expect_scalar(1);
    if (!kernel::is_integer(r.element(1))) r.refuse(1, "an integer");
    return r.tensor(unknown(r.shape(0).size() + static_cast<std::size_t>(a.num_newaxis)), r.element(0));
}

TUTTI_CONSTEXPR type_id full::infer(relation& r, const attributes& a) {
    if (!knows_all(r)) return type_id::none;
    r.expect_scalar(0);
    return r.tensor(unknown(length(r)), a.dtype == kernel::dtype::none ? r.element(0) : a.dtype);
}

TUTTI_CONSTEXPR type_id one_hot::infer(relation& r, const attributes& a) {
    if (!knows_all(r)) return type_id::none;
    for (const std::size_t i : {1U, 2U, 3U}) r.expect_scalar(i);
    return op::one_hot::shaped(r, a, dim::any());
}

TUTTI_CONSTEXPR type_id squeeze::infer(relation& r, const attributes&) {
    if (!knows_all(r)) return type_id::none;
    const std::size_t rank = r.shape(0).size();
    const std::size_t away = length(r);
    if (away > rank) r.refuse(1, "no more axes than the data has");
    return r.tensor(unknown(rank - away), r.element(0));
}

TUTTI_CONSTEXPR type_id strided_slice::infer(relation& r, const attributes&) {
    if (!knows_all(r)) return type_id::none;
    dims shape = r.shape(0);
    const std::size_t cut = length(r);
    if (cut > shape.size()) r.refuse(1, "no more indices than the data has axes");
    for (std::size_t i = 0; i < cut; ++i) shape[i] = dim::any();
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR type_id tile::infer(relation& r, const attributes&) {
    return knows_all(r) ? r.tensor(unknown(std::max(r.shape(0).size(), length(r))), r.element(0)) : type_id::none;
}

TUTTI_CONSTEXPR type_id topk::infer(relation& r, const attributes& given) {
    attributes a = given;
    a.k = std::optional<dim>();
    return knows_all(r) ? op::topk::infer(r, a) : type_id::none;
}

} // namespace op::dyn

namespace op::dyn::image {

TUTTI_CONSTEXPR type_id resize2d::infer(relation& r, const attributes& given) {
    attributes a = given;
    a.size = unknown(2);
    return knows_all(r) ? op::image::resize2d::infer(r, a) : type_id::none;
}

} // namespace op::dyn::image

namespace op::dyn::nn {

TUTTI_CONSTEXPR type_id pad::infer(relation& r, const attributes&) {
    return knows_all(r) ? r.tensor(unknown(r.shape(0).size()), r.element(0)) : type_id::none;
}

} // namespace op::dyn::nn

namespace dyn {

TUTTI_CONSTEXPR expr broadcast_to(expr data, expr shape) { return call_op<op::dyn::broadcast_to>({}, data, shape); }
TUTTI_CONSTEXPR expr expand_dims(expr data, expr axis, const dyn_expand_dims_attributes& attributes) {
    return call_op<op::dyn::expand_dims>(attributes, data, axis);
}
TUTTI_CONSTEXPR expr full(expr fill_value, expr shape, dtype element) {
    return call_op<op::dyn::full>({.shape = {}, .dtype = element}, fill_value, shape);
}
TUTTI_CONSTEXPR expr one_hot(expr indices, expr on_value, expr off_value, expr depth,
                             const one_hot_attributes& attributes) {
    return call_op<op::dyn::one_hot>(attributes, indices, on_value, off_value, depth);
}
TUTTI_CONSTEXPR expr ones(expr shape, dtype element) {
    return call_op<op::dyn::ones>({.shape = {}, .dtype = element}, shape);
}
TUTTI_CONSTEXPR expr zeros(expr shape, dtype element) {
    return call_op<op::dyn::zeros>({.shape = {}, .dtype = element}, shape);
}
TUTTI_CONSTEXPR expr reshape(expr data, expr newshape, const reshape_attributes& attributes) {
    return call_op<op::dyn::reshape>(attributes, data, newshape);
}
TUTTI_CONSTEXPR expr sparse_to_dense(expr sparse_indices, expr sparse_values, expr default_value, expr output_shape) {
    return call_op<op::dyn::sparse_to_dense>({}, sparse_indices, sparse_values, default_value, output_shape);
}
TUTTI_CONSTEXPR expr squeeze(expr data, expr axes) { return call_op<op::dyn::squeeze>({.axis = dims{}}, data, axes); }
TUTTI_CONSTEXPR expr strided_slice(expr data, expr begin, expr end, expr strides, std::string_view slice_mode) {
    strided_slice_attributes attributes;
    attributes.slice_mode = slice_mode;
    return call_op<op::dyn::strided_slice>(attributes, data, begin, end, strides);
}
TUTTI_CONSTEXPR expr tile(expr data, expr reps) { return call_op<op::dyn::tile>({}, data, reps); }
TUTTI_CONSTEXPR expr topk(expr data, expr k, const topk_attributes& attributes) {
    return call_op<op::dyn::topk>(attributes, data, k);
}

} // namespace dyn

namespace dyn::image {

TUTTI_CONSTEXPR expr resize2d(expr data, expr size, expr roi, resize2d_attributes attributes) {
    attributes.size = dims{};
    attributes.roi = vector<double>{};
    return call_op<op::dyn::image::resize2d>(attributes, data, size, roi);
}

} // namespace dyn::image

namespace dyn::nn {

TUTTI_CONSTEXPR expr pad(expr data, expr pad_width, expr pad_val, std::string_view pad_mode) {
    pad_attributes attributes;
    attributes.pad_mode = pad_mode;
    return call_op<op::dyn::nn::pad>(attributes, data, pad_width, pad_val);
}
TUTTI_CONSTEXPR expr upsampling(expr data, expr scale_h, expr scale_w, const upsampling_attributes& attributes) {
    return call_op<op::dyn::nn::upsampling>(attributes, data, scale_h, scale_w);
}
TUTTI_CONSTEXPR expr upsampling3d(expr data, expr scale_d, expr scale_h, expr scale_w,
                                  const upsampling3d_attributes& attributes) {
    return call_op<op::dyn::nn::upsampling3d>(attributes, data, scale_d, scale_h, scale_w);
}

} // namespace dyn::nn

} // namespace tutti::relay::inline TUTTI_FORM
