#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/conv.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_conversions {

TUTTI_CONSTEXPR void image_convolution(layout_change& c, std::span<const std::string> desired) {
    convolution(c, desired);
    const auto to = layout::parse(desired[0]);
    const bool stays = c.edit().text("data_layout") != desired[0]; // if the block size does not divide the channels
    if (!stays && to->rank() == 5 && desired[0].starts_with("NCHW") && to->axes()[4].letter == 'C')
        c.op = &definition<op::nn::contrib_conv2d_nchwc>;
}

} // namespace layout_conversions

} // namespace tutti::relay::inline TUTTI_FORM
