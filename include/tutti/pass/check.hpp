#pragma once

#include <tutti/pass/pass.hpp>
#include <tutti/pass/pass_context.hpp>

namespace tutti::detail {

// What scope::run says of a pass or a unit that do not fit: the first thing that is wrong, once, with the
// remedy.

template <class P>
consteval bool check_described() {
    constexpr bool has_info = requires(const P& pass) { pass.info; };
    static_assert(has_info, "tutti::scope::run(pass): a pass must have a member info; "
                            "add static constexpr tutti::pass_info info{.name = \"Name\"}; to it");
    if constexpr (has_info) {
        static_assert(describes_itself<P>, "tutti::scope::run(pass): a pass's info must be a tutti::pass_info; "
                                           "declare it static constexpr tutti::pass_info info{.name = \"Name\"};");
        return describes_itself<P>;
    } else {
        return false;
    }
}

template <class P, class Unit, class Context>
consteval bool check_transforms() {
    constexpr bool callable =
        takes<P, Unit, Context&> || takes<P, Unit> || takes<P, Unit&, Context&> || takes<P, Unit&>;
    static_assert(callable,
                  "tutti::scope::run(pass, unit): a pass must be callable, when const, with the unit and a context; "
                  "declare its "
                  "operator as Unit operator()(Unit, auto& ctx) const or as void operator()(Unit&, auto& ctx) const");
    if constexpr (callable) {
        static_assert(transforms<P, Unit, Context>, "tutti::scope::run(pass, unit): a pass must return the "
                                                    "unit; let it take a Unit and return a Unit, or take a "
                                                    "Unit& and return nothing");
        return transforms<P, Unit, Context>;
    } else {
        return false;
    }
}

template <class P, class Unit, class Context>
consteval bool check_pass();

template <class Unit, class Context, class... P>
consteval bool check_passes(passes<P...>) {
    return (check_pass<P, Unit, Context>() && ...);
}
template <class Unit, class Context, class... P>
consteval bool check_required(passes<P...>) {
    constexpr bool made = (std::is_default_constructible_v<P> && ...);
    static_assert(made, "tutti::sequential(pass...): a required pass must be default-constructible; give its "
                        "options defaults");
    if constexpr (made)
        return (check_described<P>() && ...) && (check_transforms<P, Unit, Context>() && ...);
    else
        return false;
}

template <class P, class Unit, class Context>
consteval bool check_pass() {
    if constexpr (!check_described<P>())
        return false;
    else if constexpr (!check_passes<Unit, Context>(typename members_of<P>::type{}))
        return false;
    else if constexpr (!check_required<Unit, Context>(typename required_of<P>::type{}))
        return false;
    else
        return check_transforms<P, Unit, Context>();
}

// Whether P is, or runs, a pass of this name; yes if that cannot be known here.
template <class P, bool AndRequired>
consteval bool runs_named(std::string_view name);

template <bool AndRequired, class... P>
consteval bool any_runs_named(passes<P...>, [[maybe_unused]] std::string_view name) {
    return (runs_named<P, AndRequired>(name) || ...);
}
template <class P, bool AndRequired>
consteval bool runs_named(std::string_view name) {
    if constexpr (!describes_itself_statically<P>) {
        return true;
    } else {
        if (P::info.name == name || any_runs_named<true>(typename members_of<P>::type{}, name)) return true;
        if constexpr (AndRequired) return any_runs_named<false>(typename required_of<P>::type{}, name);
        return false;
    }
}

template <rule Rule, fixed_string Name, class P>
consteval bool check_name() {
    constexpr bool known = runs_named<P, true>(Name.view());
    if constexpr (Rule == rule::disable)
        static_assert(known, "tutti::disable<name>: a name must be that of a pass in the sequential that is "
                             "run; spell it as in the pass's "
                             "info (names_of(sequential) lists them), or write disable(\"Name\") if the pass "
                             "only may be there");
    else
        static_assert(known, "tutti::require<name>: a name must be that of a pass in the sequential that is "
                             "run; spell it as in the pass's "
                             "info (names_of(sequential) lists them), or write require(\"Name\") if the pass "
                             "only may be there");
    return known;
}

template <class P, class Option>
struct option_check {
    static consteval bool names() { return true; }
};
template <class P, rule Rule, fixed_string... Names>
struct option_check<P, by_name<Rule, Names...>> {
    static consteval bool names() { return (check_name<Rule, Names, P>() && ...); }
};

template <class P, class... Options>
consteval bool check_names(const pass_context<Options...>*) {
    return (option_check<P, Options>::names() && ...);
}

template <class P, class Unit, class Context, bool Nested>
consteval bool check_run() {
    static_assert(!std::is_const_v<Unit>,
                  "tutti::scope::run(pass, unit): a unit must not be const, since passes change it; pass a copy");
    if constexpr (std::is_const_v<Unit>) {
        return false;
    } else if constexpr (!check_pass<P, Unit, scope<Context, true>>()) {
        return false;
    } else if constexpr (!std::remove_cvref_t<decltype(std::declval<Context&>().instruments())>::template check<
                             Unit>()) {
        return false;
    } else {
        constexpr bool is_sequential = !std::same_as<typename members_of<P>::type, passes<>>;
        if constexpr (Nested || !is_sequential)
            return true;
        else
            return check_names<P>(static_cast<const std::remove_const_t<Context>*>(nullptr));
    }
}

// For what follows a failed check: declared only.
template <class T>
T nothing();

} // namespace tutti::detail
