#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// The strings of a graph: names and string attributes. Equal strings are stored once.
class string_table {
public:
    /// Returns the id of a string, and adds the string if it is new.
    ///
    /// Requires: `text` is not part of this table.
    /// Cost:     linear in its length.
    constexpr string_id add(std::string_view text) {
        while (index_.size() < size()) // indexes the strings that `add_new` added
            index_.find_or_add(hash_of((*this)[string_id{index_.size()}]), [](std::uint32_t) { return false; }, [] {});
        return string_id{index_.find_or_add(
            hash_of(text), [&](std::uint32_t place) { return (*this)[string_id{place}] == text; },
            [&] { append(text); })};
    }

    /// Adds a string without a lookup. It is fast enough for millions of numbered names.
    ///
    /// Requires: the table does not contain the string.
    constexpr string_id add_new(std::string_view text) {
        append(text);
        return string_id{size() - 1};
    }

    /// Returns the string with this id. The view is valid until a string is added.
    constexpr std::string_view operator[](string_id id) const {
        const std::uint32_t begin = index(id) == 0 ? 0 : ends_[index(id) - 1];
        return {characters_.data() + begin, ends_[index(id)] - begin};
    }

    constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }

    /// True if every string lies within the table's characters, whatever bytes the table holds.
    constexpr bool is_whole() const {
        std::uint32_t begin = 0;
        bool whole = true;
        for (const std::uint32_t end : ends_) {
            whole &= begin <= end;
            begin = end;
        }
        return whole && begin <= characters_.size();
    }

    /// Removes all strings but keeps the memory.
    constexpr void clear() {
        characters_.clear();
        ends_.clear();
        index_.clear();
    }

private:
    friend class internal::function_image;

    constexpr void append(std::string_view text) {
        characters_.append(text.data(), text.size());
        ends_.push_back(static_cast<std::uint32_t>(characters_.size()));
    }

    plain_vector<char> characters_;
    plain_vector<std::uint32_t> ends_;
    intern_index index_; // lacks the strings that `add_new` added until the next `add`
};

} // namespace tutti::relay::inline TUTTI_FORM
