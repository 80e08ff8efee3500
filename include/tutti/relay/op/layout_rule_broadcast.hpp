#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// True if the layouts are equal except for the choice of letters.
constexpr bool same_but_for_letters(std::span<const layout::axis> a, std::span<const layout::axis> b) {
    std::array<char, 26> to{};
    std::array<char, 26> back{};
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].block != b[i].block) return false;
        char& there = to[static_cast<std::size_t>(a[i].letter - 'A')];
        char& here = back[static_cast<std::size_t>(b[i].letter - 'A')];
        if ((there != 0 && there != b[i].letter) || (here != 0 && here != a[i].letter)) return false;
        there = b[i].letter;
        here = a[i].letter;
    }
    return true;
}

/// True if a change of one layout can also be applied to the other. This requires that their last axes correspond, and
/// that the letters of the longer layout's additional leading axes do not occur in its last axes.
constexpr bool go_together(const layout& a, const layout& b) {
    const layout& large = a.rank() > b.rank() ? a : b;
    const layout& small = a.rank() > b.rank() ? b : a;
    const std::size_t more = large.rank() - small.rank();
    const layout tail = large.sub(more, small.rank());
    for (std::size_t i = 0; i < more; ++i)
        if (tail.find(large.axes()[i].letter, false) || tail.find(large.axes()[i].letter, true)) return false;
    return same_but_for_letters(tail.axes(), small.axes());
}

} // namespace detail

namespace layout_rules {

/// Accepts any layout for an elementwise operator, as long as all arguments and the result have it. False if the
/// arguments differ in shape, because they may have no common layout.
TUTTI_CONSTEXPR bool elementwise(layout_query& q);

/// Like `elementwise`, for a result that is a pair.
TUTTI_CONSTEXPR bool elementwise_pair(layout_query& q);

/// Applies the change from `from` to `to` to another layout. Letters correspond by their position from the end. Returns
/// nothing if the layouts do not match.
constexpr maybe_layout changed_alike(const layout& l, const layout& from, const layout& to) {
    if (!relay::detail::go_together(l, from)) return std::nullopt;
    if (l.rank() == 0) return l;
    if (l.rank() > from.rank()) return std::nullopt;
    std::array<char, 26> stands_for{};
    std::array<bool, 26> used{};
    const auto place = [](char letter) { return static_cast<std::size_t>(letter - 'A'); };
    for (std::size_t i = 1; i <= l.rank(); ++i) {
        const char ours = l.axes()[l.rank() - i].letter;
        stands_for[place(from.axes()[from.rank() - i].letter)] = ours;
        used[place(ours)] = true;
    }
    for (std::size_t i = from.rank(); i-- > 0;) { // the remaining letters stay, unless already used
        char& letter = stands_for[place(from.axes()[i].letter)];
        if (letter != 0) continue;
        letter = from.axes()[i].letter;
        for (char other = 'A'; used[place(letter)] && other <= 'Z'; ++other) letter = other;
        used[place(letter)] = true;
    }
    layout made;
    for (const layout::axis& a : to.axes()) {
        const char letter = stands_for[place(a.letter)];
        if (letter == 0) return std::nullopt;
        made.push_back({letter, a.block});
    }
    return made;
}

/// Returns layout `l` with blocks of size 1 for each axis in which the tensor has size 1. `shape` is the tensor's shape
/// in layout `was`.
constexpr layout with_fitting_blocks(const layout& l, const layout& was, std::span<const dim> shape) {
    layout made;
    for (layout::axis a : l.axes()) {
        if (a.block != 0) {
            const bool some =
                was.find(a.letter) ? !was.size(shape, a.letter).same_number(1) : was.find(a.letter, true).has_value();
            if (!some) a.block = 1;
        }
        made.push_back(a);
    }
    return made;
}

/// True if broadcasting with a larger tensor stretches all parts of a blocked axis, or none. False for unknown sizes.
constexpr bool stretch_whole(const layout& small, const layout& large, std::span<const dim> shape,
                             std::span<const dim> other) {
    if (small.rank() != shape.size() || large.rank() != other.size() || small.rank() > large.rank()) return true;
    const std::size_t more = large.rank() - small.rank();
    // For each part of an axis: -1 if it is stretched, 1 if the other tensor's part is stretched, 0 if neither is.
    const auto stretched = [&](std::size_t i) {
        const bool one = shape[i].same_number(1);
        return one == other[i + more].same_number(1) ? 0 : one ? -1 : 1;
    };
    for (std::size_t i = 0; i < small.rank(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const bool counts = !(shape[i].same_number(1) && other[i + more].same_number(1)) &&
                                !(shape[j].same_number(1) && other[j + more].same_number(1));
            const bool open =
                shape[i].is_any() || shape[j].is_any() || other[i + more].is_any() || other[j + more].is_any();
            if (small.axes()[i].letter == small.axes()[j].letter && (open || (counts && stretched(i) != stretched(j))))
                return false;
        }
    return true;
}

/// Determines the layouts of two tensors that broadcast together. The layout of the tensor of smaller rank follows that
/// of the larger tensor. Further arguments are scales and zero points.
TUTTI_CONSTEXPR bool broadcast(layout_query& q);

} // namespace layout_rules

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/layout_rule_broadcast.ipp>
#endif
