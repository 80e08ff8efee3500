#pragma once

#include <tutti/search/delta_debug.hpp>

#include <cstddef>
#include <vector>

namespace tutti::instrument {

namespace detail {

// Finds the least number at which `holds` is true, between `no`, where it is false, and `yes`, where it is true.
template <class Holds>
std::size_t first_that_holds(std::size_t no, std::size_t yes, Holds&& holds) {
    while ((yes > no ? yes - no : no - yes) > 1) {
        const std::size_t middle = yes > no ? no + (yes - no) / 2 : yes + (no - yes) / 2;
        if (holds(middle))
            yes = middle;
        else
            no = middle;
    }
    return yes;
}

} // namespace detail

/// Finds items, such as passes or rewrites, that are needed together for a failure: if one of them is left out, the
/// others do not fail. Returns their indices in order; none if the failure needs no item.
///
/// Finds the shortest beginning of the list that fails, then the shortest end of this beginning, and leaves out items
/// between them by `delta_debug`.
///
/// `fails(chosen)` returns true if the failure occurs with only the items that are 1 in the `edit_set`.
///
/// Requires: the failure occurs with all items.
/// Cost:     about 2·log2(n) tries to find an interval, and at most about three times as many tries as items in it.
/// Example:  `failing_set(runs, [&](const edit_set& chosen) { return fails(only(chosen)); })`
template <class Fails>
std::vector<std::size_t> failing_set(std::size_t count, Fails&& fails) {
    const auto fails_within = [&](std::size_t begin, std::size_t end) {
        edit_set chosen(count, 0);
        for (std::size_t i = begin; i < end; ++i) chosen[i] = 1;
        return static_cast<bool>(fails(static_cast<const edit_set&>(chosen)));
    };
    if (count == 0 || fails_within(0, 0)) return {};
    const std::size_t end = detail::first_that_holds(0, count, [&](std::size_t n) { return fails_within(0, n); });
    const std::size_t begin = detail::first_that_holds(end, 0, [&](std::size_t n) { return fails_within(n, end); });
    edit_set chosen(count, 0);
    for (std::size_t i = begin; i < end; ++i) chosen[i] = 1;
    const auto without = [&](const edit_set& dropped) { // drops only items between the first and the last
        edit_set fewer = chosen;
        for (std::size_t i = 0; i < dropped.size(); ++i)
            if (dropped[i] != 0) fewer[begin + 1 + i] = 0;
        return fewer;
    };
    if (end - begin > 2)
        chosen = without(delta_debug(end - begin - 2, [&](const edit_set& dropped) {
            return static_cast<bool>(fails(static_cast<const edit_set&>(without(dropped))));
        }));
    std::vector<std::size_t> needed;
    for (bool again = end - begin > 1; again;) { // an item may be needed only for one that was left out later
        again = false;
        for (std::size_t i = begin; i < end; ++i) {
            if (chosen[i] == 0) continue;
            chosen[i] = 0;
            if (fails(static_cast<const edit_set&>(chosen)))
                again = true;
            else
                chosen[i] = 1;
        }
    }
    for (std::size_t i = begin; i < end; ++i)
        if (chosen[i] != 0) needed.push_back(i);
    return needed;
}

} // namespace tutti::instrument
