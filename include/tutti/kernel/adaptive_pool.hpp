#pragma once

#include <tutti/kernel/pool.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// Options of `adaptive_max_pool` and `adaptive_avg_pool`.
struct adaptive_pool_options {
    spatial size{1, 1, 1};         ///< Number of windows along each spatial axis.
    std::string_view layout{};     ///< NCW, NCHW or NCDHW by the data's rank if empty.
    std::string_view out_layout{}; ///< The data's layout if empty.
};

namespace detail {

/// Window `i` of `count` along an axis of `cells` cells: [begin, end), at least one cell.
struct part_of_axis {
    std::int64_t begin;
    std::int64_t end;

    constexpr part_of_axis(std::int64_t i, std::int64_t count, std::int64_t cells)
        : begin(i * cells / count), end(((i + 1) * cells + count - 1) / count) {}
};

struct adaptive_plan {
    lettered_axes in;
    lettered_axes out;
    pooling how = pooling::max;
};

template <class T>
constexpr void pool_parts(const adaptive_plan& p, const T* data, T* out) {
    const auto part = [&](std::size_t axis, std::int64_t i) {
        return part_of_axis(i, p.out.space[axis].size, p.in.space[axis].size);
    };
    const auto row = [&](const T* from, const part_of_axis& w, T value) {
        const std::int64_t step = p.in.space[2].stride();
        if (p.how == pooling::max)
            for (std::int64_t x = w.begin; x < w.end; ++x) value = element::maximum{}(value, from[x * step]);
        else
            for (std::int64_t x = w.begin; x < w.end; ++x) value = element::add{}(value, from[x * step]);
        return value;
    };
    const auto pooled = [&](const T* channel, const part_of_axis& d, const part_of_axis& h, const part_of_axis& w) {
        const auto row_at = [&](std::int64_t z, std::int64_t y) {
            return channel + z * p.in.space[0].stride() + y * p.in.space[1].stride();
        };
        T value = p.how == pooling::max ? row_at(d.begin, h.begin)[w.begin * p.in.space[2].stride()] : T{0};
        for (std::int64_t z = d.begin; z < d.end; ++z)
            for (std::int64_t y = h.begin; y < h.end; ++y) value = row(row_at(z, y), w, value);
        const std::int64_t cells = (d.end - d.begin) * (h.end - h.begin) * (w.end - w.begin);
        return p.how == pooling::max ? value : static_cast<T>(value / static_cast<T>(cells));
    };
    const auto& space = p.out.space;
    for (std::int64_t n = 0; n < p.out.outer.size; ++n)
        for (std::int64_t c = 0; c < p.out.channel.size; ++c) {
            const T* from = data + p.in.outer.at(n) + p.in.channel.at(c);
            T* to = out + p.out.outer.at(n) + p.out.channel.at(c);
            for (std::int64_t d = 0; d < space[0].size; ++d)
                for (std::int64_t h = 0; h < space[1].size; ++h)
                    for (std::int64_t w = 0; w < space[2].size; ++w)
                        to[d * space[0].stride() + h * space[1].stride() + w * space[2].stride()] =
                            pooled(from, part(0, d), part(1, h), part(2, w));
        }
}

constexpr void adaptive_pool(std::string_view kernel, const tensor& data, const adaptive_pool_options& options,
                             pooling how, tensor& out, workspace& memory) {
    check_arithmetic(kernel, data);
    const std::string_view layout = layout_or_usual(lettered::data, options.layout, data);
    adaptive_plan p;
    p.in = axes_in(kernel, "data", lettered::data, layout, data.shape());
    p.how = how;
    p.out.outer.size = p.in.outer.size;
    p.out.channel.size = p.in.channel.size;
    const std::size_t rank = spatial_rank(layout);
    std::uint64_t cells = 1; // upper bound on the number of cells in all windows
    for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t axis = 3 - rank + i;
        const std::int64_t count = options.size[i];
        const std::int64_t size = p.in.space[axis].size;
        constexpr std::int64_t limit = std::int64_t{1} << 31;
        if (count < 0 || count >= limit || size >= limit || (size == 0 && count != 0))
            fail(kernel, {count, " windows along an axis of ", size, " cells"},
                 "fewer than 2^31 of each, and at least one cell if there are windows");
        p.out.space[axis].size = count;
        cells = steps(static_cast<std::int64_t>(cells), count == 0 ? 0 : (size + count - 1) / count + 1, count);
    }
    const extents shape = place_result(kernel, options.out_layout.empty() ? layout : options.out_layout, p.out);
    spend(steps(static_cast<std::int64_t>(cells), p.out.outer.size, p.out.channel.size));
    with_arithmetic(data.type(), [&]<class T>(std::type_identity<T>) {
        const T* from = as_type(data, dtype_of<T>, memory.data).template data<T>();
        with_result_as(kernel, data.type(), dtype_of<T>, shape, memory.result, out, [&](tensor& to) {
            if (to.size() != 0) pool_parts<T>(p, from, to.mutable_data<T>());
        });
    });
}

} // namespace detail

/// Divides each image into `size` windows along each spatial axis and takes the maximum of each window. Window i of n
/// over m cells begins at cell `i * m / n`, rounded down, and ends before cell `(i + 1) * m / n`, rounded up. The
/// maximum is NaN if the window contains a NaN.
///
/// Requires: `out` is not the data and not in `space`.
/// Throws:   tutti::error if the data does not fit its layout, if an axis without cells is divided into windows, or if
///           the element type is bool.
constexpr void adaptive_max_pool(const tensor& data, const adaptive_pool_options& options, tensor& out,
                                 scratch space = {}) {
    detail::adaptive_pool("adaptive_max_pool", data, options, detail::pooling::max, out, *space);
}

/// Takes the mean of each window of `adaptive_max_pool`. Sums like `avg_pool`. Means of integers are rounded toward
/// zero.
///
/// Requires, Throws: as `adaptive_max_pool`.
constexpr void adaptive_avg_pool(const tensor& data, const adaptive_pool_options& options, tensor& out,
                                 scratch space = {}) {
    detail::adaptive_pool("adaptive_avg_pool", data, options, detail::pooling::mean, out, *space);
}

} // namespace tutti::kernel
