#pragma once

#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convolve.hpp>
#include <tutti/kernel/support/product.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::kernel {

namespace detail {

/// A matrix in memory: its sizes and strides.
struct strided_matrix {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t row_stride = 0;
    std::int64_t column_stride = 0;
};

/// Plans `c = a · b` as a convolution of b's columns with a's rows, with windows of one cell.
constexpr conv_plan plan_product(const strided_matrix& a, const strided_matrix& b, const strided_matrix& c) {
    const auto axis = [](std::int64_t size, std::int64_t stride) {
        return lettered_axis{.size = size, .parts = 1, .part_of = {lettered_axis::part{size, stride}}};
    };
    conv_plan p;
    p.in = {.outer = axis(1, 0),
            .channel = axis(b.rows, b.row_stride),
            .space = {{{}, {}, axis(b.columns, b.column_stride)}}};
    p.weight = {.outer = axis(a.rows, a.row_stride), .channel = axis(a.columns, a.column_stride), .space = {}};
    p.out = {.outer = axis(1, 0),
             .channel = axis(c.rows, c.row_stride),
             .space = {{{}, {}, axis(c.columns, c.column_stride)}}};
    p.window[2].extent = b.columns;
    return p;
}

} // namespace detail

/// Computes `out[…, n] = sum over k of data[…, k] * weight[n, k]`: a matrix product with transposed weights. The
/// result's element type is `type`, or the data's if `type` is `none`.
///
/// Computes sums, and calls `by`, as `conv` does.
///
/// Requires: `out` is neither an operand nor in `space`.
/// Throws:   tutti::error, naming both operands, if shapes or element types do not fit.
constexpr void dense(const tensor& data, const tensor& weight, dtype type, tensor& out, scratch space = {},
                     convolver by = convolve_in_loops) {
    if (data.rank() == 0 || data.rank() > max_rank || weight.rank() != 2 || data.shape().back() != weight.shape()[1])
        detail::fail_pair("dense", "data", data, "weight", weight, "data of shape (..., k) and weight of shape (n, k)");
    type = detail::product_type("dense", data, weight, type);
    const std::int64_t rows = element_count(data.shape().first(data.rank() - 1));
    extents shape(data.shape());
    shape[shape.size() - 1] = weight.shape()[0];
    spend(steps(rows, weight.shape()[0], weight.shape()[1]));
    const std::int64_t depth = weight.shape()[1];
    const std::int64_t units = weight.shape()[0];
    const detail::conv_plan p =
        detail::plan_product({units, depth, depth, 1}, {depth, rows, 1, depth}, {units, rows, 1, units});
    const dtype sum = detail::sum_type(data.type(), weight.type(), type);
    const tensor& from = detail::as_type(data, sum, space->data);
    const tensor& weights = detail::as_type(weight, sum, space->weight);
    detail::with_result_as("dense", type, sum, shape, space->result, out,
                           [&](tensor& to) { by(p, from, weights, to, {}, space->rows); });
}

/// Options of `batch_matmul` and `matmul`. If `out` is `none`, the result has the first operand's element type.
struct batch_matmul_options {
    bool transpose_a = false;
    bool transpose_b = false;
    dtype out = dtype::none;
};

