#pragma once

#include <tutti/pass/context.hpp>
#include <tutti/pass/required.hpp>
#include <tutti/pass/sequential.hpp>

#include <cstddef>
#include <utility>

namespace tutti {

namespace detail {

// A resolved sequential runs each enabled stage, and each stage that an enabled stage requires, even if the required
// stage is disabled.
template <>
struct stage_runner<requirements::transitive> {
    template <class U, class Q, class... P, std::size_t... I, class Context>
    static constexpr auto run(Q& pass, U&& unit, const slots_of<std::index_sequence<I...>, P...>& stages, Context& ctx)
        -> decltype(ctx.run_unless_stopped(pass, static_cast<U&&>(unit))) {
        using Stage = std::remove_const_t<Q>;
        constexpr decision known = Context::template known<Stage>();
        if constexpr (requires { pass.is_point(); })
            if (pass.is_point()) return ctx.run_member(pass, static_cast<U&&>(unit)); // which skips it silently
        if constexpr (known == decision::run) {
            return ctx.run_unless_stopped(pass, static_cast<U&&>(unit));
        } else {
            bool wanted = false;
            stages.each([&](const auto& other) { wanted = wanted || wants<Stage>(other, ctx); });
            const decision now = known == decision::unknown ? ctx.decide(pass) : known;
            if (wanted || now == decision::run) return ctx.run_unless_stopped(pass, static_cast<U&&>(unit));
            ctx.template skip<std::remove_reference_t<U>>(
                pass.info, now == decision::disabled ? skip_reason::disabled : skip_reason::opt_level);
            if constexpr (std::is_lvalue_reference_v<U>)
                return unchanged;
            else
                return static_cast<U&&>(unit);
        }
    }
};
template <>
struct stage_runner<requirements::around> : stage_runner<requirements::transitive> {};

// The stages of a resolved sequential: either the pass of the pipeline with index I, or an added required pass. Done
// lists the passes before the stage.
template <std::size_t I, class Done>
struct own_stage {};
template <class Q>
struct required_stage {};

// An order under construction: its stages, and the indices of the pipeline's passes among them.
template <class... Stage>
struct stage_list {};
template <std::size_t... I>
struct numbers {
    static constexpr bool contain(std::size_t n) { return ((n == I) || ...); }
};
template <class Done, class Taken, class Stages>
struct order;
template <class... D, std::size_t... I, class... Stage>
struct order<passes<D...>, numbers<I...>, stage_list<Stage...>> {
    using done = passes<D...>;
    using taken = numbers<I...>;
    using stages = stage_list<Stage...>;

    template <class Q, std::size_t N>
    using with_own = order<passes<D..., Q>, numbers<I..., N>, stage_list<Stage..., own_stage<N, done>>>;
    template <class Q>
    using with_required = order<passes<D..., Q>, taken, stage_list<Stage..., required_stage<Q>>>;
    template <class Inner, std::size_t N>
    using with_nested = order<Inner, numbers<I..., N>, stage_list<Stage..., own_stage<N, done>>>;
};

// The index of the first P that is a Q and not in Taken; sizeof...(P) if there is none.
template <class Q, class Taken, class... P>
consteval std::size_t place_of(passes<P...>) {
    std::size_t n = 0, found = sizeof...(P);
    ((found == sizeof...(P) && std::same_as<Q, P> && !Taken::contain(n) ? void(found = n++) : void(n++)), ...);
    return found;
}

// Adds required passes to an order. Those that do not transform the level's units are left to the surrounding pass.
template <class Order, class Level, class Own>
consteval Order add_required(Own, passes<>) {
    return {};
}
template <class Order, class Level, class Own, class R, class... Rest>
consteval auto add_required(Own own, passes<R, Rest...>) {
    if constexpr (contains<R, typename Order::done> || !is_over<R, Level>) {
        return add_required<Order, Level>(own, passes<Rest...>{});
    } else {
        constexpr std::size_t n = place_of<R, typename Order::taken>(own);
        if constexpr (n < Own::size)
            return add_required<typename Order::template with_own<R, n>, Level>(own, passes<Rest...>{});
        else
            return add_required<typename Order::template with_required<R>, Level>(own, passes<Rest...>{});
    }
}

// Returns the order of a pipeline's passes, the first of which has index I. Level is the type of unit; void if unknown.
template <std::size_t I, class Order, class Level, class Own>
consteval auto order_of(Own, passes<>) {
    return Order{};
}
template <std::size_t I, class Order, class Level, class Own, class P, class... Rest>
consteval auto order_of(Own own, passes<P, Rest...>) {
    if constexpr (Order::taken::contain(I)) {
        return order_of<I + 1, Order, Level>(own, passes<Rest...>{});
    } else if constexpr (internal::is_sequential<P>) {
        using inner = decltype(order_of<0, order<typename Order::done, numbers<>, stage_list<>>, Level>(
            members_of<P>{}, members_of<P>{}));
        if constexpr (std::same_as<inner, cyclic>)
            return cyclic{};
        else // members of a sequential above level 0 do not count as done: a context may skip the sequential
            return order_of<I + 1,
                            typename Order::template with_nested<
                                typename std::conditional_t<P::info.opt_level == 0, inner, Order>::done, I>,
                            Level>(own, passes<Rest...>{});
    } else {
        using all = decltype(visit_passes(typename Order::done{}, passes<P>{}, wanted_of<P>{}));
        if constexpr (std::same_as<all, cyclic>) {
            return cyclic{};
        } else {
            using behind = decltype(add_required<Order, Level>(own, all{}));
            return order_of<I + 1, typename behind::template with_own<P, I>, Level>(own, passes<Rest...>{});
        }
    }
}

// The target of a resolution: the type of its units, and the requirements that the resolved sequentials run.
template <class Level, requirements Which>
struct resolved_for {
    using level = Level;
    static constexpr requirements which = Which;

