#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/pass/config.hpp>
#include <tutti/pass/pass.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/structure.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Calls `f(i, notes)` for each function of a module, with the function's index and notes. Runs in parallel if the
/// context has an executor, so `f` must be safe to call from several threads. Runs serially if `ctx` is a `pass_notes`.
///
/// Throws: the exception of the first call that throws, in the order of the functions.
template <class Context, class F>
constexpr void for_each_function(const ir_module& m, Context&& ctx, F&& f) {
    const auto of = [&m](const pass_notes& notes, std::size_t i) {
        return notes.in(m.begin()[static_cast<std::ptrdiff_t>(i)].name);
    };
    if constexpr (requires { requires std::remove_reference_t<Context>::parts_at_once; })
        if (ctx.runs_at_once(m.size())) {
            ctx.for_each_part(m.size(), [&](std::size_t i, auto& part_ctx) {
                f(i, of(pass_notes(part_ctx), i));
                return unchanged;
            });
            return;
        }
    const pass_notes notes(ctx);
    for (std::size_t i = 0; i < m.size(); ++i) f(i, of(notes, i));
}

/// Returns, for each function of a module, the result of `transform(const function&, const pass_notes&)`, or of
/// `transform(i, const function&, const pass_notes&)`. A result without a root means that the function stays. `ctx` is
/// passed to `for_each_function`.
template <class Context, class Transform>
constexpr vector<function> transformed(const ir_module& m, Context&& ctx, Transform&& transform) {
    vector<function> made(m.size());
    for_each_function(m, ctx, [&](std::size_t i, const pass_notes& notes) {
        const function& f = m.begin()[static_cast<std::ptrdiff_t>(i)].function;
        if constexpr (requires { transform(i, f, notes); })
            made[i] = transform(i, f, notes);
        else
            made[i] = transform(f, notes);
    });
    return made;
}

/// Swaps functions of a module with their replacements in `made`. A function without a replacement stays.
constexpr void exchange(ir_module& m, vector<function>& made) {
    std::size_t i = 0;
    for (auto& [name, f] : m) {
        if (made[i].root != expr_id::none) std::swap(f, made[i]);
        ++i;
    }
}

namespace detail {

// Refuses malformed functions before any other code uses them. The error names the pass, if known.
[[gnu::noinline]] constexpr void check_made(const ir_module& m, const vector<function>& made, std::string_view pass) {
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (made[i].root == expr_id::none && made[i].graph.size() == 0) continue; // the function is kept
        tutti::internal::on_failure<error>([&] { check_well_formed(made[i]); },
                                           [&](const error& e) {
                                               const auto& d = m.begin()[static_cast<std::ptrdiff_t>(i)];
                                               const auto within = [&] { throw_within("@" + d.name + ": ", e); };
                                               pass.empty() ? within() : tutti::checked_after(pass, within);
                                           });
    }
}

template <class Context>
constexpr void exchange_and_infer(ir_module& m, Context& ctx, vector<function> made, std::string_view pass = {}) {
    check_made(m, made, pass);
    exchange(m, made);
    try {
        ctx.run(infer_type{}, m);
    } catch (...) {
        exchange(m, made);
        throw;
    }
    if constexpr (Context::parts_at_once)
        if (ctx.runs_at_once(made.size())) // destroying the old functions costs as much as building the new ones
            ctx.for_each_part(made.size(), [&](std::size_t i, auto&) {
                made[i] = function{};
                return unchanged;
            });
}

// Wraps `transform` so that functions that passes skip stay unchanged, and all that are left if the run is stopped.
template <class Transform>
constexpr auto skipping_unselected(Transform& transform) {
    return [&transform](const function& f, const pass_notes& notes) {
        if (is_left_alone(f) || notes.stop_requested()) return function{};
        if constexpr (requires { transform(f, notes); })
            return transform(f, notes);
        else
            return transform(f);
    };
}

} // namespace detail

