#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/adaptive_pool.hpp>
#include <tutti/kernel/pool.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/pool.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Returns the layouts and windows in an operator's attributes. Global pooling has only layouts.
template <class Attributes>
constexpr kernel::pool_options pool_options(const Attributes& a) {
    kernel::pool_options options{.layout = a.layout, .out_layout = a.out_layout};
    if constexpr (requires { a.pool_size; }) {
        read_window(a, options);
        options.size = spatial_numbers(a.pool_size.value);
        options.ceil_mode = a.ceil_mode;
    }
    if constexpr (requires { a.count_include_pad; }) options.count_include_pad = a.count_include_pad;
    return options;
}

using pool_function = void (*)(const tensor&, const kernel::pool_options&, tensor&, kernel::scratch);

constexpr bool run_pool(const invocation& c, pool_function pool, const kernel::pool_options& options) {
    if (!knows_data(options.layout) || !knows_data(options.out_layout)) return false;
    kernel::workspace own;
    pool(c.input(0), options, c.result(), kept_or(c, own));
    return true;
}

/// The row of a pooling operator that `Pool` computes.
template <class Op, pool_function Pool>
inline constexpr kernel_row pool =
    kernel_for<Op>([](const invocation& c, const auto& a) { return run_pool(c, Pool, pool_options(a)); });

using adaptive_pool_function = void (*)(const tensor&, const kernel::adaptive_pool_options&, tensor&, kernel::scratch);

constexpr bool run_adaptive_pool(const invocation& c, std::size_t rank, adaptive_pool_function pool,
                                 kernel::adaptive_pool_options options, const dims& output_size) {
    if (!knows_data(options.layout) || !knows_data(options.out_layout)) return false;
    dims shape;
    for (const std::int64_t size : c.input(0).shape()) shape.push_back(size);
    const auto data = layout::parse(options.layout);
    if (!data->fits(shape)) return false;
    for (std::size_t i = 0; i < rank; ++i) {
        const dim count = spatial::output_windows(output_size, data->size(shape, spatial::axes(rank)[i]), i);
        if (count.is_any()) return false;
        options.size[i] = count.value();
    }
    kernel::workspace own;
    pool(c.input(0), options, c.result(), kept_or(c, own));
    return true;
}

/// The row of an adaptive pooling operator that `Pool` computes.
template <class Op, adaptive_pool_function Pool>
inline constexpr kernel_row adaptive_pool = kernel_for<Op>([](const invocation& c, const auto& a) {
    return run_adaptive_pool(c, Op::rank, Pool, {.layout = a.layout, .out_layout = a.out_layout}, a.output_size);
});

} // namespace detail

/// Pooling operators.
template <class = void>
inline constexpr std::array pool_kernels{
    detail::adaptive_pool<op::nn::adaptive_avg_pool1d, kernel::adaptive_avg_pool>,
    detail::adaptive_pool<op::nn::adaptive_avg_pool2d, kernel::adaptive_avg_pool>,
    detail::adaptive_pool<op::nn::adaptive_avg_pool3d, kernel::adaptive_avg_pool>,
    detail::pool<op::nn::avg_pool1d, kernel::avg_pool>,
    detail::pool<op::nn::avg_pool2d, kernel::avg_pool>,
    detail::pool<op::nn::avg_pool3d, kernel::avg_pool>,
    detail::pool<op::nn::global_avg_pool2d, kernel::global_avg_pool>,
    detail::pool<op::nn::global_max_pool2d, kernel::global_max_pool>,
    detail::adaptive_pool<op::nn::adaptive_max_pool1d, kernel::adaptive_max_pool>,
    detail::adaptive_pool<op::nn::adaptive_max_pool2d, kernel::adaptive_max_pool>,
    detail::adaptive_pool<op::nn::adaptive_max_pool3d, kernel::adaptive_max_pool>,
    detail::pool<op::nn::max_pool1d, kernel::max_pool>,
    detail::pool<op::nn::max_pool2d, kernel::max_pool>,
    detail::pool<op::nn::max_pool3d, kernel::max_pool>,
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
