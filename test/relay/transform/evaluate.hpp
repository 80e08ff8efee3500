#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace tutti::test {

/// Returns a tensor of this shape with uniformly distributed elements in [-1, 1).
inline kernel::tensor random_tensor(std::vector<std::int64_t> shape, std::mt19937& random) {
    kernel::tensor t(kernel::dtype::float32, std::move(shape));
    std::uniform_real_distribution<float> values(-1, 1);
    for (float& x : t.mutable_elements<float>()) x = values(random);
    return t;
}

/// Returns the result of `main` for inputs that are generated from the seed.
///
/// Requires: parameters of type float32 with known shapes, and one tensor as the result.
inline kernel::tensor evaluate(const relay::ir_module& m, std::uint32_t seed) {
    std::mt19937 random(seed);
    relay::evaluator evaluator(m);
    std::vector<kernel::tensor> inputs;
    for (const relay::parameter& p : evaluator.parameters()) {
        std::vector<std::int64_t> shape;
        for (const relay::dim d : evaluator.types().shape(p.type)) shape.push_back(d.value());
        inputs.push_back(random_tensor(std::move(shape), random));
    }
    return evaluator.run(std::span<const kernel::tensor>(inputs))[0];
}

/// Returns the largest difference between two float32 tensors of the same shape, relative to the largest absolute
/// value.
inline double relative_difference(const kernel::tensor& a, const kernel::tensor& b) {
    double largest = 0;
    double difference = 0;
    for (std::int64_t i = 0; i < a.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const double x = a.elements<float>()[at];
        const double y = b.elements<float>()[at];
        largest = std::max({largest, std::abs(x), std::abs(y)});
        difference = std::max(difference, std::abs(x - y));
    }
    return largest == 0 ? difference : difference / largest;
}

/// Runs InferType and then the pass over the module, at level 3.
template <class Pass>
relay::ir_module after(relay::ir_module m, const Pass& pass) {
    pass_context ctx{opt_level<3>};
    with(ctx, [&](auto& scope) {
        scope.run(relay::infer_type{}, m);
        scope.run(pass, m);
    });
    return m;
}

} // namespace tutti::test
