#pragma once

#include <tutti/kernel/gather.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/scan.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

// Kernels that write elements at indices, the reverse of `gather` and `gather_nd`. Updates are applied in the order of
// the indices. If several updates have the same index, each applies to the result of the previous one.

namespace tutti::kernel {

/// The new value of an element: the update, or its sum, product, minimum or maximum with the old value.
enum class scatter_mode : std::uint8_t { update, add, multiply, least, greatest };

namespace detail {

template <class C>
constexpr C scattered(scatter_mode mode, C old, C update) {
    switch (mode) {
    case scatter_mode::update:
        return update;
    case scatter_mode::add:
        return accumulated(scan_operation::sum, old, update);
    case scatter_mode::multiply:
        return accumulated(scan_operation::product, old, update);
    case scatter_mode::least:
        return element::minimum{}(old, update);
    case scatter_mode::greatest:
        break;
    }
    return element::maximum{}(old, update);
}

/// Applies runs of updates to a tensor in order.
class updater {
public:
    /// Requires: the tensors outlive the updater and have one element type; `flush` is called at the end.
    constexpr updater(scatter_mode mode, std::int64_t length, const tensor& updates, tensor& out)
        : mode_(mode), length_(length), updates_(&updates), out_(&out), copier_(length, updates, out) {}

    constexpr void put(std::int64_t source, std::int64_t target) {
        if (mode_ == scatter_mode::update) return copier_.add(source, target);
        with_arithmetic(out_->type(), [&]<class C>(std::type_identity<C>) {
            C olds[block_length];
            C news[block_length];
            for (std::int64_t at = 0; at < length_; at += block_length) {
                const std::int64_t n = std::min(block_length, length_ - at);
                const C* old = read_block(*out_, target + at, n, +olds);
                const C* update = read_block(*updates_, source + at, n, +news);
                for (std::int64_t i = 0; i < n; ++i) olds[i] = scattered(mode_, old[i], update[i]);
                convert_block(&olds[0], n, *out_, target + at);
            }
        });
    }
    constexpr void flush() { copier_.flush(); }

private:
    scatter_mode mode_;
    std::int64_t length_;
    const tensor* updates_;
    tensor* out_;
    run_copier copier_;
};

/// Copies the data to `out`, which is then updated in place.
constexpr void copy_all(std::string_view kernel, const tensor& data, tensor& out) {
    make_result(kernel, data.type(), data.shape(), out);
    copy_elements(data.shape(), data, dense(data.shape()), out, dense(data.shape()));
}

constexpr void check_updates(std::string_view kernel, const tensor& data, const tensor& indices,
                             const tensor& updates) {
    check_data(kernel, data);
    check_indices(kernel, indices);
    check_data(kernel, updates);
    if (data.type() != updates.type()) fail_pair(kernel, "data", data, "updates", updates, "elements of one type");
}

} // namespace detail

/// Copies the data and applies an update for each index: `out[i, indices[i, j, k], k] = updates[i, j, k]` for rank 3,
/// axis 1 and mode `update`. Negative indices count from the end. Updates outside the shape of `indices` are ignored.
///
/// Throws: tutti::error if the indices are not integers, if there is no such axis, if shapes do not fit, or if an index
///         is beyond the axis.
constexpr void scatter(const tensor& data, const tensor& indices, const tensor& updates, std::int64_t axis,
                       scatter_mode mode, tensor& out) {
    constexpr std::string_view kernel = "scatter";
    detail::check_updates(kernel, data, indices, updates);
    const std::size_t at = detail::checked_axis(kernel, axis, data.rank());
    bool fits = indices.rank() == data.rank() && updates.rank() == data.rank();
    for (std::size_t d = 0; d < data.rank() && fits; ++d)
        fits = indices.shape()[d] <= updates.shape()[d] && (d == at || indices.shape()[d] <= data.shape()[d]);
    if (!fits)
        detail::fail(kernel, {"data is ", data, ", indices are ", indices, ", updates are ", updates},
                     {"an update for each index, and no more of them than the data has, except along axis ", axis});
    detail::copy_all(kernel, data, out);
    if (indices.size() == 0) return;
    const extents strides = row_major_strides(data.shape());
    const extents steps = row_major_strides(updates.shape());
    const std::int64_t length = data.shape()[at];
    extents place(data.rank(), 0); // coordinates of an index and its update
    std::int64_t from = 0;         // offset of the update
    std::int64_t others = 0;       // offset in the data along all axes except `axis`
    detail::updater update(mode, 1, updates, out);
    detail::for_each_index(kernel, indices, [&](std::int64_t, std::int64_t index) {
        if (index < -length || index >= length)
            detail::fail(kernel, {"index ", index, " along axis ", axis, " of data ", data},
                         "an index within the axis");
        update.put(from, others + (index < 0 ? index + length : index) * strides[at]);
        for (std::size_t d = place.size(); d-- > 0;) {
            const std::int64_t step = d == at ? 0 : strides[d];
            others += step;
            from += steps[d];
            if (++place[d] < indices.shape()[d]) break;
            others -= place[d] * step;
            from -= place[d] * steps[d];
            place[d] = 0;
        }
    });
    update.flush();
}

/// Copies the data and applies updates at multi-dimensional indices. The first axis of `indices` holds the coordinates
/// of each index.
///
/// Throws: tutti::error if the indices are not integers, if shapes do not fit, or if a coordinate is below 0 or beyond
///         its axis.
constexpr void scatter_nd(const tensor& data, const tensor& indices, const tensor& updates, scatter_mode mode,
                          tensor& out) {
    constexpr std::string_view kernel = "scatter_nd";
    detail::check_updates(kernel, data, indices, updates);
    const auto rank = static_cast<std::int64_t>(data.rank());
    bool fits = indices.rank() != 0 && indices.shape()[0] <= rank;
    const auto axes = fits ? static_cast<std::size_t>(indices.shape()[0]) : 0;
    fits = fits && same_shape(updates.shape(), detail::joined_shape(kernel, indices, 1, data, axes));
    if (!fits)
        detail::fail(kernel, {"data is ", data, ", indices are ", indices, ", updates are ", updates},
                     "a slice of the data for each column of indices");
    detail::copy_all(kernel, data, out);
    if (updates.size() == 0) return;
    const std::int64_t inner = element_count(data.shape().subspan(axes));
    const std::int64_t count = updates.size() / inner;
    detail::updater update(mode, inner, updates, out);
    detail::index_places places(kernel, data);
    for (std::int64_t at = 0; at < count; at += places.most) {
        const std::int64_t n = std::min(places.most, count - at);
        places.begin(n);
        for (std::size_t m = 0; m < axes; ++m) places.move_all(m, indices, static_cast<std::int64_t>(m) * count + at);
        for (std::int64_t i = 0; i < n; ++i) update.put((at + i) * inner, places[i]);
    }
    update.flush();
}

} // namespace tutti::kernel
