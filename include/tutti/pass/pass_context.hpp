#pragma once

#include <tutti/pass/analysis_cache.hpp>
#include <tutti/pass/config.hpp>
#include <tutti/pass/context.hpp>
#include <tutti/pass/current.hpp>
#include <tutti/pass/instrument_set.hpp>
#include <tutti/pass/names.hpp>
#include <tutti/pass/opt_level.hpp>
#include <tutti/pass/selection.hpp>
#include <tutti/pass/slots.hpp>

namespace tutti {

namespace detail {

// The type of an option. An option such as opt_level<3> or disable<P> names a function, and its result is the option.
template <class T>
struct option_of {
    using type = T;
};
template <class R>
struct option_of<R (*)()> {
    using type = R;
};
template <class T>
using option_of_t = typename option_of<T>::type;

template <class Option, class T>
constexpr Option to_option(T& given) {
    if constexpr (std::same_as<Option, T>)
        return static_cast<T&&>(given);
    else
        return Option{};
}

template <class T>
inline constexpr bool is_instruments = false;
template <class Storage>
inline constexpr bool is_instruments<internal::instrument_set<Storage>> = true;

template <class T>
inline constexpr bool is_setting = false;
template <class T>
inline constexpr bool is_setting<config_setting<T>> = true;

template <class T>
inline constexpr bool is_on_executor = false;
template <class E>
inline constexpr bool is_on_executor<internal::on_executor<E>> = true;
template <class E>
inline constexpr bool is_setting<internal::on_executor<E>> = true;

template <class T>
concept is_option = is_level<T> || is_selection<T> || is_instruments<T> || is_setting<T> ||
                    std::same_as<T, analysis_cache> || std::same_as<T, as_current> || std::same_as<T, stoppable>;

inline constexpr internal::instrument_set<instrument_slots<>> no_instruments{instrument_slots<>{}};

} // namespace detail

/// The settings of the passes that run in it: a level, disabled and required passes, and instruments.
///
/// Options are static (`opt_level<3>`, `disable<P>`, `disable<"Name">`, `require<...>`) or values (`opt_level(n)`,
/// `disable("Name")`, `require({"A", "B"})`, `set_config(key, value)`), in any combination. Decisions that depend only
/// on static options are made at compile time. A disabled pass does not run. Any other pass runs if it is required, or
/// if its level is at most the context's level, which is 2 by default. `analysis_cache{}` keeps analyses,
/// `as_current{}` makes the context the current one of its type, `on(executor)` (`<tutti/pass/parallel.hpp>`) transforms
/// parts of units in parallel, and `stoppable{token}` (`<tutti/pass/stop.hpp>`) ends runs early.
///
/// Requires: at most one level, at most one list of instruments.
/// Example:
/// `tutti::pass_context ctx{tutti::opt_level<3>, tutti::disable<"FuseOps">, tutti::instruments(timing)};`
template <class... Options>
class pass_context {
    static constexpr bool are_options = (detail::is_option<Options> && ...); // named, to shorten the error message
    static_assert(
        are_options,
        "tutti::pass_context(option...): an option must be one of opt_level, disable, require and instruments; "
        "write opt_level<3> or opt_level(n), disable<P>, disable<\"Name\"> or disable(\"Name\"), "
        "instruments(i...); or set_config(key, value), analysis_cache{}, as_current{}, on(executor), stoppable{token}");
    static_assert((detail::is_level<Options> + ... + 0) <= 1,
                  "tutti::pass_context(option...): an opt_level must be given at most once; leave out all but one");
    static_assert((detail::is_instruments<Options> + ... + 0) <= 1,
                  "tutti::pass_context(option...): instruments must be given at most once; list all in one "
                  "instruments(a, b)");
    static_assert((detail::is_on_executor<Options> + ... + 0) <= 1,
                  "tutti::pass_context(option...): an executor must be given at most once; leave out all but one");
    static_assert((std::same_as<Options, stoppable> + ... + 0) <= 1,
                  "tutti::pass_context(option...): a stoppable must be given at most once; leave out all but one");
    static_assert(
        (detail::is_on_executor<Options> + ... + 0) == 0 || (!std::same_as<Options, as_current> && ...),
        "tutti::pass_context(option...): a context on an executor must not be as_current, which is for one thread; "
        "leave out one of the two");

    [[no_unique_address]] detail::slots<Options...> options_;

