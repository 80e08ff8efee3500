#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

inline expr swapped(expr matrix) { return relay::transpose(matrix, {.axes = dims{1, 0}}); }

// Returns the product of stacks of matrices. Missing batch axes and batch axes of size 1 are broadcast.
inline expr product_of_stacks(node_context& c, expr a, expr b) {
    const dims x = c.shape(a), y = c.shape(b);
    if (x.size() == 3 && y.size() == 3) return nn::batch_matmul(a, b, {});
    const std::size_t n = x.size(), m = y.size(), rank = n > m ? n : m;
    if (is_static({x.begin(), x.size()}) && is_static({y.begin(), y.size()})) {
        dims batch;
        for (std::size_t i = 0; i + 2 < rank; ++i) {
            const dim p = i + n < rank ? dim(1) : x[i + n - rank], q = i + m < rank ? dim(1) : y[i + m - rank];
            batch.push_back(p.value() == 1 ? q : p);
        }
        const dim all = product({batch.begin(), batch.size()});
        const auto stacked = [&](expr e, const dims& shape) {
            dims wide = batch;
            wide.push_back(shape[shape.size() - 2]);
            wide.push_back(shape.back());
            if (!(wide == shape)) e = relay::broadcast_to(e, {.shape = wide});
            return relay::reshape(e, {.newshape = dims{all, shape[shape.size() - 2], shape.back()}, .allowzero = true});
        };
        const expr made = nn::batch_matmul(stacked(a, x), stacked(b, y), {});
        dims shape = batch;
        shape.push_back(x[n - 2]);
        shape.push_back(y.back());
        return relay::reshape(made, {.newshape = shape, .allowzero = true});
    }
    // Each batch size is the size of the first operand. If that is 1, it is the size of the second operand.
    const auto part = [&](expr list, std::size_t first, std::size_t end) {
        const auto begin = static_cast<std::int64_t>(first);
        return relay::strided_slice(
            list,
            {.begin = dims{begin}, .end = dims{static_cast<std::int64_t>(end)}, .strides = dims{1}, .axes = dims{0}});
    };
    const auto stack_of = [&](expr sizes, std::size_t own) {
        const expr known = part(sizes, 0, own - 2);
        return own == rank ? known : relay::concatenate(c.tuple({c.list(dims(rank - own, 1)), known}));
    };
    const expr of_a = shape_list(c, a), of_b = shape_list(c, b);
    const expr stack_a = stack_of(of_a, n), stack_b = stack_of(of_b, m);
    const expr stack = relay::where(relay::equal(stack_a, c.number(1, dtype::int64)), stack_b, stack_a);
    const auto stacked = [&](expr e, expr sizes, std::size_t own) {
        const expr matrix = part(sizes, own - 2, own);
        const expr wide = relay::dyn::broadcast_to(e, relay::concatenate(c.tuple({stack, matrix})));
        return relay::dyn::reshape(wide, relay::concatenate(c.tuple({c.list(dims{-1}), matrix})));
    };
    const expr made = nn::batch_matmul(stacked(a, of_a, n), stacked(b, of_b, m), {});
    return relay::dyn::reshape(made,
                               relay::concatenate(c.tuple({stack, part(of_a, n - 2, n - 1), part(of_b, m - 1, m)})));
}

} // namespace detail

/// Returns the product of matrices and vectors, like NumPy's matmul.
inline expr matrix_product(node_context& c, expr a, expr b) {
    const std::size_t n = c.rank(a), m = c.rank(b);
    if (n == 0 || m == 0) c.refuse("a product with a scalar", "tensors of rank 1 or more");
    if (n == 1 && m == 1) {
        const expr row = relay::expand_dims(a, {.axis = 0}), column = relay::expand_dims(b, {.axis = 0});
        return relay::reshape(nn::dense(row, column), {.newshape = dims{}});
    }
    if (n == 1) {
        const expr made = matrix_product(c, relay::expand_dims(a, {.axis = 0}), b);
        return relay::squeeze(made, {.axis = dims{c.signed_rank(made) - 2}});
    }
    if (m == 1) {
        const expr made = matrix_product(c, a, relay::expand_dims(b, {.axis = 1}));
        return relay::squeeze(made, {.axis = dims{c.signed_rank(made) - 1}});
    }
    if (m == 2) return nn::dense(a, detail::swapped(b));
    return detail::product_of_stacks(c, a, b);
}

