#pragma once

#include <cstddef>
#include <vector>

namespace tutti::instrument {

/// Which of so many edits were chosen: by edit, 0 or 1.
using edit_set = std::vector<char>;

/// Chooses as many edits as it can such that something still holds with all of them made: all at once is tried first, then each
/// half, each quarter, down to single ones, each time with those that have been chosen before. What is found does not depend on
/// anything but the answers.
///
/// `holds(edits)` makes the edits of an `edit_set` and says whether it still holds.
///
/// Cost:    a few tries for each edit that is chosen or for the logarithm of the edits, as they lie; at most twice as many as
///          there are edits.
/// Example: `const edit_set dropped = delta_debug(lines.size(), [&](const edit_set& s) { return fails(without(lines, s)); });`
template <class Holds>
edit_set delta_debug(std::size_t count, Holds&& holds) {
    edit_set chosen(count, 0);
    for (std::size_t part = count; part > 0; part = part == 1 ? 0 : (part + 1) / 2) {
        for (std::size_t begin = 0; begin < count; begin += part) {
            edit_set more = chosen;
            bool is_more = false;
            for (std::size_t i = begin; i < begin + part && i < count; ++i) {
                is_more = is_more || more[i] == 0;
                more[i] = 1;
            }
            if (is_more && holds(static_cast<const edit_set&>(more))) chosen = static_cast<edit_set&&>(more);
        }
    }
    return chosen;
}

/// Hands out which of the edits that something knows are to be made, in the order in which it comes by them: for code that makes
/// edits and counts them by the same way through what it edits.
///
/// Example: `edit_choice all; edit(unit, all); delta_debug(all.met(), [&](const edit_set& s) { edit_choice some{s}; … });`
class edit_choice {
    const edit_set* chosen_ = nullptr;
    std::size_t met_ = 0;

public:
    /// Makes none of them, and counts.
    edit_choice() = default;
    explicit edit_choice(const edit_set& chosen) : chosen_(&chosen) {}

    /// Whether the edit that is met now is to be made.
    bool operator()() {
        const std::size_t place = met_++;
        return chosen_ && place < chosen_->size() && (*chosen_)[place] != 0;
    }
    /// How many edits were met.
    std::size_t met() const { return met_; }
};

} // namespace tutti::instrument