/// Replaces each function of a module by the result of `transform(const function&, const pass_notes&)` or
/// `transform(const function&)`, except functions that passes skip. Then runs InferType in the context, like a function
/// pass of the reference. If the run is stopped (`scope::stop_requested`), the remaining functions stay as they are.
///
/// If the context has an executor, functions are transformed in parallel, so `transform` must be safe to call from
/// several threads.
///
/// Throws: as `transform` and InferType do; `tutti::error` for a malformed result (see `check_well_formed`). The module
///         is then unchanged.
template <class Context, class Transform>
constexpr void transform_functions(ir_module& m, Context& ctx, Transform&& transform) {
    detail::exchange_and_infer(m, ctx, transformed(m, ctx, detail::skipping_unselected(transform)));
}

namespace detail {

// Like `transform_functions`, but errors name the pass.
template <class Context, class Transform>
constexpr void transform_functions_named(ir_module& m, Context& ctx, std::string_view pass, Transform&& transform) {
    exchange_and_infer(m, ctx, transformed(m, ctx, skipping_unselected(transform)), pass);
}

} // namespace detail

/// Throws `tutti::error` if a function has no inferred types. `pass` is the pass that needs them.
constexpr void require_types(const function& f, const pass_info& pass) {
    if (f.graph.type(f.root) == type_id::none)
        throw error(std::string(pass.name), "a function has no types", "InferType to have run before");
}

namespace detail {

// Returns `transform()`. Adds the pass's name to a rewriter's error. Sets `threw` if `transform` throws, on any thread.
template <class Transform>
constexpr auto naming(const pass_info& pass, bool& threw, Transform&& transform) {
    try {
        return tutti::internal::on_failure(transform,
                                           [&](const auto&...) { __atomic_store_n(&threw, true, __ATOMIC_RELAXED); });
    } catch (const rewrite_error& e) {
        throw rewrite_error(error(std::string(pass.name) + ", " + e.where(), e.problem(), e.expected()), e.location());
    }
}

// Returns a copy of a function with ids so large that a graph made from the copy is unlikely to contain them.
constexpr function moved_up(const function& f) {
    const std::uint32_t size = f.graph.size();
    function other{f.graph.emptied(), expr_id::none};
    for (std::uint32_t i = 0; i < 1024 + 4 * size; ++i) other.graph.tuple({});
    plain_vector<expr_id> became(size);
    for (std::uint32_t i = 0; i < size; ++i) {
        const expr_id e{i};
        became[i] = other.graph.add_over(f.graph, e, f.graph.operands(e), [&](expr_id o) { return became[index(o)]; });
        other.graph.set_type(became[i], f.graph.type(e));
    }
    other.root = became[index(f.root)];
    return other;
}

// Calls `run`, in which a rule may mistake an id of the old graph for an id of the new graph. If the resulting
// functions are refused, calls `again(function)` on copies whose ids do not exist in the new graph, so that the
// rewriter detects the faulty rule.
template <class Run, class Again>
constexpr void blaming_rules(const ir_module& m, const bool& pass_threw, Run&& run, Again&& again) {
    try {
        run();
    } catch (const error&) {
        if (pass_threw) throw;
        for (const auto& [name, f] : m) {
            if (is_left_alone(f)) continue;
            try {
                again(moved_up(f));
            } catch (const rewrite_error&) {
                throw;
            } catch (...) { // the first error is rethrown below
            }
        }
        throw;
    }
}

} // namespace detail

/// Transforms functions like the overload without `pass`, for a pass that needs inferred types.
///
/// Throws: as that overload does; also `tutti::error` for a function without types. A `rewrite_error` names the pass.
template <class Context, class Transform>
constexpr void transform_functions(ir_module& m, Context& ctx, const pass_info& pass, Transform&& transform) {
    bool threw = false;
    const auto named = [&](const function& f, const pass_notes& notes) {
        return detail::naming(pass, threw, [&] {
            require_types(f, pass);
            if constexpr (requires { transform(f, notes); })
                return transform(f, notes);
            else
                return transform(f);
        });
    };
    detail::blaming_rules(
        m, threw, [&] { detail::transform_functions_named(m, ctx, pass.name, named); },
        [&](const function& f) { named(f, pass_notes()); });
}