    template <detail::rule Rule, class Option>
    static constexpr bool rules = [] {
        if constexpr (detail::is_selection<Option>)
            return Option::what == Rule;
        else
            return false;
    }();

    // Returns yes if the options select P for the rule, and unknown if that depends on run-time values.
    template <detail::rule Rule, class P>
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

    template <detail::rule Rule, class P>
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

    template <detail::rule Rule>
    constexpr void each_selected(auto&& f) const {
        options_.each([&]<class Option>(const Option& option) {
            if constexpr (rules<Rule, Option>) option.each_name(f);
        });
    }

public:
    template <class... Given>
        requires(sizeof...(Given) == sizeof...(Options) && (std::same_as<detail::option_of_t<Given>, Options> && ...))
    constexpr pass_context(Given... options) : options_{{detail::to_option<Options>(options)}...} {}

    /// True if the level is part of the type.
    static constexpr bool opt_level_is_static =
        (!detail::is_level<Options> && ...) || (detail::is_static_level<Options> || ...);
    /// True if the context keeps analyses.
    static constexpr bool keeps_analyses = (std::same_as<Options, analysis_cache> || ...);
    /// True if the context becomes the current one of its type on entry.
    static constexpr bool becomes_current = (std::same_as<Options, as_current> || ...);
    /// True if the context may transform parts of units in parallel: it has an executor, and no instrument is
    /// `in_order`.
    static constexpr bool parts_at_once = [] {
        bool any = false;
        [[maybe_unused]] const auto look = [&]<class Option>(const Option*) {
            if constexpr (detail::is_on_executor<Option>) any = Option::template at_once<pass_context>;
        };
        (look(static_cast<const Options*>(nullptr)), ...);
        return any;
    }();
    /// Always true: a static context runs passes over all types of units.
    template <class Unit>
    static constexpr bool runs_over = true;

    constexpr int opt_level() const {
        int level = 2;
        options_.each([&]<class Option>(const Option& option) {
            if constexpr (detail::is_level<Option>) level = option.value;
        });
        return level;
    }

    /// Returns the value of a config key: the last value set, or the key's default.
    template <internal::config_type T>
    constexpr T config(const config_key<T>& key) const {
        T value = key.standard;
        options_.each([&]<class Option>(const Option& option) {
            if constexpr (std::same_as<Option, detail::config_setting<T>>)
                if (option.key == key.name) value = option.value;
        });
        return value;
    }

    /// Calls `f(key, value)` for each config key that is set, in order.
    constexpr void each_setting(auto&& f) const {
        options_.each([&]<class Option>(const Option& option) {
            if constexpr (requires { f(option.key, option.value); }) f(option.key, option.value);
        });
    }
    /// Calls `f(name)` for each disabled pass (`each_disabled`) or each required pass (`each_required`).
    constexpr void each_disabled(auto&& f) const { each_selected<detail::rule::disable>(f); }
    constexpr void each_required(auto&& f) const { each_selected<detail::rule::require>(f); }

    /// The instruments in order; empty by default.
    constexpr auto& instruments() { return instruments_of(options_); }
    constexpr auto& instruments() const { return instruments_of(options_); }

    /// True if the instruments are unused because one threw on entering or leaving this context.
    constexpr bool instruments_cleared() const { return instruments().cleared(); }

    /// The kept analyses.
    constexpr analysis_cache& analyses()
        requires keeps_analyses
    {
        return cache_of(options_);
    }

    /// The largest number of parts transformed in parallel.
    unsigned concurrency() const
        requires parts_at_once
    {
        return on_of(options_).executor->concurrency();
    }
    /// For `scope::for_each_part`.
    template <class F>
    change run_parts(std::size_t count, F& f)
        requires parts_at_once
    {
        return run_parts_of(*this, count, f);
    }
    /// For contexts inside this one.
    template <class Context, class F>
    change run_parts_of(Context& whole, std::size_t count, F& f) const
        requires parts_at_once
    {
        return on_of(options_).template run_parts<part_context<Context>>(whole, count, f);
    }

    /// The token of the option `stoppable`.
    constexpr stop_token* stop() const
        requires((std::same_as<Options, stoppable> || ...))
    {
        return stop_of(options_);
    }

