#pragma once

#include <tutti/kernel/broadcast_to.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/support/broadcast.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tutti::kernel {

/// Handling of an index beyond its axis.
enum class index_mode : std::uint8_t {
    clip, ///< Clamps the index to the axis.
    wrap, ///< Wraps the index around the axis.
    check ///< Throws an error.
};

/// Takes the slices of the data at the indices along an axis. The axes of the indices replace this axis in the result.
/// Without an axis, takes elements of the flattened data.
///
/// Throws: tutti::error if the indices are not integers, if there is no such axis, if there are indices but the axis is
///         empty, if the rank becomes too high, or if `mode` is `check` and an index is below 0 or beyond the axis.
constexpr void take(const tensor& data, const tensor& indices, std::optional<std::int64_t> axis, index_mode mode,
                    tensor& out) {
    detail::check_data("take", data);
    detail::check_indices("take", indices);
    const std::int64_t flat[]{data.size()};
    const std::span<const std::int64_t> whole = axis ? data.shape() : std::span<const std::int64_t>(flat);
    const std::size_t at = detail::checked_axis("take", axis.value_or(0), whole.size());
    const axis_split split = split_at(whole, at);
    if (whole.size() - 1 + indices.rank() > max_rank || (split.length == 0 && indices.size() != 0))
        detail::fail_pair("take", "data", data, "a tensor of indices", indices,
                          "an axis with elements, and a result of rank at most 32");
    const extents shape = with_replaced_axes<extents>(whole, {at, at + 1}, indices.shape(), {0, indices.rank()});
    detail::make_result("take", data.type(), shape, out);
    if (out.size() == 0) return;
    detail::run_copier copier(split.inner, data, out);
    for (std::int64_t o = 0; o < split.outer; ++o)
        detail::for_each_index("take", indices, [&](std::int64_t i, std::int64_t index) {
            if (mode == index_mode::clip)
                index = std::clamp<std::int64_t>(index, 0, split.length - 1);
            else if (mode == index_mode::wrap)
                index = (index % split.length + split.length) % split.length;
            else if (index < 0 || index >= split.length)
                detail::fail("take", {"index ", index, " along axis ", at, " of data ", data},
                             {"one from 0 to ", split.length - 1});
            copier.add((o * split.length + index) * split.inner, (o * indices.size() + i) * split.inner);
        });
    copier.flush();
}

/// Takes one element of the data for each index: `out[i, j, k] = data[i, indices[i, j, k], k]` for rank 3 and axis 1.
/// Negative indices count from the end.
///
/// Throws: tutti::error if the indices are not integers, if there is no such axis, if the shapes of indices and data
///         differ along another axis, or if an index is beyond the axis.
constexpr void gather(const tensor& data, std::int64_t axis, const tensor& indices, tensor& out) {
    detail::check_data("gather", data);
    detail::check_indices("gather", indices);
    const std::size_t at = detail::checked_axis("gather", axis, data.rank());
    bool fits = indices.rank() == data.rank();
    for (std::size_t d = 0; d < data.rank() && fits; ++d) fits = d == at || indices.shape()[d] == data.shape()[d];
    if (!fits)
        detail::fail_pair("gather", "data", data, "a tensor of indices", indices,
                          {"the same shape, except along axis ", axis});
    detail::make_result("gather", data.type(), indices.shape(), out);
    const axis_split from = split_at(data.shape(), at);
    const std::int64_t row = indices.shape()[at] * from.inner;
    detail::run_copier copier(1, data, out);
    detail::for_each_index("gather", indices, [&](std::int64_t i, std::int64_t index) {
        if (index < -from.length || index >= from.length)
            detail::fail("gather", {"index ", index, " along axis ", axis, " of data ", data},
                         "an index within the axis");
        if (index < 0) index += from.length;
        copier.add((i / row * from.length + index) * from.inner + i % from.inner, i);
    });
    copier.flush();
}

namespace detail {

/// Up to `most` element offsets in a tensor, computed from indices along several of its axes.
class index_places {
public:
    static constexpr std::int64_t most = 256;

    /// Requires: the tensor outlives this object.
    constexpr index_places(std::string_view kernel, const tensor& data)
        : kernel_(kernel), data_(&data), strides_(row_major_strides(data.shape())) {}

    /// Resets n offsets to 0. Requires: n is at most `most`.
    constexpr void begin(std::int64_t n) {
        places_.fill(0);
        count_ = n;
    }
    /// Moves offset i by `steps` along an axis.
    constexpr void move(std::int64_t i, std::size_t axis, std::int64_t steps) {
        places_[static_cast<std::size_t>(i)] += steps * strides_[axis];
    }
    /// Moves every offset i along an axis, by the index that element `first + i` of `indices` holds.
    ///
    /// Throws: tutti::error if an index is below 0 or beyond the axis.
    constexpr void move_all(std::size_t axis, const tensor& indices, std::int64_t first) {
        std::array<std::int64_t, static_cast<std::size_t>(most)> some{};
        read_integers(kernel_, "a tensor of indices", indices, first, {some.data(), static_cast<std::size_t>(count_)});
        const std::int64_t length = data_->shape()[axis];
        for (std::int64_t i = 0; i < count_; ++i) {
            const std::int64_t index = some[static_cast<std::size_t>(i)];
            if (index < 0 || index >= length)
                fail(kernel_, {"index ", index, " along axis ", axis, " of data ", *data_},
                     {"one from 0 to ", length - 1});
            move(i, axis, index);
        }
    }
    constexpr std::int64_t operator[](std::int64_t i) const { return places_[static_cast<std::size_t>(i)]; }

private:
    std::string_view kernel_;
    const tensor* data_;
    extents strides_;
    std::array<std::int64_t, static_cast<std::size_t>(most)> places_{};
    std::int64_t count_ = 0;
};

/// Returns the sizes of `first` from axis `from` on, followed by the sizes of `rest` from axis `behind` on.
///
/// Throws: tutti::error if there are more than `max_rank` sizes.
constexpr extents joined_shape(std::string_view kernel, const tensor& first, std::size_t from, const tensor& rest,
                               std::size_t behind) {
    if (first.rank() - from + rest.rank() - behind > max_rank)
        fail_pair(kernel, "a tensor of indices", first, "data", rest, "a result of rank at most 32");
    extents shape;
    for (std::size_t d = from; d < first.rank(); ++d) shape.push_back(first.shape()[d]);
    for (std::size_t d = behind; d < rest.rank(); ++d) shape.push_back(rest.shape()[d]);
    return shape;
}

} // namespace detail

