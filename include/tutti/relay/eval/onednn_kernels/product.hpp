#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/relay/eval/onednn_kernels/call.hpp>
#include <tutti/relay/eval/onednn_kernels/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/invocation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <oneapi/dnnl/dnnl.hpp>

namespace tutti::relay::inline TUTTI_FORM::kernels::detail {

/// Prepares the products of the data's rows and the weight's rows, or declines them.
inline void ready_dense(onednn_call& call, const invocation& c, dtype out) {
    const tensor& data = c.input(0);
    const tensor& weight = c.input(1);
    if (data.rank() == 0 || weight.rank() != 2 || data.shape().back() != weight.shape()[1] ||
        !onednn_multiplies(data, weight, out))
        return call.leave(c);
    const std::int64_t units = weight.shape()[0];
    const std::int64_t depth = weight.shape()[1];
    const std::int64_t rows = data.size() / depth;
    onednn_wanted wanted{.shape = kernel::extents(data.shape())};
    wanted.shape[wanted.shape.size() - 1] = units;
    wanted.type = out == dtype::none ? data.type() : out;
    wanted.steps = kernel::steps(rows, units, depth);
    const dnnl::memory::desc from = described({rows, depth}, {depth, 1}, onednn_type(data.type()));
    const dnnl::memory::desc weights = described({units, depth}, {depth, 1}, onednn_type(weight.type()));
    wanted.result = described({rows, units}, {units, 1}, onednn_type(wanted.type));
    wanted.inputs = {{DNNL_ARG_SRC, 0, from}, {DNNL_ARG_WEIGHTS, 1, weights}};
    wanted.as_they_lie = true;
    if (wanted.type == dtype::float32) wanted.channels = channels_along(wanted.shape.size(), wanted.shape.size() - 1);
    wanted.bias = true;
    using product = dnnl::inner_product_forward;
    call.make_ready<product>(c, wanted, [&](onednn_form form) {
        constexpr auto kind = dnnl::prop_kind::forward_inference;
        const dnnl::memory::desc rows_desc = form.as_they_lie ? from : any_order(from);
        const dnnl::memory::desc out_desc = form.as_they_lie ? wanted.result : any_order(wanted.result);
        if (form.bias) return product::desc(kind, rows_desc, any_order(weights), bias_of(units), out_desc);
        return product::desc(kind, rows_desc, any_order(weights), out_desc);
    });
}

/// Prepares a product of two matrices or two batches of matrices, or declines it.
inline void ready_matrices(onednn_call& call, const invocation& c, bool transpose_a, bool transpose_b, dtype out) {
    const tensor& a = c.input(0);
    const tensor& b = c.input(1);
    const std::size_t rank = a.rank();
    if (rank != b.rank() || (rank != 2 && rank != 3) || a.type() != dtype::float32 || !onednn_multiplies(a, b, out))
        return call.leave(c);
    const auto described_of = [rank](const tensor& t, bool transposed) {
        const std::int64_t rows = t.shape()[rank - 2];
        const std::int64_t columns = t.shape()[rank - 1];
        dnnl::memory::dims sizes{rows, columns};
        dnnl::memory::dims strides{columns, 1};
        if (transposed) {
            std::swap(sizes[0], sizes[1]);
            std::swap(strides[0], strides[1]);
        }
        if (rank == 3) {
            sizes.insert(sizes.begin(), t.shape()[0]);
            strides.insert(strides.begin(), rows * columns);
        }
        return described(sizes, strides);
    };
    const dnnl::memory::desc left = described_of(a, transpose_a);
    const dnnl::memory::desc right = described_of(b, transpose_b);
    const dnnl::memory::dims of_left = left.dims();
    const dnnl::memory::dims of_right = right.dims();
    const bool one_batch = rank == 2 || of_left[0] == of_right[0] || of_left[0] == 1 || of_right[0] == 1;
    if (of_left[rank - 1] != of_right[rank - 2] || !one_batch) return call.leave(c);
    dnnl::memory::dims sizes{of_left[rank - 2], of_right[rank - 1]};
    dnnl::memory::dims strides{sizes[1], 1};
    if (rank == 3) {
        strides.insert(strides.begin(), sizes[0] * sizes[1]);
        sizes.insert(sizes.begin(), std::max(of_left[0], of_right[0]));
    }
    onednn_wanted wanted{.shape = kernel::extents(sizes)};
    wanted.steps = kernel::steps(kernel::element_count(wanted.shape), of_left[rank - 1]);
    wanted.result = described(sizes, strides);
    wanted.inputs = {{DNNL_ARG_SRC, 0, left}, {DNNL_ARG_WEIGHTS, 1, right}};
    wanted.as_they_lie = true;
    wanted.channels = channels_along(rank, rank - 1, rank - 1);
    call.make_ready<dnnl::matmul>(c, wanted,
                                  [&](onednn_form) { return dnnl::matmul::desc(left, right, wanted.result); });
}

} // namespace tutti::relay::inline TUTTI_FORM::kernels::detail
