#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/model/layers.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/op/shape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::model {

namespace detail {

/// Returns the number of units in each of the four stages. Source: He et al., "Deep Residual Learning", table 1.
constexpr std::array<int, 4> resnet_units(int layers) {
    switch (layers) {
    case 18:
        return {2, 2, 2, 2};
    case 34:
        return {3, 4, 6, 3};
    case 50:
        return {3, 4, 6, 3};
    case 101:
        return {3, 4, 23, 3};
    case 152:
        return {3, 8, 36, 3};
    default:
        throw error("resnet", std::to_string(layers) + " layers", "18, 34, 50, 101 or 152");
    }
}

class resnet_builder {
public:
    constexpr explicit resnet_builder(builder& b) : layer_(b) {}

    TUTTI_CONSTEXPR expr normalized(const std::string& name, expr data) {
        return nn::relu(layer_.batch_norm(name, data, {.epsilon = 2e-5}));
    }

    constexpr expr conv(const std::string& name, expr data, std::int64_t channels, std::int64_t kernel,
                        std::int64_t stride) {
        return layer_.conv2d(name, data,
                             {.strides = {stride, stride},
                              .padding = {kernel / 2, kernel / 2},
                              .channels = dim(channels),
                              .kernel_size = dims{kernel, kernel}});
    }

    /// A unit in pre-activation form. Source: He et al., "Identity Mappings in Deep Residual Networks", figure 4(e).
    TUTTI_CONSTEXPR expr unit(const std::string& name, expr data, std::int64_t channels, std::int64_t stride,
                              bool same_shape, bool bottleneck) {
        const expr act1 = normalized(name + "_bn1", data);
        expr out = act1;
        if (bottleneck) {
            out = conv(name + "_conv1", out, channels / 4, 1, stride);
            out = conv(name + "_conv2", normalized(name + "_bn2", out), channels / 4, 3, 1);
            out = conv(name + "_conv3", normalized(name + "_bn3", out), channels, 1, 1);
        } else {
            out = conv(name + "_conv1", out, channels, 3, stride);
            out = conv(name + "_conv2", normalized(name + "_bn2", out), channels, 3, 1);
        }
        const expr shortcut = same_shape ? data : conv(name + "_sc", act1, channels, 1, stride);
        return add(out, shortcut);
    }

    constexpr layers& layer() { return layer_; }

private:
    layers layer_;
};

} // namespace detail

TUTTI_CONSTEXPR ir_module resnet(const resnet_options& options) {
    const auto [image_channels, height, width] = options.image_shape;
    const std::array units = detail::resnet_units(options.layers);
    if (height < 29 || width < 29)
        throw error("resnet", "an image of " + std::to_string(height) + "×" + std::to_string(width), "29×29 or more");

    require_positive("resnet", "images", options.batch);
    require_positive("resnet", "channels", image_channels);
    require_positive("resnet", "classes", options.classes);

    const bool bottleneck = options.layers >= 50;
    const std::array<std::int64_t, 4> channels =
        bottleneck ? std::array<std::int64_t, 4>{256, 512, 1024, 2048} : std::array<std::int64_t, 4>{64, 128, 256, 512};

    builder b;
    detail::resnet_builder net(b);
    expr x = b.variable("data", {options.batch, image_channels, height, width}, options.element);
    x = net.layer().batch_norm("bn_data", x, {.epsilon = 2e-5, .scale = false});
    if (height <= 32) {
        x = net.conv("conv0", x, 64, 3, 1);
    } else {
        x = net.conv("conv0", x, 64, 7, 2);
        x = net.normalized("bn0", x);
        x = nn::max_pool2d(x, {.pool_size = dims{3, 3}, .strides = {2, 2}, .padding = {1, 1}});
    }
    for (std::size_t stage = 0; stage < 4; ++stage) {
        for (int i = 0; i < units[stage]; ++i) {
            const std::string name = "stage" + std::to_string(stage + 1) + "_unit" + std::to_string(i + 1);
            x = net.unit(name, x, channels[stage], stage != 0 && i == 0 ? 2 : 1, i != 0, bottleneck);
        }
    }
    x = net.normalized("bn1", x);
    x = nn::batch_flatten(nn::global_avg_pool2d(x));
    return net.layer().finish(nn::softmax(net.layer().dense("fc1", x, options.classes)));
}

} // namespace tutti::relay::inline TUTTI_FORM::model
