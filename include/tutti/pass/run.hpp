#pragma once

#include <tutti/base/failure.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

namespace tutti::detail {

// Runs a pass and calls the hooks of the instruments, however the instruments are stored.

// Stops the clocks of the measuring instruments during its lifetime, so that they do not measure hooks.
template <bool Stops, class Set>
class clock_pause {
    Set& set_;

public:
    constexpr explicit clock_pause(Set& set) : set_(set) {
        if constexpr (Stops) set_.stop_clocks();
    }
    constexpr ~clock_pause() {
        if constexpr (Stops) set_.start_clocks();
    }
    clock_pause(const clock_pause&) = delete;
};

// Directs hooks to the instruments installed at construction, even if they are replaced before the pass ends.
template <class Set>
struct list_pin {
    constexpr explicit list_pin(Set&) {}
};
template <class Set>
    requires requires(Set& set) { set.storage().begin_run(); }
class list_pin<Set> {
    Set& set_;
    decltype(std::declval<Set&>().storage().begin_run()) around_;

public:
    explicit list_pin(Set& set) : set_(set), around_(set.storage().begin_run()) {}
    ~list_pin() { set_.storage().end_run(around_); }
    list_pin(const list_pin&) = delete;
};

// The argument of hooks: a `pass_info` or, if an instrument needs the surrounding passes, a `pass_run`.
template <bool Track, class Set>
struct told_run {
    const pass_info& info;
    constexpr told_run(Set&, const pass_info& described) : info(described) {}
    constexpr void begin() const {}
    constexpr void end() const {}
};
template <class Set>
struct told_run<true, Set> {
    pass_run info;
    Set& set;
    [[no_unique_address]] list_pin<Set> pin;

    constexpr told_run(Set& around, const pass_info& described) : info{described}, set(around), pin(around) {
        info.outer = set.current();
        info.depth = info.outer ? info.outer->depth + 1 : 0;
        set.current() = &info;
    }
    constexpr void begin() { info.number = ++set.runs(); }
    constexpr void end() { info.number = set.runs(); }
    constexpr ~told_run() { set.current() = info.outer; }
    told_run(const told_run&) = delete;
};

// True if a pass has failed by returning an error, in a `try_run` of a context. Empty if that is impossible.
template <class Context>
struct returned_error {
    static constexpr bool is_possible = false;
    constexpr explicit returned_error(Context&) {}
    constexpr explicit operator bool() const { return false; }
};
template <class Context>
    requires requires(Context& context) { context.stop()->failed(); }
struct returned_error<Context> {
    static constexpr bool is_possible = true;
    Context& context;

