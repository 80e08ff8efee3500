#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/transpose.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

inline expr swapped(expr matrix) { return relay::transpose(matrix, {.axes = dims{1, 0}}); }

// Product of stacks of matrices, with broadcasting of the shorter shape and of size 1.
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
    // Each batch size is the first operand's, or the second's where the first is 1.
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

/// Product of matrices and vectors like NumPy's matmul.
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

} // namespace detail

/// Matrix products.
inline constexpr import_rule product_rules[]{
    {"Gemm", detail::import_gemm},
    {"MatMul", detail::import_mat_mul},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
