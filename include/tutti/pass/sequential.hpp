#pragma once

#include <tutti/pass/pass.hpp>
#include <tutti/pass/slots.hpp>

#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti {

/// The kinds of required passes that a sequential runs.
enum class requirements {
    direct,     ///< direct requirements of each member, run just before the member, as in the reference
    transitive, ///< requirements that `resolve` added as members; a surrounding `each` runs those over the whole
    around      ///< requirements that `resolve` added as members of this sequential or a surrounding one
};

namespace detail {

// Runs a stage of a sequential.
template <requirements>
struct stage_runner {
    template <class U, class Stages, class Context>
    static constexpr auto run(auto& pass, U&& unit, Stages&, Context& ctx) {
        return ctx.run_member(pass, static_cast<U&&>(unit));
    }
};

template <class Runner, class Unit, class Stages, class Context>
constexpr Unit run_chain(Unit&& unit, Stages&, Context&) {
    return static_cast<Unit&&>(unit);
}
template <class Runner, class Unit, class Stages, class Context, class P, class... Rest>
constexpr Unit run_chain(Unit&& unit, Stages& stages, Context& ctx, P& pass, Rest&... rest) {
    if constexpr (sizeof...(Rest) == 0)
        return Runner::run(pass, static_cast<Unit&&>(unit), stages, ctx);
    else
        return run_chain<Runner, Unit>(Runner::run(pass, static_cast<Unit&&>(unit), stages, ctx), stages, ctx, rest...);
}

/// The pass made by `sequential` and `resolve`: runs the members that the context enables, in order.
template <requirements Requirements, fixed_string Name, int Level, class... P>
struct basic_seq {
    static constexpr pass_info info{.name = Name.view(), .opt_level = Level, .kind = pass_kind::sequential};
    using members = passes<P...>;

    [[no_unique_address]] slots<P...> stages;

    constexpr void each_member(auto&& f) const { stages.each(f); }
    constexpr void each_member(auto&& f) { stages.each(f); }

    /// Runs the members in place. If a member throws, the unit is as that member left it.
    template <class Unit, class Context>
        requires(transforms<const P, Unit, Context> && ...)
    constexpr change operator()(Unit& unit, Context& ctx) const {
        return run_in_place(stages, unit, ctx);
    }
    template <class Unit, class Context>
        requires(!(transforms<const P, Unit, Context> && ...) && (transforms<P, Unit, Context> && ...))
    constexpr change operator()(Unit& unit, Context& ctx) {
        return run_in_place(stages, unit, ctx);
    }

    /// Runs the members by value. Each member receives the unit that the previous member returned.
    template <class Unit, class Context>
        requires(!std::is_reference_v<Unit> && !std::is_const_v<Unit> && (transforms<const P, Unit, Context> && ...))
    constexpr Unit operator()(Unit&& unit, Context& ctx) const {
        return run_by_value(*this, unit, ctx);
    }
    template <class Unit, class Context>
        requires(!std::is_reference_v<Unit> && !std::is_const_v<Unit> && !(transforms<const P, Unit, Context> && ...) &&
                 (transforms<P, Unit, Context> && ...))
    constexpr Unit operator()(Unit&& unit, Context& ctx) {
        return run_by_value(*this, unit, ctx);
    }

    // Diagnoses a call without a context: compilers show the next line.
    void operator()(auto&&) const = delete; // write tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, unit); });

private:
    using runner = detail::stage_runner<Requirements>;

    template <class Stages, class Unit, class Context>
    static constexpr change run_in_place(Stages& stages, Unit& unit, Context& ctx) {
        change all = unchanged;
        stages.each([&](auto& pass) { all |= runner::run(pass, unit, stages, ctx); });
        return all;
    }
    template <class Self, class Unit, class Context>
    static constexpr Unit run_by_value(Self& self, Unit& unit, Context& ctx) {
        if constexpr ((detail::changes_in_place<P, Unit, Context> && ...)) {
            run_in_place(self.stages, unit, ctx);
            return static_cast<Unit&&>(unit);
        } else {
            return self.stages.apply([&](auto&... pass) {
                return detail::run_chain<runner, Unit>(static_cast<Unit&&>(unit), self.stages, ctx, pass...);
            });
        }
    }
};

} // namespace detail

/// A sequential that runs the direct requirements of its members, as in the reference.
template <fixed_string Name, int Level, class... P>
using seq = detail::basic_seq<requirements::direct, Name, Level, P...>;

namespace detail {

template <class P>
consteval bool check_member() {
    constexpr bool has_info = requires(const P& pass) { pass.info; };
    static_assert(has_info,
                  "tutti::sequential(pass...): a pass must have a member info; add static constexpr tutti::pass_info "
                  "info{.name = \"Name\"}; to it, or make a pass of a callable with tutti::make_pass<\"Name\">(f)");
    if constexpr (has_info)
        static_assert(internal::describes_itself<P>,
                      "tutti::sequential(pass...): a pass's info must be a tutti::pass_info; "
                      "declare it static constexpr tutti::pass_info info{.name = \"Name\"};");
    return internal::describes_itself<P>;
}

} // namespace detail

/// Makes a pass that runs, in sequence, those of the given passes that the context enables.
///
/// The direct `required` passes of each enabled pass run just before the pass, once each, even if they are not enabled.
/// Decisions made at compile time generate no code. A pass that is not enabled is only reported to `pass_skipped`. The
/// default name is "sequential", and the default level is 0; `sequential<"Name", 3>(p...)` sets both.
///
/// Requires: each pass describes itself.
/// Cost:     without instruments, only the calls of the members.
/// Example:  `constexpr auto pipeline = tutti::sequential(fold_constant{}, fuse_ops{.max_depth = 128});`
template <fixed_string Name, int Level = 0, class... P>
constexpr auto sequential(P... pass) {
    if constexpr ((detail::check_member<P>() && ...))
        return seq<Name, Level, P...>{detail::slots<P...>{{static_cast<P&&>(pass)}...}};
    else
        return seq<Name, Level>{}; // prevents further errors
}
template <class... P>
constexpr auto sequential(P... pass) {
    return tutti::sequential<"sequential", 0, P...>(static_cast<P&&>(pass)...);
}
/// Diagnoses a list in braces.
template <fixed_string Name = "sequential", int Level = 0>
constexpr auto sequential(detail::anything_given) {
    static_assert(detail::never<Level>,
                  "tutti::sequential(pass...): passes must be arguments, since each is of its own type; "
                  "write sequential(a{}, b{}) without braces around them");
    return seq<Name, Level>{};
}
/// Diagnoses passes given as types.
template <class First, class... P>
constexpr auto sequential() {
    static_assert(detail::never_of<First>,
                  "tutti::sequential(pass...): passes must be arguments, since they may have options; "
                  "write sequential(a{}, b{})");
    return seq<"sequential", 0>{};
}

} // namespace tutti
