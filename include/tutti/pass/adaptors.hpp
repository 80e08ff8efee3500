#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/pass/adaptor.hpp>
#include <tutti/pass/analysis.hpp>
#include <tutti/pass/check.hpp>
#include <tutti/pass/on_limit.hpp>
#include <tutti/pass/pass_error.hpp>
#include <tutti/pass/remark.hpp>

#include <string_view>

namespace tutti {

struct fixpoint_adaptor;
struct repeat_adaptor;
template <class Predicate>
struct only_if_adaptor;

namespace detail {

/// The pass that `fixpoint` returns.
template <class Inner>
struct fixpoint_pass {
    static constexpr pass_info info{.name = "fixpoint", .kind = pass_kind::adaptor};
    using adaptor = fixpoint_adaptor;
    using members = passes<Inner>;
    static constexpr auto runs_members = members_run::repeatedly;
    using preserves = all_analyses; // the members drop invalid results

    [[no_unique_address]] Inner inner;
    int_from<0> limit = 10;
    tutti::on_limit on_limit = tutti::on_limit::warn;

    static constexpr tutti::option_list<&fixpoint_pass::limit, &fixpoint_pass::on_limit> options{"limit", "on_limit"};

    static constexpr bool is_partwise() { return true; } // more rounds leave a part that is done unchanged
    constexpr void each_member(auto&& f) const { f(inner); }
    constexpr auto with_inner(auto other) const { return fixpoint_pass<decltype(other)>{other, limit, on_limit}; }

    template <class Unit, class Context>
        requires transforms<const Inner, Unit, Context>
    constexpr change operator()(Unit& unit, Context& ctx) const {
        return run(inner, limit, on_limit, unit, ctx);
    }
    template <class Unit, class Context>
        requires transforms<Inner, Unit, Context>
    constexpr change operator()(Unit& unit, Context& ctx) {
        return run(inner, limit, on_limit, unit, ctx);
    }

private:
    template <class I, class Unit, class Context>
    static constexpr change run(I& inner, int limit, tutti::on_limit then, Unit& unit, Context& ctx) {
        change all = unchanged;
        for (int i = 0; i < limit; ++i) {
            const change once = ctx.run_for_change(inner, unit);
            if (once == unchanged) return all;
            all |= once;
        }
        if (then == tutti::on_limit::fail) fail(ctx);
        if (then == tutti::on_limit::warn) ctx.remark(remark_kind::missed, "fixpoint", no_end);
        return all;
    }

    static constexpr const char* no_end = "the limit was reached before a round changed nothing";

    template <class Context>
    [[gnu::noinline, gnu::cold]] static void fail([[maybe_unused]] Context& ctx) {
        pass_error error(no_end);
        if constexpr (Context::may_stop)
            if (hand_to_try_run(ctx.context().stop(), info, error, no_end)) return;
        raise(error);
    }
};

} // namespace detail

/// Runs a pass until it changes nothing, at most `limit` times. If it reaches the limit, emits a `missed` remark, fails
/// with a `pass_error`, or does nothing, as `then` says.
///
/// Detects changes by the pass's report or by the unit's fingerprint. Without either, runs the pass `limit` times. The
/// instrument `cycles` names the passes that kept changing the unit.
///
/// Example: `tutti::fixpoint(tutti::sequential(cse{}, dce{}), 10, tutti::on_limit::fail)`
template <class P>
constexpr detail::fixpoint_pass<P> fixpoint(P pass, int limit = 10, on_limit then = on_limit::warn) {
    return {static_cast<P&&>(pass), limit, then};
}

namespace detail {

/// The pass that `repeat` returns.
template <class Inner>
struct repeat_pass {
    static constexpr pass_info info{.name = "repeat", .kind = pass_kind::adaptor};
    using adaptor = repeat_adaptor;
    using members = passes<Inner>;
    static constexpr auto runs_members = members_run::repeatedly;
    using preserves = all_analyses; // the members drop invalid results

    [[no_unique_address]] Inner inner;
    int_from<0> times = 2;

    static constexpr tutti::option_list<&repeat_pass::times> options{"times"};

    static constexpr bool is_partwise() { return true; }
    constexpr void each_member(auto&& f) const { f(inner); }
    constexpr auto with_inner(auto other) const { return repeat_pass<decltype(other)>{other, times}; }

    template <class Unit, class Context>
        requires transforms<const Inner, Unit, Context>
    constexpr change operator()(Unit& unit, Context& ctx) const {
        return run(inner, times, unit, ctx);
    }
    template <class Unit, class Context>
        requires transforms<Inner, Unit, Context>
    constexpr change operator()(Unit& unit, Context& ctx) {
        return run(inner, times, unit, ctx);
    }

private:
    template <class I, class Unit, class Context>
    static constexpr change run(I& inner, int times, Unit& unit, Context& ctx) {
        change all = unchanged;
        for (int i = 0; i < times && !ctx.stop_requested(); ++i) all |= ctx.run_member(inner, unit);
        return all;
    }
};

} // namespace detail

/// Runs a pass `times` times.
///
/// Example: `tutti::repeat(inline_calls{}, 2)`
template <class P>
constexpr detail::repeat_pass<P> repeat(P pass, int times) {
    return {static_cast<P&&>(pass), times};
}

namespace detail {

template <class Predicate, class Unit, class Context>
concept decides_about = requires(const Predicate& predicate, const Unit& unit, Context& ctx) {
    bool(predicate(unit, ctx));
} || requires(const Predicate& predicate, const Unit& unit) { bool(predicate(unit)); };

/// The pass that `only_if` returns.
template <class Inner, class Predicate>
struct only_if_pass {
    static constexpr pass_info info{.name = "only_if", .kind = pass_kind::adaptor};
    using adaptor = only_if_adaptor<Predicate>;
    using members = passes<Inner>;
    using preserves = all_analyses; // the members drop invalid results

