#pragma once

#include <tutti/kernel/pad.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Kernels that move blocks of space (the axes after the first) into the batch (the first axis) and back. Part k of the
// batch holds element k of every block. Each part is one strided copy.

namespace tutti::kernel {

namespace detail {

/// Returns the number of elements of a block.
///
/// Throws: tutti::error if the block has no elements, or if the ranks of block, data and widths do not fit.
constexpr std::int64_t checked_block(std::string_view kernel, const tensor& data, std::span<const std::int64_t> block,
                                     const pad_width& width) {
    check_data(kernel, data);
    constexpr std::int64_t limit = std::int64_t{1} << 48;
    if (data.rank() <= block.size() || width.before.size() != block.size() || width.after.size() != block.size())
        fail(kernel, {"data is ", data, " and the block ", block},
             "more axes than the block has, and two numbers for each axis of the block");
    std::int64_t n = 1;
    for (std::size_t i = 0; i < block.size(); ++i) {
        if (block[i] < 1) fail(kernel, {"a block of ", block}, "positive sizes");
        for (const std::int64_t w : {width.before[i], width.after[i], data.shape()[i + 1]})
            if (w <= -limit || w >= limit) fail(kernel, {"a size of ", w}, "sizes below 2^48");
        n = checked_product(kernel, n, block[i]);
    }
    return n;
}

/// One part of the batch, and the elements of the space that it holds: every `block[i]`-th element along axis i + 1.
struct batch_part {
    extents shape; // shape of both parts
    placement batch;
    placement space;
};

/// Returns part `number` of the batch, which holds element `number` of every block. `batch` and `space` are the shapes
/// of the two tensors.
///
/// Requires: the tensors have elements; the block has an element `number`; index 0 of the space is index `before` of
///           the padded space.
constexpr batch_part part_of(std::span<const std::int64_t> batch, std::span<const std::int64_t> space,
                             std::span<const std::int64_t> block, std::span<const std::int64_t> before,
                             std::int64_t number) {
    batch_part part{.shape = batch, .batch = dense(batch), .space = dense(space)};
    part.shape[0] = space[0];
    part.batch.first = number * space[0] * part.batch.strides[0];
    for (std::size_t i = block.size(); i-- > 0;) {
        const std::size_t axis = i + 1;
        const std::int64_t shift = number % block[i] - before[i]; // index in the space of the part's first element
        number /= block[i];
        const auto reached = [&](std::int64_t to) { return to <= shift ? 0 : (to - shift + block[i] - 1) / block[i]; };
        const std::int64_t first = std::min(reached(0), batch[axis]);
        const std::int64_t last = std::min(reached(space[axis]), batch[axis]);
        part.shape[axis] = last - first;
        part.batch.first += first * part.batch.strides[axis];
        part.space.first += (first * block[i] + shift) * part.space.strides[axis];
        part.space.strides[axis] *= block[i];
    }
    return part;
}

} // namespace detail

/// Pads the axes after the first with `value`, splits them into blocks, and moves the blocks into the batch: part k of
/// the batch contains element k of every block. Negative paddings crop.
///
/// Throws: tutti::error if the sizes do not fit, or if blocks do not divide the padded axes.
constexpr void space_to_batch_nd(const tensor& data, std::span<const std::int64_t> block, const pad_width& paddings,
                                 const number& value, tensor& out) {
    constexpr std::string_view kernel = "space_to_batch_nd";
    const std::int64_t parts = detail::checked_block(kernel, data, block, paddings);
    detail::checked_product(kernel, data.shape()[0], parts);
    extents shape(data.shape());
    bool added = false;
    const std::size_t wrong = move_blocks_to_batch(shape, block, [&](std::size_t i) {
        added = added || paddings.before[i] > 0 || paddings.after[i] > 0;
        return paddings.before[i] + paddings.after[i];
    });
    if (wrong != 0)
        detail::fail(kernel, {"axis ", wrong, " of size ", shape[wrong], " after padding"},
                     {"a multiple of ", block[wrong - 1]});
    detail::make_result(kernel, data.type(), shape, out);
    if (out.size() == 0) return;
    if (added) {
        value.put(out, 0);
        detail::spread(out);
    }
    if (data.size() == 0) return;
    for (std::int64_t k = 0; k < parts; ++k) {
        const detail::batch_part part = detail::part_of(shape, data.shape(), block, paddings.before, k);
        copy_elements(part.shape, data, part.space, out, part.batch);
    }
}

/// Assembles blocks from the parts of the batch, then crops: the inverse of `space_to_batch_nd`. If the block size does
/// not divide the batch, drops the remainder of the batch, as the reference's type relation does.
///
/// Throws: tutti::error if the sizes do not fit, or if the crops exceed an axis.
constexpr void batch_to_space_nd(const tensor& data, std::span<const std::int64_t> block, const pad_width& crops,
                                 tensor& out) {
    constexpr std::string_view kernel = "batch_to_space_nd";
    const std::int64_t parts = detail::checked_block(kernel, data, block, crops);
    extents shape(data.shape());
    const std::size_t wrong = move_blocks_from_batch(shape, block, [&](std::size_t i) {
        detail::checked_product(kernel, data.shape()[i + 1], block[i]);
        return crops.before[i] < 0 || crops.after[i] < 0 ? largest_size : crops.before[i] + crops.after[i];
    });
    if (wrong != 0)
        detail::fail(kernel,
                     {crops.before[wrong - 1], " and ", crops.after[wrong - 1], " elements cropped along axis ", wrong},
                     "non-negative numbers, and at most as many elements as the axis has");
    detail::make_result(kernel, data.type(), shape, out);
    if (out.size() == 0) return;
    for (std::int64_t k = 0; k < parts; ++k) {
        const detail::batch_part part = detail::part_of(data.shape(), shape, block, crops.before, k);
        copy_elements(part.shape, data, part.batch, out, part.space);
    }
}

} // namespace tutti::kernel
