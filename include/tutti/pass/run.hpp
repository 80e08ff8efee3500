#pragma once

#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <exception>
#include <type_traits>

namespace tutti::detail {

// The way a pass is run among instruments: written once, for the static set and for the erased one.

// Holds the clocks of instruments that measure while hooks are called.
template <class Set, class Unit>
class clock_pause {
    Set& set_;

public:
    constexpr explicit clock_pause(Set& set) : set_(set) {
        if constexpr (Set::template pauses<Unit>) set_.stop_clocks();
    }
    constexpr ~clock_pause() {
        if constexpr (Set::template pauses<Unit>) set_.start_clocks();
    }
    clock_pause(const clock_pause&) = delete;
};

template <class Set, class Unit>
constexpr bool begin_pass(Set& set, const pass_info& info, bool must_run, const Unit& unit) {
    const clock_pause<Set, Unit> pause{set};
    if constexpr (Set::template asked<Unit>) {
        if (!must_run && !set.should_run(unit, info)) {
            set.skipped(info, skip_reason::instrument);
            return false;
        }
    }
    std::size_t begun = 0;
    if constexpr (Set::template catches<Unit>) {
        try {
            set.before(unit, info, begun);
        } catch (...) {
            set.failed(unit, info, std::current_exception(), 0, begun);
            throw;
        }
    } else {
        set.before(unit, info, begun);
    }
    return true;
}

template <class Set, class Unit>
constexpr void end_pass(Set& set, const pass_info& info, const Unit& unit) {
    const clock_pause<Set, Unit> pause{set};
    std::size_t ended = 0;
    if constexpr (Set::template catches<Unit>) {
        try {
            set.after(unit, info, ended);
        } catch (...) {
            set.failed(unit, info, std::current_exception(), ended, set.size());
            throw;
        }
    } else {
        set.after(unit, info, ended);
    }
}

template <class Set, class Unit, class Call>
constexpr auto call_watched(Set& set, const pass_info& info, const Unit& unit, const Call& call) {
    if constexpr (Set::template catches<Unit>) {
        try {
            return call();
        } catch (...) {
            const clock_pause<Set, Unit> pause{set};
            set.failed(unit, info, std::current_exception(), 0, set.size());
            throw;
        }
    } else {
        return call();
    }
}

// Runs `call` as the pass: returns what it returns, or, if an instrument says no, the unit as it is.
template <class Set, class Unit, class Call>
constexpr auto run_watched(Set& set, const pass_info& info, bool must_run, Unit& unit, const Call& call) {
    if constexpr (std::is_void_v<decltype(call())>) {
        if (!begin_pass(set, info, must_run, unit)) return;
        call_watched(set, info, unit, call);
        end_pass(set, info, unit);
    } else {
        if (!begin_pass(set, info, must_run, unit)) return static_cast<Unit&&>(unit);
        Unit result = call_watched(set, info, unit, call);
        end_pass(set, info, result);
        return result;
    }
}

} // namespace tutti::detail