    constexpr explicit returned_error(Context& around) : context(around) {}
    constexpr explicit operator bool() const { return context.stop() != nullptr && context.stop()->failed(); }
    const std::exception_ptr& reason() const { return context.stop()->sink()->reason; }
};

// Properties of a run. `tells` is called only if needed.
template <class Tells, class Context>
struct run_terms {
    bool must_run;   // `should_run` is not called
    bool keeps_unit; // the pass leaves the unit in place, so the unit survives a failure
    Tells tells;     // true if the pass always reports changes
    [[no_unique_address]] returned_error<Context> error;
};
// Clang 16 and older do not deduce the template arguments of an aggregate.
template <class Tells, class Context>
run_terms(bool, bool, Tells, returned_error<Context>) -> run_terms<Tells, Context>;

// The `settle` argument of `run_watched` in contexts that keep no analyses.
struct settle_nothing {
    constexpr void operator()(change) const {}
};

// Returns a pointer to the unit for `pass_failed` hooks, or null if the unit is malformed.
template <class Unit>
constexpr const Unit* if_whole(const Unit& unit) {
    if constexpr (internal::has_structure<Unit>)
        return internal::completes([&] { unit_traits<Unit>::check_structure(unit, {}); }) ? &unit : nullptr;
    else
        return &unit;
}

// Returns a call that runs the pass, and throws if the resulting unit is malformed. The error names the pass, and no
// hook sees the unit.
template <class Hooks, class Set, class Unit, class Call>
constexpr decltype(auto) checked_call([[maybe_unused]] Set& set, [[maybe_unused]] const pass_info& info,
                                      [[maybe_unused]] const Unit& unit, [[maybe_unused]] const auto& error,
                                      const Call& call) {
    if constexpr (!internal::has_structure<Unit> || !Hooks::at_passes) {
        return call;
    } else {
        return [&set, &info, &unit, error, &call] {
            auto result = call();
            if (error || set.size() == 0 || info.kind == pass_kind::sequential)
                return result; // its members were checked
            const clock_pause<Hooks::stop_clocks, Set> pause{set};
            if constexpr (std::is_same_v<decltype(result), change>)
                unit_traits<Unit>::check_structure(unit, info.name);
            else
                unit_traits<Unit>::check_structure(result, info.name);
            return result;
        };
    }
}

// Failures are handled in functions that are not inlined. Their callers are inlined lambdas, whose captures compilers
// can then keep in registers.

template <class Set, class Unit>
[[gnu::noinline]] constexpr void tell_failure(Set& set, const Unit* unit, const auto& info,
                                              const std::exception_ptr& reason, std::size_t first,
                                              std::size_t last = static_cast<std::size_t>(-1)) {
    set.failed(unit, info, reason, first, last);
}

template <class Hooks, class Set, class Unit>
constexpr bool begin_pass(Set& set, auto& run, bool must_run, const Unit& unit) {
    const auto& info = run.info;
    const clock_pause<Hooks::stop_clocks, Set> pause{set};
    if constexpr (Hooks::decide) {
        if (!must_run && !set.should_run(unit, info)) {
            set.skipped(info, skip_reason::instrument);
            return false;
        }
    }
    run.begin();
    std::size_t begun = 0;
    if constexpr (Hooks::see_failed) set.lose(nullptr);
    if constexpr (Hooks::see_failed)
        internal::on_failure([&] { set.before(unit, info, begun); },
                             [&](const std::exception_ptr& reason) __attribute__((always_inline)) {
                                 tell_failure(set, if_whole(unit), info, reason, 0, begun);
                             });
    else
        set.before(unit, info, begun);
    return true;
}

template <class Hooks, class Set, class Unit>
constexpr void end_pass(Set& set, auto& run, change what, const Unit& unit) {
    run.end();
    const auto& info = run.info;
    const clock_pause<Hooks::stop_clocks, Set> pause{set};
    std::size_t ended = 0;
    if constexpr (Hooks::see_failed)
        internal::on_failure([&] { set.after(unit, info, what, ended); },
                             [&](const std::exception_ptr& reason)
                                 __attribute__((always_inline)) { tell_failure(set, &unit, info, reason, ended); });
    else
        set.after(unit, info, what, ended);
}

// True if a unit is or contains the lost unit.
template <class Unit>
constexpr bool has_lost(const void* lost, Unit& unit) {
    if (!lost || lost == &unit) return lost;
    if constexpr (internal::has_parts<Unit>)
        for (auto&& part : unit_traits<Unit>::parts(unit))
            if (has_lost(lost, part)) return true;
    return false;
}

// Restores the lost unit, because `pass_failed` hooks may run passes, which reset it.
template <class Set>
struct lost_meanwhile {
    Set& set;
    const void* lost = set.lost();

