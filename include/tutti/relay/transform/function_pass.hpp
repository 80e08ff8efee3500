#pragma once

#include <tutti/error.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/infer_type.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::relay {

/// Whether function passes leave a function alone: it is for another compiler (`Compiler="..."`), or says so (`SkipOptimization=1`).
constexpr bool is_left_alone(const function& f) {
    return has_attribute(f.graph, f.root, "Compiler") || has_nonzero_attribute(f.graph, f.root, "SkipOptimization");
}

/// Replaces each function of a module, but those that are left alone, by what `transform(const function&)` makes of it, then runs
/// InferType in the context: what a function pass of the reference does.
///
/// Throws: what `transform` or InferType throw; the module is as it was.
template <class Context, class Transform>
constexpr void transform_functions(ir_module& m, Context& ctx, Transform&& transform) {
    std::vector<function> other; // by function of the module; without a root if that is left alone
    other.reserve(m.size());
    for (const auto& [name, f] : std::as_const(m)) {
        // (GCC 12 destroys what a conditional operator chooses too early in constant evaluation.)
        if (is_left_alone(f))
            other.push_back({});
        else
            other.push_back(transform(f));
    }
    const auto exchange = [&] {
        std::size_t i = 0;
        for (auto& [name, f] : m) {
            if (other[i].root != expr_id::none) std::swap(f, other[i]);
            ++i;
        }
    };
    exchange();
    try {
        ctx.run(infer_type{}, m);
    } catch (...) {
        exchange();
        throw;
    }
}

/// Refuses a function whose types were not inferred, for a pass that needs them.
constexpr void require_types(const function& f, const pass_info& pass) {
    if (f.graph.type(f.root) == type_id::none)
        throw error(std::string(pass.name), "a function has no types", "InferType to have run before");
}

/// A pass over modules made of a pass over functions, which is what its name and level are taken from.
///
/// The lifted pass runs over each function, then InferType over the module. Functions are independent of each other.
template <class P>
struct lifted {
    static constexpr pass_info info = P::info;

    [[no_unique_address]] P pass;

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        transform_functions(m, ctx, [&](const function& f) {
            if constexpr (requires(function g) { pass(std::move(g), ctx); }) {
                return pass(function(f), ctx);
            } else {
                return pass(function(f));
            }
        });
    }
};

/// Lifts `function(function, ctx)` over modules; the context may be left out.
///
/// Requires: `pass` has a static `info`.
/// Example:  `const auto p = relay::function_pass(scale_constants{.multiplier = 3});`
template <class P>
constexpr lifted<P> function_pass(P pass) {
    return {std::move(pass)};
}

} // namespace tutti::relay
