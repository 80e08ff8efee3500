#pragma once

#include <tutti/kernel/index.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Kernels along a time axis. They reverse the whole axis, reverse each sequence of a batch, or mask the elements after
// the end of each sequence.

namespace tutti::kernel {

/// Reverses the elements along an axis, which may count from the end.
///
/// Throws: tutti::error if there is no such axis.
constexpr void reverse(const tensor& data, std::int64_t axis, tensor& out) {
    detail::check_data("reverse", data);
    const std::size_t at = detail::checked_axis("reverse", axis, data.rank());
    detail::make_result("reverse", data.type(), data.shape(), out);
    if (out.size() == 0) return;
    const placement straight = detail::dense(data.shape());
    placement back = straight;
    back.first = (data.shape()[at] - 1) * straight.strides[at];
    back.strides[at] = -straight.strides[at];
    copy_elements(data.shape(), data, back, out, straight);
}

namespace detail {

/// The lengths of the sequences of a batch, read one at a time.
class sequence_lengths {
public:
    /// Throws: tutti::error unless there is one integer for each sequence. Requires: `lengths` outlives this object.
    constexpr sequence_lengths(std::string_view kernel, const tensor& data, std::size_t batch_axis,
                               const tensor& lengths)
        : lengths_(&lengths) {
        check_indices(kernel, lengths);
        if (lengths.rank() != 1 || lengths.shape()[0] != data.shape()[batch_axis])
            fail_pair(kernel, "data", data, "the lengths", lengths, {"one for each place along axis ", batch_axis});
    }
    /// Returns the length of sequence i. Requires: sequence i exists.
    constexpr std::int64_t operator[](std::int64_t i) {
        if (i != known_) read_integers("sequence", "the lengths", *lengths_, known_ = i, {&length_, 1});
        return length_;
    }

private:
    const tensor* lengths_;
    std::int64_t known_ = -1;
    std::int64_t length_ = 0;
};

/// The length of an axis and its stride in elements; `of` returns an element's index along the axis.
struct axis_steps {
    constexpr axis_steps(std::span<const std::int64_t> shape, std::size_t axis)
        : length(shape[axis]), step(element_count(shape.subspan(axis + 1))) {}
    constexpr std::int64_t of(std::int64_t element) const { return element / step % length; }

    std::int64_t length;
    std::int64_t step;
};

} // namespace detail

/// Reverses each sequence of a batch along `seq_axis`. The elements after the end of a sequence stay in place. Lengths
/// are clamped to the length of the axis.
///
/// Throws: tutti::error if there are no such axes, or unless there is one integer for each sequence of the batch.
constexpr void reverse_sequence(const tensor& data, const tensor& lengths, std::int64_t seq_axis,
                                std::int64_t batch_axis, tensor& out) {
    constexpr std::string_view kernel = "reverse_sequence";
    detail::check_data(kernel, data);
    const std::size_t time = detail::checked_axis(kernel, seq_axis, data.rank());
    const std::size_t batch = detail::checked_axis(kernel, batch_axis, data.rank());
    detail::sequence_lengths length(kernel, data, batch, lengths);
    detail::make_result(kernel, data.type(), data.shape(), out);
    if (out.size() == 0) return;
    const detail::axis_steps along(data.shape(), time);
    const detail::axis_steps across(data.shape(), batch);
    const std::int64_t run = std::min(along.step, across.step);
    detail::run_copier copier(run, data, out);
    for (std::int64_t at = 0; at < out.size(); at += run) {
        const std::int64_t there = along.of(at);
        const std::int64_t end = std::min(length[across.of(at)], along.length);
        copier.add(there < end ? at + (end - 1 - 2 * there) * along.step : at, at);
    }
    copier.flush();
}

/// Sets the elements after the end of each sequence of a batch to `mask`. The sequences are along `axis`, which is 0 or
/// 1; the batch is along axis `1 - axis`.
///
/// Throws: tutti::error if the axis is not 0 or 1, or unless there is one integer for each sequence of the batch.
constexpr void sequence_mask(const tensor& data, const tensor& lengths, const number& mask, std::int64_t axis,
                             tensor& out) {
    constexpr std::string_view kernel = "sequence_mask";
    detail::check_data(kernel, data);
    if (data.rank() < 2 || (axis != 0 && axis != 1))
        detail::fail(kernel, {"sequences along axis ", axis, " of data ", data}, "axis 0 or 1, and two axes or more");
    const auto time = static_cast<std::size_t>(axis);
    detail::sequence_lengths length(kernel, data, 1 - time, lengths);
    detail::make_result(kernel, data.type(), data.shape(), out);
    if (out.size() == 0) return;
    mask.put(out, 0);
    detail::spread(out);
    const detail::axis_steps along(data.shape(), time);
    const detail::axis_steps across(data.shape(), 1 - time);
    const std::int64_t run = std::min(along.step, across.step);
    detail::run_copier copier(run, data, out);
    for (std::int64_t at = 0; at < out.size(); at += run)
        if (along.of(at) < length[across.of(at)]) copier.add(at, at);
    copier.flush();
}

} // namespace tutti::kernel