/// Takes the slices of the data at multi-dimensional indices. The first axis of `indices` holds the coordinates of each
/// index. Data and result have the first `batch` axes in common; coordinates refer to the axes of the data after these.
///
/// Throws: tutti::error if the indices are not integers, if shapes do not fit, or if a coordinate is below 0 or beyond
///         its axis.
constexpr void gather_nd(const tensor& data, const tensor& indices, std::int64_t batch, tensor& out) {
    constexpr std::string_view kernel = "gather_nd";
    detail::check_data(kernel, data);
    detail::check_indices(kernel, indices);
    const auto rank = static_cast<std::int64_t>(data.rank());
    bool fits = indices.rank() != 0 && batch >= 0 && batch <= rank &&
                batch < static_cast<std::int64_t>(indices.rank()) && indices.shape()[0] <= rank - batch;
    for (std::size_t d = 0; fits && d < static_cast<std::size_t>(batch); ++d)
        fits = indices.shape()[d + 1] == data.shape()[d];
    if (!fits)
        detail::fail_pair(kernel, "data", data, "a tensor of indices", indices,
                          {"a number for some of the axes after the first ", batch, ", which both share"});
    const auto first = static_cast<std::size_t>(batch);
    const auto axes = static_cast<std::size_t>(indices.shape()[0]);
    const extents shape = detail::joined_shape(kernel, indices, 1, data, first + axes);
    const std::int64_t inner = element_count(data.shape().subspan(first + axes));
    detail::make_result(kernel, data.type(), shape, out);
    if (out.size() == 0) return;
    const std::int64_t count = out.size() / inner;
    const std::int64_t per_batch = count / element_count(data.shape().first(first));
    const std::int64_t batch_step = data.size() / element_count(data.shape().first(first));
    detail::run_copier copier(inner, data, out);
    detail::index_places places(kernel, data);
    for (std::int64_t at = 0; at < count; at += places.most) {
        const std::int64_t n = std::min(places.most, count - at);
        places.begin(n);
        for (std::size_t m = 0; m < axes; ++m)
            places.move_all(first + m, indices, static_cast<std::int64_t>(m) * count + at);
        for (std::int64_t i = 0; i < n; ++i)
            copier.add((at + i) / per_batch * batch_step + places[i], (at + i) * inner);
    }
    copier.flush();
}

/// Takes slices of input 0 at the coordinates that the other inputs hold. Input m > 0 holds the coordinates along axis
/// m - 1 of input 0. The inputs with coordinates are broadcast together.
///
/// Throws: tutti::error if there are no indices, if they are not integers, if shapes do not fit, or if an index is
///         below 0 or beyond its axis.
constexpr void adv_index(std::span<const tensor* const> inputs, tensor& out) {
    constexpr std::string_view kernel = "adv_index";
    if (inputs.size() < 2 || inputs.size() - 1 > inputs[0]->rank())
        detail::fail(kernel, {inputs.size(), " tensors"}, "data, and indices along at least one of its axes");
    const tensor& data = *inputs[0];
    detail::check_data(kernel, data);
    extents common;
    for (const tensor* indices : inputs.subspan(1)) {
        detail::check_indices(kernel, *indices);
        const auto both = broadcast_shape(common, indices->shape());
        if (!both)
            detail::fail(kernel, {"indices ", *indices, " and others of shape ", common},
                         "shapes that broadcast together");
        common = *both;
    }
    const std::size_t axes = inputs.size() - 1;
    if (common.size() + data.rank() - axes > max_rank)
        detail::fail(kernel, {"indices of shape ", common, " for data ", data}, "a result of rank at most 32");
    extents shape = common;
    for (std::size_t d = axes; d < data.rank(); ++d) shape.push_back(data.shape()[d]);
    const std::int64_t inner = element_count(data.shape().subspan(axes));
    detail::make_result(kernel, data.type(), shape, out);
    if (out.size() == 0) return;
    const std::int64_t count = element_count(common);
    detail::run_copier copier(inner, data, out);
    detail::index_places places(kernel, data);
    tensor spread[max_rank];
    for (std::size_t m = 0; m < axes; ++m) broadcast_to(*inputs[m + 1], common, spread[m]);
    for (std::int64_t at = 0; at < count; at += places.most) {
        const std::int64_t n = std::min(places.most, count - at);
        places.begin(n);
        for (std::size_t m = 0; m < axes; ++m) places.move_all(m, spread[m], at);
        for (std::int64_t i = 0; i < n; ++i) copier.add(places[i], (at + i) * inner);
    }
    copier.flush();
}

} // namespace tutti::kernel
