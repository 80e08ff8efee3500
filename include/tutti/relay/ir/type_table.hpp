#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/string_table.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

using kernel::dtype;

/// Kinds of types.
enum class type_kind : std::uint8_t {
    tensor,
    tuple,
    function,
    generic,    ///< a function type with type parameters: `fn [A](A) -> A`
    data,       ///< a data type of the module with type arguments: `List[int32]`
    variable,   ///< a type parameter
    reference,  ///< `ref(T)`
    incomplete, ///< `_`, not inferred yet
};

/// The types of a graph. Equal types are stored once, so types are equal if their ids are.
///
/// A type has a greater id than its members. Returned spans are valid until a type is added. They must not be passed
/// back to the table: copy a shape before creating a type from it.
class type_table {
    struct entry {
        type_kind kind;
        dtype element;
        std::uint8_t holds;  // kinds of types that the type contains, as a bit mask: `holds_incomplete`, …
        std::uint32_t count; // number of dimensions or members
        std::uint32_t first; // index in `dims_` or `members_`; the number of a variable or incomplete type
        string_id name;      // the name of a data type or variable
    };

    // Defined before its users: Clang requires this order for constant evaluation.
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
    /// Limit on the total dimensions of all types of a table, and on the total members of all types.
    static constexpr std::size_t most_parts = std::size_t{1} << 24;

    /// Returns `Tensor[shape, element]`, and adds the type if it is new.
    ///
    /// Throws: `tutti::error` above `most_parts`, like all functions that add types.
    constexpr type_id tensor(std::span<const dim> shape, dtype element) {
        std::uint64_t hash = static_cast<std::uint64_t>(element) * 4;
        for (const dim d : shape) hash = hash_combine(hash, static_cast<std::uint64_t>(d.bits()));
        return intern(
            hash,
            [&](const entry& e) {
                return e.kind == type_kind::tensor && e.element == element && same_elements(shape_of(e), shape);
            },
            {type_kind::tensor,
             element,
             0,
             static_cast<std::uint32_t>(shape.size()),
             static_cast<std::uint32_t>(dims_.size()),
             {}},
            [&] {
                check_size(dims_.size() + shape.size());
                dims_.append(shape);
            });
    }

    /// Returns `(A, B, …)`.
    constexpr type_id tuple(std::span<const type_id> fields) {
        return composite(type_kind::tuple, fields, type_id::none);
    }

    /// Returns `fn (A, B, …) -> result`.
    constexpr type_id function(std::span<const type_id> params, type_id result) {
        return composite(type_kind::function, params, result);
    }

    /// Returns `fn [A, B](A) -> B`, a function type with these variables as type parameters.
    constexpr type_id generic(std::span<const type_id> variables, type_id function) {
        return composite(type_kind::generic, variables, function);
    }

    /// Returns `List[A, B, …]`, a data type of the module. Requires: `name` is not stored in this table.
    constexpr type_id data(std::string_view name, std::span<const type_id> arguments) {
        return composite(type_kind::data, arguments, type_id::none, names_.add(name));
    }

    /// Returns `ref(T)`.
    constexpr type_id reference(type_id value) { return composite(type_kind::reference, {&value, 1}, type_id::none); }

    /// Returns a type parameter. Parameters with the same name in nested scopes have different numbers.
    ///
    /// Requires: `name` is not stored in this table.
    constexpr type_id variable(std::string_view name, std::uint32_t number) {
        return numbered(type_kind::variable, number, names_.add(name));
    }

    /// Returns `_`. Equal numbers give the same type.
    constexpr type_id incomplete(std::uint32_t number) { return numbered(type_kind::incomplete, number, {}); }

    /// Returns a type like `id` of table `from`, with these members of this table. `from` may be this table.
    constexpr type_id like(const type_table& from, type_id id, std::span<const type_id> members) {
        const entry e = from.types_[index(id)];
        const bool last = e.kind == type_kind::function || e.kind == type_kind::generic;
        const string_id name = e.kind == type_kind::data ? name_from(from, e.name) : string_id{};
        return composite(e.kind, members.first(members.size() - last), last ? members.back() : type_id::none, name);
    }

