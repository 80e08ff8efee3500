#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/model/dcgan.hpp>
#include <tutti/relay/model/layers.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/reshape.hpp>

#include <cstdint>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::model {

TUTTI_CONSTEXPR ir_module dcgan(const dcgan_options& options) {
    require_positive("dcgan", "images", options.batch);
    require_positive("dcgan", "random numbers", options.random_length);
    require_positive("dcgan", "channels", options.channels);

    builder b;
    layers net(b);
    const expr random = b.variable("data", {options.batch, options.random_length}, options.element);
    expr x = nn::relu(net.bare_dense("dense", random, 1024 * 4 * 4));
    x = reshape(x, {.newshape = dims{-1, 1024, 4, 4}});
    // Doubles height and width.
    const auto enlarged = [&](const std::string& name, std::int64_t channels) {
        return net.conv2d_transpose(name + "_deconv", x,
                                    {.channels = dim(channels),
                                     .kernel_size = dims{4, 4},
                                     .strides = {2, 2},
                                     .padding = {1, 1},
                                     .kernel_layout = "IOHW"});
    };
    std::int64_t channels = 512;
    for (const char* const name : {"g2", "g3", "g4"}) {
        x = nn::relu(net.batch_norm(name + std::string("_batch_norm"), enlarged(name, channels),
                                    {.epsilon = 1e-5, .scale = false}));
        channels /= 2;
    }
    return net.finish(tanh(enlarged("g5", options.channels)));
}

} // namespace tutti::relay::inline TUTTI_FORM::model
