#pragma once

#include <tutti/pass/pass.hpp>

namespace tutti::internal {

/// The parts of a unit that the result of a pass for one part depends on.
///
/// A pass over a unit with parts states this by `constexpr bool is_partwise() const`: true if each part's result depends
/// only on that part, the pass's described options, the context's level, names and config, and the facts about other
/// parts that `unit_traits<Unit>::divide` includes in the part's key; false if the pass reads or does more. Results of
/// the pass can then not be cached, even for single parts.
enum class reach : signed char { more, part, unstated };

/// Returns the wider reach.
constexpr reach operator|(reach a, reach b) {
    if (a == reach::more || b == reach::more) return reach::more;
    return a == reach::part ? b : a;
}

/// Returns the reach of a pass and of the passes that it requires, without its members.
template <class P>
constexpr reach reach_of(const P& pass) {
    reach own = reach::unstated;
    if constexpr (requires { pass.is_partwise(); })
        own = pass.is_partwise() ? reach::part : reach::more;
    else if constexpr (requires { pass.reached(); })
        own = pass.reached();
    [&]<class... R>(passes<R...>) { ((own = own | reach_of(R{})), ...); }(required_of<P>{});
    return own;
}

} // namespace tutti::internal