namespace detail {

/// Computes `a · b` for each pair of matrices of two batches. The shapes of the batches are `a_shape` and `b_shape`;
/// `shape` is the shape of the result.
///
/// Requires: the shapes fit, and `shape` has as many elements as the product.
constexpr void multiply_batches(std::string_view kernel, const tensor& a, const extents& a_shape, const tensor& b,
                                const extents& b_shape, const batch_matmul_options& options,
                                std::span<const std::int64_t> shape, tensor& out, scratch& space, convolver by) {
    const dtype type = product_type(kernel, a, b, options.out);
    const auto matrix = [](const extents& t, bool transposed) {
        return transposed ? strided_matrix{t[2], t[1], 1, t[2]} : strided_matrix{t[1], t[2], t[2], 1};
    };
    const strided_matrix left = matrix(a_shape, options.transpose_a);
    const strided_matrix right = matrix(b_shape, options.transpose_b);
    const std::int64_t batch = a_shape[0] == 1 ? b_shape[0] : a_shape[0];
    const auto step = [](const extents& t) { return t[0] == 1 ? 0 : t[1] * t[2]; };
    const conv_plan plan = plan_product(left, right, {left.rows, right.columns, right.columns, 1});
    spend(steps(batch, left.rows, left.columns, right.columns));
    const dtype sum = sum_type(a.type(), b.type(), type);
    const tensor& from_a = as_type(a, sum, space->weight);
    const tensor& from_b = as_type(b, sum, space->data);
    with_result_as(kernel, type, sum, shape, space->result, out, [&](tensor& to) {
        for (std::int64_t n = 0; to.size() != 0 && n < batch; ++n)
            by(plan, from_b, from_a, to, {n * step(b_shape), n * step(a_shape), n * left.rows * right.columns},
               space->rows);
    });
}

} // namespace detail

/// Computes `a · b` for each pair of matrices of two batches; a batch of one is broadcast. Sums are as in `dense`.
///
/// Requires: `out` is neither an operand nor in `space`.
/// Throws:   tutti::error, naming both operands, if shapes or element types do not fit.
constexpr void batch_matmul(const tensor& a, const tensor& b, const batch_matmul_options& options, tensor& out,
                            scratch space = {}, convolver by = convolve_in_loops) {
    const auto fits = [&] {
        return a.rank() == 3 && b.rank() == 3 &&
               (a.shape()[0] == b.shape()[0] || a.shape()[0] == 1 || b.shape()[0] == 1) &&
               a.shape()[options.transpose_a ? 1 : 2] == b.shape()[options.transpose_b ? 2 : 1];
    };
    if (!fits())
        detail::fail_pair("batch_matmul", "a", a, "b", b,
                          "(n, i, k) and (n, k, j), each transposed if the options say so; one n may be 1");
    const std::int64_t shape[]{a.shape()[0] == 1 ? b.shape()[0] : a.shape()[0], a.shape()[options.transpose_a ? 2 : 1],
                               b.shape()[options.transpose_b ? 1 : 2]};
    detail::multiply_batches("batch_matmul", a, extents(a.shape()), b, extents(b.shape()), options, shape, out, space,
                             by);
}

/// Computes `a · b` for one matrix b and each matrix in the last two axes of a. Sums are as in `dense`.
///
/// Requires: `out` is neither an operand nor in `space`.
/// Throws:   tutti::error, naming both operands, if shapes or element types do not fit.
constexpr void matmul(const tensor& a, const tensor& b, const batch_matmul_options& options, tensor& out,
                      scratch space = {}, convolver by = convolve_in_loops) {
    const std::size_t rank = a.rank();
    const std::size_t least = options.transpose_a ? 2 : 1;
    if (rank < least || rank > max_rank || b.rank() != 2 ||
        a.shape()[rank - least] != b.shape()[options.transpose_b ? 1 : 0])
        detail::fail_pair("matmul", "a", a, "b", b, "(..., i, k) and (k, j), each transposed if the options say so");
    extents shape(a.shape());
    if (options.transpose_a) shape[rank - 2] = shape[rank - 1];
    shape[rank - 1] = b.shape()[options.transpose_b ? 0 : 1];
    extents left;
    if (options.transpose_a) {
        left.push_back(element_count(a.shape().first(rank - 2)));
        left.push_back(a.shape()[rank - 2]);
    } else { // all rows form one matrix
        left.push_back(1);
        left.push_back(element_count(a.shape().first(rank - 1)));
    }
    left.push_back(a.shape()[rank - 1]);
    extents right(1, 1);
    for (const std::int64_t d : b.shape()) right.push_back(d);
    detail::multiply_batches("matmul", a, left, b, right, options, shape, out, space, by);
}

} // namespace tutti::kernel
