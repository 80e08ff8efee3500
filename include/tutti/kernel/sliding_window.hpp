#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::kernel {

/// Copies the windows that slide by `strides` over the axes from `axis` on. The result has the axes before `axis`, then
/// the axes of the window's positions, then the axes of the window. Drops elements that do not fill a window.
///
/// Throws: tutti::error if there is no such axis, if a window or a stride is below 1 or missing for an axis, if a
///         window is longer than its axis, or if the result's rank or size becomes too large.
constexpr void sliding_window(const tensor& data, std::int64_t axis, std::span<const std::int64_t> window,
                              std::span<const std::int64_t> strides, tensor& out) {
    constexpr std::string_view kernel = "sliding_window";
    detail::check_data(kernel, data);
    const std::size_t first = detail::checked_axis(kernel, axis, data.rank());
    bool fits = window.size() == data.rank() - first && strides.size() == window.size();
    for (std::size_t i = 0; i < window.size() && fits; ++i)
        fits = window[i] >= 1 && strides[i] >= 1 && window[i] <= data.shape()[first + i];
    if (!fits || first + 2 * window.size() > max_rank)
        detail::fail(
            kernel, {"windows of ", window, " that slide by ", strides, " over data ", data},
            {"positive numbers for each of ", data.rank() - first, " axes, and no window longer than its axis"});
    const extents steps = row_major_strides(data.shape());
    placement from{0, {}};
    extents shape;
    for (std::size_t i = 0; i < first; ++i) {
        shape.push_back(data.shape()[i]);
        from.strides.push_back(steps[i]);
    }
    for (std::size_t i = 0; i < window.size(); ++i) {
        shape.push_back((data.shape()[first + i] - window[i]) / strides[i] + 1);
        // With a single position, the stride is never used. It may be far larger than the data.
        from.strides.push_back(shape[first + i] == 1 ? 0 : steps[first + i] * strides[i]);
    }
    for (std::size_t i = 0; i < window.size(); ++i) {
        shape.push_back(window[i]);
        from.strides.push_back(steps[first + i]);
    }
    detail::make_result(kernel, data.type(), shape, out);
    if (out.size() != 0) copy_elements(shape, data, from, out, detail::dense(shape));
}

} // namespace tutti::kernel
