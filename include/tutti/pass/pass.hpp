#pragma once

#include <tutti/pass/change.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace tutti {

namespace internal {

/// Clause: `P` describes itself in a member `info`.
template <class P>
concept describes_itself = requires(const P& pass) {
    { pass.info } -> std::convertible_to<const pass_info&>;
};

/// Clause: `P`'s description is a constant, so contexts can decide about `P` at compile time.
template <class P>
concept describes_itself_statically = describes_itself<P> && !std::is_member_pointer_v<decltype(&P::info)> &&
                                      requires { typename std::integral_constant<int, P::info.opt_level>; };

} // namespace internal

namespace detail {

// The result types of calls. Each is determined only once, because all properties of a pass depend on it.
struct no_result;
template <class T>
struct result_is {
    using type = T;
};
template <class P, class... Arguments>
auto look_up(int) -> result_is<decltype(std::declval<P&>()(std::declval<Arguments>()...))>;
template <class P, class... Arguments>
auto look_up(...) -> result_is<no_result>;

template <class P, class... Arguments>
struct call_result {
    using type = typename decltype(look_up<P, Arguments...>(0))::type;
};
template <class P, class... Arguments>
using result = typename call_result<P, Arguments...>::type;

template <class P, class... Arguments>
inline constexpr bool gives_nothing =
    std::is_same_v<result<P, Arguments...>, void> || std::is_same_v<result<P, Arguments...>, change> ||
    internal::is_result<result<P, Arguments...>>;

template <class Unit, class P, class... Arguments>
inline constexpr bool gives = std::is_same_v<result<P, Arguments...>, Unit>;

} // namespace detail

/// Clause: `P` can be called with these arguments; `const P` requires a const call operator.
template <class P, class... Arguments>
concept takes = !std::is_same_v<detail::result<P, Arguments...>, detail::no_result>;

namespace detail {

/// Clause: `P` changes a unit in place, `void operator()(Unit&, auto& ctx)`, and may return a `tutti::change` or a
/// `tutti::result`; the context is optional.
///
/// A pass that also accepts a temporary is excluded: its effect would be lost.
template <class P, class Unit, class Context>
concept transforms_in_place =
    (detail::gives_nothing<P, Unit&, Context&> && !detail::gives_nothing<P, Unit, Context&>) ||
    (detail::gives_nothing<P, Unit&> && !detail::gives_nothing<P, Unit>);

/// Clause: `P` takes a unit and returns a unit, `Unit operator()(Unit, auto& ctx)`; the context is optional.
template <class P, class Unit, class Context>
concept transforms_by_value = detail::gives<Unit, P, Unit, Context&> || detail::gives<Unit, P, Unit>;

} // namespace detail

/// Clause: `P` transforms units, in place or by value.
template <class P, class Unit, class Context>
concept transforms = detail::transforms_in_place<P, Unit, Context> || detail::transforms_by_value<P, Unit, Context>;

namespace detail {

/// A pass: a value that has a description and transforms units. Its options are its data members.
///
/// A pass with a non-const call operator, such as a counter, runs only as a non-const lvalue or in a pipeline that is a
/// non-const lvalue. An in-place pass that throws should leave the unit unchanged. A by-value pass that throws loses
/// its unit.
///
/// Laws:
/// ```
/// sequential(p) on u == p on u                     // a sequential of one pass equals the pass
/// with(pass_context{}, run p) on u == p on u       // being run through a scope changes nothing
/// ```
/// Example: test/archetypes/pass.hpp
template <class P, class Unit, class Context>
concept pass_over = internal::describes_itself<P> && transforms<P, Unit, Context>;

} // namespace detail

/// A pass that runs others: a sequential or an adaptor.
///
/// It lists the types of its members in `members`, and `each_member(f)` calls `f(member)` for each member. These two
/// suffice to write pipelines and to find names.
template <class P>
concept composite = requires { typename P::members; };

namespace detail {

template <class P>
struct member_list {
    using type = passes<>;
};
template <composite P>
struct member_list<P> {
    using type = typename P::members;
};

template <class P>
struct required_list {
    using type = passes<>;
};
template <class P>
    requires requires { typename P::required; }
struct required_list<P> {
    using type = typename P::required;
};

/// The types of a pass's members. The list may be empty.
template <class P>
using members_of = typename detail::member_list<std::remove_cv_t<P>>::type;
} // namespace detail

namespace internal {

/// The types of the passes that a pass requires. The list may be empty.
template <class P>
using required_of = typename detail::required_list<std::remove_cv_t<P>>::type;

} // namespace internal

namespace detail {

template <class P, class Unit, class Context>
concept tells = std::is_same_v<result<P, Unit&, Context&>, change> || std::is_same_v<result<P, Unit&>, change>;

template <class P, class Unit>
struct member_unit {
    using type = Unit;
};
template <class P, class Unit>
    requires requires { typename P::part; }
struct member_unit<P, Unit> {
    using type = typename P::part;
};
// The type of unit that the members of a pass over a Unit transform.
template <class P, class Unit>
using unit_of_members = typename member_unit<std::remove_cv_t<P>, Unit>::type;

} // namespace detail