    constexpr ~lost_meanwhile() { set.lose(lost); }
};

template <class Hooks, class Set, class Unit>
[[gnu::noinline]] constexpr void tell_failed_pass(Set& set, const auto& info, bool keeps_unit, Unit& unit,
                                                  const std::exception_ptr& reason) {
    const clock_pause<Hooks::stop_clocks, Set> pause{set};
    const lost_meanwhile<Set> same{set};
    const Unit* const whole = keeps_unit && !has_lost(set.lost(), unit) ? if_whole(unit) : nullptr;
    set.failed(whole, info, reason, 0);
}

// If the pass has failed by returning an error, tells instruments, and returns true.
template <class Hooks, class Set, class Unit>
constexpr bool tell_returned_error([[maybe_unused]] Set& set, [[maybe_unused]] const auto& info,
                                   [[maybe_unused]] const auto& terms, [[maybe_unused]] Unit& unit) {
    if constexpr (std::remove_cvref_t<decltype(terms.error)>::is_possible)
        if (terms.error) {
            tell_failed_pass<Hooks>(set, info, terms.keeps_unit, unit, terms.error.reason());
            return true;
        }
    return false;
}

template <class Hooks, class Set, class Unit, class Call>
constexpr auto call_watched(Set& set, const auto& info, bool keeps_unit, Unit& unit, const Call& call) {
    if constexpr (Hooks::see_failed)
        return internal::on_failure(call, [&](const std::exception_ptr& reason) __attribute__((always_inline)) {
            tell_failed_pass<Hooks>(set, info, keeps_unit, unit, reason);
        });
    else
        return call();
}

// Detects by fingerprint whether a unit has changed, if needed and possible. Calls `is_known()` only if units have a
// fingerprint.
template <bool Wanted, class Unit>
struct change_finder {
    constexpr explicit change_finder(const auto&) {}
    constexpr void note(const Unit&) {}
    constexpr change since(const Unit&, change said) const { return said; }
    constexpr change between(const Unit&, change said) const { return said; }
};
template <class Unit>
    requires internal::has_fingerprint<Unit>
struct change_finder<true, Unit> {
    std::uint64_t before = 0;
    bool looks;

    constexpr explicit change_finder(const auto& is_known) : looks(!is_known()) {}
    constexpr void note(const Unit& unit) {
        if (looks) before = unit_traits<Unit>::fingerprint(unit);
    }
    constexpr change since(const Unit& unit, change said) const {
        return said == change::unknown ? between(unit, said) : said;
    }
    // Compares the unit with the one noted, even if passes changed it in between.
    constexpr change between(const Unit& unit, change said) const {
        if (!looks || said == unchanged) return said;
        return unit_traits<Unit>::fingerprint(unit) == before ? unchanged : changed;
    }
};

// Runs `call` as the pass, among the hooks. Returns the result of `call`. If an instrument skips the pass, returns
// `unchanged` for an in-place pass, and `unit` for a by-value pass. Calls `settle(change)` between the pass and the
// hooks after it.
template <class Set, class Unit, class Call, class Settle>
constexpr auto run_watched(Set& set, const pass_info& description, auto terms, Unit& unit, const Call& call,
                           Settle settle) {
    using hooks = typename Set::template hooks<Unit>;
    told_run<hooks::track, Set> run{set, description};
    constexpr bool in_place = std::is_same_v<decltype(call()), change>;
    if (!begin_pass<hooks>(set, run, terms.must_run, unit)) {
        if constexpr (in_place)
            return unchanged;
        else
            return static_cast<Unit&&>(unit);
    } else {
        // Fingerprints are taken inside `call_watched`, so that a failure to take one reaches the `pass_failed` hooks.
        change_finder<hooks::see_change, Unit> finder{
            [&] { return !set.template asks_for_change<Unit>() || terms.tells(); }};
        if constexpr (in_place) {
            const change what = call_watched<hooks>(set, run.info, terms.keeps_unit, unit, [&] {
                finder.note(unit);
                return finder.since(unit, call());
            });
            settle(what);
            if (!tell_returned_error<hooks>(set, run.info, terms, unit)) end_pass<hooks>(set, run, what, unit);
            return what;
        } else {
            change what = change::unknown;
            Unit result = call_watched<hooks>(set, run.info, terms.keeps_unit, unit, [&] {
                finder.note(unit);
                Unit made = call();
                what = finder.since(made, change::unknown);
                return made;
            });
            settle(what);
            if (!tell_returned_error<hooks>(set, run.info, terms, unit)) end_pass<hooks>(set, run, what, result);
            return result;
        }
    }
}

} // namespace tutti::detail
