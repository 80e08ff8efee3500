#pragma once

#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay {

/// The strings of a graph: variable names and string attributes, each kept once.
class string_table {
public:
    /// The id of `text`.
    ///
    /// Requires: it is no part of a string of this table.
    /// Cost:     linear in its length.
    constexpr string_id add(std::string_view text) {
        return string_id{index_.find_or_add(
            hash_of(text), [&](std::uint32_t place) { return (*this)[string_id{place}] == text; },
            [&] {
                characters_.append(text.data(), text.size());
                ends_.push_back(static_cast<std::uint32_t>(characters_.size()));
            })};
    }

    /// The string with that id. The view is valid until a string is added.
    constexpr std::string_view operator[](string_id id) const {
        const std::uint32_t begin = index(id) == 0 ? 0 : ends_[index(id) - 1];
        return {characters_.data() + begin, ends_[index(id)] - begin};
    }

    constexpr std::uint32_t size() const { return index_.size(); }

private:
    plain_vector<char> characters_;
    plain_vector<std::uint32_t> ends_;
    intern_index index_;
};

} // namespace tutti::relay
