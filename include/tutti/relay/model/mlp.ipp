#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/model/layers.hpp>
#include <tutti/relay/model/mlp.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/shape.hpp>

#include <array>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::model {

TUTTI_CONSTEXPR ir_module mlp(const mlp_options& options) {
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

} // namespace tutti::relay::inline TUTTI_FORM::model
