#pragma once

#include <tutti/pass/context.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/scope.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <type_traits>

namespace tutti {

namespace detail {

template <class P>
struct part_of_pass {
    using type = void;
};
template <class P>
    requires requires { typename P::part; }
struct part_of_pass<P> {
    using type = typename P::part;
};

} // namespace detail

namespace internal {

/// The type of part, for a pass that runs its members over the parts of its units; otherwise void.
template <class P>
using inner_part = typename detail::part_of_pass<std::remove_cv_t<P>>::type;

/// True for the types of passes made by `sequential` and `resolve`.
template <class P>
inline constexpr bool is_sequential = false;
template <requirements R, fixed_string Name, int Level, class... P>
inline constexpr bool is_sequential<detail::basic_seq<R, Name, Level, P...>> = true;

/// The kind of requirements that a sequential of type `P` runs; `direct` if `P` is not a sequential.
template <class P>
inline constexpr requirements requirements_run_by = requirements::direct;
template <requirements R, fixed_string Name, int Level, class... P>
inline constexpr requirements requirements_run_by<detail::basic_seq<R, Name, Level, P...>> = R;

} // namespace internal

namespace detail {

// The functions below find the order of required passes, their level (the parts or the whole), and whether a context
// runs them.

template <class P, class List>
inline constexpr bool contains = false;
template <class P, class... Q>
inline constexpr bool contains<P, passes<Q...>> = (std::same_as<P, Q> || ...);

template <class... P, class... Q>
consteval passes<P..., Q...> appended(passes<P...>, passes<Q...>) {
    return {};
}

// True if a P transforms a Unit, or one of the listed types of units, in a default context.
template <class P, class Unit>
inline constexpr bool is_over = transforms<P, Unit, scope<tutti::pass_context<>, true>>;
template <class P, class... Unit>
inline constexpr bool is_over<P, units<Unit...>> = (is_over<P, Unit> || ...);
template <class P>
inline constexpr bool is_over<P, void> = true; // the unit is unknown

// The result if requirements are cyclic and so have no order.
struct cyclic {};

// Shows a cycle of requirements in the error message. The first pass is repeated at the end.
template <class... Path>
inline constexpr bool acyclic = false;

template <class P, class Q, class... Rest>
consteval void check_path(passes<Q, Rest...>) {
    // the path may start outside the cycle: drop that part
    if constexpr (std::same_as<P, Q>)
        static_assert(acyclic<Q, Rest..., P>,
                      "tutti::resolve(pipeline): required passes must not form a cycle; remove a pass that "
                      "acyclic<...> names from the required of the pass before it");
    else
        check_path<P>(passes<Rest...>{});
}

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
// Appends each pass to Done, after its requirements.
template <class Done, class Path, class P, class... Rest>
    requires(!std::same_as<Done, cyclic>)
consteval auto visit_passes(Done, Path path, passes<P, Rest...>) {
    return visit_passes(visit_pass<Done, Path, P>(), path, passes<Rest...>{});
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
        using before = decltype(visit_passes(Done{}, inner{}, internal::required_of<P>{}));
        if constexpr (std::same_as<before, cyclic>)
            return cyclic{};
        else
            return appended(before{}, passes<P>{});
    }
}

// Appends to Done, each once, the passes of a list that do not transform a Part.
template <class Part, class Done>
consteval cyclic add_those_not_over(Done, cyclic) {
    return {};
}
template <class Part, class Done>
consteval Done add_those_not_over(Done, passes<>) {
    return {};
}
template <class Part, class Done, class P, class... Rest>
consteval auto add_those_not_over(Done done, passes<P, Rest...>) {
    if constexpr (contains<P, Done> || is_over<P, Part>)
        return add_those_not_over<Part>(done, passes<Rest...>{});
    else
        return add_those_not_over<Part>(appended(done, passes<P>{}), passes<Rest...>{});
}

// Appends to Done all requirements of a pass and its members, except those over parts of the pass's units.
template <class P, class Done>
consteval auto add_wanted(Done done);
template <class Done>
consteval Done add_wanted_by(Done, passes<>) {
    return {};
}
template <class Done, class P, class... Rest>
consteval auto add_wanted_by(Done done, passes<P, Rest...>) {
    return add_wanted_by(add_wanted<P>(done), passes<Rest...>{});
}
template <class P, class Done>
consteval auto add_wanted(Done done) {
    if constexpr (std::same_as<Done, cyclic>) {
        return done;
    } else {
        using own = decltype(visit_passes(done, passes<P>{}, internal::required_of<P>{}));
        if constexpr (std::same_as<own, cyclic>)
            return own{};
        else if constexpr (std::is_void_v<internal::inner_part<P>>)
            return add_wanted_by(own{}, members_of<P>{});
        else
            return add_those_not_over<internal::inner_part<P>>(own{}, add_wanted_by(passes<>{}, members_of<P>{}));
    }
}

// The requirements of a pass. For a pass over parts, they include its members' requirements over the whole.
template <class P>
struct wanted_list {
    using type = internal::required_of<P>;
};
template <class P>
    requires(!std::is_void_v<internal::inner_part<P>>)
struct wanted_list<P> {
    using all = decltype(add_wanted<P>(passes<>{}));
    using type = std::conditional_t<std::same_as<all, cyclic>, passes<>, all>;
};
template <class P>
using wanted_of = typename wanted_list<P>::type;

// True if one of the passes is a Q, or requires a Q directly or transitively.
template <class Q, class... P>
consteval bool require_some(passes<P...>) {
    return ((std::same_as<Q, P> || require_some<Q>(internal::required_of<P>{})) || ...);
}
// True if a P requires a Q, itself or through its members.
template <class Q, class P>
inline constexpr bool needs_pass = require_some<Q>(internal::required_of<P>{}) || needs_pass<Q, members_of<P>>;
template <class Q, class... P>
inline constexpr bool needs_pass<Q, passes<P...>> = (needs_pass<Q, P> || ...);

// True if a context runs a pass that requires a Q: `pass` itself, or one of its members.
template <class Q, class P, class Context>
constexpr bool wants(const P& pass, const Context& ctx) {
    constexpr decision known = Context::template known<P>();
    if constexpr (!needs_pass<Q, P> || known == decision::disabled || known == decision::opt_level) {
        return false;
    } else {
        if constexpr (known == decision::unknown)
            if (ctx.decide(pass) != decision::run) return false;
        if constexpr (require_some<Q>(internal::required_of<P>{})) {
            return true;
        } else {
            bool any = false;
            pass.each_member([&](const auto& member) { any = any || wants<Q>(member, ctx); });
            return any;
        }
    }
}

// True if a pass or one of its members may require passes. Members known only at run time are assumed to require some.
template <class P>
inline constexpr bool may_require = !std::same_as<internal::required_of<P>, passes<>> ||
                                    requires(const P& pass) { pass.requires_of_whole(); } || may_require<members_of<P>>;
template <class... P>
inline constexpr bool may_require<passes<P...>> = (may_require<P> || ...);

template <class Parts, class Part>
struct and_below;
template <class... Unit, class Part>
struct and_below<units<Unit...>, Part> {
    using type = units<Unit..., Part>;
};
template <class... Unit>
struct and_below<units<Unit...>, void> {
    using type = units<Unit...>;
};

// Runs the passes of the list that transform the whole but none of the units below the whole.
template <class Parts, class... R, class Whole, class Context>
constexpr change run_over_whole(passes<R...>, const auto& is_wanted, Whole& whole, Context& ctx) {
    change all = unchanged;
    [[maybe_unused]] const auto run_one = [&]<class Q>(Q required) {
        if constexpr (transforms<Q, Whole, Context> && !is_over<Q, Parts>)
            if (is_wanted(required)) all |= ctx.run(required, whole);
    };
    (run_one(R{}), ...);
    return all;
}

// Runs over the whole those requirements of a pass, and of its members, that transform the whole. The requirements of
// passes that the context does not enable are skipped. Parts lists the types of units from the parts of the whole down
// to the unit of the pass.
template <class Parts, class P, class Whole, class Context>
constexpr change run_required_of_whole([[maybe_unused]] const P& pass, Whole& whole, Context& ctx) {
    change all = unchanged;
    if constexpr (may_require<P>) {
        constexpr decision known = Context::template known<P>();
        if constexpr (known == decision::run || known == decision::unknown) {
            if constexpr (known == decision::unknown)
                if (ctx.decide(pass) != decision::run) return all;
            if constexpr (requires { pass.run_required_of_whole(whole, ctx); }) {
                all |= pass.run_required_of_whole(whole, ctx);
            } else if constexpr (internal::requirements_run_by<P> == requirements::transitive) {
                using wanted = decltype(add_wanted<P>(passes<>{}));
                if constexpr (!std::same_as<wanted, cyclic>)
                    all |= run_over_whole<Parts>(
                        wanted{}, [&]<class Q>(const Q&) { return wants<Q>(pass, ctx); }, whole, ctx);
            } else if constexpr (internal::requirements_run_by<P> == requirements::direct) {
                all |= run_over_whole<Parts>(internal::required_of<P>{}, [](const auto&) { return true; }, whole, ctx);
                if constexpr (composite<P>)
                    pass.each_member([&](const auto& member) {
                        using below = typename and_below<Parts, internal::inner_part<P>>::type;
                        all |= run_required_of_whole<below>(member, whole, ctx);
                    });
            }
        }
    }
    return all;
}

} // namespace detail

} // namespace tutti
