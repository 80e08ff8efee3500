#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <string_view>

namespace tutti {

namespace internal {

/// Returns the number of insertions, deletions, replacements and exchanges of adjacent characters that turn one name
/// into the other; exchanged characters are not changed again.
///
/// Names of more than 64 characters count as entirely different.
/// Cost: the product of the lengths; no allocation.
constexpr std::size_t edit_distance(std::string_view a, std::string_view b) {
    constexpr std::size_t limit = 64;
    if (a.size() > limit || b.size() > limit) return a.size() < b.size() ? b.size() : a.size();
    std::size_t row[limit + 1] = {};    // distances from the current prefix of `a` to each prefix of `b`
    std::size_t before[limit + 1] = {}; // the previous `row`, for the prefix of `a` without its last character
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        std::size_t exchanged = 0; // before[j - 1]
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0U : 1U);
            const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
            const std::size_t without = exchanged;
            exchanged = before[j];
            before[j] = diagonal;
            diagonal = row[j + 1];
            const std::size_t shifted = 1 + (row[j] < diagonal ? row[j] : diagonal);
            row[j + 1] = replaced < shifted ? replaced : shifted;
            if (swapped && without + 1 < row[j + 1]) row[j + 1] = without + 1;
        }
        before[b.size()] = diagonal;
    }
    return row[b.size()];
}

/// Finds the known name nearest to a misspelt one, if any is near.
///
/// Example:
///     tutti::internal::nearest_name meant("FuseOp");
///     for (const std::string_view name : known) meant.offer(name);
///     if (!meant.found().empty()) …
class nearest_name {
public:
    constexpr explicit nearest_name(std::string_view misspelt)
        : misspelt_(misspelt), distance_((misspelt.size() + 5) / 3) {}

    constexpr void offer(std::string_view name) {
        const std::size_t distance = edit_distance(misspelt_, name);
        if (distance >= distance_) return;
        distance_ = distance;
        found_ = name;
    }

    /// The nearest name, the first one in case of a tie. Empty if every name takes more changes than a third of the
    /// misspelt name's length, rounded up.
    constexpr std::string_view found() const { return found_; }

private:
    std::string_view misspelt_;
    std::size_t distance_; // distance of `found_`; initially the least distance that is too far
    std::string_view found_;
};

} // namespace internal

} // namespace tutti
