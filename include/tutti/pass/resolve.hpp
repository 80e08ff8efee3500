#pragma once

#include <tutti/pass/context.hpp>
#include <tutti/pass/sequential.hpp>

#include <cstddef>
#include <utility>

namespace tutti {

namespace detail {

template <class P, class List>
inline constexpr bool contains = false;
template <class P, class... Q>
inline constexpr bool contains<P, passes<Q...>> = (std::same_as<P, Q> || ...);

// What a cyclic chain of required passes is shown as: the first pass is the last one again.
template <class... Path>
inline constexpr bool acyclic = false;

// What stands for the order of passes that have none.
struct cyclic {};

template <class Done, class Path, class P>
consteval auto visit_pass();

template <class Path, class List>
consteval cyclic visit_passes(cyclic, Path, List) {
    return {};
}
template <class Done, class Path>
    requires(!std::same_as<Done, cyclic>)
consteval Done visit_passes(Done, Path, passes<>) {
    return {};
}
// Done with each of the passes behind it, each behind what it requires.
template <class Done, class Path, class P, class... Rest>
    requires(!std::same_as<Done, cyclic>)
consteval auto visit_passes(Done, Path path, passes<P, Rest...>) {
    return visit_passes(visit_pass<Done, Path, P>(), path, passes<Rest...>{});
}

template <class... P, class... Q>
consteval passes<P..., Q...> appended(passes<P...>, passes<Q...>) {
    return {};
}

template <class P, class Q, class... Rest>
consteval void check_path(passes<Q, Rest...>) {
    // the path may come from outside of the cycle: drop that
    if constexpr (std::same_as<P, Q>)
        static_assert(acyclic<Q, Rest..., P>,
                      "tutti::resolve(pipeline): required passes must not form a cycle; take one of the passes that "
                      "acyclic<...> names out of the required of the one before it");
    else
        check_path<P>(passes<Rest...>{});
}

template <class Done, class Path, class P>
consteval auto visit_pass() {
    if constexpr (contains<P, Done>) {
        return Done{};
    } else if constexpr (contains<P, Path>) {
        check_path<P>(Path{});
        return cyclic{};
    } else {
        using inner = decltype(appended(Path{}, passes<P>{}));
        using before = decltype(visit_passes(Done{}, inner{}, required_of<P>{}));
        if constexpr (std::same_as<before, cyclic>)
            return cyclic{};
        else
            return appended(before{}, passes<P>{});
    }
}

// Whether a P wants a Q run before it: itself, through what it requires, or through its members.
template <class Q, class... P>
consteval bool needs(passes<P...>);
template <class Q, class P>
inline constexpr bool needs_pass = needs<Q>(required_of<P>{}) || (composite<P> && needs<Q>(members_of<P>{}));
template <class Q, class... P>
consteval bool needs(passes<P...>) {
    return ((std::same_as<Q, P> || needs_pass<Q, P>) || ...);
}

// A resolved sequential runs a stage that is enabled, or that a stage needs which is: then even if it is disabled.
template <>
struct stage_runner<requirements::transitive> {
    template <class U, class Q, class... P, std::size_t... I, class Context>
    static constexpr auto run(Q& pass, U&& unit, const slots_of<std::index_sequence<I...>, P...>& stages, Context& ctx)
        -> decltype(ctx.run(pass, static_cast<U&&>(unit))) {
        using Stage = std::remove_const_t<Q>;
        constexpr decision known = Context::template known<Stage>();
        constexpr bool always =
            known == decision::run || ((needs_pass<Stage, P> && Context::template known<P>() == decision::run) || ...);
        if constexpr (always) {
            return ctx.run(pass, static_cast<U&&>(unit));
        } else {
            bool wanted = false;
            stages.each([&]<class Other>(const Other& other) {
                if constexpr (needs_pass<Stage, Other> && Context::template known<Other>() == decision::unknown)
                    wanted = wanted || ctx.decide(other) == decision::run;
            });
            const decision now = known == decision::unknown ? ctx.decide(pass) : known;
            if (wanted || now == decision::run) return ctx.run(pass, static_cast<U&&>(unit));
            ctx.template skip<std::remove_reference_t<U>>(
                pass.info, now == decision::disabled ? skip_reason::disabled : skip_reason::opt_level);
            if constexpr (std::is_lvalue_reference_v<U>)
                return unchanged;
            else
                return static_cast<U&&>(unit);
        }
    }
};

// The stages of a resolved sequential: one of the pipeline's own, by its number, or one that was required. Done is what has run
// before it.
template <std::size_t I, class Done>
struct own_stage {};
template <class Q>
struct required_stage {};

// An order while it is being made: what it runs, which of the pipeline's own passes it has, and the stages.
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

// The number of the first P that is a Q and not taken; sizeof...(P) if there is none.
template <class Q, class Taken, class... P>
consteval std::size_t place_of(passes<P...>) {
    std::size_t n = 0, found = sizeof...(P);
    ((found == sizeof...(P) && std::same_as<Q, P> && !Taken::contain(n) ? void(found = n++) : void(n++)), ...);
    return found;
}

template <class Order, class Own>
consteval Order add_required(Own, passes<>) {
    return {};
}
template <class Order, class Own, class R, class... Rest>
consteval auto add_required(Own own, passes<R, Rest...>) {
    if constexpr (contains<R, typename Order::done>) {
        return add_required<Order>(own, passes<Rest...>{});
    } else {
        constexpr std::size_t n = place_of<R, typename Order::taken>(own);
        if constexpr (n < Own::size)
            return add_required<typename Order::template with_own<R, n>>(own, passes<Rest...>{});
        else
            return add_required<typename Order::template with_required<R>>(own, passes<Rest...>{});
    }
}

template <class P>
inline constexpr bool is_sequential = false;
template <requirements R, fixed_string Name, int Level, class... P>
inline constexpr bool is_sequential<basic_seq<R, Name, Level, P...>> = true;

template <std::size_t I, class Order, class Own>
consteval auto order_of(Own, passes<>) {
    return Order{};
}
template <std::size_t I, class Order, class Own, class P, class... Rest>
consteval auto order_of(Own own, passes<P, Rest...>) {
    if constexpr (Order::taken::contain(I)) {
        return order_of<I + 1, Order>(own, passes<Rest...>{});
    } else if constexpr (is_sequential<P>) {
        using inner = decltype(order_of<0, order<typename Order::done, numbers<>, stage_list<>>>(members_of<P>{},
                                                                                                 members_of<P>{}));
        if constexpr (std::same_as<inner, cyclic>)
            return cyclic{};
        else // what a sequential of a higher level runs may be left out
            return order_of<I + 1, typename Order::template with_nested<
                                       typename std::conditional_t<P::info.opt_level == 0, inner, Order>::done, I>>(
                own, passes<Rest...>{});
    } else {
        using all = decltype(visit_passes(typename Order::done{}, passes<P>{}, required_of<P>{}));
        if constexpr (std::same_as<all, cyclic>) {
            return cyclic{};
        } else {
            using behind = decltype(add_required<Order>(own, all{}));
            return order_of<I + 1, typename behind::template with_own<P, I>>(own, passes<Rest...>{});
        }
    }
}

template <class Done, class P>
constexpr auto resolve_after(P pass);

template <std::size_t I, class Done, class Stages>
constexpr auto make_stage(Stages& own, own_stage<I, Done>*) {
    return resolve_after<Done>(std::move(at<I>(own)));
}
template <class Q, class Stages>
constexpr Q make_stage(Stages&, required_stage<Q>*) {
    return Q{};
}
template <fixed_string Name, int Level, class... Stage, class Stages>
constexpr auto make_resolved(Stages& own, stage_list<Stage...>) {
    return [&]<class... Q>(Q... stage) {
        return basic_seq<requirements::transitive, Name, Level, Q...>{slots<Q...>{{std::move(stage)}...}};
    }(make_stage(own, static_cast<Stage*>(nullptr))...);
}

template <class Done, requirements R, fixed_string Name, int Level, class... P>
constexpr auto resolve_sequential(basic_seq<R, Name, Level, P...> pipeline) {
    using made = decltype(order_of<0, order<Done, numbers<>, stage_list<>>>(passes<P...>{}, passes<P...>{}));
    if constexpr (std::same_as<made, cyclic>)
        return pipeline;
    else
        return make_resolved<Name, Level>(pipeline.stages, typename made::stages{});
}

// A pass with what it runs resolved, behind these.
template <class Done, class P>
constexpr auto resolve_after(P pass) {
    if constexpr (is_sequential<P>) {
        return resolve_sequential<Done>(std::move(pass));
    } else if constexpr (requires { pass.with_inner(pass.inner); }) {
        // passes over parts are not those over the whole
        using done = std::conditional_t<requires { typename P::part; }, passes<>, Done>;
        if constexpr (std::same_as<required_of<decltype(pass.inner)>, passes<>>)
            return pass.with_inner(resolve_after<done>(pass.inner));
        else
            return pass.with_inner(resolve_sequential<done>(tutti::sequential(pass.inner)));
    } else {
        return pass;
    }
}

} // namespace detail

/// The pipeline with all that its passes require, and what these require in turn: each once, behind what it requires, else in
/// the pipeline's order.
///
/// A required pass that the pipeline has further behind, with options of its own, is taken from there; all that the pipeline
/// names is run. A member runs if the context enables it, or a member that requires it: then even if it is disabled, as in
/// `sequential`. Sequentials inside, and what adaptors are put around, are resolved in their places; what runs inside of a
/// sequential of level 0 is not run again for what stands behind that.
///
/// Requires: no cycle among the required; a cycle is a compile error that names the path.
/// Example:  `constexpr auto all = tutti::resolve(tutti::sequential(convert_layout{}));`
///           // InferType, CanonicalizeOps, ConvertLayout
template <requirements R, fixed_string Name, int Level, class... P>
constexpr auto resolve(basic_seq<R, Name, Level, P...> pipeline) {
    return detail::resolve_sequential<passes<>>(std::move(pipeline));
}

} // namespace tutti
