#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/correlation.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool correlation(layout_query& q) { return q.all_in(layout::parse(q.edit().text("layout"))); }

TUTTI_CONSTEXPR bool dilation2d(layout_query& q) {
    const attribute_edit edit = q.edit();
    const maybe_layout data = layout::parse(edit.text("data_layout"));
    const maybe_layout weight = layout::parse(edit.text("kernel_layout"));
    if (!data || !weight) return false;
    q.in = {data, weight};
    q.out.assign(1, data);
    return true;
}

} // namespace layout_rules

namespace op::nn {

TUTTI_CONSTEXPR type_id correlation::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    constexpr std::int64_t limit = std::int64_t{1} << 24;
    const auto check = [&](std::string_view attribute, std::int64_t n, std::int64_t least) {
        if (n < least || n >= limit)
            r.refuse_attribute(attribute, "a size out of range", "a positive number below 2^24");
    };
    check("kernel_size", a.kernel_size, 1);
    check("max_displacement", a.max_displacement, 0);
    check("stride1", a.stride1, 1);
    check("stride2", a.stride2, 1);
    if (a.kernel_size % 2 == 0) r.refuse_attribute("kernel_size", "an even size", "an odd one");
    if (a.layout != "NCHW") r.refuse_attribute("layout", "another layout", "\"NCHW\"");
    const dims data = r.shape(0);
    if (data.size() != 4) r.refuse(0, "a tensor of layout NCHW");
    r.expect(1, data, r.element(0));
    const kernel::correlation_options o{
        .size = a.kernel_size, .displacement = a.max_displacement, .stride = a.stride1, .other_stride = a.stride2};
    const auto count = [&](std::size_t i) {
        const dim cells = plus(data[2 + i], spatial::padding(r, a.padding, i, 2).total());
        return cells.is_any() ? cells : dim(o.count(cells.value()));
    };
    return r.tensor(dims{data[0], o.places() * o.places(), count(0), count(1)}, r.element(0));
}

} // namespace op::nn

namespace op::image {

TUTTI_CONSTEXPR type_id dilation2d::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    const relay::layout in = spatial::parse_layout(r, "data_layout", a.data_layout, "NCHW");
    const relay::layout by = spatial::parse_layout(r, "kernel_layout", a.kernel_layout, "IHW");
    spatial::check_rank(r, "strides", a.strides, 2);
    spatial::check_rank(r, "dilations", a.dilations, 2);
    const dims data = r.shape(0);
    const dims weight = r.shape(1);
    if (!in.fits(data)) r.refuse(0, "a tensor of layout " + std::string(a.data_layout));
    if (!by.fits(weight)) r.refuse(1, "a tensor of layout " + std::string(a.kernel_layout));
    if (!may_equal(in.size(data, 'C'), by.size(weight, 'I'))) r.refuse(1, "as many channels as the data");
    for (const char letter : {'H', 'W'})
        if (!by.size(weight, letter).is_any() && by.size(weight, letter).value() < 1)
            r.refuse(1, "a window of one element or more");
    spatial::axis_sizes sizes(in, data);
    spatial::resize_axes(sizes, 2, [&](dim n, std::size_t i) {
        return spatial::places(r, n, spatial::padding(r, a.padding, i, 2).total(), by.size(weight, "HW"[i]),
                               a.dilations[i].value(), a.strides[i].value());
    });
    return r.tensor(spatial::shape_in(r, "data_layout", in, sizes),
                    a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
}

} // namespace op::image

namespace nn {

TUTTI_CONSTEXPR expr correlation(expr data1, expr data2, const correlation_attributes& attributes) {
    return call_op<op::nn::correlation>(attributes, data1, data2);
}

} // namespace nn

namespace image {

TUTTI_CONSTEXPR expr dilation2d(expr data, expr weight, const dilation2d_attributes& attributes) {
    return call_op<op::image::dilation2d>(attributes, data, weight);
}

} // namespace image

} // namespace tutti::relay::inline TUTTI_FORM
