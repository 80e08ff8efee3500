#pragma once

#include <tutti/pass/detail/slots.hpp>
#include <tutti/pass/pass_context.hpp>

#include <array>

namespace tutti {

namespace detail {

// A member of a sequential: asks the context, then runs what the pass requires, then the pass. U is Unit& or
// Unit.
template <class U, class P, class Context>
constexpr U run_enabled(const P& pass, U&& unit, Context& ctx) {
    const auto run_required = [&]<class... R>(passes<R...>) { (ctx.run(R{}, unit), ...); };
    run_required(typename required_of<P>::type{});
    if constexpr (requires { pass.run_required(unit, ctx); }) pass.run_required(unit, ctx);
    if constexpr (std::is_lvalue_reference_v<U>) {
        ctx.run(pass, unit);
        return unit;
    } else {
        return ctx.run(pass, static_cast<U&&>(unit));
    }
}

template <class U, class P, class Context>
constexpr U run_member(const P& pass, U&& unit, Context& ctx) {
    using Unit = std::remove_reference_t<U>;
    constexpr decision known = Context::template known<P>();
    if constexpr (known == decision::run) {
        return run_enabled<U>(pass, static_cast<U&&>(unit), ctx);
    } else if constexpr (known == decision::unknown) {
        const decision now = ctx.decide(pass);
        if (now == decision::run) return run_enabled<U>(pass, static_cast<U&&>(unit), ctx);
        ctx.template skip<Unit>(pass.info, now == decision::disabled ? skip_reason::disabled : skip_reason::opt_level);
        return static_cast<U&&>(unit);
    } else {
        ctx.template skip<Unit>(pass.info,
                                known == decision::disabled ? skip_reason::disabled : skip_reason::opt_level);
        return static_cast<U&&>(unit);
    }
}

template <class Unit, class Context>
constexpr Unit run_chain(Unit&& unit, Context&) {
    return static_cast<Unit&&>(unit);
}
template <class Unit, class Context, class P, class... Rest>
constexpr Unit run_chain(Unit&& unit, Context& ctx, const P& pass, const Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0)
        return run_member<Unit>(pass, static_cast<Unit&&>(unit), ctx);
    else
        return run_chain<Unit>(run_member<Unit>(pass, static_cast<Unit&&>(unit), ctx), ctx, rest...);
}

template <class P>
consteval bool check_member() {
    constexpr bool has_info = requires(const P& pass) { pass.info; };
    static_assert(has_info,
                  "tutti::sequential(pass...): a pass must have a member info; add static constexpr tutti::pass_info "
                  "info{.name = \"Name\"}; to it, or make a pass of a callable with tutti::make_pass<\"Name\">(f)");
    if constexpr (has_info)
        static_assert(describes_itself<P>, "tutti::sequential(pass...): a pass's info must be a tutti::pass_info; "
                                           "declare it static constexpr tutti::pass_info info{.name = \"Name\"};");
    return describes_itself<P>;
}

} // namespace detail

/// The pass that `sequential` makes: its members one after another, as far as the context enables them.
template <fixed_string Name, int Level, class... P>
struct seq {
    static constexpr pass_info info{.name = Name.view(), .opt_level = Level};
    using members = passes<P...>;

    [[no_unique_address]] detail::slots<P...> stages;

    /// Runs the members in place; if one throws, the unit is as that one left it.
    template <class Unit, class Context>
        requires(transforms<P, Unit, Context> && ...)
    constexpr void operator()(Unit& unit, Context& ctx) const {
        stages.each([&](const auto& pass) { detail::run_member<Unit&>(pass, unit, ctx); });
    }

    /// Runs the members by value, handing the unit on from one to the next.
    template <class Unit, class Context>
        requires(!std::is_reference_v<Unit> && !std::is_const_v<Unit> && (transforms<P, Unit, Context> && ...))
    constexpr Unit operator()(Unit&& unit, Context& ctx) const {
        if constexpr ((transforms_in_place<P, Unit, Context> && ...)) {
            (*this)(unit, ctx);
            return static_cast<Unit&&>(unit);
        } else {
            return stages.apply(
                [&](const auto&... pass) { return detail::run_chain<Unit>(static_cast<Unit&&>(unit), ctx, pass...); });
        }
    }
};

/// A pass that runs passes one after another, and alone applies the context's level, disabled and required
/// passes.
///
/// Each enabled pass's `required` are run just before it, once each, not theirs in turn, whether enabled or
/// not; what the context decides at compile time leaves no code. A pass that is not enabled is reported to
/// `pass_skipped` only. Named "sequential", with level 0, unless given: `sequential<"Name", 3>(p...)`.
///
/// Requires: each pass describes itself.
/// Cost:     without instruments, the members' calls and nothing else.
/// Example:  `constexpr auto pipeline = tutti::sequential(fold_constant{}, fuse_ops{.max_depth = 128});`
template <fixed_string Name, int Level = 0, class... P>
constexpr auto sequential(P... pass) {
    if constexpr ((detail::check_member<P>() && ...))
        return seq<Name, Level, P...>{detail::slots<P...>{{static_cast<P&&>(pass)}...}};
    else
        return seq<Name, Level>{}; // one error is enough
}
template <class... P>
constexpr auto sequential(P... pass) {
    return tutti::sequential<"sequential", 0, P...>(static_cast<P&&>(pass)...);
}

/// The names of a sequential's members, in their order.
///
/// Requires: the members' descriptions are constants.
/// Example:  `static_assert(names_of(pipeline) == std::array{"FoldConstant"sv, "FuseOps"sv});`
template <fixed_string Name, int Level, class... P>
constexpr std::array<std::string_view, sizeof...(P)> names_of(const seq<Name, Level, P...>& pipeline) {
    return pipeline.stages.apply(
        [](const auto&... pass) { return std::array<std::string_view, sizeof...(P)>{pass.info.name...}; });
}

} // namespace tutti
