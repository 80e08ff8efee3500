#pragma once

#include <type_traits>

namespace tutti {

/// The effect of a pass on its unit, if known. A pass in place may return one.
enum class change { unchanged = 0, unknown = 1, changed = 3 };

/// Returned by a pass that left the unit unchanged; all analyses of it are kept.
inline constexpr change unchanged = change::unchanged;
/// Returned by a pass that changed the unit.
inline constexpr change changed = change::changed;

/// Combines the changes of two passes run in sequence.
constexpr change operator|(change a, change b) { return change(int(a) | int(b)); }
constexpr change& operator|=(change& a, change b) { return a = a | b; }

namespace detail {

/// The result of running a pass in place: its `change`.
template <class Unit>
struct in_place_result {
    change what;

    constexpr operator change() const { return what; }
    /// Diagnoses `unit = scope.run(pass, unit)`.
    template <class U>
        requires(std::is_same_v<U, Unit> && !std::is_scalar_v<U>)
    constexpr operator U() const {
        static_assert(!std::is_same_v<U, Unit>,
                      "tutti::scope::run(pass, unit): the run over an lvalue transforms it in place, and returns "
                      "a tutti::change; write scope.run(pass, unit); or unit = scope.run(pass, std::move(unit));");
        __builtin_unreachable();
    }
    /// Prevents printing a result with the unit's `operator<<` through the conversion to a unit.
    friend void operator<<(auto&, const in_place_result&) = delete;
};

} // namespace detail

} // namespace tutti
