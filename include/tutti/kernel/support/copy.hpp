#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

// The basis of all kernels that move elements. `copy_elements` and `copy_runs` copy rows of bytes; they depend on
// element types only in constant evaluation. The kernels themselves only compute offsets and strides.

namespace tutti::kernel {

namespace detail {

/// A copy between two placements, with neighbouring axes merged where possible.
struct strided_copy {
    extents shape;
    placement source;
    placement target;

    constexpr strided_copy(std::span<const std::int64_t> all, const placement& from, const placement& to)
        : source{from.first, {}}, target{to.first, {}} {
        for (std::size_t d = 0; d < all.size(); ++d) {
            if (all[d] == 1) continue;
            const std::size_t last = shape.size() - 1;
            if (shape.size() != 0 && source.strides[last] == from.strides[d] * all[d] &&
                target.strides[last] == to.strides[d] * all[d]) {
                shape[last] *= all[d];
                source.strides[last] = from.strides[d];
                target.strides[last] = to.strides[d];
            } else {
                shape.push_back(all[d]);
                source.strides.push_back(from.strides[d]);
                target.strides.push_back(to.strides[d]);
            }
        }
    }

    /// Returns part `i` of `parts` along the outermost axis.
    constexpr strided_copy part(std::size_t i, std::size_t parts) const {
        const auto place = [&](std::size_t n) {
            return shape[0] * static_cast<std::int64_t>(n) / static_cast<std::int64_t>(parts);
        };
        strided_copy p = *this;
        p.source.first += place(i) * source.strides[0];
        p.target.first += place(i) * target.strides[0];
        p.shape[0] = place(i + 1) - place(i);
        return p;
    }

    /// Moves an axis to the innermost position.
    constexpr void put_last(std::size_t axis) {
        for (; axis + 1 < shape.size(); ++axis)
            for (extents* list : {&shape, &source.strides, &target.strides})
                std::swap((*list)[axis], (*list)[axis + 1]);
    }
};

/// Two axes: one with stride 1 in the source, the other with stride 1 in the target.
struct crossing {
    std::size_t read = 0;
    std::size_t written = 0;
};

constexpr std::optional<crossing> crossing_of(const strided_copy& c) {
    std::optional<std::size_t> read;
    std::optional<std::size_t> written;
    for (std::size_t d = 0; d < c.shape.size(); ++d) {
        if (c.source.strides[d] == 1) read = d;
        if (c.target.strides[d] == 1) written = d;
    }
    if (!read || !written || *read == *written || c.source.strides[*written] == 0) return std::nullopt;
    return crossing{*read, *written};
}

/// True if copying squares of the two axes is faster than copying rows: if vectors can transpose, or if walking along
/// one tensor would evict each cache line of the other tensor before its next use.
constexpr bool pays_in_squares(const strided_copy& c, crossing axes, std::size_t element_bytes) {
    constexpr std::int64_t kept_lines = 256;
    const bool in_vectors = element_bytes == 4 && c.shape[axes.read] >= 4 && c.shape[axes.written] >= 4;
    return in_vectors || c.target.strides[axes.read] >= kept_lines;
}

/// Distances between neighbouring rows, and between neighbouring elements of a row.
struct distances {
    std::int64_t rows;
    std::int64_t elements;
};

/// Copies rows of elements from one tensor to another. At run time, copies bytes of any element type.
class row_copier {
    static constexpr std::int64_t piece = 16; // bytes in a vector register

public:
    /// Requires: the tensors outlive the copier, have one element type and are not empty; `to` is not shared.
    constexpr row_copier(const tensor& from, tensor& to) : from_(&from), to_(&to) {
        if (__builtin_is_constant_evaluated()) return;
        size_ = static_cast<std::int64_t>(bytes(to.type()));
        read_ = static_cast<const char*>(from.memory());
        write_ = static_cast<char*>(to.mutable_memory());
    }

