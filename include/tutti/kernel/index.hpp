#pragma once

#include <tutti/kernel/create.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/where.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Kernels that write or read elements at indices of any integer type.

namespace tutti::kernel {

namespace detail {

/// Runs of elements to copy, collected into batches.
class run_copier {
public:
    /// Requires: the tensors outlive the copier; `flush` is called at the end.
    constexpr run_copier(std::int64_t length, const tensor& from, tensor& to)
        : length_(length), from_(&from), to_(&to) {}

    constexpr void add(std::int64_t source, std::int64_t target) {
        sources_[count_] = source;
        targets_[count_] = target;
        if (++count_ == most) flush();
    }
    constexpr void flush() {
        copy_runs(length_, *from_, {sources_.data(), count_}, *to_, {targets_.data(), count_});
        count_ = 0;
    }

private:
    static constexpr std::size_t most = 256;

    std::int64_t length_;
    const tensor* from_;
    tensor* to_;
    std::array<std::int64_t, most> sources_{};
    std::array<std::int64_t, most> targets_{};
    std::size_t count_ = 0;
};

/// Calls `f(i, index)` for each index in row-major order. Throws: tutti::error if the indices are not integers.
template <class F>
constexpr void for_each_index(std::string_view kernel, const tensor& indices, F f) {
    std::array<std::int64_t, 256> some{};
    for (std::int64_t at = 0; at < indices.size(); at += static_cast<std::int64_t>(some.size())) {
        const auto n = static_cast<std::size_t>(std::min(indices.size() - at, static_cast<std::int64_t>(some.size())));
        read_integers(kernel, "a tensor of indices", indices, at, {some.data(), n});
        for (std::size_t i = 0; i < n; ++i) f(at + static_cast<std::int64_t>(i), some[i]);
    }
}

constexpr void check_indices(std::string_view kernel, const tensor& indices) {
    check_data(kernel, indices);
    if (is_floating(indices.type())) fail(kernel, {"indices are ", indices}, "integers");
}

} // namespace detail

/// Encodes indices as one-hot vectors of length `depth`: `on` at the index, `off` elsewhere. The vectors form a new
/// axis before axis `axis` of the indices; -1 appends it. An index below 0 or beyond `depth` yields `off` everywhere.
///
/// Throws: tutti::error if the indices are not integers, if there is no such axis, or if the result is too large.
constexpr void one_hot(const tensor& indices, const number& on, const number& off, std::int64_t depth,
                       std::int64_t axis, dtype type, tensor& out) {
    detail::check_indices("one_hot", indices);
    if (depth < 0 || type == dtype::none || indices.rank() == max_rank)
        detail::fail("one_hot", {"a depth of ", depth, " of ", type, " for indices ", indices},
                     "a non-negative depth, an element type and a result of rank at most 32");
    const std::size_t at = detail::checked_axis("one_hot", axis, indices.rank() + 1);
    const extents shape = with_axes<extents>(indices.shape(), at, 1, depth);
    detail::make_result("one_hot", type, shape, out);
    if (out.size() == 0) return;
    off.put(out, 0);
    detail::spread(out);
    const std::int64_t inner = split_at(shape, at).inner;
    std::int64_t first = -1; // offset of the first `on`, from which the others are copied
    detail::run_copier copier(1, out, out);
    detail::for_each_index("one_hot", indices, [&](std::int64_t i, std::int64_t index) {
        if (index < 0 || index >= depth) return;
        const std::int64_t target = (i / inner * depth + index) * inner + i % inner;
        if (first < 0)
            on.put(out, first = target);
        else
            copier.add(first, target);
    });
    copier.flush();
}

/// Fills a tensor of the given shape with `values` at the indices and `standard` elsewhere. The indices are a matrix
/// with a row for each value, a vector of positions along the only axis, or a scalar. A single value goes to all
/// indices. If an index occurs several times, the last value wins. Indices outside the shape are skipped, as in the
/// reference.
///
/// Throws: tutti::error if the indices are not integers, or if shapes do not fit one another.
constexpr void sparse_to_dense(const tensor& indices, const tensor& values, const number& standard,
                               std::span<const std::int64_t> shape, tensor& out) {
    constexpr std::string_view kernel = "sparse_to_dense";
    detail::check_indices(kernel, indices);
    detail::check_data(kernel, values);
    const std::int64_t count = indices.rank() == 0 ? 1 : indices.shape()[0];
    const std::int64_t axes = indices.rank() == 2 ? indices.shape()[1] : 1;
    if (indices.rank() > 2 || values.rank() > 1 || (values.rank() == 1 && values.size() != count))
        detail::fail_pair(kernel, "a tensor of indices", indices, "the values", values,
                          "one value, or one for each row of indices");
    if (axes != static_cast<std::int64_t>(shape.size()))
        detail::fail(kernel, {"indices ", indices, " for the shape ", shape}, "one index per axis in each row");
    full(standard, values.type(), shape, out);
    if (out.size() == 0) return;
    const extents strides = row_major_strides(shape);
    detail::run_copier copier(1, values, out);
    extents row(shape.size(), 0);
    // All rows refer to the single element of a result without axes, so that only the last row counts.
    for (std::int64_t i = axes == 0 ? std::max<std::int64_t>(count - 1, 0) : 0; i < count; ++i) {
        if (axes != 0) detail::read_integers(kernel, "a tensor of indices", indices, i * axes, {&row[0], row.size()});
        std::int64_t target = 0;
        bool inside = true;
        for (std::size_t d = 0; d < row.size() && inside; ++d) {
            inside = row[d] >= 0 && row[d] < shape[d];
            if (inside) target += row[d] * strides[d];
        }
        if (inside) copier.add(values.rank() == 0 ? 0 : i, target);
    }
    copier.flush();
}

/// Finds the indices of the non-zero elements in row-major order. The result is a matrix of element type `type`, with a
/// row for each non-zero element and a column for each axis.
///
/// Throws: tutti::error if the type is `none`.
constexpr void argwhere(const tensor& data, dtype type, tensor& out) {
    detail::check_data("argwhere", data);
    if (type == dtype::none) detail::fail("argwhere", "indices of type void", "an element type");
    bool room[detail::block_length];
    std::int64_t count = 0;
    for (std::int64_t at = 0; at < data.size(); at += detail::block_length) {
        const std::int64_t n = std::min(detail::block_length, data.size() - at);
        const bool* found = detail::truth(data, at, n, +room);
        for (std::int64_t i = 0; i < n; ++i) count += found[i] ? 1 : 0;
    }
    const std::int64_t shape[]{count, static_cast<std::int64_t>(data.rank())};
    detail::make_result("argwhere", type, shape, out);
    if (out.size() == 0) return;
    const extents strides = row_major_strides(data.shape());
    std::int64_t row = 0;
    for (std::int64_t at = 0; at < data.size(); at += detail::block_length) {
        const std::int64_t n = std::min(detail::block_length, data.size() - at);
        const bool* found = detail::truth(data, at, n, +room);
        for (std::int64_t i = 0; i < n; ++i) {
            if (!found[i]) continue;
            extents index;
            for (std::size_t d = 0; d < data.rank(); ++d) index.push_back((at + i) / strides[d] % data.shape()[d]);
            detail::convert_block(index.begin(), shape[1], out, row);
            row += shape[1];
        }
    }
}

} // namespace tutti::kernel
