#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/model/layers.hpp>
#include <tutti/relay/model/squeezenet.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::model {

TUTTI_CONSTEXPR ir_module squeezenet(const squeezenet_options& options) {
    const auto [image_channels, height, width] = options.image_shape;
    require_positive("squeezenet", "images", options.batch);
    require_positive("squeezenet", "channels", image_channels);
    require_positive("squeezenet", "classes", options.classes);
    if (height < 29 || width < 29)
        throw error("squeezenet", "an image of " + std::to_string(height) + "×" + std::to_string(width),
                    "29×29 or more");

    builder b;
    layers net(b);
    const auto conv = [&](const std::string& name, expr data, std::int64_t channels, std::int64_t kernel,
                          std::int64_t stride = 1) {
        return net.biased_conv2d(name, data,
                                 {.strides = {stride, stride},
                                  .padding = {kernel / 2, kernel / 2},
                                  .channels = dim(channels),
                                  .kernel_size = dims{kernel, kernel}});
    };
    const auto pooled = [](expr data) { return nn::max_pool2d(data, {.pool_size = dims{3, 3}, .strides = {2, 2}}); };
    expr x = b.variable("data", {options.batch, image_channels, height, width}, options.element);
    x = nn::relu(conv("conv1", x, 64, 3, 2));
    constexpr std::array<std::int64_t, 8> squeezed{16, 16, 32, 32, 48, 48, 64, 64};
    for (std::size_t i = 0; i < squeezed.size(); ++i) {
        if (i == 0 || i == 2 || i == 4) x = pooled(x);
        // A fire module: squeezes to few channels, which a 1×1 and a 3×3 convolution each expand to four times as many.
        const std::string name = "fire" + std::to_string(i + 1);
        const expr few = nn::relu(conv(name + "_input_conv", x, squeezed[i], 1));
        const expr left = conv(name + "_left_conv", few, 4 * squeezed[i], 1);
        const expr right = conv(name + "_right_conv", few, 4 * squeezed[i], 3);
        x = concatenate(b.tuple({nn::relu(left), nn::relu(right)}), {.axis = 1});
    }
    x = nn::dropout(x)[0];
    x = nn::relu(conv("conv_final", x, options.classes, 1));
    return net.finish(nn::softmax(nn::batch_flatten(nn::global_avg_pool2d(x))));
}

} // namespace tutti::relay::inline TUTTI_FORM::model
