#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/model/dqn.hpp>
#include <tutti/relay/model/layers.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/shape.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::model {

TUTTI_CONSTEXPR ir_module dqn(const dqn_options& options) {
    const auto [frames, height, width] = options.image_shape;
    require_positive("dqn", "images", options.batch);
    require_positive("dqn", "frames", frames);
    require_positive("dqn", "actions", options.actions);
    if (height < 36 || width < 36)
        throw error("dqn", "an image of " + std::to_string(height) + "×" + std::to_string(width), "36×36 or more");

    builder b;
    layers net(b);
    expr x = b.variable("data", {options.batch, frames, height, width}, options.element);
    const auto conv = [&](std::string_view name, std::int64_t channels, std::int64_t kernel, std::int64_t stride) {
        x = nn::relu(net.biased_conv2d(
            name, x, {.strides = {stride, stride}, .channels = dim(channels), .kernel_size = dims{kernel, kernel}}));
    };
    conv("conv1", 32, 8, 4);
    conv("conv2", 64, 4, 2);
    conv("conv3", 64, 3, 1);
    x = nn::relu(net.dense("dense1", nn::batch_flatten(x), 512));
    return net.finish(net.dense("dense2", x, options.actions));
}

} // namespace tutti::relay::inline TUTTI_FORM::model
