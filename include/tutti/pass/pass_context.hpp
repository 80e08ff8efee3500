#pragma once

#include <tutti/pass/instruments.hpp>
#include <tutti/pass/opt_level.hpp>
#include <tutti/pass/selection.hpp>

namespace tutti {

namespace detail {

// opt_level<3> and disable<P> are the names of functions: what they return is the option.
template <class T>
struct option_of {
    using type = T;
};
template <class R>
struct option_of<R (*)()> {
    using type = R;
};
template <class T>
using option = typename option_of<T>::type;

template <class Option, class T>
constexpr Option to_option(T& given) {
    if constexpr (std::same_as<Option, T>)
        return static_cast<T&&>(given);
    else
        return Option{};
}

template <class T>
inline constexpr bool is_instruments = false;
template <class... I>
inline constexpr bool is_instruments<instrument_set<I...>> = true;

template <class T>
concept is_option = is_level<T> || is_selection<T> || is_instruments<T>;

// Whether a sequential runs a pass, or why not.
enum class decision { run, disabled, opt_level, unknown };

inline constexpr instrument_set<> no_instruments{slots<>{}};

} // namespace detail

/// What governs the passes that run in it: the level, which passes are disabled or required, the instruments.
///
/// Options are static (`opt_level<3>`, `disable<P>`, `disable<"Name">`, `require<...>`) or values
/// (`opt_level(n)`, `disable("Name")`, `require({"A", "B"})`), mixed freely: what is known at compile time is
/// decided there. A disabled pass does not run; else a required one does; else one whose level is not above
/// the context's, which is 2 unless given.
///
/// Requires: at most one level, at most one list of instruments.
/// Example:
/// `tutti::pass_context ctx{tutti::opt_level<3>, tutti::disable<"FuseOps">, tutti::instruments(timing)};`
template <class... Options>
class pass_context {
    static_assert((detail::is_option<Options> && ...),
                  "tutti::pass_context(option...): an option must be one of opt_level, disable, require and "
                  "instruments; "
                  "write opt_level<3> or opt_level(n), disable<P>, disable<\"Name\"> or disable(\"Name\"), "
                  "instruments(i...)");
    static_assert((detail::is_level<Options> + ... + 0) <= 1,
                  "tutti::pass_context(option...): an opt_level must be given at most once; leave out all but one");
    static_assert((detail::is_instruments<Options> + ... + 0) <= 1,
                  "tutti::pass_context(option...): instruments must be given at most once; list all in one "
                  "instruments(a, b)");

    [[no_unique_address]] detail::slots<Options...> options_;

    template <rule Rule, class Option>
    static constexpr bool rules = [] {
        if constexpr (detail::is_selection<Option>)
            return Option::what == Rule;
        else
            return false;
    }();

    // Whether the options select P for the rule, as far as the types tell.
    template <rule Rule, class P>
    static consteval detail::verdict selected() {
        auto all = detail::verdict::no;
        [[maybe_unused]] const auto look = [&]<class Option>(const Option*) {
            if constexpr (rules<Rule, Option>) {
                if (Option::template known<P> == detail::verdict::yes) all = detail::verdict::yes;
                if (Option::template known<P> == detail::verdict::unknown && all == detail::verdict::no)
                    all = detail::verdict::unknown;
            }
        };
        (look(static_cast<const Options*>(nullptr)), ...);
        return all;
    }

    template <rule Rule, class P>
    constexpr bool selects(const P& pass) const {
        constexpr auto known = selected<Rule, P>();
        if constexpr (known == detail::verdict::unknown) {
            bool found = false;
            options_.each([&]<class Option>(const Option& option) {
                if constexpr (rules<Rule, Option>) {
                    if constexpr (Option::template known<P> == detail::verdict::unknown)
                        found = found || option.matches(pass.info);
                }
            });
            return found;
        } else {
            return known == detail::verdict::yes;
        }
    }

public:
    template <class... Given>
        requires(sizeof...(Given) == sizeof...(Options) && (std::same_as<detail::option<Given>, Options> && ...))
    constexpr pass_context(Given... options) : options_{{detail::to_option<Options>(options)}...} {}

    /// Whether the level is part of the type.
    static constexpr bool opt_level_is_static =
        (!detail::is_level<Options> && ...) || (detail::is_static_level<Options> || ...);

    constexpr int opt_level() const {
        int level = 2;
        options_.each([&]<class Option>(const Option& option) {
            if constexpr (detail::is_level<Option>) level = option.value;
        });
        return level;
    }

    /// The instruments, in their order; empty if none were given.
    constexpr auto& instruments() { return instruments_of(options_); }
    constexpr auto& instruments() const { return instruments_of(options_); }

    /// Whether the instruments are out of use, since one threw when this context was entered or left.
    constexpr bool instruments_cleared() const { return instruments().cleared(); }

    /// Whether a sequential would run a `P`, and if not why; `unknown` if that depends on values.
    template <class P>
    static consteval detail::decision known() {
        constexpr auto disabled = selected<rule::disable, P>();
        constexpr auto required = selected<rule::require, P>();
        if constexpr (disabled == detail::verdict::yes) {
            return detail::decision::disabled;
        } else if constexpr (disabled == detail::verdict::no && required == detail::verdict::yes) {
            return detail::decision::run;
        } else if constexpr (disabled == detail::verdict::no && required == detail::verdict::no &&
                             opt_level_is_static && describes_itself_statically<P>) {
            int level = 2;
            ((level = static_level_of<Options>(level)), ...);
            return level >= P::info.opt_level ? detail::decision::run : detail::decision::opt_level;
        } else {
            return detail::decision::unknown;
        }
    }

    /// The same, with the values at hand: never `unknown`.
    template <class P>
    constexpr detail::decision decide(const P& pass) const {
        if (selects<rule::disable>(pass)) return detail::decision::disabled;
        if (selects<rule::require>(pass)) return detail::decision::run;
        return opt_level() >= pass.info.opt_level ? detail::decision::run : detail::decision::opt_level;
    }

    /// Whether the context names the pass as required, so that no instrument is asked about it.
    template <class P>
    constexpr bool is_required(const P& pass) const {
        return selects<rule::require>(pass);
    }

private:
    template <class Option>
    static consteval int static_level_of(int otherwise) {
        if constexpr (detail::is_static_level<Option>)
            return Option::value;
        else
            return otherwise;
    }

    template <class... I, std::size_t N>
    static constexpr instrument_set<I...>& pick(detail::slot<N, instrument_set<I...>>& found) {
        return found.value;
    }
    template <class... I, std::size_t N>
    static constexpr const instrument_set<I...>& pick(const detail::slot<N, instrument_set<I...>>& found) {
        return found.value;
    }
    template <class Slots>
    static constexpr auto& instruments_of(Slots& options) {
        if constexpr ((detail::is_instruments<Options> + ... + 0) == 1)
            return pick(options);
        else
            return detail::no_instruments;
    }
};

template <class... Given>
pass_context(Given...) -> pass_context<detail::option<Given>...>;

} // namespace tutti