/// Transforms functions like `transform_functions`, for a pass with one budget for all functions. Calls
/// `transform(const function&, const pass_notes&, budget&)`.
///
/// Runs in parallel only if no instrument receives notes or decides about rewrites; each function then has the whole budget. If the functions
/// together exceed the budget, or one fails, all are transformed again, in order, to determine where the budget ends
/// and which function fails first.
template <class Context, class Transform>
constexpr void transform_functions_within(ir_module& m, Context& ctx, const pass_info& pass, budget& most,
                                          Transform&& transform) {
    if constexpr (Context::parts_at_once)
        if (ctx.runs_at_once(m.size()) && !pass_notes(ctx).used()) {
            vector<function> made;
            std::uint64_t taken = 0;
            try {
                made = transformed(m, ctx, [&](const function& f, const pass_notes& notes) {
                    if (is_left_alone(f) || notes.stop_requested()) return function{};
                    require_types(f, pass);
                    budget own = most;
                    function other = transform(f, notes, own);
                    __atomic_add_fetch(&taken, most.left() - own.left(), __ATOMIC_RELAXED);
                    return other;
                });
            } catch (...) {
                made.clear();
            }
            if (!made.empty() && taken <= most.left()) {
                most.take(taken);
                return detail::exchange_and_infer(m, ctx, std::move(made), pass.name);
            }
        }
    const auto within = [&](const function& f, const pass_notes& notes) {
        require_types(f, pass);
        return transform(f, notes, most);
    };
    detail::exchange_and_infer(m, ctx, transformed(m, pass_notes(ctx), detail::skipping_unselected(within)), pass.name);
}

namespace detail {

template <class P>
struct config_of {
    using type = tutti::config_list<>;
};
template <class P>
    requires requires { typename P::config; }
struct config_of<P> {
    using type = typename P::config;
};

// Returns a pass over functions that calls `pass` with the function, the module and, if given, the context.
template <class P, class... Context>
constexpr auto with_module(const P& pass, const ir_module& m, Context&... ctx) {
    return [&]<class F>(F&& each) -> decltype(pass(static_cast<F&&>(each), m, ctx...)) {
        return pass(static_cast<F&&>(each), m, ctx...);
    };
}
template <class P, class... Context>
using seeing_module =
    decltype(with_module(std::declval<P&>(), std::declval<const ir_module&>(), std::declval<Context&>()...));

// Call operators that take the module. The form without a context is tried last, because `(function&, auto& ctx)` would
// take a module as its context.
template <class P, class Context>
concept sees_module_in_context = tutti::transforms<seeing_module<P, Context>, function, Context>;
template <class P, class Context>
concept sees_module = sees_module_in_context<P, Context> || (!tutti::transforms<P, function, Context> &&
                                                             tutti::transforms<seeing_module<P>, function, Context>);

template <class P, class Context>
constexpr change call_with_module(const P& pass, function& f, const ir_module& m, Context& ctx) {
    if constexpr (sees_module_in_context<const P, Context>)
        return tutti::internal::call_in_place(with_module(pass, m, ctx), f, ctx);
    else
        return tutti::internal::call_in_place(with_module(pass, m), f, ctx);
}

// True if a pass accepts functions in some form.
template <class P, class Context>
concept takes_functions = takes<P, function&, Context&> || takes<P, function&> ||
                          takes<P, function&, const ir_module&> || takes<P, function&, const ir_module&, Context&>;

template <class P, class Context>
constexpr bool is_function_pass() {
    constexpr bool fits = tutti::transforms<const P, function, Context> || sees_module<const P, Context>;
    constexpr bool cannot_change = !fits && takes_functions<const P, Context>;
    static_assert(!cannot_change,
                  "tutti::relay::function_pass(pass): a pass must be able to change the function; let it take a "
                  "function& and return nothing, or let it return the function");
    static_assert(
        fits || cannot_change,
        "tutti::relay::function_pass(pass): a pass must be callable when const as (function&, ctx), or as (function&, "
        "const ir_module&, ctx) to see the module; change its call operator");
    return fits;
}

// Like `unit_traits<ir_module>::transform_parts`, but errors name the pass.
template <class Context, class Run>
constexpr change transform_parts_named(ir_module& m, Context& ctx, std::string_view pass, Run&& run) {
    if constexpr (Context::parts_at_once)
        if (ctx.runs_at_once(m.size())) {
            vector<function> made(m.size());
            const change all = ctx.for_each_part(m.size(), [&](std::size_t i, auto& part_ctx) {
                const function& f = m.begin()[static_cast<std::ptrdiff_t>(i)].function;
                if (is_left_alone(f) || part_ctx.stop_requested()) return unchanged;
                made[i] = f;
                return run(made[i], part_ctx);
            });
            exchange_and_infer(m, ctx, std::move(made), pass);
            return all;
        }
    change all = unchanged;
    transform_functions_named(m, ctx, pass, [&](const function& f) {
        function other(f);
        all |= run(other, ctx);
        return other;
    });
    return all;
}

} // namespace detail

