#pragma once

namespace tutti {

/// Whether a pass changed its unit, as far as it is known; what a pass in place may return instead of nothing.
enum class change { unchanged = 0, unknown = 1, changed = 3 };

/// What a pass returns that left the unit as it was; all analyses of it are kept then.
inline constexpr change unchanged = change::unchanged;
/// What a pass returns that did something.
inline constexpr change changed = change::changed;

/// What two passes did, one after the other.
constexpr change operator|(change a, change b) { return change(int(a) | int(b)); }
constexpr change& operator|=(change& a, change b) { return a = a | b; }

} // namespace tutti