    /// Imports a type from another table. Cost: linear in the type's id in that table.
    constexpr type_id import(const type_table& from, type_id id);

    constexpr type_kind kind(type_id id) const { return types_[index(id)].kind; }
    constexpr bool is_tensor(type_id id) const { return id != type_id::none && kind(id) == type_kind::tensor; }

    /// Returns the shape of a tensor type.
    constexpr std::span<const dim> shape(type_id id) const { return shape_of(types_[index(id)]); }
    /// Returns the element type of a tensor type.
    constexpr dtype element(type_id id) const { return types_[index(id)].element; }
    /// Returns the fields of a tuple type.
    constexpr std::span<const type_id> fields(type_id id) const { return members_of(types_[index(id)]); }
    /// Returns the parameter types of a function type.
    constexpr std::span<const type_id> params(type_id id) const {
        const auto members = members_of(types_[index(id)]);
        return members.first(members.size() - 1);
    }
    /// Returns the result type of a function type.
    constexpr type_id result(type_id id) const { return members_of(types_[index(id)]).back(); }

    /// Returns the members of a type: the fields of a tuple; parameters and result of a function; variables and
    /// function of a generic type; arguments of a data type; the referenced type.
    constexpr std::span<const type_id> members(type_id id) const {
        const entry& e = types_[index(id)];
        return is_composite(e.kind) ? members_of(e) : std::span<const type_id>{};
    }
    /// Returns the name of a data type or variable. The view is valid until a type is added.
    constexpr std::string_view name(type_id id) const { return names_[types_[index(id)].name]; }
    /// Returns the number of a variable or incomplete type.
    constexpr std::uint32_t number(type_id id) const { return types_[index(id)].first; }

    /// True if a type contains incomplete types. `has_variables` is true if it contains variables.
    constexpr bool is_incomplete(type_id id) const { return (types_[index(id)].holds & holds_incomplete) != 0; }
    constexpr bool has_variables(type_id id) const { return (types_[index(id)].holds & holds_variable) != 0; }

    /// True if a type contains neither incomplete nor generic types.
    constexpr bool is_plain(type_id id) const {
        return (types_[index(id)].holds & (holds_incomplete | holds_generic)) == 0;
    }

    constexpr std::uint32_t size() const { return index_.size(); }

    /// True if every type has a valid kind and members with smaller ids, whatever bytes the table holds.
    constexpr bool is_whole() const {
        if (types_.size() != index_.size() || !names_.is_whole()) return false;
        for (std::uint32_t i = 0; i < types_.size(); ++i)
            if (!is_whole(types_[i], i)) return false;
        return true;
    }

    /// Removes all types but keeps the memory.
    constexpr void clear() {
        types_.clear();
        dims_.clear();
        members_.clear();
        names_.clear();
        index_.clear();
    }

private:
    friend class internal::function_image;

    static constexpr std::uint8_t holds_incomplete = 1;
    static constexpr std::uint8_t holds_variable = 2;
    static constexpr std::uint8_t holds_generic = 4;

    static constexpr bool is_composite(type_kind kind) {
        return kind != type_kind::tensor && kind != type_kind::variable && kind != type_kind::incomplete;
    }

    constexpr bool is_whole(const entry& e, std::uint32_t id) const {
        if (e.kind > type_kind::incomplete) return false;
        const bool is_named = e.kind == type_kind::data || e.kind == type_kind::variable;
        if (is_named && index(e.name) >= names_.size()) return false;
        if (e.kind == type_kind::tensor)
            return e.first <= dims_.size() && e.count <= dims_.size() - e.first &&
                   kernel::is_dtype(static_cast<std::uint8_t>(e.element));
        if (!is_composite(e.kind)) return true;
        if (e.first > members_.size() || e.count > members_.size() - e.first) return false;
        const bool has_last = e.kind == type_kind::function || e.kind == type_kind::generic;
        if (has_last && e.count == 0) return false;
        if (e.kind == type_kind::reference && e.count != 1) return false;
        for (const type_id t : members_of(e))
            if (index(t) >= id) return false;
        return true;
    }

