#pragma once

#include <tutti/pass/pass.hpp>

#include <cstddef>

namespace tutti {

namespace detail {

/// The effect of a selection: sequentials skip the selected passes, or run them at any level.
enum class rule { disable, require };

/// Result of checking at compile time if a selection includes a pass; `unknown` if run-time values decide.
enum class verdict { no, yes, unknown };

/// Passes selected by type, `disable<P...>`. A pass whose description is known only at run time is compared by name.
template <rule Rule, class... P>
struct by_type {
    static constexpr rule what = Rule;

    template <class Q>
    static constexpr verdict known = (std::same_as<P, Q> || ...)                ? verdict::yes
                                     : internal::describes_itself_statically<Q> ? verdict::no
                                                                                : verdict::unknown;

    constexpr bool matches(const pass_info& info) const { return (named<P>(info) || ...); }
    constexpr void each_name(auto&& f) const { (f(P::info.name), ...); }

private:
    template <class Q>
    static constexpr bool named(const pass_info& info) {
        if constexpr (internal::describes_itself_statically<Q>)
            return Q::info.name == info.name;
        else
            return false;
    }
};

/// Passes selected by name, `disable<"Name"...>`. Each name must belong to a pass in the sequential.
template <rule Rule, fixed_string... Names>
struct by_name {
    static constexpr rule what = Rule;

    template <class Q>
    static consteval verdict find() {
        if constexpr (internal::describes_itself_statically<Q>) {
            constexpr bool found = ((Names.view() == Q::info.name) || ...);
            return found ? verdict::yes : verdict::no;
        } else {
            return verdict::unknown;
        }
    }
    template <class Q>
    static constexpr verdict known = find<Q>();

    constexpr bool matches(const pass_info& info) const { return ((Names.view() == info.name) || ...); }
    constexpr void each_name(auto&& f) const { (f(Names.view()), ...); }
};

/// Passes selected at run time by a list of names, `disable({"A", "B"})`. The names are stored as views.
template <rule Rule, std::size_t N>
struct by_list {
    static constexpr rule what = Rule;
    template <class Q>
    static constexpr verdict known = verdict::unknown;

    std::string_view names[N]{};

    constexpr bool matches(const pass_info& info) const {
        for (std::string_view name : names)
            if (name == info.name) return true;
        return false;
    }
    constexpr void each_name(auto&& f) const {
        for (std::string_view name : names) f(name);
    }
};

/// Passes selected at run time by a range of names, `disable(names)`. The caller keeps the range alive.
template <rule Rule>
struct by_view {
    static constexpr rule what = Rule;
    template <class Q>
    static constexpr verdict known = verdict::unknown;

    const std::string_view* first = nullptr;
    const std::string_view* last = nullptr;

    constexpr bool matches(const pass_info& info) const {
        for (const std::string_view* name = first; name != last; ++name)
            if (*name == info.name) return true;
        return false;
    }
    constexpr void each_name(auto&& f) const {
        for (const std::string_view* name = first; name != last; ++name) f(*name);
    }
};

// The concept of a single name. A parameter of type std::string_view would also accept {"A", "B"}, as one view from the
// first pointer to the second.
template <class S>
concept names_one = std::convertible_to<const S&, std::string_view>;

template <class R>
concept names_range = requires(const R& names) {
    { names.data() } -> std::convertible_to<const std::string_view*>;
    { names.size() } -> std::convertible_to<std::size_t>;
};

template <rule Rule, std::size_t N>
constexpr by_list<Rule, N> listed(const std::string_view (&names)[N]) {
    by_list<Rule, N> list;
    for (std::size_t i = 0; i < N; ++i) list.names[i] = names[i];
    return list;
}

template <rule Rule, class R>
constexpr by_view<Rule> viewed(const R& names) {
    return {names.data(), names.data() + names.size()};
}

template <class Option>
concept is_selection = requires(const Option& option, const pass_info& info) {
    { Option::what } -> std::convertible_to<rule>;
    { option.matches(info) } -> std::same_as<bool>;
};

} // namespace detail

/// Context option: sequentials skip the passes `P`. This is decided at compile time, so the passes generate no code.
template <class... P>
    requires(sizeof...(P) > 0)
constexpr detail::by_type<detail::rule::disable, P...> disable() {
    return {};
}
/// Context option: sequentials skip the passes with these names. An unknown name is a compile error.
template <fixed_string... Names>
    requires(sizeof...(Names) > 0)
constexpr detail::by_name<detail::rule::disable, Names...> disable() {
    return {};
}
/// Context option: sequentials skip the pass with this name. Names are compared at run time.
template <detail::names_one S>
constexpr detail::by_list<detail::rule::disable, 1> disable(const S& name) {
    return {{std::string_view{name}}};
}
/// Context option: sequentials skip the passes with these names, `disable({"A", "B"})`. Names are compared at run time.
template <std::size_t N>
constexpr detail::by_list<detail::rule::disable, N> disable(const std::string_view (&names)[N]) {
    return detail::listed<detail::rule::disable>(names);
}
/// Context option: disables the passes named in a contiguous range of views. The range must outlive the context.
template <detail::names_range R>
constexpr detail::by_view<detail::rule::disable> disable(const R& names) {
    return detail::viewed<detail::rule::disable>(names);
}

/// Context option: sequentials run the passes `P` at any level, and no instrument's `should_run` can skip them.
template <class... P>
    requires(sizeof...(P) > 0)
constexpr detail::by_type<detail::rule::require, P...> require() {
    return {};
}
/// Context option: requires the passes with these names. An unknown name is a compile error.
template <fixed_string... Names>
    requires(sizeof...(Names) > 0)
constexpr detail::by_name<detail::rule::require, Names...> require() {
    return {};
}
/// Context option: requires the pass with this name. Names are compared at run time.
template <detail::names_one S>
constexpr detail::by_list<detail::rule::require, 1> require(const S& name) {
    return {{std::string_view{name}}};
}
/// Context option: requires the passes with these names, `require({"A", "B"})`. Names are compared at run time.
template <std::size_t N>
constexpr detail::by_list<detail::rule::require, N> require(const std::string_view (&names)[N]) {
    return detail::listed<detail::rule::require>(names);
}
/// Context option: requires the passes named in a contiguous range of views. The range must outlive the context.
template <detail::names_range R>
constexpr detail::by_view<detail::rule::require> require(const R& names) {
    return detail::viewed<detail::rule::require>(names);
}

} // namespace tutti