/// A pass over modules that wraps a pass over functions and has the same info, options and requirements.
///
/// Runs the pass over each function, then InferType over the module, like `each<function>(pass)`, but instruments see
/// one pass. A pass that takes the module sees it before any function changes, with or without an executor.
template <class P>
struct lifted {
    static constexpr pass_info info = P::info;
    using required = tutti::internal::required_of<P>;
    using config = typename detail::config_of<P>::type;
    using properties_from = P;

    [[no_unique_address]] P pass;

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        bool threw = false;
        const auto run = [&](function& f, auto& in) {
            using part_context = std::remove_reference_t<decltype(in)>;
            if constexpr (detail::is_function_pass<P, part_context>())
                return in.over(f, [&] {
                    return detail::naming(info, threw, [&] {
                        if constexpr (detail::sees_module<const P, part_context>)
                            return detail::call_with_module(pass, f, std::as_const(m), in);
                        else
                            return tutti::internal::call_in_place(pass, f, in);
                    });
                });
            else
                return unchanged;
        };
        detail::blaming_rules(
            m, threw, [&] { detail::transform_parts_named(m, ctx, info.name, run); }, [&](function f) { run(f, ctx); });
    }
};
/// Lifts a pass over functions to modules. The pass is callable as `(function&, ctx)`, or as
/// `(function&, const ir_module&, ctx)` to see the module. It may take the function by value and return it, and may
/// omit the context.
///
/// Requires: `pass` has a static `info`.
/// Example:
///     struct inline_small {
///         static constexpr tutti::pass_info info{.name = "InlineSmall"};
///         void operator()(relay::function& f, const relay::ir_module& m, auto& ctx) const { … m.find(name) … }
///     };
///     const auto p = relay::function_pass(inline_small{});
template <class P>
constexpr lifted<P> function_pass(P pass) {
    return {std::move(pass)};
}

} // namespace tutti::relay::inline TUTTI_FORM

namespace tutti {

template <class Context, class Run>
constexpr change unit_traits<relay::ir_module>::transform_parts(relay::ir_module& m, Context& ctx, Run&& run) {
    return relay::detail::transform_parts_named(m, ctx, {}, run);
}

/// A lifted pass has the options of the inner pass.
template <class P>
    requires internal::describes_options<P>
struct internal::options_of<relay::lifted<P>> {
    /// An option of the inner pass.
    template <class Option>
    struct through {
        std::string_view name;
        Option inner;

        constexpr auto& operator()(relay::lifted<P>& lifted) const { return inner(lifted.pass); }
        constexpr const auto& operator()(const relay::lifted<P>& lifted) const { return inner(lifted.pass); }
    };
    struct options {
        constexpr decltype(auto) apply(auto&& f) const {
            return internal::unpack_options<P>([&](const auto&... each) -> decltype(auto) {
                return f(through<std::remove_cvref_t<decltype(each)>>{each.name, each}...);
            });
        }
    };
    static constexpr options list{};
};

} // namespace tutti
