#pragma once

#include <tutti/nearest.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tutti::relay {

namespace detail {

constexpr std::size_t hash_of_name(std::string_view name) {
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return hash ^ hash >> 15;
}

/// A hash table of the operators: a power of two of places, at most half of them taken; the next free one
/// where two meet.
template <class... Ops>
constexpr auto hash_ops(op_list<Ops...>) {
    std::array<const op_def*, std::bit_ceil(2 * sizeof...(Ops) + 1)> table{};
    const op_def* all[]{&definition<Ops>..., nullptr};
    for (const op_def* op : std::span(all).first(sizeof...(Ops))) {
        std::size_t i = hash_of_name(op->name);
        while (table[i % table.size()] != nullptr) ++i;
        table[i % table.size()] = op;
    }
    return table;
}

template <class List>
inline constexpr auto hashed_ops = hash_ops(List{});

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
    constexpr op_set(op_list<Ops...>) : listed_(detail::hashed_ops<op_list<Ops...>>) {}

    /// These operators and others, which come before those of the same name.
    template <class... Ops>
    constexpr op_set with() const {
        op_set more = *this;
        (more.add(definition<Ops>), ...);
        return more;
    }

    /// Adds an operator; it comes before one of the same name. Requires: the description outlives the set.
    constexpr void add(const op_def& op) {
        const auto at = std::ranges::lower_bound(added_, op.name, {}, &op_def::name);
        if (at != added_.end() && (*at)->name == op.name)
            *at = &op;
        else
            added_.insert(at, &op);
    }

    /// The operator of that name, or null. Cost: one hash of the name; logarithmic in the number of those
    /// added.
    constexpr const op_def* find(std::string_view name) const {
        if (!added_.empty()) {
            const auto at = std::ranges::lower_bound(added_, name, {}, &op_def::name);
            if (at != added_.end() && (*at)->name == name) return *at;
        }
        return find_listed(name);
    }

    /// The known name that a misspelt one was probably meant to be, or nothing.
    constexpr std::string_view nearest(std::string_view name) const {
        nearest_name meant(name);
        for (const op_def* op : all()) meant.offer(op->name);
        return meant.found();
    }

    /// All operators, by name.
    constexpr std::vector<const op_def*> all() const {
        std::vector<const op_def*> ops = added_;
        for (const op_def* op : listed_)
            if (op != nullptr && find(op->name) == op) ops.push_back(op);
        std::ranges::sort(ops, {}, &op_def::name);
        return ops;
    }

private:
    constexpr const op_def* find_listed(std::string_view name) const {
        if (listed_.empty()) return nullptr;
        const std::size_t mask = listed_.size() - 1;
        for (std::size_t i = detail::hash_of_name(name) & mask;; i = (i + 1) & mask)
            if (listed_[i] == nullptr || listed_[i]->name == name) return listed_[i];
    }

    std::span<const op_def* const> listed_; // as `detail::hash_ops` made it
    std::vector<const op_def*> added_;      // by name
};

} // namespace tutti::relay
