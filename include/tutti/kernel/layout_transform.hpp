#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/copy.hpp>
#include <tutti/kernel/strided.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::kernel {

/// One axis of a tensor as it is stored: what it is called (a capital letter, of a block too), and the size of the block if it
/// is one, else 0. NCHW16c is `{{'N'}, {'C'}, {'H'}, {'W'}, {'C', 16}}`: channel c is at C = c / 16 and 16c = c % 16. Of
/// several blocks of one axis, those further left count more.
struct layout_axis {
    char letter = 0;
    std::int64_t block = 0;

    friend constexpr bool operator==(const layout_axis&, const layout_axis&) = default;
};

namespace detail {

inline std::string layout_text(std::span<const layout_axis> layout) {
    std::string text;
    for (const layout_axis a : layout)
        text +=
            a.block == 0 ? std::string(1, a.letter) : std::to_string(a.block) + static_cast<char>(a.letter - 'A' + 'a');
    return text;
}

/// Where the axes of one letter are stored, the one first that counts least: its blocks from the right, then the whole.
constexpr extents digits_of(std::span<const layout_axis> layout, char letter) {
    extents places;
    for (std::size_t i = layout.size(); i-- > 0;)
        if (layout[i].letter == letter && layout[i].block != 0) places.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < layout.size(); ++i)
        if (layout[i].letter == letter && layout[i].block == 0) places.push_back(static_cast<std::int64_t>(i));
    return places;
}

/// How many axes of that letter there are, but for blocks.
constexpr int wholes_of(std::span<const layout_axis> layout, char letter) {
    int n = 0;
    for (const layout_axis a : layout) n += a.letter == letter && a.block == 0 ? 1 : 0;
    return n;
}

constexpr bool same_layout(std::span<const layout_axis> a, std::span<const layout_axis> b) {
    bool same = a.size() == b.size();
    for (std::size_t i = 0; i < a.size() && same; ++i) same = a[i] == b[i];
    return same;
}

/// The shape in one layout of what has that shape in another.
///
/// Throws: tutti::error if the layouts have not the same axes, each once, or their blocks do not fit.
constexpr extents shape_in_layout(const tensor& data, std::span<const layout_axis> from,
                                  std::span<const layout_axis> to) {
    const auto refuse = [&](const char* expected) {
        fail("layout_transform",
             {"data is ", data, ", to be brought from ", layout_text(from), " to ", layout_text(to)}, expected);
    };
    if (from.size() != data.rank() || to.size() > max_rank)
        refuse("data and a result with as many axes as their layouts have");
    for (const auto layout : {from, to})
        for (const layout_axis a : layout) {
            if (a.block < 0) refuse("blocks of a positive size");
            for (const auto other : {from, to})
                if (wholes_of(other, a.letter) != 1) refuse("the same axes in both layouts, each once");
        }
    for (std::size_t i = 0; i < from.size(); ++i)
        if (from[i].block != 0 && data.shape()[i] != from[i].block) refuse("data with the blocks of its layout");
    extents shape;
    for (const layout_axis a : to) {
        std::int64_t size = a.block;
        if (size == 0) {
            size = 1;
            for (const std::int64_t i : digits_of(from, a.letter))
                size = checked_product("layout_transform", size, data.shape()[static_cast<std::size_t>(i)]);
            for (const layout_axis b : to)
                if (b.letter == a.letter && b.block != 0) {
                    if (size % b.block != 0) refuse("blocks that divide the sizes of their axes");
                    size /= b.block;
                }
        }
        shape.push_back(size);
    }
    return shape;
}

/// A change of layout as a strided copy: steps that are of one distance in both.
struct layout_steps {
    extents count;
    extents source;
    extents target;
    bool exist = true; ///< not if blocks overlap partly, such as 4 and 6

    /// Keeps them in the order of the target, the longest distance first.
    constexpr void add(std::int64_t n, std::int64_t from, std::int64_t to) {
        exist = exist && count.size() < max_rank;
        if (!exist) return;
        count.push_back(n);
        source.push_back(from);
        target.push_back(to);
        for (std::size_t i = count.size() - 1; i != 0 && target[i - 1] < target[i]; --i) {
            std::swap(count[i], count[i - 1]);
            std::swap(source[i], source[i - 1]);
            std::swap(target[i], target[i - 1]);
        }
    }
};

