#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_table.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::relay::inline TUTTI_FORM {

/// True if two dimensions agree: `?` agrees with every dimension, and `5i64` agrees with 5.
constexpr bool agree(dim a, dim b) { return a.is_any() || b.is_any() || a.same_number(b); }

/// True if two shapes have the same rank and agree in every dimension.
constexpr bool agree(std::span<const dim> a, std::span<const dim> b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!agree(a[i], b[i])) return false;
    return true;
}

/// True if two types of a table agree: they are equal up to `?`, `_`, the width of numbers, and the names of type
/// parameters.
///
/// Cost: constant for equal types, otherwise linear in the visited pairs of types; no recursion.
constexpr bool agree(const type_table& types, type_id a, type_id b) {
    if (a == b) return true;
    struct pair {
        type_id first;
        type_id second;
    };
    plain_vector<pair> pairs; // each pair once, although types share members
    plain_vector<pair> bound; // variables that the generic types bind, in pairs
    intern_index place;
    const auto meet = [&](type_id x, type_id y) {
        if (x == y) return;
        place.find_or_add(
            hash_combine(index(x), index(y)),
            [&](std::uint32_t i) { return pairs[i].first == x && pairs[i].second == y; },
            [&] { pairs.push_back({x, y}); });
    };
    meet(a, b);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [x, y] = pairs[i];
        if (types.kind(x) == type_kind::incomplete || types.kind(y) == type_kind::incomplete) continue;
        if (types.kind(x) != types.kind(y)) return false;
        if (types.kind(x) == type_kind::tensor) {
            if (types.element(x) != types.element(y) || !agree(types.shape(x), types.shape(y))) return false;
            continue;
        }
        const auto xs = types.members(x);
        const auto ys = types.members(y);
        if (xs.size() != ys.size()) return false;
        if (types.kind(x) == type_kind::variable) {
            bool paired = false; // bound by a pair of generic types
            for (const pair& p : bound) paired = paired || (p.first == x && p.second == y);
            if (!paired) return false;
        }
        if (types.kind(x) == type_kind::data && types.name(x) != types.name(y)) return false;
        if (types.kind(x) == type_kind::generic)
            for (std::size_t m = 0; m + 1 < xs.size(); ++m) bound.push_back({xs[m], ys[m]});
        for (std::size_t m = 0; m < xs.size(); ++m) meet(xs[m], ys[m]);
    }
    return true;
}

/// Merges two types that agree. A dimension is `?` if it is `?` in either type. A dimension whose width differs has the
/// width of the first type.
///
/// Requires: `agree(types, a, b)`.
/// Cost:     constant for equal types, otherwise linear in the visited pairs of types; no recursion.
constexpr type_id common_type(type_table& types, type_id a, type_id b) {
    struct pair {
        type_id first;
        type_id second;
        type_id made = type_id::none;
    };
    plain_vector<pair> pairs; // contains each pair once, because types share their members
    intern_index place;
    const auto number_of = [&](type_id x, type_id y) {
        return place.find_or_add(
            hash_combine(index(x), index(y)),
            [&](std::uint32_t i) { return pairs[i].first == x && pairs[i].second == y; },
            [&] { pairs.push_back({x, y, x == y ? x : type_id::none}); });
    };
    plain_vector<std::uint32_t> open{number_of(a, b)};
    while (!open.empty()) {
        const std::uint32_t top = open.back();
        const auto [x, y, made] = pairs[top];
        if (made != type_id::none) {
            open.pop_back();
            continue;
        }
        if (types.is_tensor(x)) {
            dims shape(types.shape(x));
            const dims other(types.shape(y));
            for (std::size_t i = 0; i < shape.size(); ++i)
                if (other[i].is_any()) shape[i] = dim::any();
            pairs[top].made = types.tensor(shape, types.element(x));
            continue;
        }
        const bool one = types.kind(x) == type_kind::incomplete || types.kind(x) == type_kind::variable;
        if (one || types.kind(y) == type_kind::incomplete) {
            pairs[top].made = types.kind(x) == type_kind::incomplete ? y : x;
            continue;
        }
        const auto xs = types.members(x);
        const auto ys = types.members(y);
        plain_vector<type_id> parts;
        for (std::size_t i = 0; i < xs.size(); ++i) {
            const std::uint32_t part = number_of(xs[i], ys[i]);
            parts.push_back(pairs[part].made);
            if (parts.back() == type_id::none) open.push_back(part);
        }
        if (open.back() != top) continue;        // merges the members first
        if (types.kind(x) == type_kind::generic) // keeps the type parameters of `a`
            pairs[top].made = x;
        else
            pairs[top].made = types.like(types, x, parts.all());
    }
    return pairs[0].made;
}

} // namespace tutti::relay::inline TUTTI_FORM
