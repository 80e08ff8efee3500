#pragma once

#include <tutti/base/fixed_string.hpp>
#include <tutti/pass/fwd.hpp>

namespace tutti {

namespace detail {

/// The option named by `opt_level<N>`.
template <int N>
struct static_level {
    static constexpr int value = N;
};

/// The option made by `opt_level(n)`.
struct level_value {
    int value = 2;
};

} // namespace detail

/// Context option: the highest level of passes that sequentials run, known at compile time. The default is 2.
///
/// Passes above this level generate no code.
///
/// Example: `tutti::pass_context ctx{tutti::opt_level<3>};`
template <int N>
constexpr detail::static_level<N> opt_level() {
    return {};
}

/// Diagnoses a level that is not a number.
template <fixed_string Level>
constexpr auto opt_level() {
    static_assert(detail::never<Level>,
                  "tutti::opt_level<level>: a level must be a whole number; write opt_level<3>, or "
                  "opt_level(n) for one that is known at run time");
    return detail::static_level<2>{};
}

/// Context option: the highest level of passes that sequentials run, known at run time.
///
/// Example: `tutti::pass_context ctx{tutti::opt_level(argc)};`
constexpr detail::level_value opt_level(int level) { return {level}; }

namespace detail {

template <class Option>
inline constexpr bool is_static_level = false;
template <int N>
inline constexpr bool is_static_level<static_level<N>> = true;

template <class Option>
inline constexpr bool is_level = is_static_level<Option>;
template <>
inline constexpr bool is_level<level_value> = true;

} // namespace detail

} // namespace tutti
