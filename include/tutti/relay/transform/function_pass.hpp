#pragma once

#include <tutti/described.hpp>
#include <tutti/error.hpp>
#include <tutti/pass/config.hpp>
#include <tutti/pass/pass.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::relay {

/// Whether function passes leave a function alone: it is for another compiler (`Compiler="..."`), or says so (`SkipOptimization=1`).
constexpr bool is_left_alone(const function& f) {
    return has_attribute(f.graph, f.root, "Compiler") || has_nonzero_attribute(f.graph, f.root, "SkipOptimization");
}

/// By function of a module what `transform(const function&, const pass_notes&)` makes of it, or `transform(const function&)`; one
/// without a root says that it stays.
template <class Transform>
constexpr std::vector<function> transformed(const ir_module& m, const pass_notes& notes, Transform&& transform) {
    std::vector<function> made;
    made.reserve(m.size());
    for (const auto& [name, f] : m) {
        if constexpr (requires { transform(f, notes); })
            made.push_back(transform(f, notes.in(name)));
        else
            made.push_back(transform(f));
    }
    return made;
}

/// Exchanges the functions of a module for those that were made of them.
constexpr void exchange(ir_module& m, std::vector<function>& made) {
    std::size_t i = 0;
    for (auto& [name, f] : m) {
        if (made[i].root != expr_id::none) std::swap(f, made[i]);
        ++i;
    }
}

namespace detail {

template <class Context>
constexpr void exchange_and_infer(ir_module& m, Context& ctx, std::vector<function> made) {
    exchange(m, made);
    try {
        ctx.run(infer_type{}, m);
    } catch (...) {
        exchange(m, made);
        throw;
    }
}

} // namespace detail

/// Replaces each function of a module, but those that are left alone, by what `transform(const function&, const pass_notes&)` makes
/// of it, or `transform(const function&)`, then runs InferType in the context: what a function pass of the reference does.
///
/// Throws: what `transform` or InferType throw; the module is as it was.
template <class Context, class Transform>
constexpr void transform_functions(ir_module& m, Context& ctx, Transform&& transform) {
    detail::exchange_and_infer(m, ctx, transformed(m, pass_notes(ctx), [&](const function& f, const pass_notes& notes) {
                                   if (is_left_alone(f)) return function{};
                                   if constexpr (requires { transform(f, notes); })
                                       return transform(f, notes);
                                   else
                                       return transform(f);
                               }));
}

/// Refuses a function whose types were not inferred, for a pass that needs them.
constexpr void require_types(const function& f, const pass_info& pass) {
    if (f.graph.type(f.root) == type_id::none)
        throw error(std::string(pass.name), "a function has no types", "InferType to have run before");
}

/// The same for a pass that needs inferred types.
///
/// Throws: `tutti::error` without types, too.
template <class Context, class Transform>
constexpr void transform_functions(ir_module& m, Context& ctx, const pass_info& pass, Transform&& transform) {
    transform_functions(m, ctx, [&](const function& f, const pass_notes& notes) {
        require_types(f, pass);
        if constexpr (requires { transform(f, notes); })
            return transform(f, notes);
        else
            return transform(f);
    });
}

namespace detail {

template <class P>
struct config_of {
    using type = config_list<>;
};
template <class P>
    requires requires { typename P::config; }
struct config_of<P> {
    using type = typename P::config;
};

} // namespace detail

/// A pass over modules made of a pass over functions: what that says of itself, its options, and what it requires, are its own.
///
/// It runs over each function, then InferType over the module: `each<function>(pass)`, seen by instruments as one pass.
template <class P>
struct lifted {
    static constexpr pass_info info = P::info;
    using required = required_of<P>;
    using config = typename detail::config_of<P>::type;

    [[no_unique_address]] P pass;

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        unit_traits<ir_module>::transform_parts(m, ctx, [&](function& f) { return call_in_place(pass, f, ctx); });
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

namespace tutti {

template <class Context, class Run>
constexpr change unit_traits<relay::ir_module>::transform_parts(relay::ir_module& m, Context& ctx, Run&& run) {
    change all = unchanged;
    relay::transform_functions(m, ctx, [&](const relay::function& f) {
        relay::function other(f);
        all |= run(other);
        return other;
    });
    return all;
}

/// The options of a lifted pass are those of the pass.
template <class P>
    requires describes_options<P>
struct options_of<relay::lifted<P>> {
    /// An option of the pass inside.
    template <class Option>
    struct through {
        std::string_view name;
        Option inner;

        constexpr auto& operator()(relay::lifted<P>& lifted) const { return inner(lifted.pass); }
        constexpr const auto& operator()(const relay::lifted<P>& lifted) const { return inner(lifted.pass); }
    };
    struct options {
        constexpr decltype(auto) apply(auto&& f) const {
            return unpack_options<P>([&](const auto&... each) -> decltype(auto) {
                return f(through<std::remove_cvref_t<decltype(each)>>{each.name, each}...);
            });
        }
    };
    static constexpr options list{};
};

} // namespace tutti