namespace internal {

/// True if a pass or one of its members decides at run time, by `tells_change()`, whether it reports changes.
template <class P>
inline constexpr bool tells_by_value = requires(const P& pass) { pass.tells_change(); } ||
                                       tells_by_value<typename detail::member_list<std::remove_cv_t<P>>::type>;
template <class... P>
inline constexpr bool tells_by_value<passes<P...>> = (tells_by_value<P> || ...);

template <class Unit, class Context, class P>
consteval bool type_tells_change();

} // namespace internal

namespace detail {

// Like `type_tells_change`, but ignores the required passes.
template <class Unit, class Context, class P>
consteval bool tells_itself() {
    if constexpr (requires(const P& pass) { pass.tells_change(); })
        return false;
    else if constexpr (composite<P>)
        return (detail::tells<const P, Unit, Context> || detail::tells<P, Unit, Context>) &&
               []<class... M>(passes<M...>) {
                   return (internal::type_tells_change<detail::unit_of_members<P, Unit>, Context, M>() && ...);
               }(members_of<P>{});
    else
        return detail::tells<const P, Unit, Context> || detail::tells<P, Unit, Context>;
}

} // namespace detail

namespace internal {

/// True if types show that a pass and its required passes always report changes. The changes of the required passes
/// count as the pass's own. A sequential or an adaptor reports changes if its members do.
template <class Unit, class Context, class P>
consteval bool type_tells_change() {
    return detail::tells_itself<Unit, Context, P>() &&
           []<class... R>(passes<R...>) { return (detail::tells_itself<Unit, Context, R>() && ...); }(required_of<P>{});
}

/// True if a pass always reports changes. Calls the pass's `tells_change`, if it exists. Otherwise the members of the
/// pass or its type decide.
template <class Unit, class Context, class P>
constexpr bool tells_change([[maybe_unused]] const P& pass) {
    if constexpr (requires { pass.tells_change(); }) {
        return pass.tells_change();
    } else if constexpr (composite<P> && tells_by_value<P>) {
        bool all = true;
        pass.each_member(
            [&](const auto& member) { all = all && tells_change<detail::unit_of_members<P, Unit>, Context>(member); });
        return all;
    } else {
        return type_tells_change<Unit, Context, P>();
    }
}

} // namespace internal

namespace detail {

template <class P, class Unit, class Context>
concept changes_in_place =
    transforms_in_place<const P, Unit, Context> || transforms_in_place<std::remove_const_t<P>, Unit, Context>;

/// Calls a pass by value, without instruments, and returns the resulting unit.
template <class Unit, class Pass, class Context>
constexpr Unit call_by_value(Pass&& pass, Unit&& unit, Context& ctx) {
    using P = std::remove_reference_t<Pass>;
    if constexpr (detail::gives<Unit, P, Unit, Context&>) {
        return pass(static_cast<Unit&&>(unit), ctx);
    } else if constexpr (detail::gives<Unit, P, Unit>) {
        return pass(static_cast<Unit&&>(unit));
    } else {
        if constexpr (internal::is_result<detail::result<P, Unit&, Context&>>)
            static_cast<void>(pass(unit, ctx).hand_over(ctx, pass.info));
        else if constexpr (takes<P, Unit&, Context&>)
            pass(unit, ctx);
        else if constexpr (internal::is_result<detail::result<P, Unit&>>)
            static_cast<void>(pass(unit).hand_over(ctx, pass.info));
        else
            pass(unit);
        return static_cast<Unit&&>(unit);
    }
}

} // namespace detail

namespace internal {

/// Calls a pass in place, without instruments. Returns the change that the pass reports, or `unknown`.
template <class Pass, class Unit, class Context>
constexpr change call_in_place(Pass&& pass, Unit& unit, Context& ctx) {
    using P = std::remove_reference_t<Pass>;
    if constexpr (!detail::transforms_in_place<P, Unit, Context>) {
        const auto replace = [&] { unit = detail::call_by_value<Unit>(pass, static_cast<Unit&&>(unit), ctx); };
        if constexpr (requires { ctx.while_moved(unit, replace); })
            ctx.while_moved(unit, replace);
        else
            replace();
    } else if constexpr (takes<P, Unit&, Context&>) {
        if constexpr (std::same_as<detail::result<P, Unit&, Context&>, change>)
            return pass(unit, ctx);
        else if constexpr (internal::is_result<detail::result<P, Unit&, Context&>>)
            return pass(unit, ctx).hand_over(ctx, pass.info);
        else
            pass(unit, ctx);
    } else {
        if constexpr (std::same_as<detail::result<P, Unit&>, change>)
            return pass(unit);
        else if constexpr (internal::is_result<detail::result<P, Unit&>>)
            return pass(unit).hand_over(ctx, pass.info);
        else
            pass(unit);
    }
    return change::unknown;
}

} // namespace internal

} // namespace tutti
