#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/conv_transpose.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op::nn {

TUTTI_CONSTEXPR type_id deformable_conv2d::infer(relation& r, const attributes& a) {
    spatial::convolution c(r, 2, a);
    if (a.deformable_groups < 1) r.refuse_attribute("deformable_groups", "fewer than one group", "a positive number");
    if (!c.reads_data()) return type_id::none;
    if (!c.finds_weight(2, c.in_channels_a_group(), a.channels)) return type_id::none;
    const dim offsets = times(times(c.window(0), c.window(1)), times(2, a.deformable_groups));
    const auto places = [&](dim, std::size_t i) { return c.places(i); };
    r.expect(1, c.like_data(offsets, places), r.element(0));
    return c.result(c.weight_size('O'), places);
}

} // namespace op::nn

namespace nn {

TUTTI_CONSTEXPR expr deformable_conv2d(expr data, expr offset, expr weight, deformable_conv2d_attributes attributes) {
    attributes.padding = spatial::pad(attributes.padding, 2);
    return call_op<op::nn::deformable_conv2d>(attributes, data, offset, weight);
}

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
