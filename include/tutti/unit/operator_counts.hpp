#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti {

/// The number of uses of each operator in a unit, sorted by name.
///
/// Cost:    lookup is logarithmic. Adding a name moves the entries after it.
/// Example: `tutti::operator_counts counts; for (const step& each : plan) ++counts[each.name];`
class operator_counts {
public:
    struct entry {
        std::string name;
        std::int64_t uses = 0;
        friend bool operator==(const entry&, const entry&) = default;
    };

    operator_counts() = default;
    operator_counts(std::initializer_list<entry> entries) {
        for (const entry& each : entries) (*this)[each.name] += each.uses;
    }

    /// Returns the number of uses of an operator. Adds a new name with 0 uses.
    std::int64_t& operator[](std::string_view name) {
        std::size_t first = 0, last = entries_.size();
        while (first < last) {
            const std::size_t middle = first + (last - first) / 2;
            if (entries_[middle].name < name)
                first = middle + 1;
            else
                last = middle;
        }
        if (first == entries_.size() || entries_[first].name != name) {
            entries_.push_back({std::string{name}, 0});
            for (std::size_t at = entries_.size() - 1; at > first; --at) std::swap(entries_[at], entries_[at - 1]);
        }
        return entries_[first].uses;
    }

    std::size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }
    auto begin() const { return entries_.begin(); }
    auto end() const { return entries_.end(); }

    /// Returns the differences from the counts in `before`, which may be negative. Omits operators with equal counts.
    operator_counts since(const operator_counts& before) const {
        operator_counts all = *this, result;
        for (const auto& [name, uses] : before) all[name] -= uses;
        for (entry& each : all.entries_)
            if (each.uses != 0) result.entries_.push_back(static_cast<entry&&>(each));
        return result;
    }

    friend bool operator==(const operator_counts&, const operator_counts&) = default;

private:
    std::vector<entry> entries_;
};

} // namespace tutti
