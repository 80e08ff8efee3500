#pragma once

#include <tutti/pass/config.hpp>
#include <tutti/pass/pass.hpp>

#include <concepts>
#include <string_view>

namespace tutti {

/// The decision of a sequential about a pass: run, or the reason for skipping it. `unknown` if the decision depends on
/// run-time values.
enum class decision { run, disabled, opt_level, unknown };

namespace detail {

struct described {
    pass_info info;
};

} // namespace detail

/// A context, which controls the passes that run in it. `tutti::pass_context` stores its options in its type, and
/// `tutti::runtime::pass_context` stores them as values. `with`, scopes and sequentials work with any context.
///
/// Laws:
/// ```
/// C::known<P>() is unknown or equals c.decide(p)
/// c.decide(p) is disabled if c.each_disabled visits p's name; else run if c.is_required(p); else decided by the levels
/// ```
template <class C>
concept context = requires(C& c, const C& same, const detail::described& pass, const config_key<bool>& key,
                           void (*name)(std::string_view)) {
    { same.opt_level() } -> std::same_as<int>;
    { same.config(key) } -> std::same_as<bool>;
    { same.decide(pass) } -> std::same_as<decision>;
    { same.is_required(pass) } -> std::same_as<bool>;
    { same.instruments_cleared() } -> std::same_as<bool>;
    { C::keeps_analyses } -> std::convertible_to<bool>;
    { C::becomes_current } -> std::convertible_to<bool>;
    same.each_disabled(name);
    same.each_required(name);
    c.instruments().size();
};

} // namespace tutti
