#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::relay::inline TUTTI_FORM {

/// Kinds of attribute values. `number` is a `dim`: an int32, an int64 literal or `?`.
enum class attr_kind : std::uint8_t { none, boolean, number, floating, string, dtype, list };

/// One entry of a flat list of attribute values. If the value is a list, its elements follow.
struct attr_value {
    attr_kind kind = attr_kind::none;
    std::uint32_t count = 0; ///< number of elements of a list
    std::int64_t bits = 0;   ///< the value in the representation of its kind

    static constexpr attr_value of(bool value) { return {attr_kind::boolean, 0, value ? 1 : 0}; }
    static constexpr attr_value of(dim value) { return {attr_kind::number, 0, value.bits()}; }
    static constexpr attr_value of(double value) {
        return {attr_kind::floating, 0, std::bit_cast<std::int64_t>(value)};
    }
    static constexpr attr_value of(string_id value) { return {attr_kind::string, 0, index(value)}; }
    static constexpr attr_value of(kernel::dtype value) {
        return {attr_kind::dtype, 0, static_cast<std::int64_t>(value)};
    }
    static constexpr attr_value list(std::size_t count) {
        return {attr_kind::list, static_cast<std::uint32_t>(count), 0};
    }

    constexpr bool boolean() const { return bits != 0; }
    constexpr dim number() const { return dim::of_bits(bits); }
    constexpr double floating() const { return std::bit_cast<double>(bits); }
    constexpr string_id string() const { return string_id{static_cast<std::uint32_t>(bits)}; }
    constexpr kernel::dtype element() const { return static_cast<kernel::dtype>(bits); }

    friend constexpr bool operator==(const attr_value&, const attr_value&) = default;
};

/// Returns the number of entries that the first value occupies, including its elements.
constexpr std::size_t extent(std::span<const attr_value> values) {
    std::size_t open = 1; // values still to be read
    std::size_t i = 0;
    for (; open != 0; ++i) open = open - 1 + values[i].count;
    return i;
}

/// True if each value is valid for its kind, lists have all their elements, and string ids are less than `strings`.
///
/// Cost: linear.
constexpr bool are_values(std::span<const attr_value> values, std::uint32_t strings) {
    std::uint64_t missing = 0; // elements still missing from open lists
    for (const attr_value& v : values) {
        if (v.kind > attr_kind::list) return false;
        if (v.kind == attr_kind::string && index(v.string()) >= strings) return false;
        if (v.kind == attr_kind::dtype && !kernel::is_dtype(static_cast<std::uint8_t>(v.bits))) return false;
        if (v.kind != attr_kind::list && v.count != 0) return false;
        missing = (missing == 0 ? 0 : missing - 1) + v.count;
    }
    return missing == 0;
}

/// The attributes of a graph's calls and functions. Equal lists are stored once.
class attr_table {
public:
    /// Returns the id of a list, and adds the list if it is new.
    ///
    /// Requires: the list is not part of this table.
    /// Cost:     linear in its length.
    constexpr attrs_id add(std::span<const attr_value> values) {
        std::uint64_t hash = values.size();
        for (const attr_value& v : values) {
            hash = hash_combine(hash, static_cast<std::uint64_t>(v.kind) << 32 | v.count);
            hash = hash_combine(hash, static_cast<std::uint64_t>(v.bits));
        }
        return attrs_id{index_.find_or_add(
            hash, [&](std::uint32_t place) { return same_elements((*this)[attrs_id{place}], values); },
            [&] {
                values_.append(values);
                ends_.push_back(static_cast<std::uint32_t>(values_.size()));
            })};
    }

    /// Returns the list with this id, or an empty span for `attrs_id::none`. The span is valid until a list is added.
    constexpr std::span<const attr_value> operator[](attrs_id id) const {
        if (id == attrs_id::none) return {};
        const std::uint32_t begin = index(id) == 0 ? 0 : ends_[index(id) - 1];
        return values_.part(begin, ends_[index(id)] - begin);
    }

    constexpr std::uint32_t size() const { return index_.size(); }

    /// True if every list lies within the table, whatever bytes the table holds.
    constexpr bool is_whole() const {
        std::uint32_t begin = 0;
        bool whole = ends_.size() == index_.size();
        for (const std::uint32_t end : ends_) {
            whole &= begin <= end;
            begin = end;
        }
        return whole && begin <= values_.size();
    }

    /// True if `is_whole()`, and `are_values(list, strings)` for every list.
    constexpr bool has_values(std::uint32_t strings) const {
        if (!is_whole()) return false;
        for (std::uint32_t i = 0; i < size(); ++i)
            if (!are_values((*this)[attrs_id{i}], strings)) return false;
        return true;
    }

    /// Removes all lists but keeps the memory.
    constexpr void clear() {
        values_.clear();
        ends_.clear();
        index_.clear();
    }

private:
    friend class internal::function_image;

    plain_vector<attr_value> values_;
    plain_vector<std::uint32_t> ends_;
    intern_index index_;
};

} // namespace tutti::relay::inline TUTTI_FORM
