#pragma once

#include <tutti/kernel/blocked/common/tile.hpp>
#include <tutti/kernel/blocked/integer/product_terms.hpp>
#include <tutti/kernel/dense.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/kernel/support/lasting.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

// Matrix products in register tiles of packed operands.

namespace tutti::kernel::blocked {

/// An operand packed in the order in which a kernel reads it. Holds the source tensor to recognise it, so that a weight
/// is packed once. An operand that changes is not a weight and is packed on each call.
class packed_operand {
public:
    /// Returns the `size` packed elements. Calls `pack(float*)` if the tensor must be packed.
    template <class Pack>
    const float* get(const tensor& from, std::int64_t size, Pack pack) {
        if (varies_ || from_.empty() || !from_.same_elements(from)) {
            varies_ = varies_ || !from_.empty();
            reset_lasting(packed_, dtype::float32, std::span(&size, 1));
            pack(packed_.mutable_data<float>());
            from_ = tensor{};
            if (!varies_) from_ = from;
        }
        return packed_.data<float>();
    }

    /// Packs an operand that changes on each call, without holding the source.
    template <class Pack>
    const float* renewed(std::int64_t size, Pack pack) {
        varies_ = true;
        return get(from_, size, pack);
    }

private:
    tensor packed_;
    tensor from_;
    bool varies_ = false;
};

/// Optional arguments of a product or convolution: an epilogue, an executor, and packed weights.
struct product_means : call_means {
    const tensor* packed = nullptr;
};

/// Memory that a product reuses: the packed second operand, and scratch memory for a part of the first.
struct product_memory {
    packed_operand right;
    tensor room;
};

namespace detail {

using kernel::detail::strided_matrix;

/// Number of rows multiplied at a time: their packed elements stay in the second-level cache.
inline constexpr std::int64_t block_rows = 16 * tile_rows;

constexpr std::int64_t packed_size(const strided_matrix& b) { return b.rows * rounded_up(b.columns, tile_columns); }

/// Packs the second operand. Each block of `tile_depth` rows consists of panels of `tile_columns` columns.
inline void pack_right(const float* from, const strided_matrix& b, float* to) {
    for (std::int64_t k = 0; k < b.rows; k += tile_depth) {
        const std::int64_t depth = std::min(tile_depth, b.rows - k);
        pack({from + k * b.row_stride, b.columns, b.column_stride, depth, b.row_stride}, tile_columns, to);
        to += depth * rounded_up(b.columns, tile_columns);
    }
}

/// A batch of products; the steps are the distances between matrices of the batch.
struct product_batch {
    strided_matrix left;
    std::int64_t left_step = 0;
    std::int64_t columns = 0;
    std::int64_t packed_step = 0;
    std::int64_t count = 1;
};

/// The elements of the first operand, and the packed second operand.
struct packed_factors {
    const float* data;
    const float* packed;
};

/// Computes `out = a · b` for each product of a batch; b is packed. Sums float32 in blocks of `tile_depth` products.
inline void multiply(const product_batch& p, const packed_factors& of, float* out, tensor& room,
                     const call_means& means, const product_terms& terms = {}) {
    const auto [from, packed] = of;
    const strided_matrix& a = p.left;
    const epilogue* const after = means.taken();
    const std::int64_t blocks = (a.rows + block_rows - 1) / block_rows;
    const std::int64_t padded = rounded_up(p.columns, tile_columns);
    // If there are fewer blocks than lanes can use, each lane takes some of the columns.
    const auto at_once = static_cast<std::int64_t>(means.on.concurrency());
    const std::int64_t parts =
        at_once == 1 ? 1 : std::clamp<std::int64_t>(4 * at_once / (blocks * p.count), 1, padded / tile_columns);
    const std::int64_t part = rounded_up((p.columns + parts - 1) / parts, tile_columns);
    const std::int64_t room_of_lane =
        std::min(block_rows, rounded_up(a.rows, tile_rows)) * std::min(tile_depth, a.columns);
    const auto all = static_cast<std::size_t>(p.count * blocks * parts);
    const std::int64_t size = room_of_lane * static_cast<std::int64_t>(tutti::lanes(means.on, all));
    room.reset(dtype::float32, std::span(&size, 1));
    auto* const rooms = room.mutable_data<float>();
    for_each_index(means.on, all, [&](std::size_t n, std::size_t lane) {
        const std::int64_t j = static_cast<std::int64_t>(n) % parts * part;
        const std::int64_t i = static_cast<std::int64_t>(n) / parts % blocks * block_rows;
        const std::int64_t matrix = static_cast<std::int64_t>(n) / parts / blocks;
        const std::int64_t columns = std::min(part, p.columns - j);
        if (columns <= 0) return;
        const std::int64_t rows = std::min(block_rows, a.rows - i);
        float* const left = rooms + static_cast<std::int64_t>(lane) * room_of_lane;
        const std::int64_t first = (matrix * a.rows + i) * p.columns + j;
        if (a.columns == 0)
            for (std::int64_t r = 0; r < rows; ++r) std::fill_n(out + first + r * p.columns, columns, 0.F);
        for (std::int64_t k = 0; k < a.columns; k += tile_depth) {
            const std::int64_t depth = std::min(tile_depth, a.columns - k);
            pack({from + matrix * p.left_step + i * a.row_stride + k * a.column_stride, rows, a.row_stride, depth,
                  a.column_stride},
                 tile_rows, left);
            multiply_tiles(
                terms.how, {left, tile_rows * depth},
                {packed + matrix * p.packed_step + k * padded + j * depth, tile_columns * depth, tile_columns},
                {rows, columns, depth}, {out + first, p.columns, k != 0});
        }
        for (std::int64_t r = 0; r < rows; ++r) terms.finish_channels(out + first + r * p.columns, j, columns);
        if (after == nullptr) return;
        for (std::int64_t r = 0; r < rows; ++r)
            after->apply(out + first + r * p.columns, first + r * p.columns, columns);
    });
}

constexpr bool all_float32(const tensor& a, const tensor& b, dtype out) {
    return a.type() == dtype::float32 && b.type() == dtype::float32 && (out == dtype::none || out == dtype::float32);
}

} // namespace detail

/// Packs weights in the order in which `dense` reads them, for data with the type and shape of `data`, whose elements
/// are not read. Returns an empty tensor if `dense` does not support the product.
inline tensor packed_dense(const tensor& data, const tensor& weight, dtype type) {
    tensor packed;
    if (!detail::all_float32(data, weight, type) || weight.rank() != 2) return packed;
    const detail::strided_matrix b{weight.shape()[1], weight.shape()[0], 1, weight.shape()[1]};
    const std::int64_t size = detail::packed_size(b);
    reset_lasting(packed, dtype::float32, std::span(&size, 1));
    detail::pack_right(weight.data<float>(), b, packed.mutable_data<float>());
    return packed;
}

/// Computes `kernel::dense` of float32. Uses `means.packed`; if that is null, packs weights into `memory`.
///
/// Does nothing and returns false for other element types, or if the shapes do not fit.
/// Cost: memory for another copy of the weights, in `memory`.
inline bool dense(const tensor& data, const tensor& weight, dtype type, tensor& out, product_memory& memory,
                  const product_means& means = {}) {
    if (!detail::all_float32(data, weight, type) || data.rank() == 0 || data.rank() > max_rank || weight.rank() != 2 ||
        data.shape().back() != weight.shape()[1])
        return false;
    const std::int64_t units = weight.shape()[0];
    const std::int64_t depth = weight.shape()[1];
    const std::int64_t rows = element_count(data.shape().first(data.rank() - 1));
    extents shape(data.shape());
    shape[shape.size() - 1] = units;
    spend(steps(rows, units, depth));
    kernel::detail::make_result("dense", dtype::float32, shape, out);
    if (out.size() == 0) return true;
    const detail::strided_matrix b{depth, units, 1, depth};
    const auto pack = [&](float* to) { detail::pack_right(weight.data<float>(), b, to); };
    const float* const packed =
        means.packed != nullptr ? means.packed->data<float>() : memory.right.get(weight, detail::packed_size(b), pack);
    detail::multiply({.left = {rows, depth, depth, 1}, .columns = units}, {data.data<float>(), packed},
                     out.mutable_data<float>(), memory.room, means);
    return true;
}

namespace detail {

/// A batch of matrices. `step` is the distance between matrices, or 0 if the whole batch uses a single matrix.
struct matrices {
    const tensor& elements;
    strided_matrix each;
    std::int64_t step;
    const tensor* packed = nullptr;
};

inline void multiply_batches(const matrices& a, const matrices& b, std::int64_t batch, tensor& out,
                             product_memory& memory, const call_means& means) {
    if (out.size() == 0) return;
    const std::int64_t size = packed_size(b.each);
    const std::int64_t count = b.step == 0 ? 1 : batch;
    const auto pack_all = [&](float* to) {
        for_each_index(means.on, static_cast<std::size_t>(count), [&](std::size_t i) {
            const auto n = static_cast<std::int64_t>(i);
            pack_right(b.elements.data<float>() + n * b.step, b.each, to + n * size);
        });
    };
    // Batches are usually computed results, not weights, so their packed form is not kept.
    const float* const packed = b.packed != nullptr      ? b.packed->data<float>()
                                : b.elements.rank() == 2 ? memory.right.get(b.elements, count * size, pack_all)
                                                         : memory.right.renewed(count * size, pack_all);
    multiply({a.each, a.step, b.each.columns, b.step == 0 ? 0 : size, batch}, {a.elements.data<float>(), packed},
             out.mutable_data<float>(), memory.room, means);
}

constexpr strided_matrix matrix_of(std::int64_t rows, std::int64_t columns, bool transposed) {
    return transposed ? strided_matrix{columns, rows, 1, columns} : strided_matrix{rows, columns, columns, 1};
}

} // namespace detail

/// Packs the second operand for `batch_matmul` or `matmul`, as `packed_dense` packs weights for `dense`.
inline tensor packed_factor(const tensor& a, const tensor& b, const batch_matmul_options& options) {
    tensor packed;
    if (!detail::all_float32(a, b, options.out) || b.rank() < 2) return packed;
    const auto shape = b.shape().last(2);
    const detail::strided_matrix right = detail::matrix_of(shape[0], shape[1], options.transpose_b);
    const std::int64_t count = b.rank() == 2 ? 1 : b.shape()[0];
    const std::int64_t size = detail::packed_size(right);
    const std::int64_t all = count * size;
    reset_lasting(packed, dtype::float32, std::span(&all, 1));
    for (std::int64_t n = 0; n < count; ++n)
        detail::pack_right(b.data<float>() + n * right.rows * right.columns, right,
                           packed.mutable_data<float>() + n * size);
    return packed;
}

/// Computes `kernel::batch_matmul` of float32. Treats the packed operand, unsupported operands and memory as `dense`
/// does.
inline bool batch_matmul(const tensor& a, const tensor& b, const batch_matmul_options& options, tensor& out,
                         product_memory& memory, const product_means& means = {}) {
    if (!detail::all_float32(a, b, options.out) || a.rank() != 3 || b.rank() != 3) return false;
    const auto as = a.shape();
    const auto bs = b.shape();
    const detail::strided_matrix left = detail::matrix_of(as[1], as[2], options.transpose_a);
    const detail::strided_matrix right = detail::matrix_of(bs[1], bs[2], options.transpose_b);
    if ((as[0] != bs[0] && as[0] != 1 && bs[0] != 1) || left.columns != right.rows) return false;
    const std::int64_t batch = as[0] == 1 ? bs[0] : as[0];
    const std::int64_t shape[]{batch, left.rows, right.columns};
    spend(steps(batch, left.rows, left.columns, right.columns));
    kernel::detail::make_result("batch_matmul", dtype::float32, shape, out);
    detail::multiply_batches({a, left, as[0] == 1 ? 0 : as[1] * as[2]},
                             {b, right, bs[0] == 1 ? 0 : bs[1] * bs[2], means.packed}, batch, out, memory, means);
    return true;
}

/// Computes `kernel::matmul` of float32. Treats the packed operand, unsupported operands and memory as `dense` does.
inline bool matmul(const tensor& a, const tensor& b, const batch_matmul_options& options, tensor& out,
                   product_memory& memory, const product_means& means = {}) {
    const std::size_t rank = a.rank();
    if (!detail::all_float32(a, b, options.out) || rank < (options.transpose_a ? 2U : 1U) || rank > max_rank ||
        b.rank() != 2)
        return false;
    const detail::strided_matrix right = detail::matrix_of(b.shape()[0], b.shape()[1], options.transpose_b);
    extents shape(a.shape());
    detail::strided_matrix left;
    std::int64_t batch = 1;
    if (options.transpose_a) {
        left = detail::matrix_of(shape[rank - 2], shape[rank - 1], true);
        batch = element_count(a.shape().first(rank - 2));
        shape[rank - 2] = shape[rank - 1];
    } else { // all rows form one matrix
        left = detail::matrix_of(element_count(a.shape().first(rank - 1)), shape[rank - 1], false);
    }
    if (left.columns != right.rows) return false;
    shape[rank - 1] = right.columns;
    spend(steps(batch, left.rows, left.columns, right.columns));
    kernel::detail::make_result("matmul", dtype::float32, shape, out);
    detail::multiply_batches({a, left, left.rows * left.columns}, {b, right, 0, means.packed}, batch, out, memory,
                             means);
    return true;
}

} // namespace tutti::kernel::blocked