    /// Copies n elements. Reads them from `from` on with stride `step`, and writes them from `to` on with `stride`.
    ///
    /// Requires: no element is both read and written, except that a single element may be copied to all places,
    ///           including its own.
    constexpr void operator()(std::int64_t from, std::int64_t step, std::int64_t to, std::int64_t stride,
                              std::int64_t n) const {
        if (!__builtin_is_constant_evaluated()) return copy_bytes(from, step, to, stride, n);
        with_element_type(to_->type(), [&]<class T>(std::type_identity<T>) {
            for (std::int64_t i = 0; i < n; ++i)
                to_->mutable_data<T>()[to + i * stride] = from_->data<T>()[from + i * step];
        });
    }

    /// Copies n rows of `length` elements. `read` holds the distances in the source, `written` those in the target.
    constexpr void rows(std::int64_t from, distances read, std::int64_t to, distances written, std::int64_t n,
                        std::int64_t length) const {
        const std::int64_t row = length * size_;
        const bool neighbours = read.elements == 1 && written.elements == 1;
        const bool is_short = neighbours && row >= piece && row <= 16 * piece; // avoids calls of memcpy
        for (std::int64_t i = 0; i < n; ++i, from += read.rows, to += written.rows)
            if (!__builtin_is_constant_evaluated() && is_short)
                copy_pieces(read_ + from * size_, write_ + to * size_, row);
            else
                (*this)(from, read.elements, to, written.elements, length);
    }

    /// Transposes `rows` by `columns` elements. In the source, rows are one element apart, and the elements of a row
    /// are `step` apart. In the target, the elements of a row are contiguous, and rows are `stride` apart.
    constexpr void transposed(std::int64_t from, std::int64_t step, std::int64_t to, std::int64_t stride,
                              std::int64_t rows, std::int64_t columns) const {
        std::int64_t done = 0;
        if (!__builtin_is_constant_evaluated() && size_ == 4)
            for (; done + 4 <= rows; done += 4) {
                std::int64_t c = 0;
                for (; c + 4 <= columns; c += 4)
                    transpose_square(read_ + (from + done + c * step) * 4, step * 4,
                                     write_ + (to + done * stride + c) * 4, stride * 4);
                for (std::int64_t r = done; c != columns && r < done + 4; ++r)
                    (*this)(from + r + c * step, step, to + r * stride + c, 1, columns - c);
            }
        for (std::int64_t r = done; r < rows; ++r) (*this)(from + r, step, to + r * stride, 1, columns);
    }

private:
    /// Transposes four rows of four 4-byte elements.
    static void transpose_square(const char* from, std::int64_t step, char* to, std::int64_t stride) {
        typedef std::int32_t four
            __attribute__((vector_size(16))); // NOLINT: an alias would lose the attribute in GCC 12
        four in[4];
        for (std::int64_t i = 0; i < 4; ++i) std::memcpy(&in[i], from + i * step, sizeof(four));
        const four low[]{__builtin_shufflevector(in[0], in[1], 0, 4, 1, 5),
                         __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5)};
        const four high[]{__builtin_shufflevector(in[0], in[1], 2, 6, 3, 7),
                          __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7)};
        const four out[]{__builtin_shufflevector(low[0], low[1], 0, 1, 4, 5),
                         __builtin_shufflevector(low[0], low[1], 2, 3, 6, 7),
                         __builtin_shufflevector(high[0], high[1], 0, 1, 4, 5),
                         __builtin_shufflevector(high[0], high[1], 2, 3, 6, 7)};
        for (std::int64_t i = 0; i < 4; ++i) std::memcpy(to + i * stride, &out[i], sizeof(four));
    }

    /// Copies n bytes in pieces; the last piece overlaps its predecessor.
    static void copy_pieces(const char* from, char* to, std::int64_t n) {
        for (std::int64_t i = piece; i < n; i += piece) std::memcpy(to + i - piece, from + i - piece, piece);
        std::memcpy(to + n - piece, from + n - piece, piece);
    }

