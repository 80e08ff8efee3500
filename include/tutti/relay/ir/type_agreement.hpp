#pragma once

#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/type_table.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tutti::relay {

/// Whether two dimensions agree: `?` agrees with every dimension, `5i64` with 5.
constexpr bool agree(dim a, dim b) { return a.is_any() || b.is_any() || a.same_number(b); }

/// Whether two shapes agree, dimension by dimension.
constexpr bool agree(std::span<const dim> a, std::span<const dim> b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!agree(a[i], b[i])) return false;
    return true;
}

/// Whether two types of a table agree: they are the same but for what is `?` in one of them, and for the
/// width of numbers.
///
/// Cost: nothing for equal types, else linear in the pairs of types that meet; no recursion.
constexpr bool agree(const type_table& types, type_id a, type_id b) {
    if (a == b) return true;
    std::vector<std::pair<type_id, type_id>> pairs; // each once, since types share what they are made of
    intern_index place;
    const auto meet = [&](type_id x, type_id y) {
        if (x == y) return;
        place.find_or_add(
            hash_combine(index(x), index(y)), [&](std::uint32_t i) { return pairs[i] == std::pair(x, y); },
            [&] { pairs.emplace_back(x, y); });
    };
    meet(a, b);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto [x, y] = pairs[i];
        if (types.kind(x) != types.kind(y)) return false;
        if (types.kind(x) == type_kind::tensor) {
            if (types.element(x) != types.element(y) || !agree(types.shape(x), types.shape(y))) return false;
            continue;
        }
        const bool tuple = types.kind(x) == type_kind::tuple;
        const auto xs = tuple ? types.fields(x) : types.params(x);
        const auto ys = tuple ? types.fields(y) : types.params(y);
        if (xs.size() != ys.size()) return false;
        for (std::size_t m = 0; m < xs.size(); ++m) meet(xs[m], ys[m]);
        if (!tuple) meet(types.result(x), types.result(y));
    }
    return true;
}

} // namespace tutti::relay
