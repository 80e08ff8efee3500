#pragma once

#include <tutti/base/vector.hpp>
#include <tutti/kernel/create.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/size_math.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

// Kernels over sparse tensors in coordinate format: a matrix with a row of indices for each stored element.

namespace tutti::kernel {

/// Converts the indices of a sparse tensor to another shape, and stores this shape in `out_shape`. One size in `wanted`
/// may be -1, to be inferred. An index beyond its axis carries into the next row, unless the shapes are equal.
///
/// Throws: tutti::error if the indices are not a matrix of integers with a column for each axis, or if the new shape
///         has another number of elements.
constexpr void sparse_reshape(const tensor& indices, const tensor& shape, const tensor& wanted, tensor& out,
                              tensor& out_shape) {
    constexpr std::string_view kernel = "sparse_reshape";
    detail::check_indices(kernel, indices);
    const extents before = integers(kernel, "the shape", shape);
    extents after = integers(kernel, "the new shape", wanted);
    if (indices.rank() != 2 || indices.shape()[1] != static_cast<std::int64_t>(before.size()))
        detail::fail(kernel, {"indices ", indices, " for the shape ", before}, "a column for each axis");
    std::int64_t total = 1;
    std::int64_t others = 1;
    std::size_t open = after.size();
    for (const std::int64_t size : before) total = times(total, size);
    for (std::size_t d = 0; d < after.size(); ++d) {
        if (after[d] == -1 && open == after.size())
            open = d;
        else
            others = times(others, after[d]);
    }
    bool good = open == after.size() ? others == total : others > 0 && total % others == 0;
    if (good && open != after.size()) after[open] = total / others;
    for (const std::int64_t size : before) good = good && size >= 0;
    for (const std::int64_t size : after) good = good && size >= 0;
    if (!good || total >= too_many_elements)
        detail::fail(kernel, {"the shape ", before, " as ", after}, "the same number of elements, fewer than 2^48");
    const std::int64_t count = indices.shape()[0];
    const std::int64_t made[]{count, static_cast<std::int64_t>(after.size())};
    detail::make_result(kernel, indices.type(), made, out);
    list_of(after, wanted.type(), out_shape);
    if (total == 0 && count != 0)
        detail::fail(kernel, {count, " indices into the shape ", before}, "no indices into an empty shape");
    const extents steps = row_major_strides(before);
    const extents parts = row_major_strides(after);
    extents row(before.size(), 0);
    for (std::int64_t i = 0; i < count; ++i) {
        if (row.size() != 0)
            detail::read_integers(kernel, "the indices", indices, i * indices.shape()[1], {&row[0], row.size()});
        std::int64_t place = 0;
        extents at;
        for (std::size_t d = 0; d < row.size(); ++d) place = plus(place, times(row[d], steps[d]));
        if (same_shape(before, after)) {
            at = row;
        } else {
            for (std::size_t d = 0; d < after.size(); ++d) {
                at.push_back(element::floor_divide{}(place, parts[d]));
                place = element::floor_mod{}(place, parts[d]);
            }
        }
        detail::convert_block(at.begin(), made[1], out, i * made[1]);
    }
}

/// Results of `sparse_fill_empty_rows`, all of type int64.
struct filled_rows {
    tensor* indices;
    tensor* values;
    tensor* empty; ///< for each row, 1 if the row had no elements, else 0
};

/// Sorts the elements by row and gives each empty row an element of value `standard` in its first column. The order
/// within a row does not change.
///
/// Throws: tutti::error if the indices are not a matrix of integers with a row for each value, or if a row number is
///         outside the shape.
constexpr void sparse_fill_empty_rows(const tensor& indices, const tensor& values, const tensor& shape,
                                      const number& standard, const filled_rows& out) {
    constexpr std::string_view kernel = "sparse_fill_empty_rows";
    detail::check_indices(kernel, indices);
    detail::check_data(kernel, values);
    const extents sizes = integers(kernel, "the shape", shape);
    if (indices.rank() != 2 || values.rank() != 1 || values.size() != indices.shape()[0])
        detail::fail_pair(kernel, "a tensor of indices", indices, "the values", values,
                          "a row of indices for each value");
    if (sizes.size() == 0 || indices.shape()[1] != static_cast<std::int64_t>(sizes.size()) || sizes[0] < 0)
        detail::fail(kernel, {"indices ", indices, " for the shape ", sizes}, "a column for each axis");
    const std::int64_t columns = indices.shape()[1];
    const std::int64_t rows[]{sizes[0]};
    full(std::int64_t{0}, dtype::int64, rows, *out.empty);
    vector<std::int64_t> row_of; // indexed by element
    vector<std::int64_t> begin(static_cast<std::size_t>(sizes[0]) + 1, 0);
    for (std::int64_t i = 0; i < values.size(); ++i) {
        std::int64_t row = 0;
        detail::read_integers(kernel, "the indices", indices, i * columns, {&row, 1});
        if (row < 0 || row >= sizes[0])
            detail::fail(kernel, {"row ", row, " of the shape ", sizes}, {"0 to ", sizes[0] - 1});
        row_of.push_back(row);
        ++begin[static_cast<std::size_t>(row) + 1];
    }
    for (std::size_t row = 0; row + 1 < begin.size(); ++row) {
        if (begin[row + 1] == 0) {
            out.empty->mutable_data<std::int64_t>()[row] = 1;
            begin[row + 1] = 1;
        }
        begin[row + 1] += begin[row];
    }
    const std::int64_t count[]{begin.back()};
    const std::int64_t made[]{begin.back(), columns};
    full(standard, dtype::int64, count, *out.values);
    full(std::int64_t{0}, dtype::int64, made, *out.indices);
    for (std::int64_t row = 0; row < sizes[0]; ++row)
        if (out.empty->data<std::int64_t>()[row] != 0)
            out.indices->mutable_data<std::int64_t>()[begin[static_cast<std::size_t>(row)] * columns] = row;
    for (std::int64_t i = 0; i < values.size(); ++i) {
        const std::int64_t to = begin[static_cast<std::size_t>(row_of[static_cast<std::size_t>(i)])]++;
        number::at(values, i).put(*out.values, to);
        detail::read_integers(
            kernel, "the indices", indices, i * columns,
            {out.indices->mutable_data<std::int64_t>() + to * columns, static_cast<std::size_t>(columns)});
    }
}

} // namespace tutti::kernel