    [[no_unique_address]] Inner inner;
    [[no_unique_address]] Predicate predicate; // no initialiser: Clang would instantiate it for a lambda with captures

    /// For `check_pass`.
    template <class Self, class Unit, class Context, class Whole = void>
    static consteval bool check() {
        constexpr bool decides = detail::decides_about<Predicate, Unit, Context>;
        static_assert(decides,
                      "tutti::only_if(predicate, pass): a predicate must be callable with the unit, when const, and "
                      "return bool; declare it bool operator()(const Unit&) const or (const Unit&, auto& ctx) const");
        if constexpr (decides)
            return check_pass<detail::as_member<Self, Inner>, Unit, Context, Whole>();
        else
            return false;
    }

    constexpr void each_member(auto&& f) const { f(inner); }
    constexpr auto with_inner(auto other) const { return only_if_pass<decltype(other), Predicate>{other, predicate}; }

    template <class Unit, class Context>
        requires(transforms<const Inner, Unit, Context> && detail::decides_about<Predicate, Unit, Context>)
    constexpr change operator()(Unit& unit, Context& ctx) const {
        return run(inner, predicate, unit, ctx);
    }
    template <class Unit, class Context>
        requires(transforms<Inner, Unit, Context> && detail::decides_about<Predicate, Unit, Context>)
    constexpr change operator()(Unit& unit, Context& ctx) {
        return run(inner, predicate, unit, ctx);
    }

private:
    template <class I, class Unit, class Context>
    static constexpr change run(I& inner, const Predicate& predicate, Unit& unit, Context& ctx) {
        const Unit& looked_at = unit;
        bool holds = false;
        if constexpr (requires { bool(predicate(looked_at, ctx)); })
            holds = bool(predicate(looked_at, ctx));
        else
            holds = bool(predicate(looked_at));
        return holds ? ctx.run_member(inner, unit) : unchanged;
    }
};

template <class Predicate, class P>
consteval bool check_only_if() {
    constexpr bool swapped = internal::describes_itself<Predicate> && !internal::describes_itself<P>;
    static_assert(!swapped, "tutti::only_if(predicate, pass): a predicate must precede the pass; write "
                            "only_if([](const Unit& unit) { return ...; }, pass)");
    return !swapped;
}

} // namespace detail

/// Runs a pass if `predicate(unit)` or `predicate(unit, ctx)` is true.
///
/// If the predicate's type has a `name`, the text of the pass is `only_if[name](A,B)`.
///
/// Example: `tutti::only_if(has_loops{}, tutti::sequential(rotate{}, hoist{}))`
template <class Predicate, class P>
constexpr auto only_if(Predicate predicate, P pass) {
    if constexpr (detail::check_only_if<Predicate, P>())
        return detail::only_if_pass<P, Predicate>{static_cast<P&&>(pass), static_cast<Predicate&&>(predicate)};
    else
        return seq<"only_if", 0>{};
}
/// Diagnoses a missing predicate.
template <class P>
constexpr P only_if(P pass) {
    static_assert(detail::never_of<P>,
                  "tutti::only_if(predicate, pass): there must be a predicate before the pass; write "
                  "only_if([](const Unit& unit) { return ...; }, pass)");
    return pass;
}

/// The adaptor for `fixpoint(A)` in the text of a pipeline. The parsers always know it.
struct fixpoint_adaptor {
    static constexpr std::string_view name = "fixpoint", label = "";
    template <class Inner>
    static constexpr detail::fixpoint_pass<Inner> make(Inner inner) {
        return {static_cast<Inner&&>(inner)};
    }
};

/// The adaptor for `repeat(A)` in the text of a pipeline. The parsers always know it.
struct repeat_adaptor {
    static constexpr std::string_view name = "repeat", label = "";
    template <class Inner>
    static constexpr detail::repeat_pass<Inner> make(Inner inner) {
        return {static_cast<Inner&&>(inner)};
    }
};

/// The adaptor for `only_if[label](A)` in the text of a pipeline. The parsers know it only if their list of passes
/// contains it. The label is `Predicate::name`, or empty if there is no such name.
template <class Predicate>
struct only_if_adaptor {
    static constexpr std::string_view name = "only_if", label = [] {
        if constexpr (requires { std::string_view(Predicate::name); })
            return std::string_view(Predicate::name);
        else
            return std::string_view();
    }();
    template <class Inner>
    static constexpr detail::only_if_pass<Inner, Predicate> make(Inner inner) {
        return {static_cast<Inner&&>(inner), {}};
    }
};

} // namespace tutti