    template <std::int64_t Size>
    static void copy_each(const char* from, std::int64_t step, char* to, std::int64_t stride, std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * stride * Size, from + i * step * Size, Size);
    }

    void copy_bytes(std::int64_t from, std::int64_t step, std::int64_t to, std::int64_t stride, std::int64_t n) const {
        const char* read = read_ + from * size_;
        char* write = write_ + to * size_;
        if (step == 1 && stride == 1)
            std::memmove(write, read, static_cast<std::size_t>(n * size_));
        else if (size_ == 1)
            copy_each<1>(read, step, write, stride, n);
        else if (size_ == 2)
            copy_each<2>(read, step, write, stride, n);
        else if (size_ == 4)
            copy_each<4>(read, step, write, stride, n);
        else
            copy_each<8>(read, step, write, stride, n);
    }

    const tensor* from_;
    tensor* to_;
    std::int64_t size_ = 0; // bytes of an element
    const char* read_ = nullptr;
    char* write_ = nullptr;
};

/// Calls `f(from, to)` for each matrix along the axes `one` and `other`. The arguments are the offsets at which the
/// matrix begins in the source and in the target.
template <class F>
constexpr void for_each_matrix(const strided_copy& c, std::size_t one, std::size_t other, F f) {
    extents rest = c.shape;
    rest[one] = 1;
    rest[other] = 1;
    for (strided_rows<2> rows(rest, {c.source.strides, c.target.strides}); !rows.done(); rows.next())
        for (std::int64_t n = 0; n < rows.length(); ++n)
            f(c.source.first + rows.operand(0) + n * rows.step(0), c.target.first + rows.operand(1) + n * rows.step(1));
}

constexpr void copy_straight(const strided_copy& c, const row_copier& copy) {
    const std::size_t axes = c.shape.size();
    if (axes == 0) return copy(c.source.first, 0, c.target.first, 0, 1);
    const std::size_t last = axes - 1;
    const std::int64_t step = c.source.strides[last];
    const std::int64_t stride = c.target.strides[last];
    if (axes == 1) return copy(c.source.first, step, c.target.first, stride, c.shape[last]);
    for_each_matrix(c, last - 1, last, [&](std::int64_t from, std::int64_t to) {
        copy.rows(from, {c.source.strides[last - 1], step}, to, {c.target.strides[last - 1], stride}, c.shape[last - 1],
                  c.shape[last]);
    });
}

/// Copies two crossing axes square by square, so that the cache keeps a whole square of either tensor.
constexpr void copy_squares(crossing axes, const strided_copy& c, const row_copier& copy) {
    constexpr std::int64_t side = 16;
    const std::int64_t step = c.source.strides[axes.written];
    const std::int64_t stride = c.target.strides[axes.read];
    const std::int64_t rows = c.shape[axes.read];
    const std::int64_t columns = c.shape[axes.written];
    for_each_matrix(c, axes.read, axes.written, [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t i = 0; i < rows; i += side)
            for (std::int64_t j = 0; j < columns; j += side)
                copy.transposed(from + i + j * step, step, to + i * stride + j, stride, std::min(side, rows - i),
                                std::min(side, columns - j));
    });
}

constexpr void copy_all(strided_copy c, const row_copier& copy, std::size_t element_bytes) {
    const auto axes = crossing_of(c);
    if (axes && pays_in_squares(c, *axes, element_bytes)) return copy_squares(*axes, c, copy);
    if (axes && c.shape[axes->read] > c.shape[axes->written]) c.put_last(axes->read); // makes the rows longer
    copy_straight(c, copy);
}

/// Returns the number of parts to split a copy into. Each part is large enough to be worth a task.
constexpr std::size_t copied_parts(executor_ref on, const strided_copy& c, std::size_t element_bytes) {
    constexpr std::size_t least_bytes = 32'768;
    if (__builtin_is_constant_evaluated() || on.concurrency() == 1 || c.shape.size() == 0) return 1;
    const std::size_t worth = static_cast<std::size_t>(element_count(c.shape)) * element_bytes / least_bytes;
    return std::max<std::size_t>(1, std::min({worth, static_cast<std::size_t>(c.shape[0]), lanes(on, worth)}));
}

} // namespace detail

