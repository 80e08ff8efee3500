#pragma once

#include <tutti/pass/instrument_check.hpp>
#include <tutti/pass/pass.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <type_traits>

namespace tutti {

namespace detail {

template <class P>
consteval bool check_described() {
    constexpr bool has_info = requires(const P& pass) { pass.info; };
    static_assert(has_info,
                  "tutti::scope::run(pass): a pass must have a member info; add static constexpr tutti::pass_info "
                  "info{.name = \"Name\"}; to it, or make a pass of a callable with tutti::make_pass<\"Name\">(f)");
    if constexpr (has_info) {
        static_assert(internal::describes_itself<P>,
                      "tutti::scope::run(pass): a pass's info must be a tutti::pass_info; declare it "
                      "static constexpr tutti::pass_info info{.name = \"Name\"};");
        return internal::describes_itself<P>;
    } else {
        return false;
    }
}

template <class P, class Unit, class Context>
concept callable_at_all = takes<P, Unit, Context&> || takes<P, Unit> || takes<P, Unit&, Context&> || takes<P, Unit&>;

// True if a pass cannot change the unit that it takes, and returns no unit.
template <class P, class Unit, class Context>
concept only_looks = gives_nothing<P, Unit, Context&> || gives_nothing<P, Unit>;

// True if a pass transforms the parts of units.
template <class P, class Unit, class Context>
inline constexpr bool over_parts = false;
template <class P, internal::has_parts Unit, class Context>
inline constexpr bool over_parts<P, Unit, Context> = transforms<P, internal::part_of<Unit>, Context>;

// True if a pass over a part also takes the whole around it.
template <class P, class Part, class Context, class Whole>
inline constexpr bool wants_whole = false;
template <class P, class Part, class Context, class Whole, class... Around>
inline constexpr bool wants_whole<P, Part, Context, units<Whole, Around...>> =
    takes<P, Part&, const Whole&, Context&> || takes<P, Part&, const Whole&>;

template <class P, class Unit, class Context, class Whole = void>
consteval bool check_transforms() {
    if constexpr (transforms<P, Unit, Context>) {
        return true;
    } else {
        constexpr bool erased = requires { typename P::run_time_context; };
        constexpr bool callable = callable_at_all<P, Unit, Context>;
        constexpr bool not_const = !callable && callable_at_all<std::remove_const_t<P>, Unit, Context>;
        constexpr bool looks = callable && only_looks<P, Unit, Context>;
        constexpr bool parts = !callable && over_parts<P, Unit, Context>;
        constexpr bool whole = !callable && wants_whole<P, Unit, Context, Whole>;
        static_assert(!erased,
                      "tutti::scope::run(pass, unit): an erased pass runs in run-time contexts over its own unit only; "
                      "enter a tutti::runtime::pass_context<Unit>");
        static_assert(
            erased || !not_const,
            "tutti::scope::run(pass, unit): a const pass must be callable; declare its operator const, or run "
            "a pipeline that is a non-const lvalue if the pass has state of its own");
        static_assert(!parts,
                      "tutti::scope::run(pass, unit): a pass over parts must be run over each part of the unit; write "
                      "scope.run(tutti::each<Part>(pass), unit)");
        static_assert(!whole,
                      "tutti::each<Part>(pass...): a pass must be callable with a part and a context, without the "
                      "whole; make it a pass over the whole, as relay::function_pass(pass) does");
        static_assert(
            erased || not_const || callable || parts || whole,
            "tutti::scope::run(pass, unit): a pass must be callable with the unit and a context; declare its operator "
            "as Unit operator()(Unit, auto& ctx) const or as void operator()(Unit&, auto& ctx) const");
        static_assert(
            erased || not_const || !callable || !looks,
            "tutti::scope::run(pass, unit): a pass must be able to change the unit; let it take a Unit& instead of a "
            "const Unit& or a Unit, or let it return the unit");
        static_assert(erased || not_const || !callable || looks,
                      "tutti::scope::run(pass, unit): a pass must return the unit, or nothing, or tutti::changed or "
                      "tutti::unchanged; let it take a Unit and return a Unit, or take a Unit& and return nothing");
        return false;
    }
}

template <class>
inline constexpr bool is_list = false;
template <class... P>
inline constexpr bool is_list<passes<P...>> = true;

// Stands for an unknown whole: a pass that runs another pass does not know the units around its own.
struct some_whole {};

// A list of the units around a unit, the nearest first.
template <class Whole, class Around>
struct add_whole {
    using type = units<Whole>;
};
template <class Whole, class... Around>
struct add_whole<Whole, units<Around...>> {
    using type = units<Whole, Around...>;
};
template <class Whole>
struct add_whole<Whole, some_whole> {
    using type = some_whole;
};
template <class R, class Context, class... Whole>
consteval bool is_over_some(units<Whole...>) {
    return (transforms<R, Whole, Context> || ...);
}
template <class Whole, class... Around>
Whole nearest_of(units<Whole, Around...>);

// A pass over parts may require passes over the whole.
template <class R, class Unit, class Context, class Whole>
consteval bool check_one_required() {
    if constexpr (std::is_void_v<Whole> || transforms<R, Unit, Context>)
        return check_transforms<R, Unit, Context>();
    else if constexpr (std::is_same_v<Whole, some_whole>)
        return true;
    else if constexpr (is_over_some<R, Context>(Whole{}))
        return true;
    else
        return check_transforms<R, decltype(nearest_of(Whole{})), Context>();
}

template <class P, class Unit, class Context, class Whole>
consteval bool check_required() {
    constexpr bool listed = is_list<internal::required_of<P>>;
    static_assert(listed,
                  "tutti::sequential(pass...): a pass's required must be a list of passes; write using required = "
                  "tutti::passes<Required>;");
    if constexpr (listed)
        return []<class... R>(passes<R...>) {
            constexpr bool made = (std::is_default_constructible_v<R> && ...);
            static_assert(
                made,
                "tutti::sequential(pass...): a required pass must be default-constructible; give its options defaults");
            if constexpr (made)
                if constexpr ((check_described<R>() && ...))
                    return (check_one_required<R, Unit, Context, Whole>() && ...);
                else
                    return false;
            else
                return false;
        }(internal::required_of<P>{});
    else
        return false;
}

template <class Parent, class Member>
using as_member = std::conditional_t<std::is_const_v<Parent>, const Member, Member>;

} // namespace detail

/// True if `P`, which may be const, is a pass over a `Unit` in a context. Otherwise, a compile error states the first
/// mistake and its remedy. Required passes may be passes over the units around `Unit`, which `Whole` lists, the nearest
/// first.
template <class P, class Unit, class Context, class Whole = void>
consteval bool check_pass() {
    if constexpr (!detail::check_described<std::remove_const_t<P>>()) {
        return false;
    } else if constexpr (requires { P::template check<P, Unit, Context, Whole>(); }) {
        if constexpr (!P::template check<P, Unit, Context, Whole>())
            return false;
        else
            return detail::check_transforms<P, Unit, Context>();
    } else if constexpr (requires { P::template check<P, Unit, Context>(); }) {
        // an adaptor with unsuitable members reports this itself
        if constexpr (!P::template check<P, Unit, Context>())
            return false;
        else
            return detail::check_transforms<P, Unit, Context>();
    } else if constexpr (![]<class... M>(passes<M...>) {
                             return (check_pass<detail::as_member<P, M>, Unit, Context, Whole>() && ...);
                         }(detail::members_of<P>{})) {
        return false;
    } else if constexpr (!detail::check_required<P, Unit, Context, Whole>()) {
        return false;
    } else {
        return detail::check_transforms<P, Unit, Context, Whole>();
    }
}

namespace detail {

// The argument of `check_order_of`, which only `pass/property.hpp` declares.
template <class P, class Context>
struct order_of_run {};

// True if a context fits a pipeline that is run in it: the names in the context, and the properties of the passes.
template <class P, class Context>
consteval bool check_pipeline() {
    bool fits = true;
    if constexpr (requires { Context::template check_names<P>(); }) fits = Context::template check_names<P>();
    if constexpr (requires { check_order_of(order_of_run<P, Context>{}); })
        fits = check_order_of(order_of_run<P, Context>{}) && fits;
    return fits;
}

} // namespace detail

/// Stands for a value in code after a failed check; declared only.
template <class T>
T nothing();

} // namespace tutti
