#pragma once

#include <tutti/pass/sequential.hpp>

namespace tutti {

namespace detail {

template <class P, class List>
inline constexpr bool contains = false;
template <class P, class... Q>
inline constexpr bool contains<P, passes<Q...>> = (std::same_as<P, Q> || ...);

// What a cyclic chain of required passes is shown as: the first pass is the last one again.
template <class... Path>
inline constexpr bool acyclic = false;

template <class Done, class Path, class P>
consteval auto visit_pass();

// What stands for the order of passes that have none.
struct cyclic {};

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

template <class... P, class Q>
consteval passes<P..., Q> appended(passes<P...>, passes<Q>) {
    return {};
}

template <class P, class Q, class... Rest>
consteval void check_path(passes<Q, Rest...>) {
    // the path may come from outside of the cycle: drop that
    if constexpr (std::same_as<P, Q>)
        static_assert(acyclic<Q, Rest..., P>,
                      "tutti::resolve(pipeline): required passes must not form a cycle; take one of the passes "
                      "that acyclic<...> names out of the required of the one before it");
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
        using before = decltype(visit_passes(Done{}, inner{}, typename required_of<P>::type{}));
        if constexpr (std::same_as<before, cyclic>)
            return cyclic{};
        else
            return appended(before{}, passes<P>{});
    }
}

template <class Q, class... P>
consteval bool needs(passes<P...>);

// Whether a P wants a Q run before it, itself or through what it requires.
template <class Q, class P>
inline constexpr bool needs_pass = needs<Q>(typename required_of<P>::type{});

template <class Q, class... P>
consteval bool needs(passes<P...>) {
    return ((std::same_as<Q, P> || needs_pass<Q, P>) || ...);
}

} // namespace detail

/// The pass that `resolve` makes: like `seq`, but its members' `required` are members too.
template <fixed_string Name, int Level, class... P>
struct resolved_seq {
    static constexpr pass_info info{.name = Name.view(), .opt_level = Level};
    using members = passes<P...>;

    [[no_unique_address]] detail::slots<P...> stages;

    template <class Unit, class Context>
        requires(transforms<P, Unit, Context> && ...)
    constexpr void operator()(Unit& unit, Context& ctx) const {
        stages.each([&](const auto& pass) { run_one(pass, unit, ctx); });
    }
    template <class Unit, class Context>
        requires(!std::is_reference_v<Unit> && !std::is_const_v<Unit> && (transforms<P, Unit, Context> && ...))
    constexpr Unit operator()(Unit&& unit, Context& ctx) const {
        (*this)(unit, ctx);
        return static_cast<Unit&&>(unit);
    }

private:
    template <class Q, class Unit, class Context>
    constexpr void run_one(const Q& pass, Unit& unit, Context& ctx) const {
        using detail::decision;
        constexpr bool always = Context::template known<Q>() == decision::run ||
                                ((detail::needs_pass<Q, P> && Context::template known<P>() == decision::run) || ...);
        if constexpr (always) {
            ctx.run(pass, unit);
        } else {
            bool wanted = false;
            stages.each([&]<class Other>(const Other& other) {
                if constexpr (detail::needs_pass<Q, Other> && Context::template known<Other>() == decision::unknown)
                    wanted = wanted || ctx.decide(other) == decision::run;
            });
            constexpr decision known = Context::template known<Q>();
            const decision now = known == decision::unknown ? ctx.decide(pass) : known;
            if (wanted || now == decision::run)
                ctx.run(pass, unit);
            else
                ctx.template skip<Unit>(pass.info,
                                        now == decision::disabled ? skip_reason::disabled : skip_reason::opt_level);
        }
    }
};

namespace detail {

// The pipeline's own value of a pass type, the first if there are several; else a default one.
template <class Q, class Listed>
constexpr Q value_of(const auto& stages) {
    if constexpr (contains<Q, Listed>) {
        const Q* found = nullptr;
        stages.each([&]<class Each>(const Each& pass) {
            if constexpr (std::same_as<Q, Each>)
                if (!found) found = &pass;
        });
        return *found;
    } else {
        return Q{};
    }
}

template <fixed_string Name, int Level, class Listed, class... Q>
constexpr resolved_seq<Name, Level, Q...> resolved(const auto& stages, passes<Q...>) {
    return {detail::slots<Q...>{{value_of<Q, Listed>(stages)}...}};
}

} // namespace detail

/// The pipeline with all that its passes require, and what these require in turn: each pass once, behind what
/// it requires, else in the pipeline's order.
///
/// A pass type that the pipeline has with options keeps them; one that it has several times stays only where
/// it is first needed. A member runs if the context enables it, or a member that requires it: then even if it
/// is disabled, as in `sequential`.
///
/// Requires: no cycle among the required; a cycle is a compile error that names the path.
/// Example:  `constexpr auto all = tutti::resolve(tutti::sequential(convert_layout{}));`
///           // InferType, CanonicalizeOps, ConvertLayout
template <fixed_string Name, int Level, class... P>
constexpr auto resolve(const seq<Name, Level, P...>& pipeline) {
    using order = decltype(detail::visit_passes(passes<>{}, passes<>{}, passes<P...>{}));
    if constexpr (std::same_as<order, detail::cyclic>)
        return pipeline;
    else
        return detail::resolved<Name, Level, passes<P...>>(pipeline.stages, order{});
}

/// The names of a resolved pipeline's members, in their order.
template <fixed_string Name, int Level, class... P>
constexpr std::array<std::string_view, sizeof...(P)> names_of(const resolved_seq<Name, Level, P...>& pipeline) {
    return pipeline.stages.apply(
        [](const auto&... pass) { return std::array<std::string_view, sizeof...(P)>{pass.info.name...}; });
}

} // namespace tutti
