#pragma once

#include <tutti/base/fixed_string.hpp>
#include <tutti/pass/context.hpp>
#include <tutti/pass/order_steps.hpp>
#include <tutti/pass/point.hpp>
#include <tutti/pass/property_claims.hpp>
#include <tutti/pass/required.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace tutti {

namespace detail {

// A pass as a step. The passes inside a pass without members and requirements need no code: `expand` is null.
struct step_entry {
    const pass_info* info;
    const internal::property_claims* claims;
    members_run kind;
    void (*expand)(internal::order_steps& to, std::size_t own);

    constexpr std::size_t add_to(internal::order_steps& to, decision runs) const {
        internal::order_step made;
        if (info != nullptr) {
            made.name = info->name;
            made.level = info->opt_level;
        }
        made.claims = claims;
        made.kind = kind;
        made.runs = runs;
        const std::size_t own = to.add(made);
        if (expand != nullptr) expand(to, own);
        return own;
    }
};

template <class P>
inline constexpr const pass_info* static_info = nullptr;
template <internal::describes_itself_statically P>
inline constexpr const pass_info* static_info<P> = &P::info;

template <class P>
concept has_passes_inside = composite<P> || requires { typename P::required; };

template <class P, class Context, class Parts, bool RunsRequired>
constexpr void expand_step(internal::order_steps& to, std::size_t own);

// Context decides which members run; void: their levels. Parts lists the types of units below the whole.
template <class P, class Context, class Parts, bool RunsRequired>
inline constexpr step_entry entry_of{static_info<P>, internal::stated_by<P>, members_run::once, nullptr};
template <has_passes_inside P, class Context, class Parts, bool RunsRequired>
inline constexpr step_entry entry_of<P, Context, Parts, RunsRequired>{static_info<P>, internal::stated_by<P>,
                                                                      internal::runs_members_of<P>,
                                                                      &expand_step<P, Context, Parts, RunsRequired>};
template <fixed_string Name, class Context, class Parts, bool RunsRequired>
inline constexpr step_entry entry_of<point<Name>, Context, Parts, RunsRequired>{};

template <class P, class Context>
inline constexpr decision known_in = Context::template known<P>();
template <class P>
inline constexpr decision known_in<P, void> = decision::unknown;

// Adds the requirements that a pass runs just before it.
template <class Parts, class... R>
constexpr void add_required_steps(internal::order_steps& to, passes<R...>) {
    [[maybe_unused]] const auto add_one = [&]<class Q>(const Q*) {
        if constexpr (std::is_same_v<Parts, units<>>)
            entry_of<Q, void, Parts, false>.add_to(to, decision::run);
        else if constexpr (is_over<Q, Parts>)
            entry_of<Q, void, Parts, false>.add_to(to, decision::run);
    };
    (add_one(static_cast<const R*>(nullptr)), ...);
}
// Adds the requirements over the whole of a pass over its parts.
template <class Parts, class P>
constexpr void add_steps_of_whole(internal::order_steps& to) {
    [&]<class... R>(passes<R...>) {
        [[maybe_unused]] const auto add_one = [&]<class Q>(const Q*) {
            if constexpr (!is_over<Q, Parts>) entry_of<Q, void, units<>, false>.add_to(to, decision::run);
        };
        (add_one(static_cast<const R*>(nullptr)), ...);
    }(internal::required_of<P>{});
    if constexpr (internal::requirements_run_by<P> == requirements::direct)
        [&]<class... M>(passes<M...>) {
            (add_steps_of_whole<typename and_below<Parts, internal::inner_part<P>>::type, M>(to), ...);
        }(members_of<P>{});
}

template <class P, class Context, class Parts, bool RunsRequired>
constexpr void expand_step(internal::order_steps& to, std::size_t own) {
    if constexpr (RunsRequired) add_required_steps<Parts>(to, internal::required_of<P>{});
    using part = internal::inner_part<P>;
    if constexpr (!std::is_void_v<part>)
        [&]<class... M>(passes<M...>) { (add_steps_of_whole<units<part>, M>(to), ...); }(members_of<P>{});
    to[own].required = to.size() - own - 1;
    using inside = std::conditional_t<std::is_void_v<part>, Parts, units<part>>;
    constexpr bool direct = internal::requirements_run_by<P> == requirements::direct;
    [&]<class... M>(passes<M...>) {
        (entry_of<M, Context, inside, direct>.add_to(to, known_in<M, Context>), ...);
    }(members_of<P>{});
    to[own].inside = to.size() - own - 1;
}

// The names in a mistake. A copy, since constants cannot refer to the memory of the steps.
struct named_mistake {
    std::string_view pass{}, property{}, broken_by{};
    int level = -1;
    internal::mistake_kind what = internal::mistake_kind::order;
};

template <class P, class Context, class Start>
consteval named_mistake mistake_in() {
    internal::order_steps steps;
    entry_of<P, Context, units<>, false>.add_to(steps, decision::run);
    const internal::order_mistake found =
        steps.find_mistake(std::is_void_v<Start> ? nullptr : &internal::names_in<Start>);
    if (!found) return {};
    return {steps[found.pass].name, found.property,
            found.broken_by == internal::order_mistake::none ? std::string_view{} : steps[found.broken_by].name,
            found.level, found.what};
}

template <class P, class Context, class Start>
inline constexpr named_mistake mistake_of = mistake_in<P, Context, Start>();

// Compilers print these types in the error message.
template <fixed_string Name>
struct pass_named {};
template <fixed_string Name>
struct needs {};
template <fixed_string Name>
struct broken_by {};
struct given_by_no_pass {};
template <int Level>
struct at_opt_level {};

template <class... Mistake>
inline constexpr bool is_in_order = false;
template <class Pass>
inline constexpr bool states_lists = false;
template <class Pass>
inline constexpr bool states_one_effect = false;

template <const named_mistake& Mistake, std::string_view named_mistake::* Which>
inline constexpr fixed_string name_in = [] {
    char made[(Mistake.*Which).size() + 1]{};
    for (std::size_t i = 0; i != (Mistake.*Which).size(); ++i) made[i] = (Mistake.*Which)[i];
    return fixed_string(made);
}();

template <class... Mistake>
consteval void refuse_order() {
    static_assert(
        is_in_order<Mistake...>,
        "tutti::check_order(pipeline): a pass must not need a property that does not hold there; the pass, "
        "the property and the pass that breaks it follow here; move a pass, or run one that gives the property "
        "before it");
}
template <class Pass>
consteval void refuse_claims(std::integral_constant<internal::mistake_kind, internal::mistake_kind::no_list>) {
    static_assert(states_lists<Pass>,
                  "tutti::check_order(pipeline): a pass's needs, gives, breaks and keeps must be lists of properties; "
                  "write using needs = tutti::properties<Property>; in the pass named here");
}
template <class Pass>
consteval void refuse_claims(std::integral_constant<internal::mistake_kind, internal::mistake_kind::contradiction>) {
    static_assert(states_one_effect<Pass>,
                  "tutti::check_order(pipeline): a pass must not break a property that it gives or keeps; remove the "
                  "property from one of the lists of the pass named here");
}
template <class P, class Context, class Start>
consteval bool check_order_in() {
    constexpr const named_mistake& found = mistake_of<P, Context, Start>;
    if constexpr (found.pass.empty()) {
        return true;
    } else {
        using named = pass_named<name_in<mistake_of<P, Context, Start>, &named_mistake::pass>>;
        if constexpr (found.what != internal::mistake_kind::order) {
            refuse_claims<named>(std::integral_constant<internal::mistake_kind, found.what>{});
        } else {
            using needed = needs<name_in<mistake_of<P, Context, Start>, &named_mistake::property>>;
            using by = std::conditional_t<found.broken_by.empty(), given_by_no_pass,
                                          broken_by<name_in<mistake_of<P, Context, Start>, &named_mistake::broken_by>>>;
            if constexpr (found.level >= 0)
                refuse_order<named, needed, by, at_opt_level<found.level>>();
            else
                refuse_order<named, needed, by>();
        }
        return false;
    }
}

// For `scope::run`, which finds this function by its argument, if this header is included.
template <class P, class Context>
consteval bool check_order_of(order_of_run<P, Context>) {
    return check_order_in<P, Context, void>();
}

} // namespace detail