namespace detail {

inline expr import_mat_mul(node_context& c) { return matrix_product(c, c.input(0), c.input(1)); }

inline expr import_gemm(node_context& c) {
    expr a = c.input(0), b = c.input(1);
    const dtype type = c.element(a);
    if (c.opset() < 7 && c.rank(a) > 2) a = nn::batch_flatten(a);
    if (c.flag("transA")) a = swapped(a);
    if (!c.flag("transB")) b = swapped(b);
    const double alpha = c.real("alpha", 1), beta = c.real("beta", 1);
    expr made = nn::dense(a, b);
    if (alpha != 1) made = relay::multiply(made, c.number(alpha, type));
    if (!c.has(2) || beta == 0) return made;
    const expr bias = beta == 1 ? c.input(2) : relay::multiply(c.input(2), c.number(beta, type));
    const dims shape = c.shape(bias), result = c.shape(made);
    return shape.size() == 1 && !shape[0].is_any() && shape[0].same_number(result.back()) ? nn::bias_add(made, bias)
                                                                                          : relay::add(made, bias);
}

// Imports Det by Gaussian elimination with partial pivoting. Each step removes a row and a column.
inline expr import_det(node_context& c) {
    const expr x = c.input(0);
    const std::size_t rank = c.rank(x);
    if (rank < 2) c.refuse("a tensor of rank " + std::to_string(rank), "2 or more");
    const std::int64_t n = c.size(x, rank - 1);
    if (n != c.size(x, rank - 2) || n < 1 || n > 64)
        c.refuse("matrices of " + std::to_string(c.size(x, rank - 2)) + " rows and " + std::to_string(n) + " columns",
                 "square ones of 1 to 64 rows");
    const dtype type = c.element(x);
    const expr zero = c.number(0, type);
    const auto part = [](expr e, std::int64_t axis, std::int64_t first, std::int64_t end) {
        return relay::strided_slice(e,
                                    {.begin = dims{first}, .end = dims{end}, .strides = dims{1}, .axes = dims{axis}});
    };
    expr rest = relay::reshape(x, {.newshape = dims{-1, n, n}}); // (matrices, rows, columns)
    expr product = c.number(1, type);
    for (std::int64_t left = n; left > 0; --left) {
        const expr column = part(rest, 2, 0, 1); // (matrices, rows, 1)
        const expr place = relay::argmax(relay::abs(column), {.axis = dims{1}, .keepdims = true});
        const expr rows = relay::reshape(c.counted(0, left), {.newshape = dims{1, left, 1}});
        const expr chosen = relay::equal(c.cast_to(place, dtype::int64), rows);
        const expr pivot_row = relay::sum(relay::where(chosen, rest, zero), {.axis = dims{1}, .keepdims = true});
        const expr pivot = part(pivot_row, 2, 0, 1);
        const expr stays = relay::equal(place, c.number(0, c.element(place)));
        product = relay::multiply(product, relay::where(stays, pivot, relay::negative(pivot)));
        if (left == 1) break;
        const expr others = part(relay::where(chosen, part(rest, 1, 0, 1), rest), 1, 1, left);
        const expr ratio = relay::divide(part(others, 2, 0, 1), pivot);
        const expr factor = relay::where(relay::equal(pivot, zero), zero, ratio);
        rest = part(relay::subtract(others, relay::multiply(factor, pivot_row)), 2, 1, left);
    }
    dims shape = c.shape(x);
    shape.pop_back();
    shape.pop_back();
    if (is_static({shape.begin(), shape.size()}))
        return relay::reshape(product, {.newshape = shape, .allowzero = true});
    return relay::dyn::reshape(product, first_of(shape_list(c, x), c.signed_rank(x) - 2));
}

} // namespace detail

/// Rules for matrix products and determinants.
inline constexpr import_rule product_rules[]{
    {"Det", detail::import_det},
    {"Gemm", detail::import_gemm},
    {"MatMul", detail::import_mat_mul},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