/// Requires: the shapes are those of tensors with elements.
constexpr layout_steps steps_between(std::span<const layout_axis> from, const extents& data,
                                     std::span<const layout_axis> to, const extents& out) {
    const extents strides[]{row_major_strides(data), row_major_strides(out)};
    layout_steps steps;
    for (const layout_axis a : to) {
        if (a.block != 0) continue;
        const extents places[]{digits_of(from, a.letter), digits_of(to, a.letter)};
        std::size_t next[]{0, 0};
        std::int64_t left[]{1, 1};
        std::int64_t distance[]{0, 0};
        for (;;) {
            for (std::size_t i = 0; i < 2; ++i)
                while (left[i] == 1 && next[i] < places[i].size()) {
                    const auto at = static_cast<std::size_t>(places[i][next[i]++]);
                    left[i] = (i == 0 ? data : out)[at];
                    distance[i] = strides[i][at];
                }
            const std::int64_t n = std::min(left[0], left[1]);
            if (n == 1) break;
            steps.exist = steps.exist && left[0] % n == 0 && left[1] % n == 0;
            if (!steps.exist) return steps;
            steps.add(n, distance[0], distance[1]);
            for (std::size_t i = 0; i < 2; ++i) {
                left[i] /= n;
                distance[i] *= n;
            }
        }
    }
    return steps;
}

/// The same for any blocks: each element's place, one after another.
constexpr void transform_elements(const tensor& data, std::span<const layout_axis> from,
                                  std::span<const layout_axis> to, tensor& out) {
    const extents strides = row_major_strides(data.shape());
    std::array<std::int64_t, 256> sources{};
    std::array<std::int64_t, 256> targets{};
    extents index(to.size(), 0);
    std::size_t kept = 0;
    for (std::int64_t target = 0; target < out.size(); ++target) {
        std::int64_t source = 0;
        for (const layout_axis a : to) {
            if (a.block != 0) continue;
            std::int64_t along = 0;
            std::int64_t weight = 1;
            for (const std::int64_t i : digits_of(to, a.letter)) {
                along += index[static_cast<std::size_t>(i)] * weight;
                weight *= out.shape()[static_cast<std::size_t>(i)];
            }
            for (const std::int64_t i : digits_of(from, a.letter)) {
                const auto at = static_cast<std::size_t>(i);
                source += along % data.shape()[at] * strides[at];
                along /= data.shape()[at];
            }
        }
        sources[kept] = source;
        targets[kept] = target;
        if (++kept == sources.size() || target + 1 == out.size()) {
            copy_runs(1, data, std::span(sources).first(kept), out, std::span(targets).first(kept));
            kept = 0;
        }
        for (std::size_t d = to.size(); d-- > 0;) {
            if (++index[d] < out.shape()[d]) break;
            index[d] = 0;
        }
    }
}

} // namespace detail

/// The same tensor in another layout, which may split axes into blocks and join them.
///
/// Throws: tutti::error if the layouts have not the same axes, or blocks do not divide the sizes of their axes.
/// Cost:   one strided copy; slower by far where blocks of one axis overlap partly, such as from NCHW4c to NCHW6c.
constexpr void layout_transform(const tensor& data, std::span<const layout_axis> from, std::span<const layout_axis> to,
                                tensor& out) {
    detail::check_data("layout_transform", data);
    const extents shape = detail::shape_in_layout(data, from, to);
    if (detail::same_layout(from, to)) {
        out.share(data, shape);
        return;
    }
    detail::make_result("layout_transform", data.type(), shape, out);
    if (out.size() == 0) return;
    const detail::layout_steps steps = detail::steps_between(from, data.shape(), to, shape);
    if (steps.exist)
        copy_elements(steps.count, data, {0, steps.source}, out, {0, steps.target});
    else
        detail::transform_elements(data, from, to, out);
}

} // namespace tutti::kernel
