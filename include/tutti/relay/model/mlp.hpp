#pragma once

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/model/layers.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/shape.hpp>

#include <array>
#include <cstdint>

namespace tutti::relay::model {

/// Options of the multilayer perceptron.
struct mlp_options {
    std::int64_t batch = 1;
    std::array<std::int64_t, 3> image_shape{1, 28, 28}; ///< channels, height, width
    std::int64_t classes = 10;
    dtype element = dtype::float32;
};

/// Returns a perceptron with hidden layers of 128 and 64 units, with inferred types; its parameters are variables.
///
/// Throws: `tutti::error` for a size below 1.
/// Source: the reference's `relay.testing.mlp`, with an equal text.
constexpr ir_module mlp(const mlp_options& options = {}) {
    const auto [channels, height, width] = options.image_shape;
    require_positive("mlp", "images", options.batch);
    require_positive("mlp", "channels", channels);
    require_positive("mlp", "rows", height);
    require_positive("mlp", "columns", width);
    require_positive("mlp", "classes", options.classes);

    builder b;
    layers net(b);
    expr x = nn::batch_flatten(b.variable("data", {options.batch, channels, height, width}, options.element));
    x = nn::relu(net.dense("fc1", x, 128));
    x = nn::relu(net.dense("fc2", x, 64));
    return net.finish(nn::softmax(net.dense("fc3", x, options.classes)));
}

} // namespace tutti::relay::model