    constexpr string_id name_from(const type_table& from, string_id name) {
        return &from == this ? name : names_.add(from.names_[name]);
    }

    constexpr type_id numbered(type_kind kind, std::uint32_t number, string_id name) {
        const std::uint64_t hash = hash_combine(hash_combine(static_cast<std::uint64_t>(kind), number), index(name));
        const std::uint8_t holds = kind == type_kind::variable ? holds_variable : holds_incomplete;
        return intern(
            hash, [&](const entry& e) { return e.kind == kind && e.first == number && e.name == name; },
            {kind, dtype::none, holds, 0, number, name}, [] {});
    }

    // Without a limit, types that each have one more dimension than the previous type would take memory that is
    // quadratic in the size of the text.
    static constexpr void check_size(std::size_t parts) {
        limit{"types", "dimensions, or members, of all types of a function", {}, most_parts}.check(parts);
    }

    constexpr std::span<const dim> shape_of(const entry& e) const { return dims_.part(e.first, e.count); }
    constexpr std::span<const type_id> members_of(const entry& e) const { return members_.part(e.first, e.count); }

    constexpr type_id composite(type_kind kind, std::span<const type_id> parts, type_id last, string_id name = {}) {
        const bool has_last = last != type_id::none;
        std::uint64_t hash = static_cast<std::uint64_t>(kind) + (static_cast<std::uint64_t>(index(name)) << 8);
        std::uint8_t holds = has_last ? types_[index(last)].holds : std::uint8_t{0};
        if (kind == type_kind::generic) holds |= holds_generic;
        for (const type_id t : parts) {
            hash = hash_combine(hash, index(t));
            holds = static_cast<std::uint8_t>(holds | types_[index(t)].holds);
        }
        if (has_last) hash = hash_combine(hash, index(last));
        return intern(
            hash,
            [&](const entry& e) {
                if (e.kind != kind || e.name != name) return false; // types of other kinds may have no members
                const auto members = members_of(e);
                return members.size() == parts.size() + has_last && same_elements(members.first(parts.size()), parts) &&
                       (!has_last || members.back() == last);
            },
            {kind, dtype::none, holds, static_cast<std::uint32_t>(parts.size() + has_last),
             static_cast<std::uint32_t>(members_.size()), name},
            [&] {
                check_size(members_.size() + parts.size());
                members_.append(parts);
                if (has_last) members_.push_back(last);
            });
    }

    plain_vector<entry> types_;
    plain_vector<dim> dims_;
    plain_vector<type_id> members_;
    string_table names_; // the names of data types and variables
    intern_index index_;
};

constexpr type_id type_table::import(const type_table& from, type_id id) {
    if (id == type_id::none || &from == this) return id;
    if (from.kind(id) == type_kind::tensor) return tensor(from.shape(id), from.element(id));
    // Members have smaller ids. So mark the needed types in descending order of ids, then add them in ascending order.
    plain_vector<type_id> made(index(id) + 1, type_id::none);
    plain_vector<char> needed(index(id) + 1, 0);
    needed[index(id)] = 1;
    for (std::uint32_t t = index(id) + 1; t-- > 0;)
        if (needed[t] != 0)
            for (const type_id m : from.members(type_id{t})) needed[index(m)] = 1;
    plain_vector<type_id> parts;
    for (std::uint32_t t = 0; t <= index(id); ++t) {
        if (needed[t] == 0) continue;
        const entry& e = from.types_[t];
        if (e.kind == type_kind::tensor) {
            made[t] = tensor(from.shape_of(e), e.element);
        } else if (!is_composite(e.kind)) {
            made[t] = numbered(e.kind, e.first, e.kind == type_kind::variable ? name_from(from, e.name) : string_id{});
        } else {
            parts.clear();
            for (const type_id m : from.members_of(e)) parts.push_back(made[index(m)]);
            made[t] = like(from, type_id{t}, parts.all());
        }
    }
    return made[index(id)];
}

} // namespace tutti::relay::inline TUTTI_FORM
