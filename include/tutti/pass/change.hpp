#pragma once

#include <tutti/base/folder.hpp>

#include <type_traits>

namespace tutti {

/// The effect of a pass on its unit, if known. A pass that transforms its unit in place may return it.
enum class change { unchanged = 0, unknown = 1, changed = 3 };

/// The result of a pass that left the unit unchanged. All analyses of the unit are kept.
inline constexpr change unchanged = change::unchanged;
/// The result of a pass that changed the unit.
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
    /// Deleted: otherwise, the conversion to a unit would allow printing a result with the unit's `operator<<`.
    friend void operator<<(auto&, const in_place_result&) = delete;
};

} // namespace detail

} // namespace tutti
