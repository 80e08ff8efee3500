#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/model/layers.hpp>
#include <tutti/relay/model/mobilenet.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/op/shape.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::model {

TUTTI_CONSTEXPR ir_module mobilenet(const mobilenet_options& options) {
    const auto [image_channels, height, width] = options.image_shape;
    require_positive("mobilenet", "images", options.batch);
    require_positive("mobilenet", "channels", image_channels);
    require_positive("mobilenet", "rows", height);
    require_positive("mobilenet", "columns", width);
    require_positive("mobilenet", "classes", options.classes);

    builder b;
    layers net(b);
    expr x = b.variable("data", {options.batch, image_channels, height, width}, options.element);
    const auto normalized = [&](const std::string& name, expr data) {
        return nn::relu(net.batch_norm(name, data, {.epsilon = 1e-5}));
    };
    x = net.conv2d("conv_block_1_conv", x,
                   {.strides = {2, 2}, .padding = {1, 1}, .channels = dim(32), .kernel_size = dims{3, 3}});
    x = normalized("conv_block_1_bn", x);

    // A depthwise convolution followed by a pointwise convolution.
    struct block {
        std::int64_t channels; // channels of the result
        std::int64_t stride;
    };
    constexpr std::array<block, 13> blocks{{{64, 1},
                                            {128, 2},
                                            {128, 1},
                                            {256, 2},
                                            {256, 1},
                                            {512, 2},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {1024, 2},
                                            {1024, 1}}};
    std::int64_t channels = 32;
    int number = 0;
    for (const block& each : blocks) {
        const std::string name = "separable_conv_block_" + std::to_string(++number);
        x = net.conv2d(name, x,
                       {.strides = {each.stride, each.stride},
                        .padding = {1, 1},
                        .groups = channels,
                        .channels = dim(channels),
                        .kernel_size = dims{3, 3}});
        x = normalized(name + "_bn1", x);
        channels = each.channels;
        x = net.conv2d(name + "_conv2", x, {.channels = dim(channels), .kernel_size = dims{1, 1}});
        x = normalized(name + "_bn2", x);
    }
    x = nn::batch_flatten(nn::global_avg_pool2d(x));
    return net.finish(nn::softmax(net.dense("fc", x, options.classes, 1)));
}

} // namespace tutti::relay::inline TUTTI_FORM::model
