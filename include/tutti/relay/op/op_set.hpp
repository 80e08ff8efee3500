#pragma once

#include <tutti/nearest.hpp>
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

namespace tutti::relay {

namespace detail {

constexpr std::size_t hash_of_name(std::string_view name) {
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash ^ hash >> 15;
}

/// An operator in a hash table of them; a free place has none, and no name.
struct hashed_op {
    std::string_view name;
    const op_def* definition = nullptr;
};

/// Fills a hash table that has room; the next free place is taken where two operators meet. (No address is compared, which the
/// undefined behaviour sanitizer keeps GCC from doing in constant evaluation.)
constexpr void hash_ops(hashed_op* table, std::size_t size, std::initializer_list<const op_def*> ops) {
    const std::size_t mask = size - 1;
    for (const op_def* op : ops) {
        std::size_t i = hash_of_name(op->name) & mask;
        while (!table[i].name.empty()) i = (i + 1) & mask;
        table[i] = {op->name, op};
    }
}

/// The operators of a list in a power of two of places, at most half of them taken.
template <class List>
struct hashed_ops;
template <class... Ops>
struct hashed_ops<op_list<Ops...>> {
    static constexpr auto table = [] {
        std::array<hashed_op, std::bit_ceil(2 * sizeof...(Ops) + 1)> made{};
        hash_ops(made.data(), made.size(), {&definition<Ops>...});
        return made;
    }();

    /// All places. Stays a call, so that a source that does not compile the operators need not name them.
    [[gnu::noinline]] static constexpr std::span<const hashed_op> all() { return table; }
};

} // namespace detail

/// The operators that a program may use, by name.
///
/// A value, so that two parts of a program may know different operators: the built-in ones and one's own,
/// one's own before the built-in ones of the same name.
///
/// Example: `const auto ops = relay::op_set{relay::standard_ops}.with<my_op>();`
class op_set {
public:
    constexpr op_set() = default;

    template <class... Ops>
    constexpr op_set(op_list<Ops...>) : listed_(detail::hashed_ops<op_list<Ops...>>::all()) {}

    /// These operators and others, which come before those of the same name.
    template <class... Ops>
    constexpr op_set with() const {
        op_set more = *this;
        (more.add(definition<Ops>), ...);
        return more;
    }

    /// Adds an operator; it comes before one of the same name. Requires: the description outlives the set.
    constexpr void add(const op_def& op) {
        const std::size_t at = place(op.name);
        if (at == added_.size() || added_[at]->name != op.name) {
            added_.push_back(&op);
            for (std::size_t i = added_.size() - 1; i > at; --i) added_[i] = added_[i - 1];
        }
        added_[at] = &op;
    }

    /// The operator of that name, or null. Cost: one hash of the name; logarithmic in the number of those
    /// added.
    constexpr const op_def* find(std::string_view name) const {
        if (!added_.empty()) {
            const std::size_t at = place(name);
            if (at != added_.size() && added_[at]->name == name) return added_[at];
        }
        return find_listed(name);
    }

    /// The known name that a misspelt one was probably meant to be, or nothing: one that is it behind a dot, as `nn.relu`
    /// is `relu`; else one that is near; else one that is near behind its last dot.
    constexpr std::string_view nearest(std::string_view name) const {
        const plain_vector<const op_def*> known = all();
        nearest_name whole(name), last(name);
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

    /// All operators, by name.
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
        return name.substr(name.rfind('.') + 1); // of none, the whole name
    }

    constexpr const op_def* find_listed(std::string_view name) const {
        if (listed_.empty()) return nullptr;
        const std::size_t mask = listed_.size() - 1;
        for (std::size_t i = detail::hash_of_name(name) & mask;; i = (i + 1) & mask)
            if (listed_[i].name.empty() || listed_[i].name == name) return listed_[i].definition;
    }

    /// Where the operator of that name stands among those added, or would stand.
    constexpr std::size_t place(std::string_view name) const {
        return first_place(added_.size(), [&](std::size_t i) { return added_[i]->name < name; });
    }

    std::span<const detail::hashed_op> listed_; // as `detail::hash_ops` made it
    plain_vector<const op_def*> added_;         // by name
};

} // namespace tutti::relay