/// Copies elements from a placement in one tensor to a placement of the same shape in another: a transposition, a
/// broadcast, a slice, or the replacement of a slice. Splits a large copy among the threads of the executor.
///
/// Requires: the tensors have one element type; the placements are inside them, with a stride for each axis; no element
///           is written twice; no element is both read and written, except that a single element may be copied to all
///           places, including its own; `to` is not shared.
/// Cost:     allocates nothing.
constexpr void copy_elements(std::span<const std::int64_t> shape, const tensor& from, const placement& source,
                             tensor& to, const placement& target, executor_ref on = {}) {
    assert(from.type() == to.type());
    if (element_count(shape) == 0) return;
    const detail::strided_copy copied(shape, source, target);
    const detail::row_copier copy(from, to);
    const std::size_t size = bytes(to.type());
    const std::size_t parts = detail::copied_parts(on, copied, size);
    if (parts == 1) return detail::copy_all(copied, copy, size);
    for_each_index(on, parts, [&](std::size_t i) { detail::copy_all(copied.part(i, parts), copy, size); });
}

/// Copies runs of `length` contiguous elements. Run i begins at `sources[i]` in `from` and at `targets[i]` in `to`.
///
/// Requires: both tensors have one element type; there are as many sources as targets; the runs are inside the tensors;
///           `to` is not shared.
/// Cost:     allocates nothing.
constexpr void copy_runs(std::int64_t length, const tensor& from, std::span<const std::int64_t> sources, tensor& to,
                         std::span<const std::int64_t> targets) {
    assert(from.type() == to.type() && sources.size() == targets.size());
    if (length == 0 || sources.empty()) return;
    const detail::row_copier copy(from, to);
    for (std::size_t i = 0; i < sources.size(); ++i) copy(sources[i], 1, targets[i], 1, length);
}

namespace detail {

/// Returns the placement of a whole dense tensor of the given shape; all strides are 0 if it has no elements.
constexpr placement dense(std::span<const std::int64_t> shape) {
    return {0, element_count(shape) == 0 ? extents(shape.size(), 0) : row_major_strides(shape)};
}

/// Fills a tensor with copies of its element at `at`.
constexpr void spread(tensor& t, std::int64_t at = 0) {
    const std::int64_t count[]{t.size()};
    copy_elements(count, t, {at, extents(1, 0)}, t, {0, extents(1, 1)});
}

/// Checks a shape whose sizes are the elements of a tensor. Throws: tutti::error if a size is negative, or if there are
/// more than `max_rank` sizes.
constexpr void check_sizes(std::string_view kernel, std::span<const std::int64_t> sizes) {
    bool good = sizes.size() <= max_rank;
    for (const std::int64_t d : sizes) good = good && d >= 0;
    if (!good) fail(kernel, {"a shape of ", sizes}, {"at most ", max_rank, " non-negative sizes"});
}

/// Returns a * b. Requires: a and b are not negative. Throws: tutti::error if the product is 2^48 or more.
constexpr std::int64_t checked_product(std::string_view kernel, std::int64_t a, std::int64_t b) {
    constexpr std::int64_t limit = std::int64_t{1} << 48;
    if (b != 0 && a > (limit - 1) / b) fail(kernel, {"a size of ", a, " times ", b}, "sizes below 2^48");
    return a * b;
}

/// Returns a + b.
///
/// Requires: a is not negative; b is between -2^62 and 2^62.
/// Throws:   tutti::error if the sum is 2^48 or more.
constexpr std::int64_t checked_sum(std::string_view kernel, std::int64_t a, std::int64_t b) {
    constexpr std::int64_t limit = std::int64_t{1} << 48;
    if (b > 0 && a >= limit - b) fail(kernel, {"a size of ", a, " and ", b, " more"}, "sizes below 2^48");
    return a + b;
}

/// Throws: tutti::error if the tensor is empty, or if its rank is above `max_rank`.
constexpr void check_data(std::string_view kernel, const tensor& t) {
    if (t.empty()) fail(kernel, "an empty tensor", "a tensor with an element type");
    check_rank(kernel, t);
}

} // namespace detail

} // namespace tutti::kernel
