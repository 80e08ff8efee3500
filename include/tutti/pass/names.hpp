#pragma once

#include <tutti/pass/pass.hpp>
#include <tutti/pass/point.hpp>
#include <tutti/pass/selection.hpp>

#include <concepts>
#include <string_view>

namespace tutti {

namespace internal {

/// A type-erased reference to a callable `bool f(std::string_view)`, for passes whose members are known only at run
/// time.
class name_visitor {
    void* to_;
    bool (*visit_)(void* to, std::string_view name);

public:
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, name_visitor>)
    name_visitor(F&& f)
        : to_(const_cast<void*>(static_cast<const void*>(&f))), visit_([](void* to, std::string_view name) -> bool {
            return (*static_cast<std::remove_reference_t<F>*>(to))(name);
        }) {}

    bool operator()(std::string_view name) const { return visit_(to_, name); }
};

/// Calls `f(name)` for a pass, its members, and their requirements, until `f` returns true. False if `f` never does.
///
/// Requirements of requirements are skipped, because a sequential does not run them, and because they may be cyclic. A
/// pass whose members are known only at run time has a member `each_name(f)`.
template <bool AndRequired = true, class P>
constexpr bool each_pass_name(const P& pass, auto&& f) {
    if constexpr (requires { pass.each_name(f); }) {
        return pass.each_name(f);
    } else {
        bool done = f(std::string_view(pass.info.name));
        if constexpr (requires { pass.each_member([](const auto&) {}); })
            pass.each_member([&](const auto& member) { done = done || each_pass_name(member, f); });
        [[maybe_unused]] const auto visit = [&]<class... R>(passes<R...>) {
            ((done = done || each_pass_name<false>(R{}, f)), ...);
        };
        if constexpr (AndRequired) visit(required_of<P>{});
        return done;
    }
}

} // namespace internal

namespace detail {

template <class Q, class P, bool AndRequired = true>
consteval verdict runs_pass();
template <class Q, bool AndRequired, class... P>
consteval verdict any_runs_pass(passes<P...>) {
    auto all = verdict::no;
    [[maybe_unused]] const auto add = [&](verdict one) {
        if (all == verdict::no || one == verdict::yes) all = one;
    };
    (add(runs_pass<Q, P, AndRequired>()), ...);
    return all;
}
// Returns yes if P is Q or runs a Q, and unknown if that depends on run-time values.
template <class Q, class P, bool AndRequired>
consteval verdict runs_pass() {
    if constexpr (std::same_as<Q, P>)
        return verdict::yes;
    else if constexpr (!internal::describes_itself_statically<P>)
        return verdict::unknown;
    else if constexpr (constexpr verdict inside = any_runs_pass<Q, true>(members_of<P>{}); inside != verdict::no)
        return inside;
    else if constexpr (AndRequired)
        return any_runs_pass<Q, false>(internal::required_of<P>{});
    else
        return verdict::no;
}

// True if P is, or may run, a pass with this name.
template <class P, bool AndRequired>
consteval bool runs_named(std::string_view name);

template <bool AndRequired, class... P>
consteval bool any_runs_named(passes<P...>, [[maybe_unused]] std::string_view name) {
    return (runs_named<P, AndRequired>(name) || ...);
}
template <class P, bool AndRequired>
consteval bool runs_named(std::string_view name) {
    if constexpr (internal::is_point<P>) {
        return false;
    } else if constexpr (!internal::describes_itself_statically<P>) {
        return true;
    } else {
        if (P::info.name == name || any_runs_named<true>(members_of<P>{}, name)) return true;
        if constexpr (AndRequired) return any_runs_named<false>(internal::required_of<P>{}, name);
        return false;
    }
}

/// True if a name in a context's `disable` or `require` is the name of a pass in `P`; otherwise a compile error.
template <rule Rule, fixed_string Name, class P>
consteval bool check_name() {
    constexpr bool known = detail::runs_named<P, true>(Name.view());
    if constexpr (Rule == rule::disable)
        static_assert(
            known, "tutti::disable<name>: a name must be that of a pass in the sequential that is run; spell it as in "
                   "the pass's info (names_of(sequential) lists them), or write disable(\"Name\") if the pass "
                   "may be absent");
    else
        static_assert(
            known, "tutti::require<name>: a name must be that of a pass in the sequential that is run; spell it as in "
                   "the pass's info (names_of(sequential) lists them), or write require(\"Name\") if the pass "
                   "may be absent");
    return known;
}

/// True if a type in a context's `disable` or `require` is a pass in `P`; otherwise a compile error.
template <rule Rule, class Q, class P>
consteval bool check_type() {
    constexpr bool known = detail::runs_pass<Q, P>() != verdict::no;
    if constexpr (Rule == rule::disable)
        static_assert(known,
                      "tutti::disable<P>: a P must be a pass in the sequential that is run; name one that is in it "
                      "(names_of(sequential) lists them), or write disable(\"Name\") if the pass may be absent");
    else
        static_assert(known,
                      "tutti::require<P>: a P must be a pass in the sequential that is run; name one that is in it "
                      "(names_of(sequential) lists them), or write require(\"Name\") if the pass may be absent");
    return known;
}

} // namespace detail

} // namespace tutti
