#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/limit.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::relay {

using kernel::dtype;

/// What a type is.
enum class type_kind : std::uint8_t { tensor, tuple, function };

/// The types of a graph, each kept once: two types are equal if their ids are.
///
/// A type has a greater id than the types it is made of. Spans handed out are valid until a type is added, and are not to be handed
/// back: copy a shape before you make a type of it.
class type_table {
    struct entry {
        type_kind kind;
        dtype element;
        std::uint32_t count; // dimensions, or members
        std::uint32_t first; // in dims_, or in members_
    };

    // Ahead of its uses, since Clang does not find it in constant evaluation otherwise.
    template <class Same, class Append>
    constexpr type_id intern(std::uint64_t hash, Same same, entry made, Append append) {
        return type_id{index_.find_or_add(
            hash, [&](std::uint32_t place) { return same(types_[place]); },
            [&] {
                append();
                types_.push_back(made);
            })};
    }

public:
    /// How many dimensions the types of a table may have in all, and how many members.
    static constexpr std::size_t most_parts = std::size_t{1} << 24;

    /// `Tensor[shape, element]`.
    ///
    /// Throws: `tutti::error`, as what makes other types does, if that were more than `most_parts`.
    constexpr type_id tensor(std::span<const dim> shape, dtype element) {
        std::uint64_t hash = static_cast<std::uint64_t>(element) * 4;
        for (const dim d : shape) hash = hash_combine(hash, static_cast<std::uint64_t>(d.bits()));
        return intern(
            hash,
            [&](const entry& e) {
                return e.kind == type_kind::tensor && e.element == element && same_elements(shape_of(e), shape);
            },
            {type_kind::tensor, element, static_cast<std::uint32_t>(shape.size()),
             static_cast<std::uint32_t>(dims_.size())},
            [&] {
                check_size(dims_.size() + shape.size());
                dims_.append(shape);
            });
    }

    /// `(A, B, …)`.
    constexpr type_id tuple(std::span<const type_id> fields) {
        return composite(type_kind::tuple, fields, type_id::none);
    }

    /// `fn (A, B, …) -> result`.
    constexpr type_id function(std::span<const type_id> params, type_id result) {
        return composite(type_kind::function, params, result);
    }

    /// The id of a type of another table. Cost: linear in the place of the type there.
    constexpr type_id import(const type_table& from, type_id id);

    constexpr type_kind kind(type_id id) const { return types_[index(id)].kind; }
    constexpr bool is_tensor(type_id id) const { return id != type_id::none && kind(id) == type_kind::tensor; }

    /// The shape of a tensor type.
    constexpr std::span<const dim> shape(type_id id) const { return shape_of(types_[index(id)]); }
    /// The element type of a tensor type.
    constexpr dtype element(type_id id) const { return types_[index(id)].element; }
    /// The fields of a tuple type.
    constexpr std::span<const type_id> fields(type_id id) const { return members_of(types_[index(id)]); }
    /// The parameter types of a function type.
    constexpr std::span<const type_id> params(type_id id) const {
        const auto members = members_of(types_[index(id)]);
        return members.first(members.size() - 1);
    }
    /// The result type of a function type.
    constexpr type_id result(type_id id) const { return members_of(types_[index(id)]).back(); }

    constexpr std::uint32_t size() const { return index_.size(); }

private:
    // Types that each have one more dimension than another would take the square of what the text has.
    static constexpr void check_size(std::size_t parts) {
        limit{"types", "dimensions, or members, of all types of a function", {}, most_parts}.check(parts);
    }

    constexpr std::span<const dim> shape_of(const entry& e) const { return dims_.part(e.first, e.count); }
    constexpr std::span<const type_id> members_of(const entry& e) const { return members_.part(e.first, e.count); }

    constexpr type_id composite(type_kind kind, std::span<const type_id> parts, type_id last) {
        const bool has_last = last != type_id::none;
        std::uint64_t hash = static_cast<std::uint64_t>(kind);
        for (const type_id t : parts) hash = hash_combine(hash, index(t));
        if (has_last) hash = hash_combine(hash, index(last));
        return intern(
            hash,
            [&](const entry& e) {
                const auto members = members_of(e);
                return e.kind == kind && members.size() == parts.size() + has_last &&
                       same_elements(members.first(parts.size()), parts) && (!has_last || members.back() == last);
            },
            {kind, dtype::none, static_cast<std::uint32_t>(parts.size() + has_last),
             static_cast<std::uint32_t>(members_.size())},
            [&] {
                check_size(members_.size() + parts.size());
                members_.append(parts);
                if (has_last) members_.push_back(last);
            });
    }

    plain_vector<entry> types_;
    plain_vector<dim> dims_;
    plain_vector<type_id> members_;
    intern_index index_;
};

constexpr type_id type_table::import(const type_table& from, type_id id) {
    if (id == type_id::none || &from == this) return id;
    if (from.kind(id) == type_kind::tensor) return tensor(from.shape(id), from.element(id));
    // Members have smaller ids: mark what is needed from the top down, then make it from the bottom up.
    plain_vector<type_id> made(index(id) + 1, type_id::none);
    plain_vector<char> needed(index(id) + 1, 0);
    needed[index(id)] = 1;
    for (std::uint32_t t = index(id) + 1; t-- > 0;) {
        if (needed[t] == 0 || from.types_[t].kind == type_kind::tensor) continue;
        for (const type_id m : from.members_of(from.types_[t])) needed[index(m)] = 1;
    }
    plain_vector<type_id> parts;
    for (std::uint32_t t = 0; t <= index(id); ++t) {
        if (needed[t] == 0) continue;
        const entry& e = from.types_[t];
        if (e.kind == type_kind::tensor) {
            made[t] = tensor(from.shape_of(e), e.element);
            continue;
        }
        parts.clear();
        for (const type_id m : from.members_of(e)) parts.push_back(made[index(m)]);
        if (e.kind == type_kind::tuple) {
            made[t] = tuple(parts.all());
        } else {
            const type_id result = parts.back();
            parts.pop_back();
            made[t] = function(parts.all(), result);
        }
    }
    return made[index(id)];
}

} // namespace tutti::relay
