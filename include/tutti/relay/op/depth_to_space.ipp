#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/depth_to_space.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op::nn {

TUTTI_CONSTEXPR type_id depth_to_space::infer(relation& r, const attributes& a) {
    return moved(
        r, a, [&](dim n) { return quotient(n, a.block_size * a.block_size); },
        [&](dim n) { return times(n, a.block_size); });
}

TUTTI_CONSTEXPR type_id space_to_depth::infer(relation& r, const attributes& a) {
    return moved(
        r, a, [&](dim n) { return times(n, a.block_size * a.block_size); },
        [&](dim n) { return quotient(n, a.block_size); });
}

} // namespace op::nn

namespace nn {

TUTTI_CONSTEXPR expr depth_to_space(expr data, const pixel_block_attributes& attributes) {
    return call_op<op::nn::depth_to_space>(attributes, data);
}
TUTTI_CONSTEXPR expr space_to_depth(expr data, pixel_block_attributes attributes) {
    attributes.mode = "";
    return call_op<op::nn::space_to_depth>(attributes, data);
}

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
