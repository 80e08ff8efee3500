#pragma once

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/builder.hpp>

#include "../../kernel/support.hpp"

#include <cstdint>
#include <vector>

namespace test {

/// Runs the call `build(data, weight)` twice with the kernels of a set, and returns the second result. The weight is a
/// constant of the program or a parameter.
template <class Build>
tensor with_weights(const tutti::relay::kernel_set& kernels, const tensor& data, const tensor& weight, bool constant,
                    Build build) {
    tutti::relay::builder b;
    const auto dims_of = [](const tensor& t) {
        tutti::relay::dims shape;
        for (const std::int64_t d : t.shape()) shape.push_back(d);
        return shape;
    };
    std::vector<tutti::relay::expr> params{b.variable("x", dims_of(data), data.type())};
    tutti::relay::expr w{};
    if (constant)
        w = b.constant(weight);
    else
        params.push_back(w = b.variable("w", dims_of(weight), weight.type()));
    tutti::relay::evaluator e(tutti::relay::ir_module(b.function(params, build(params[0], w))), kernels);
    std::vector<tensor> inputs{data};
    if (!constant) inputs.push_back(weight);
    e.run(inputs);
    return e.run(inputs)[0];
}

} // namespace test
