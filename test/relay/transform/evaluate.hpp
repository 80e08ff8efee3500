#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tutti/kernel/tensor.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/transform/fold_constant.hpp>
#include <tutti/relay/transform/infer_type.hpp>

namespace tutti::test {

/// A tensor of that shape with elements from a uniform distribution in [-1, 1).
inline kernel::tensor random_tensor(std::vector<std::int64_t> shape, std::mt19937& random) {
    kernel::tensor t(kernel::dtype::float32, std::move(shape));
    std::uniform_real_distribution<float> values(-1, 1);
    for (float& x : t.mutable_elements<float>()) x = values(random);
    return t;
}

/// What `main` computes for parameters that follow from the seed: with these for constants, all of it folds into one.
///
/// Requires: parameters of type float32 with known shapes, and one tensor as the result.
inline kernel::tensor evaluate(const relay::ir_module& m, std::uint32_t seed) {
    std::mt19937 random(seed);
    const relay::function& f = *m.find("main");
    relay::rewriter r(f.graph, f.root);
    std::vector<relay::expr_id> constants(f.graph.size(), relay::expr_id::none);
    for (const relay::expr_id p : f.graph.params(f.root)) {
        std::vector<std::int64_t> shape;
        for (const relay::dim d : f.graph.types().shape(f.graph.annotation(p))) shape.push_back(d.value());
        constants[relay::index(p)] = r.to().constant(random_tensor(std::move(shape), random));
    }
    const relay::expr_id root = r.run([&](relay::rewriter& into, relay::expr_id e) {
        if (constants[relay::index(e)] != relay::expr_id::none) return constants[relay::index(e)];
        if (e == f.root) return into.to().function({}, into[f.graph.body(e)]);
        return into.rebuild(e);
    });
    relay::ir_module bound(relay::function{std::move(r.to()), root});
    pass_context ctx{};
    with(ctx, [&](auto& scope) { scope.run(relay::fold_constant{}, bound); });
    const relay::function& folded = *bound.find("main");
    return folded.graph.constant_value(folded.graph.body(folded.root));
}

/// The largest difference between two float32 tensors of one shape, as a share of the largest absolute value.
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

/// The module after InferType and that pass, at level 3.
template <class Pass>
relay::ir_module after(relay::ir_module m, const Pass& pass) {
    pass_context ctx{opt_level<3>};
    with(ctx, [&](auto& scope) {
        scope.run(relay::infer_type{}, m);
        scope.run(pass, m);
    });
    return m;
}

}  // namespace tutti::test
