#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

// Kernels that combine several tensors. They take pointers, so that callers need no array of tensors.

namespace tutti::kernel {

namespace detail {

/// Returns the placement of a slice of a dense tensor that begins at index `first` along an axis.
constexpr placement slice_of(std::span<const std::int64_t> shape, std::size_t axis, std::int64_t first) {
    placement p = dense(shape);
    p.first = first * p.strides[axis];
    return p;
}

} // namespace detail

/// Concatenates tensors along an axis, which may count from the end.
///
/// Throws: tutti::error if there are no tensors, if there is no such axis, or if element types or sizes along other
///         axes differ.
constexpr void concatenate(std::span<const tensor* const> parts, std::int64_t axis, tensor& out, executor_ref on = {}) {
    if (parts.empty()) detail::fail("concatenate", "no tensors", "at least one");
    const tensor& first = *parts.front();
    detail::check_data("concatenate", first);
    const std::size_t at = detail::checked_axis("concatenate", axis, first.rank());
    extents shape(first.shape());
    for (const tensor* part : parts.subspan(1)) {
        bool fits = part->type() == first.type() && part->rank() == first.rank();
        for (std::size_t d = 0; d < first.rank() && fits; ++d) fits = d == at || part->shape()[d] == shape[d];
        if (!fits)
            detail::fail_pair("concatenate", "one tensor", first, "another", *part,
                              {"the same element type and, except along axis ", axis, ", the same shape"});
        shape[at] = detail::checked_sum("concatenate", shape[at], part->shape()[at]);
    }
    detail::make_result("concatenate", first.type(), shape, out);
    if (out.size() == 0) return;
    std::int64_t index = 0;
    for (const tensor* part : parts) {
        copy_elements(part->shape(), *part, detail::dense(part->shape()), out, detail::slice_of(shape, at, index), on);
        index += part->shape()[at];
    }
}

/// Stacks tensors of one shape along a new axis before axis `axis`; -1 appends it.
///
/// Throws: tutti::error if there are no tensors, if there is no such axis, or if shapes or element types differ.
constexpr void stack(std::span<const tensor* const> parts, std::int64_t axis, tensor& out) {
    if (parts.empty()) detail::fail("stack", "no tensors", "at least one");
    const tensor& first = *parts.front();
    detail::check_data("stack", first);
    const std::size_t at = detail::checked_axis("stack", axis, first.rank() + 1);
    if (first.rank() == max_rank) detail::fail("stack", {"one more axis for data ", first}, "a rank of at most 32");
    const extents shape = with_axes<extents>(first.shape(), at, 1, static_cast<std::int64_t>(parts.size()));
    for (const tensor* part : parts)
        if (part->type() != first.type() || !same_shape(part->shape(), first.shape()))
            detail::fail_pair("stack", "one tensor", first, "another", *part, "the same shape and element type");
    detail::make_result("stack", first.type(), shape, out);
    if (out.size() == 0) return;
    extents one = shape;
    one[at] = 1;
    for (std::size_t i = 0; i < parts.size(); ++i)
        copy_elements(one, *parts[i], detail::dense(one), out,
                      detail::slice_of(shape, at, static_cast<std::int64_t>(i)));
}

/// The axis for the first vector: axis 0 (matrix indexing) or axis 1 (Cartesian indexing).
enum class grid_order : std::uint8_t { ij, xy };

/// Creates the coordinate tensors of a grid, one for each vector. Each tensor has an axis for every vector; it contains
/// its own vector along that vector's axis, repeated along all other axes. A scalar counts as a vector of one element.
///
/// Throws: tutti::error if there are no vectors or more than 32, if ranks are above 1, or if element types differ.
constexpr void meshgrid(std::span<const tensor* const> vectors, grid_order order, std::span<tensor> grids) {
    constexpr std::string_view kernel = "meshgrid";
    if (vectors.empty() || vectors.size() > max_rank || grids.size() != vectors.size())
        detail::fail(kernel, {vectors.size(), " tensors"}, "1 to 32");
    extents shape;
    for (const tensor* v : vectors) {
        detail::check_data(kernel, *v);
        if (v->rank() > 1 || v->type() != vectors[0]->type())
            detail::fail_pair(kernel, "one tensor", *vectors[0], "another", *v, "vectors of one element type");
        shape.push_back(v->size());
    }
    const bool swapped = order == grid_order::xy && vectors.size() > 1;
    if (swapped) std::swap(shape[0], shape[1]);
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        detail::make_result(kernel, vectors[i]->type(), shape, grids[i]);
        if (grids[i].size() == 0) continue;
        extents strides(shape.size(), 0);
        strides[swapped && i < 2 ? 1 - i : i] = vectors[i]->size() == 1 ? 0 : 1;
        copy_elements(shape, *vectors[i], {0, strides}, grids[i], detail::dense(shape));
    }
}

/// Appends data to a buffer along an axis, and drops as many elements from the front of the buffer.
///
/// Throws: tutti::error if there is no such axis, if element types or sizes along other axes differ, or if the data is
///         longer than the buffer along the axis.
constexpr void fifo_buffer(const tensor& data, const tensor& buffer, std::int64_t axis, tensor& out) {
    constexpr std::string_view kernel = "fifo_buffer";
    detail::check_data(kernel, data);
    detail::check_data(kernel, buffer);
    const std::size_t at = detail::checked_axis(kernel, axis, buffer.rank());
    bool fits = data.type() == buffer.type() && data.rank() == buffer.rank();
    for (std::size_t d = 0; d < buffer.rank() && fits; ++d)
        fits = d == at ? data.shape()[d] <= buffer.shape()[d] : data.shape()[d] == buffer.shape()[d];
    if (!fits)
        detail::fail_pair(kernel, "data", data, "the buffer", buffer,
                          {"the same element type and, except along axis ", axis, ", the same shape"});
    detail::make_result(kernel, buffer.type(), buffer.shape(), out);
    if (out.size() == 0) return;
    const std::int64_t kept = buffer.shape()[at] - data.shape()[at];
    extents rest(buffer.shape());
    rest[at] = kept;
    copy_elements(rest, buffer, detail::slice_of(buffer.shape(), at, data.shape()[at]), out,
                  detail::dense(out.shape()));
    copy_elements(data.shape(), data, detail::dense(data.shape()), out, detail::slice_of(out.shape(), at, kept));
}

} // namespace tutti::kernel
