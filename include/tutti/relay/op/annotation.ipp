#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/annotation.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id shape_of::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"int32\"");
    const std::size_t rank = r.shape(0).size();
    return r.tensor(rank == 0 ? dims{} : dims{static_cast<std::int64_t>(rank)}, a.dtype);
}

TUTTI_CONSTEXPR type_id ndarray_size::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"int32\"");
    static_cast<void>(r.shape(0));
    return r.tensor(dims{}, a.dtype);
}

} // namespace op

namespace op::annotation {

TUTTI_CONSTEXPR type_id stop_fusion::infer(relation& r, const attributes&) {
    return r.knows(0) ? r.argument(0) : type_id::none;
}

TUTTI_CONSTEXPR type_id checkpoint::infer(relation& r, const attributes&) { return r.argument(0); }

TUTTI_CONSTEXPR type_id cast_hint::infer(relation& r, const attributes&) {
    return r.knows(0) ? r.argument(0) : type_id::none;
}

TUTTI_CONSTEXPR type_id simulated_quantize::infer(relation& r, const attributes&) {
    if (!r.knows(0)) return type_id::none;
    for (std::size_t i = 1; i < 4; ++i) r.expect(i, dims{}, kernel::dtype::float32);
    return r.argument(0);
}

} // namespace op::annotation

namespace op::nn {

TUTTI_CONSTEXPR type_id dropout::infer(relation& r, const attributes&) {
    if (!r.knows(0)) return type_id::none;
    const type_id fields[]{r.argument(0), r.argument(0)};
    return r.types().tuple(fields);
}

} // namespace op::nn

TUTTI_CONSTEXPR expr shape_of(expr data, const shape_of_attributes& attributes) {
    return call_op<op::shape_of>(attributes, data);
}
TUTTI_CONSTEXPR expr ndarray_size(expr data, const shape_of_attributes& attributes) {
    return call_op<op::ndarray_size>(attributes, data);
}

namespace annotation {

TUTTI_CONSTEXPR expr checkpoint(expr data) { return call_op<op::annotation::checkpoint>({}, data); }
TUTTI_CONSTEXPR expr stop_fusion(expr data) { return call_op<op::annotation::stop_fusion>({}, data); }
TUTTI_CONSTEXPR expr cast_hint(expr data, const cast_hint_attributes& attributes) {
    return call_op<op::annotation::cast_hint>(attributes, data);
}
TUTTI_CONSTEXPR expr simulated_quantize(expr data, expr dom_scale, expr clip_min, expr clip_max,
                                        const annotated_quantize_attributes& attributes) {
    return call_op<op::annotation::simulated_quantize>(attributes, data, dom_scale, clip_min, clip_max);
}

} // namespace annotation

namespace nn {

TUTTI_CONSTEXPR expr dropout(expr data, const dropout_attributes& attributes) {
    return call_op<op::nn::dropout>(attributes, data);
}

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
