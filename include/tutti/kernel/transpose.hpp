#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace tutti::kernel {

/// Permutes the axes: axis d of the result is axis `axes[d]` of the data. `axes[d]` may count from the end. Without a
/// list, reverses the axes.
///
/// Throws: tutti::error if `axes` is not a permutation of the data's axes.
constexpr void transpose(const tensor& data, std::optional<std::span<const std::int64_t>> axes, tensor& out,
                         executor_ref on = {}) {
    detail::check_data("transpose", data);
    const std::size_t rank = data.rank();
    const extents own = row_major_strides(data.shape());
    std::array<bool, max_rank> seen{};
    extents shape;
    placement source;
    bool permutation = !axes || axes->size() == rank;
    for (std::size_t d = 0; d < rank && permutation; ++d) {
        const std::size_t axis = axes ? detail::checked_axis("transpose", (*axes)[d], rank) : rank - 1 - d;
        permutation = !std::exchange(seen[axis], true);
        shape.push_back(data.shape()[axis]);
        source.strides.push_back(own[axis]);
    }
    if (!permutation) detail::fail("transpose", {"axes ", *axes, " of data ", data}, "each axis of the data once");
    detail::make_result("transpose", data.type(), shape, out);
    copy_elements(shape, data, source, out, detail::dense(shape), on);
}

} // namespace tutti::kernel
