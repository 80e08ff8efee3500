#pragma once

#include <tutti/kernel/layout.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tutti::kernel {

namespace detail {

/// Returns the positions of a letter's axes, least significant first: its blocks from the right, then the axis itself.
constexpr extents digits_of(const layout& l, char letter) {
    extents places;
    for (std::size_t i = l.rank(); i-- > 0;)
        if (l.axes()[i].letter == letter && l.axes()[i].block != 0) places.push_back(static_cast<std::int64_t>(i));
    places.push_back(static_cast<std::int64_t>(*l.find(letter)));
    return places;
}

/// Returns the shape of the data in another layout.
///
/// Throws: tutti::error if the layouts differ in their axes, if an axis occurs twice, or if the blocks do not fit.
constexpr extents shape_in_layout(const tensor& data, const layout& from, const layout& to) {
    const auto refuse = [&](const char* expected) {
        fail("layout_transform", {"data is ", data, ", to be converted from ", from.text(), " to ", to.text()},
             expected);
    };
    if (from.rank() != data.rank()) refuse("data and a result with as many axes as their layouts have");
    for (const layout* l : {&from, &to})
        for (const layout::axis a : l->axes())
            for (const layout* other : {&from, &to}) {
                int wholes = 0;
                for (const layout::axis b : other->axes()) wholes += b.letter == a.letter && b.block == 0 ? 1 : 0;
                if (wholes != 1) refuse("the same axes in both layouts, each once");
            }
    if (!from.fits(data.shape())) refuse("data with the block sizes of its layout");
    const auto size_of = [&](char letter) {
        return checked_product("layout_transform", data.shape()[*from.find(letter)], from.block(letter));
    };
    if (to.undivided(size_of) != 0) refuse("blocks that divide the sizes of their axes");
    return to.shape<extents>(size_of);
}

/// A change of layout as a strided copy: loops, each with a constant stride in both layouts.
struct layout_steps {
    extents count;
    extents source;
    extents target;
    bool exist = true; ///< false if blocks overlap partly, such as blocks of 4 and 6

    /// Adds a loop. Keeps the loops sorted by their stride in the target, the largest first.
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

/// Returns the loops that copy from one layout to another. Requires: the tensors have elements.
constexpr layout_steps steps_between(const layout& from, const extents& data, const layout& to, const extents& out) {
    const extents strides[]{row_major_strides(data), row_major_strides(out)};
    layout_steps steps;
    for (const layout::axis a : to.axes()) {
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

/// Copies element by element. Works for all block sizes.
constexpr void transform_elements(const tensor& data, const layout& from, const layout& to, tensor& out) {
    const extents strides = row_major_strides(data.shape());
    std::array<std::int64_t, 256> sources{};
    std::array<std::int64_t, 256> targets{};
    extents index(to.rank(), 0);
    std::size_t kept = 0;
    for (std::int64_t target = 0; target < out.size(); ++target) {
        std::int64_t source = 0;
        for (const layout::axis a : to.axes()) {
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
            copy_runs(1, data, {sources.data(), kept}, out, {targets.data(), kept});
            kept = 0;
        }
        for (std::size_t d = to.rank(); d-- > 0;) {
            if (++index[d] < out.shape()[d]) break;
            index[d] = 0;
        }
    }
}

} // namespace detail

/// Converts a tensor to another layout, which may split axes into blocks or merge them.
///
/// Throws: tutti::error if the layouts differ in their axes, or if blocks do not divide the sizes of their axes.
/// Cost:   one strided copy; much slower if blocks of one axis overlap partly, such as from NCHW4c to NCHW6c.
constexpr void layout_transform(const tensor& data, const layout& from, const layout& to, tensor& out,
                                executor_ref on = {}) {
    detail::check_data("layout_transform", data);
    const extents shape = detail::shape_in_layout(data, from, to);
    if (from == to) {
        out.share(data, shape);
        return;
    }
    detail::make_result("layout_transform", data.type(), shape, out);
    if (out.size() == 0) return;
    const detail::layout_steps steps = detail::steps_between(from, data.shape(), to, shape);
    if (steps.exist)
        copy_elements(steps.count, data, {0, steps.source}, out, {0, steps.target}, on);
    else
        detail::transform_elements(data, from, to, out);
}

} // namespace tutti::kernel
