#pragma once

#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>

#include <concepts>
#include <type_traits>

namespace tutti {

/// Clause: a `P` says what it is, in a member `info`.
template <class P>
concept describes_itself = requires(const P& pass) {
    { pass.info } -> std::convertible_to<const pass_info&>;
};

/// Clause: a `P`'s description is a constant, so that contexts can decide about it at compile time.
template <class P>
concept describes_itself_statically = describes_itself<P> && !std::is_member_pointer_v<decltype(&P::info)> &&
                                      requires { typename std::integral_constant<int, P::info.opt_level>; };

namespace detail {

template <class P, class... Arguments>
concept gives_nothing = requires(const P& pass, Arguments&&... a) {
    { pass(static_cast<Arguments&&>(a)...) } -> std::same_as<void>;
};

template <class Unit, class P, class... Arguments>
concept gives = requires(const P& pass, Arguments&&... a) {
    { pass(static_cast<Arguments&&>(a)...) } -> std::same_as<Unit>;
};

template <class P, class... Arguments>
concept takes = requires(const P& pass, Arguments&&... a) { pass(static_cast<Arguments&&>(a)...); };

} // namespace detail

/// Clause: a `P` changes a unit in place, `void operator()(Unit&, auto& ctx) const`; the context may be left
/// out.
///
/// One that returns nothing and would also take a temporary is none: what it did would be lost.
template <class P, class Unit, class Context>
concept transforms_in_place =
    (detail::gives_nothing<P, Unit&, Context&> && !detail::gives_nothing<P, Unit, Context&>) ||
    (detail::gives_nothing<P, Unit&> && !detail::gives_nothing<P, Unit>);

/// Clause: a `P` takes a unit and returns one, `Unit operator()(Unit, auto& ctx) const`; the context may be
/// left out.
template <class P, class Unit, class Context>
concept transforms_by_value = detail::gives<Unit, P, Unit, Context&> || detail::gives<Unit, P, Unit>;

/// Clause: a `P` transforms units, in place or by value.
template <class P, class Unit, class Context>
concept transforms = transforms_in_place<P, Unit, Context> || transforms_by_value<P, Unit, Context>;

/// A pass: a value with a description that transforms units; its options are its data members.
///
/// In place, a pass that throws should leave the unit as it was; by value, the unit it was given is lost.
///
/// Laws:
/// ```
/// sequential(p) on u == p on u                     // a sequential of one pass equals the pass
/// with(pass_context{}, run p) on u == p on u       // being run through a scope changes nothing
/// ```
/// Example: test/archetypes/pass.hpp
template <class P, class Unit, class Context>
concept pass_over = describes_itself<P> && transforms<P, Unit, Context>;

namespace detail {

template <class Unit, class P, class Context>
constexpr Unit call(const P& pass, Unit&& unit, Context& ctx) {
    if constexpr (gives<Unit, P, Unit, Context&>) {
        return pass(static_cast<Unit&&>(unit), ctx);
    } else if constexpr (gives<Unit, P, Unit>) {
        return pass(static_cast<Unit&&>(unit));
    } else {
        if constexpr (takes<P, Unit&, Context&>)
            pass(unit, ctx);
        else
            pass(unit);
        return static_cast<Unit&&>(unit);
    }
}

template <class Unit, class P, class Context>
constexpr void call_in_place(const P& pass, Unit& unit, Context& ctx) {
    if constexpr (transforms_in_place<P, Unit, Context>) {
        if constexpr (takes<P, Unit&, Context&>)
            pass(unit, ctx);
        else
            pass(unit);
    } else {
        unit = call<Unit>(pass, static_cast<Unit&&>(unit), ctx);
    }
}

// The passes that a sequential is made of.
template <class P>
struct members_of {
    using type = passes<>;
};
template <class P>
    requires requires { typename P::members; }
struct members_of<P> {
    using type = typename P::members;
};

// The passes that a P wants run before it.
template <class P>
struct required_of {
    using type = passes<>;
};
template <class P>
    requires requires { typename P::required; }
struct required_of<P> {
    using type = typename P::required;
};

} // namespace detail

} // namespace tutti