    /// Returns the innermost context of this type that the thread is in, or null.
    ///
    /// Requires: the context has the option `as_current{}`.
    template <class Self = pass_context>
    static Self* current() {
        static_assert(Self::becomes_current,
                      "tutti::pass_context::current(): a context must be as_current to be found; write "
                      "tutti::pass_context ctx{..., tutti::as_current{}} and decltype(ctx)::current()");
        if constexpr (Self::becomes_current)
            return internal::current_guard<Self>::current();
        else
            return nullptr;
    }

    /// Diagnoses an attempt to replace the instruments of a static context: they are part of its type.
    template <class Self = pass_context>
    void override_instruments(detail::anything_given) {
        static_assert(detail::never_of<Self>,
                      "tutti::pass_context::override_instruments(list): a context must have its instruments "
                      "at run time to replace them; enter a tutti::runtime::pass_context<Unit>, or another "
                      "context with these instruments");
    }

    /// Returns the decision whether sequentials run a `P`, or `unknown` if that depends on run-time values.
    template <class P>
    static consteval decision known() {
        constexpr auto disabled = selected<detail::rule::disable, P>();
        constexpr auto required = selected<detail::rule::require, P>();
        if constexpr (disabled == detail::verdict::yes) {
            return decision::disabled;
        } else if constexpr (disabled == detail::verdict::no && required == detail::verdict::yes) {
            return decision::run;
        } else if constexpr (disabled == detail::verdict::no && required == detail::verdict::no &&
                             opt_level_is_static && internal::describes_itself_statically<P>) {
            int level = 2;
            ((level = static_level_of<Options>(level)), ...);
            return level >= P::info.opt_level ? decision::run : decision::opt_level;
        } else {
            return decision::unknown;
        }
    }

    /// Returns the decision whether sequentials run `pass`. It is never `unknown`.
    template <class P>
    constexpr decision decide(const P& pass) const {
        if (selects<detail::rule::disable>(pass)) return decision::disabled;
        if (selects<detail::rule::require>(pass)) return decision::run;
        return opt_level() >= pass.info.opt_level ? decision::run : decision::opt_level;
    }

    /// True if the context requires the pass by name or type, so that no instrument can skip it.
    template <class P>
    constexpr bool is_required(const P& pass) const {
        return selects<detail::rule::require>(pass);
    }

    /// True if all names and types in `disable<...>` and `require<...>` denote passes in a `P`; otherwise a compile
    /// error.
    template <class P>
    static consteval bool check_names() {
        return (check_option_names<P>(static_cast<const Options*>(nullptr)) && ...);
    }

private:
    template <class Option>
    static consteval int static_level_of(int otherwise) {
        if constexpr (detail::is_static_level<Option>)
            return Option::value;
        else
            return otherwise;
    }

    template <class Storage, std::size_t N>
    static constexpr internal::instrument_set<Storage>&
    pick(detail::slot<N, internal::instrument_set<Storage>>& found) {
        return found.value;
    }
    template <class Storage, std::size_t N>
    static constexpr const internal::instrument_set<Storage>&
    pick(const detail::slot<N, internal::instrument_set<Storage>>& found) {
        return found.value;
    }
    template <class Slots>
    static constexpr auto& instruments_of(Slots& options) {
        if constexpr ((detail::is_instruments<Options> + ... + 0) == 1)
            return pick(options);
        else
            return detail::no_instruments;
    }
    template <std::size_t N, class E>
    static constexpr const internal::on_executor<E>& on_of(const detail::slot<N, internal::on_executor<E>>& found) {
        return found.value;
    }
    template <std::size_t N>
    static constexpr stop_token* stop_of(const detail::slot<N, stoppable>& found) {
        return found.value.token;
    }
    template <std::size_t N>
    static constexpr analysis_cache& cache_of(detail::slot<N, analysis_cache>& found) {
        return found.value;
    }

    template <class P, detail::rule Rule, fixed_string... Names>
    static consteval bool check_option_names(const detail::by_name<Rule, Names...>*) {
        return (detail::check_name<Rule, Names, P>() && ...);
    }
    template <class P, detail::rule Rule, class... Q>
    static consteval bool check_option_names(const detail::by_type<Rule, Q...>*) {
        return (detail::check_type<Rule, Q, P>() && ...);
    }
    template <class P>
    static consteval bool check_option_names(const void*) {
        return true;
    }
};

template <class... Given>
pass_context(Given...) -> pass_context<detail::option_of_t<Given>...>;

} // namespace tutti
