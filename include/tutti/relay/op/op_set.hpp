#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

constexpr std::size_t hash_of_name(std::string_view name) {
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash ^ hash >> 15;
}

/// An entry of a hash table of operators. A free entry has no operator and no name.
struct hashed_op {
    std::string_view name;
    const op_def* definition = nullptr;
};

/// Adds operators to a hash table by linear probing. The table must have enough free entries. Does not compare
/// addresses, because GCC with the undefined behaviour sanitizer rejects such comparisons in constant evaluation.
constexpr void hash_ops(hashed_op* table, std::size_t size, std::initializer_list<const op_def*> ops) {
    const std::size_t mask = size - 1;
    for (const op_def* op : ops) {
        std::size_t i = hash_of_name(op->name) & mask;
        while (!table[i].name.empty()) i = (i + 1) & mask;
        table[i] = {op->name, op};
    }
}

/// A hash table of the operators in a list. The table's size is a power of two, and the table is at most half full.
template <class List>
struct hashed_ops;
template <class... Ops>
struct hashed_ops<op_list<Ops...>> {
    static constexpr auto table = [] {
        std::array<hashed_op, std::bit_ceil(2 * sizeof...(Ops) + 1)> made{};
        hash_ops(made.data(), made.size(), {&definition<Ops>...});
        return made;
    }();

    /// Returns all entries. Not inlined, so that a source file that does not instantiate the operators need not name
    /// them.
    [[gnu::noinline]] static constexpr std::span<const hashed_op> all() { return table; }
};

} // namespace detail

/// The operators that a program may use, by name.
///
/// An operator set is a value, so parts of a program may use different sets. Added operators take precedence over
/// built-in operators of the same name.
///
/// Example: `const auto ops = relay::op_set{relay::standard_ops}.with<my_op>();`
class op_set {
public:
    constexpr op_set() = default;

    template <class... Ops>
    constexpr op_set(op_list<Ops...>) : listed_(detail::hashed_ops<op_list<Ops...>>::all()) {}

    /// Returns a set with these operators and `Ops`, which take precedence.
    template <class... Ops>
    constexpr op_set with() const {
        op_set more = *this;
        (more.add(definition<Ops>), ...);
        return more;
    }

    /// Adds an operator, which takes precedence over other operators of the same name. Requires: the description
    /// outlives the set.
    constexpr void add(const op_def& op) {
        const std::size_t at = place(op.name);
        if (at == added_.size() || added_[at]->name != op.name) {
            added_.push_back(&op);
            for (std::size_t i = added_.size() - 1; i > at; --i) added_[i] = added_[i - 1];
        }
        added_[at] = &op;
    }

    /// Returns the operator with this name, or null. Cost: one hash of the name; logarithmic in the number of added
    /// operators.
    constexpr const op_def* find(std::string_view name) const {
        if (!added_.empty()) {
            const std::size_t at = place(name);
            if (at != added_.size() && added_[at]->name == name) return added_[at];
        }
        return find_listed(name);
    }

    /// Returns the known name nearest to a misspelt name, or an empty name. The first choice is a name that equals the
    /// misspelt name after its last dot (`nn.relu` for `relu`), the second is a similar name, and the third is a name
    /// that is similar after its last dot.
    constexpr std::string_view nearest(std::string_view name) const {
        const plain_vector<const op_def*> known = all();
        tutti::internal::nearest_name whole(name), last(name);
        for (const op_def* op : known) {
            if (last_part(op->name) == name) return op->name;
            whole.offer(op->name);
            last.offer(last_part(op->name));
        }
        if (!whole.found().empty() || last.found().empty()) return whole.found();
        const std::string_view found = last.found();
        for (const op_def* op : known)
            if (last_part(op->name) == found) return op->name;
        return {};
    }

    /// Returns all operators, sorted by name.
    constexpr plain_vector<const op_def*> all() const {
        plain_vector<const op_def*> known = added_;
        for (const detail::hashed_op& op : listed_) {
            if (op.name.empty()) continue;
            const std::size_t at = place(op.name);
            if (at == added_.size() || added_[at]->name != op.name) known.push_back(op.definition);
        }
        plain_vector<const op_def*> ops;
        const auto by_name = [&](std::uint32_t a, std::uint32_t b) { return known[a]->name < known[b]->name; };
        for (const std::uint32_t next : sorted_places(known.size(), by_name)) ops.push_back(known[next]);
        return ops;
    }

private:
    static constexpr std::string_view last_part(std::string_view name) {
        return name.substr(name.rfind('.') + 1); // the whole name if it has no dot
    }

    constexpr const op_def* find_listed(std::string_view name) const {
        if (listed_.empty()) return nullptr;
        const std::size_t mask = listed_.size() - 1;
        for (std::size_t i = detail::hash_of_name(name) & mask;; i = (i + 1) & mask)
            if (listed_[i].name.empty() || listed_[i].name == name) return listed_[i].definition;
    }

    /// Returns the index in `added_` of the operator with this name, or the index at which to insert the operator.
    constexpr std::size_t place(std::string_view name) const {
        return first_place(added_.size(), [&](std::size_t i) { return added_[i]->name < name; });
    }

    std::span<const detail::hashed_op> listed_; // filled by `detail::hash_ops`
    plain_vector<const op_def*> added_;         // sorted by name
};

} // namespace tutti::relay::inline TUTTI_FORM
