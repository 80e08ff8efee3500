#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <vector>

namespace tutti::instrument {

/// A set of edits: entry `i` is 1 if edit `i` is chosen, otherwise 0.
using edit_set = std::vector<char>;

/// Chooses as many edits as it can find such that a property holds after all chosen edits. Tries all edits, then each
/// half, each quarter, down to single edits, each time together with the edits already chosen. The result depends only
/// on the answers of `holds`.
///
/// `holds(edits)` applies the edits of an `edit_set` and returns true if the property still holds.
///
/// Cost:    at most about twice as many tries as edits; far fewer if large ranges of edits can be chosen together.
/// Example: `const edit_set dropped = delta_debug(lines.size(), [&](const edit_set& s) { return fails(without(lines,
///          s)); });`
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

/// Enumerates candidate edits in the order of discovery and selects which to apply, for code that counts and applies
/// edits in the same traversal.
///
/// Example: `edit_choice all; edit(unit, all); delta_debug(all.met(), [&](const edit_set& s) { edit_choice some{s}; …
///          });`
class edit_choice {
    const edit_set* chosen_ = nullptr;
    std::size_t met_ = 0;

public:
    /// Counts edits, and selects none.
    edit_choice() = default;
    explicit edit_choice(const edit_set& chosen) : chosen_(&chosen) {}

    /// Counts the next edit. True if the edit is selected.
    bool operator()() {
        const std::size_t place = met_++;
        return chosen_ && place < chosen_->size() && (*chosen_)[place] != 0;
    }
    /// Returns the number of candidate edits so far.
    std::size_t met() const { return met_; }
};

} // namespace tutti::instrument