/// True if each pass of a pipeline can have the properties that it needs, at every level. `Start` lists the properties
/// that hold at the start, `tutti::properties<...>`. By default, any property may hold there.
///
/// Example: `static_assert(!tutti::order_works<decltype(tutti::sequential(lower{}, fold{}))>);`
template <class P, class Start = void>
inline constexpr bool order_works = detail::mistake_of<std::remove_cvref_t<P>, void, Start>.pass.empty();

/// Checks that each pass of a pipeline can have the properties that it needs, at every level. Otherwise, a compile error
/// names the pass, the property, and the pass that broke it. `scope::run` checks pipelines in this way, at the context's
/// level if this is known.
///
/// Returns true, for use in `static_assert`.
///
/// Example: `static_assert(tutti::check_order<tutti::properties<parsed>>(pipeline));`
template <class Start = void, class P>
constexpr bool check_order(const P&) {
    static_cast<void>(detail::check_order_in<P, void, Start>());
    return true; // a mistake was reported
}

/// The effect of a pipeline on a property, derived from its passes, all of which run.
struct property_effect {
    bool needs = false;  ///< a pass needs the property, and no pass before it gives it
    bool gives = false;  ///< the property holds at the end
    bool breaks = false; ///< the property does not hold at the end
    bool keeps = false;  ///< the property holds at the end if it holds at the start

    friend constexpr bool operator==(const property_effect&, const property_effect&) = default;
};

namespace detail {

template <class P, class Property>
consteval property_effect derive_effect() {
    internal::order_steps steps;
    entry_of<P, void, units<>, false>.add_to(steps, decision::run);
    const auto made = steps.effect_on(internal::property_name_of<Property>);
    return {made.needs, made.gives, made.breaks, made.keeps};
}

} // namespace detail

/// The effect of a pipeline on a property. If its end depends on whether an adaptor runs a pass, none of `gives`,
/// `breaks` and `keeps` is true.
///
/// Example: `static_assert(tutti::effect_on<typed, decltype(pipeline)>.gives);`
template <class Property, class P>
inline constexpr property_effect effect_on = detail::derive_effect<std::remove_cvref_t<P>, Property>();

} // namespace tutti