    // The target for the members of a pass over Parts. If Part is void, the members transform the pass's own units.
    template <class Part>
    using inside = std::conditional_t<std::is_void_v<Part>, resolved_for, resolved_for<Part, requirements::around>>;
};

template <class For, class Done, class P>
constexpr auto resolve_after(P pass);

template <class For, std::size_t I, class Done, class Stages>
constexpr auto make_stage(Stages& own, own_stage<I, Done>*) {
    return resolve_after<For, Done>(std::move(at<I>(own)));
}
template <class For, class Q, class Stages>
constexpr Q make_stage(Stages&, required_stage<Q>*) {
    return Q{};
}
template <class For, fixed_string Name, int Level, class... Stage, class Stages>
constexpr auto make_resolved(Stages& own, stage_list<Stage...>) {
    return [&]<class... Q>(Q... stage) {
        return basic_seq<For::which, Name, Level, Q...>{slots<Q...>{{std::move(stage)}...}};
    }(make_stage<For>(own, static_cast<Stage*>(nullptr))...);
}

template <class For, class Done, requirements R, fixed_string Name, int Level, class... P>
constexpr auto resolve_sequential(basic_seq<R, Name, Level, P...> pipeline) {
    using made = decltype(order_of<0, order<Done, numbers<>, stage_list<>>, typename For::level>(passes<P...>{},
                                                                                                 passes<P...>{}));
    if constexpr (std::same_as<made, cyclic>)
        return pipeline;
    else
        return make_resolved<For, Name, Level>(pipeline.stages, typename made::stages{});
}

// Returns a pass with its members resolved. The passes in Done run before the pass.
template <class For, class Done, class P>
constexpr auto resolve_after(P pass) {
    if constexpr (internal::is_sequential<P>) {
        return resolve_sequential<For, Done>(std::move(pass));
    } else if constexpr (requires { pass.with_inner(pass.inner); }) {
        // passes that ran over the whole have not run over its parts
        using part = internal::inner_part<P>;
        using done = std::conditional_t<std::is_void_v<part>, Done, passes<>>;
        using inside = typename For::template inside<part>;
        if constexpr (std::same_as<wanted_of<decltype(pass.inner)>, passes<>>)
            return pass.with_inner(resolve_after<inside, done>(pass.inner));
        else
            return pass.with_inner(resolve_sequential<inside, done>(tutti::sequential(pass.inner)));
    } else {
        return pass;
    }
}

template <class For, requirements R, fixed_string Name, int Level, class... P>
constexpr auto resolve_for(basic_seq<R, Name, Level, P...> pipeline) {
    return resolve_sequential<For, passes<>>(std::move(pipeline));
}

// True if a pass is or contains a resolved sequential with a required stage that does not transform a Part.
template <class Part, class P>
inline constexpr bool has_those_of_whole =
    std::is_void_v<internal::inner_part<P>> && has_those_of_whole<Part, members_of<P>>;
template <class Part, class... P>
inline constexpr bool has_those_of_whole<Part, passes<P...>> = (has_those_of_whole<Part, P> || ...);
template <class Part, class Q, class... P>
inline constexpr bool is_of_whole = !is_over<Q, Part> && (needs_pass<Q, P> || ...);
template <class Part, fixed_string Name, int Level, class... P>
inline constexpr bool has_those_of_whole<Part, basic_seq<requirements::transitive, Name, Level, P...>> =
    (is_of_whole<Part, P, P...> || ...) || has_those_of_whole<Part, passes<P...>>;

template <class Part, class P>
constexpr auto without_those_of_whole(P pass)
    requires(has_those_of_whole<Part, P> && requires { pass.inner; });
template <class Part, requirements R, fixed_string Name, int Level, class... P>
    requires(has_those_of_whole<Part, basic_seq<R, Name, Level, P...>>)
constexpr auto without_those_of_whole(basic_seq<R, Name, Level, P...> pipeline);

// Removes from a pass over parts the stages over the whole that `resolve` added while the type of unit was unknown. The
// surrounding pass runs these stages.
template <class Part, class P>
constexpr P without_those_of_whole(P pass)
    requires(!has_those_of_whole<Part, P>)
{
    return pass;
}
template <class Part, class P>
constexpr auto without_those_of_whole(P pass)
    requires(has_those_of_whole<Part, P> && requires { pass.inner; })
{
    return pass.with_inner(without_those_of_whole<Part>(pass.inner));
}
template <class Part, requirements R, fixed_string Name, int Level, class... P>
    requires(has_those_of_whole<Part, basic_seq<R, Name, Level, P...>>)
constexpr auto without_those_of_whole(basic_seq<R, Name, Level, P...> pipeline) {
    const auto join = []<class... A, class... B>(slots<A...> a, slots<B...> b) {
        return a.apply([&](auto&... first) {
            return b.apply(
                [&](auto&... second) { return slots<A..., B...>{{std::move(first)}..., {std::move(second)}...}; });
        });
    };
    const auto kept = [&]<class Q>(Q& stage) {
        if constexpr (R == requirements::transitive && is_of_whole<Part, Q, P...>) {
            return slots<>{};
        } else {
            auto made = without_those_of_whole<Part>(std::move(stage));
            return slots<decltype(made)>{{std::move(made)}};
        }
    };
    const auto add = [&](auto& self, auto all, auto&... rest) {
        if constexpr (sizeof...(rest) == 0)
            return all;
        else
            return [&](auto& first, auto&... others) {
                return self(self, join(std::move(all), kept(first)), others...);
            }(rest...);
    };
    return pipeline.stages.apply([&](auto&... stage) {
        return []<class... Q>(slots<Q...> stages) {
            return basic_seq<R, Name, Level, Q...>{std::move(stages)};
        }(add(add, slots<>{}, stage...));
    });
}

} // namespace detail

/// Returns the pipeline with all transitive requirements of its passes added.
///
/// Each requirement occurs once, after its own requirements. Otherwise, the passes keep the pipeline's order. A
/// required pass that the pipeline contains later is moved forward, with its options. No pass of the pipeline is
/// dropped. A member runs if the context enables it. As in `sequential`, even a disabled member runs if the context
/// enables a member that requires it. If a pass over parts has requirements over the whole, these run before the pass.
/// Nested sequentials and the inner passes of adaptors are resolved in place. Passes inside a sequential of level 0 do
/// not run again for later passes that require them.
///
/// Requires: no cyclic requirements; a cycle is a compile error that names the path.
/// Example:  `constexpr auto all = tutti::resolve(tutti::sequential(convert_layout{}));`
/// // InferType, CanonicalizeOps, ConvertLayout
template <requirements R, fixed_string Name, int Level, class... P>
constexpr auto resolve(detail::basic_seq<R, Name, Level, P...> pipeline) {
    return detail::resolve_for<detail::resolved_for<void, requirements::transitive>>(std::move(pipeline));
}

} // namespace tutti
