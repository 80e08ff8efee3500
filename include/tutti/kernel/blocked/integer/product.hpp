#pragma once

#include <tutti/kernel/blocked/common/product.hpp>
#include <tutti/kernel/blocked/integer/integers.hpp>
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
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// Matrix products of 8-bit and 16-bit integers, computed as products of float32 whose elements carry several
// integers of a row.

namespace tutti::kernel::blocked {

namespace detail {

/// A batch of integer products, with one second operand for the whole batch or one for each product.
struct integer_product_plan {
    strided_matrix left;
    strided_matrix right;
    std::int64_t left_step = 0; ///< distance between the matrices of the batch
    std::int64_t right_step = 0;
    std::int64_t batch = 1;
    extents shape{}; // shape of the result
    products how = products::pairs;

    /// Returns the number of elements that carry a row of the first operand.
    constexpr std::int64_t depth() const { return (left.columns + integers_in(how) - 1) / integers_in(how); }
    constexpr strided_matrix carried_left() const { return {left.rows, depth(), depth(), 1}; }
    constexpr strided_matrix carried_right() const { return {depth(), right.columns, right.columns, 1}; }
    constexpr std::int64_t rights() const { return right_step == 0 ? 1 : batch; }
};

/// Returns the plan with the kind of products set, or nothing if these kernels do not support the product.
inline std::optional<integer_product_plan> plan_integers(integer_product_plan plan, const tensor& a, const tensor& b,
                                                         const zero_points& zeros, dtype out) {
    if (out != dtype::int32 || plan.left.columns != plan.right.rows) return std::nullopt;
    if (!fits_pairs(a.type(), zeros.data) || !fits_pairs(b.type(), zeros.weight)) return std::nullopt;
    if (!are_for(zeros, plan.rights() == 1 ? plan.right.columns : 1)) return std::nullopt;
    // Quads need the sums of the weights, which are kept for one matrix only.
    if (plan.rights() == 1) plan.how = how_summed(a.type(), b.type(), zeros, products::unsigned_quads);
    return plan;
}

/// Packs the rows of the first operand.
inline void carry_left(const integer_product_plan& p, const tensor& a, std::int64_t zero, executor_ref on, float* to) {
    const std::int64_t in_one = integers_in(p.how);
    const auto all = static_cast<std::size_t>((p.left_step == 0 ? 1 : p.batch) * p.left.rows);
    const integer_elements from{a.memory(), a.type(), zero};
    for_each_index(
        on, all,
        [&](std::size_t i) {
            const std::int64_t n = static_cast<std::int64_t>(i) / p.left.rows;
            const std::int64_t first = n * p.left_step + static_cast<std::int64_t>(i) % p.left.rows * p.left.row_stride;
            const std::int64_t whole = p.left.columns / in_one;
            float* const row = to + static_cast<std::int64_t>(i) * p.depth();
            carried_places at{};
            for (std::int64_t j = 0; j < in_one; ++j)
                at[static_cast<std::size_t>(j)] = first + j * p.left.column_stride;
            carry(p.how, from, at, in_one * p.left.column_stride, whole, row);
            if (whole == p.depth()) return;
            for (std::int64_t j = 0; j < in_one; ++j)
                at[static_cast<std::size_t>(j)] =
                    first + std::min(whole * in_one + j, p.left.columns - 1) * p.left.column_stride;
            carry(p.how, from, at, 1, 1, row + whole);
        },
        coarse_grain(on, all));
}

/// Packs the second operand. Requires: the operand is not empty.
inline integer_weights pack_integer_right(const integer_product_plan& p, const tensor& b, const tensor* zero_point) {
    const std::int64_t in_one = integers_in(p.how);
    integer_weights made{.how = p.how};
    made.sums.resize(static_cast<std::size_t>(p.right.columns));
    tensor elements;
    float* const carried_to = made_elements(elements, p.depth() * p.right.columns);
    const std::int64_t size = packed_size(p.carried_right());
    const std::int64_t all = p.rights() * size;
    reset_lasting(made.packed, dtype::float32, std::span(&all, 1));
    for (std::int64_t n = 0; n < p.rights(); ++n) {
        for (std::int64_t c = 0; c < p.right.columns; ++c) {
            const bool one = zero_point == nullptr || zero_point->size() == 1;
            const integer_elements from{b.memory(), b.type(), zero_of(zero_point, one ? 0 : c)};
            for (std::int64_t k = 0; k < p.depth(); ++k) {
                const std::int64_t there = std::min(in_one, p.right.rows - k * in_one);
                carried_places at{};
                for (std::int64_t j = 0; j < there; ++j)
                    at[static_cast<std::size_t>(j)] =
                        n * p.right_step + (k * in_one + j) * p.right.row_stride + c * p.right.column_stride;
                made.sums[static_cast<std::size_t>(c)] +=
                    carry_weights(p.how, from, at, there, carried_to + k * p.right.columns + c);
            }
        }
        pack_right(carried_to, p.carried_right(), made.packed.mutable_data<float>() + n * size);
    }
    return made;
}

inline bool multiply_integers(std::string_view kernel, const std::optional<integer_product_plan>& plan,
                              const integer_operands& of, tensor& out, integer_memory& memory,
                              const integer_means& means) {
    if (!plan) return false;
    const auto& [a, b, zeros] = of;
    const integer_product_plan& p = *plan;
    spend(steps(p.batch, p.left.rows, p.left.columns, p.right.columns));
    kernel::detail::make_result(kernel, dtype::int32, p.shape, out);
    if (out.size() == 0) return true;
    const bool weights = b.rank() == 2 && is_zero(zeros.weight); // batches are usually computed results
    const integer_weights& by =
        means.packed != nullptr && means.packed->how == p.how
            ? *means.packed
            : memory.weights.get(b, p.how, weights, [&] { return pack_integer_right(p, b, zeros.weight); });
    const std::int64_t lefts = p.left_step == 0 ? 1 : p.batch;
    float* const from = made_elements(memory.data, lefts * p.left.rows * p.depth());
    carry_left(p, a, zero_of(zeros.data), means.on, from);
    const product_terms terms{.how = p.how, .added = memory.added_for(by, byte_of_zero(a.type(), zeros.data))};
    multiply({.left = p.carried_left(),
              .left_step = p.left_step == 0 ? 0 : p.left.rows * p.depth(),
              .columns = p.right.columns,
              .packed_step = p.right_step == 0 ? 0 : packed_size(p.carried_right()),
              .count = p.batch},
             {from, by.packed.data<float>()}, static_cast<float*>(out.mutable_memory()), memory.room, means, terms);
    return true;
}

/// Plans the product that `dense` computes, or `matmul` if the first operand is not transposed.
inline std::optional<integer_product_plan> plan_integer_rows(const tensor& data, const tensor& weight, bool transposed,
                                                             const zero_points& zeros, dtype out) {
    if (data.rank() == 0 || data.rank() > max_rank || weight.rank() != 2) return std::nullopt;
    const std::int64_t depth = data.shape().back();
    integer_product_plan p{.left = {element_count(data.shape().first(data.rank() - 1)), depth, depth, 1},
                           .right = matrix_of(weight.shape()[0], weight.shape()[1], transposed)};
    p.shape = extents(data.shape());
    p.shape[p.shape.size() - 1] = p.right.columns;
    return plan_integers(p, data, weight, zeros, out);
}

/// Plans the product that `batch_matmul` computes, or `matmul` if the first operand is not transposed.
inline std::optional<integer_product_plan>
plan_integer_batches(const tensor& a, const tensor& b, const zero_points& zeros, const batch_matmul_options& options) {
    if (b.rank() == 2 && !options.transpose_a) return plan_integer_rows(a, b, options.transpose_b, zeros, options.out);
    if (a.rank() != 3 || b.rank() != 3) return std::nullopt;
    const auto as = a.shape();
    const auto bs = b.shape();
    if (as[0] != bs[0] && as[0] != 1 && bs[0] != 1) return std::nullopt;
    integer_product_plan p{.left = matrix_of(as[1], as[2], options.transpose_a),
                           .right = matrix_of(bs[1], bs[2], options.transpose_b),
                           .left_step = as[0] == 1 ? 0 : as[1] * as[2],
                           .right_step = bs[0] == 1 ? 0 : bs[1] * bs[2],
                           .batch = as[0] == 1 ? bs[0] : as[0]};
    for (const std::int64_t size : {p.batch, p.left.rows, p.right.columns}) p.shape.push_back(size);
    return plan_integers(p, a, b, zeros, options.out);
}

} // namespace detail

/// Packs weights for `dense_integers`, as `packed_conv_integers` does for `conv_integers`.
inline integer_weights packed_dense_integers(const tensor& data, const tensor& weight, const zero_points& zeros,
                                             dtype type) {
    const auto plan = detail::plan_integer_rows(data, weight, true, zeros, type);
    return plan ? detail::pack_integer_right(*plan, weight, zeros.weight) : integer_weights{};
}

/// Computes `kernel::dense` of 8-bit or 16-bit integers, from which zero points are subtracted. The result is int32 and
/// wraps. Uses `means.packed`; if that is null or packed for another kind of products, packs weights into `memory`.
///
/// Does nothing and returns false for other element types, if shapes do not fit, or if int16 does not hold the
/// differences.
/// Cost: `memory` holds copies of data and weights: one byte per integer, or two if products are pairs.
inline bool dense_integers(const integer_operands& of, dtype type, tensor& out, integer_memory& memory,
                           const integer_means& means = {}) {
    return detail::multiply_integers("dense", detail::plan_integer_rows(of.a, of.b, true, of.zeros, type), of, out,
                                     memory, means);
}

/// Packs the second operand for `batch_matmul_integers`, as `packed_conv_integers` packs weights for `conv_integers`.
inline integer_weights packed_factor_integers(const tensor& a, const tensor& b, const zero_points& zeros,
                                              const batch_matmul_options& options) {
    const auto plan = detail::plan_integer_batches(a, b, zeros, options);
    return plan ? detail::pack_integer_right(*plan, b, zeros.weight) : integer_weights{};
}

/// Computes `kernel::batch_matmul` of 8-bit or 16-bit integers, or `kernel::matmul` if b has rank 2. Treats zero
/// points, the packed operand, unsupported operands and memory as `dense_integers` does.
inline bool batch_matmul_integers(const integer_operands& of, const batch_matmul_options& options, tensor& out,
                                  integer_memory& memory, const integer_means& means = {}) {
    return detail::multiply_integers("batch_matmul", detail::plan_integer_batches(of.a, of.b, of.zeros, options), of,
                                     out, memory, means);
}

} // namespace tutti::kernel::blocked
