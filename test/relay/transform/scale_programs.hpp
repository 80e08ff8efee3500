#pragma once

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/shape.hpp>

#include <vector>

namespace tutti::test {

/// Returns a tensor of this shape with scales for channels. The scales are positive, or have both signs.
inline kernel::tensor scale(std::vector<std::int64_t> shape, bool positive = true) {
    kernel::tensor t(kernel::dtype::float32, std::move(shape));
    float next = 0.5F;
    for (float& x : t.mutable_elements<float>()) {
        x = next;
        next = positive ? next + 0.25F : -(next + 0.25F);
    }
    return t;
}

/// Returns a program of multiply, relu, add and a convolution. The scale folds forward into the weight.
inline relay::ir_module forward_program(bool positive = true) {
    relay::builder b;
    const auto x = b.variable("x", {2, 4, 10, 10});
    const auto weight = b.variable("weight", {8, 4, 3, 3});
    const auto bias = b.variable("in_bias", {4});
    auto y = relay::multiply(x, b.constant(scale({4, 1, 1}, positive)));
    y = relay::nn::relu(y);
    y = relay::add(y, relay::expand_dims(bias, {.axis = 1, .num_newaxis = 2}));
    y = relay::nn::conv2d(y, weight, {.padding = {1, 1}, .channels = relay::dim(8), .kernel_size = relay::dims{3, 3}});
    return relay::ir_module(b.function({x, weight, bias}, y));
}

/// Returns a program of a convolution, add, relu and multiply. The scale folds backward into the weight.
inline relay::ir_module backward_program(bool positive = true) {
    relay::builder b;
    const auto x = b.variable("x", {2, 4, 10, 10});
    const auto weight = b.variable("weight", {8, 4, 3, 3});
    const auto bias = b.variable("out_bias", {8});
    auto y =
        relay::nn::conv2d(x, weight, {.padding = {1, 1}, .channels = relay::dim(8), .kernel_size = relay::dims{3, 3}});
    y = relay::add(y, relay::expand_dims(bias, {.axis = 1, .num_newaxis = 2}));
    y = relay::nn::relu(y);
    y = relay::multiply(y, b.constant(scale({8, 1, 1}, positive)));
    return relay::ir_module(b.function({x, weight, bias}, y));
}

} // namespace tutti::test
