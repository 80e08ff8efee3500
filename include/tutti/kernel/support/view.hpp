#pragma once

#include <tutti/kernel/tensor.hpp>

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace tutti::kernel {

/// Maximum rank that kernels support. It bounds the size of `extents`, so kernels allocate no memory for indices.
inline constexpr std::size_t max_rank = 32;

/// A list of at most `max_rank` integers, stored in place: dimensions, strides, axes. It is a contiguous range, so it
/// converts to a span.
class extents {
public:
    constexpr extents() = default;
    [[gnu::noinline]] constexpr extents(std::span<const std::int64_t> values) { // NOLINT: shapes convert
        for (const std::int64_t v : values) push_back(v);
    }
    /// Creates a list of `count` integers equal to `value`.
    constexpr extents(std::size_t count, std::int64_t value) {
        for (std::size_t i = 0; i < count; ++i) push_back(value);
    }

    constexpr void push_back(std::int64_t value) {
        assert(size_ < max_rank);
        values_[size_++] = value;
    }

    constexpr std::size_t size() const { return size_; }
    constexpr std::int64_t& operator[](std::size_t i) { return values_[i]; }
    constexpr std::int64_t operator[](std::size_t i) const { return values_[i]; }
    constexpr const std::int64_t* begin() const { return values_.data(); }
    constexpr const std::int64_t* end() const { return values_.data() + size_; }

private:
    std::array<std::int64_t, max_rank> values_{};
    std::size_t size_ = 0;
};

/// True if two shapes are equal. Written as a loop, which compiles faster than the standard library's algorithms.
constexpr bool same_shape(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
    bool same = a.size() == b.size();
    for (std::size_t d = 0; d < a.size() && same; ++d) same = a[d] == b[d];
    return same;
}

/// Returns the stride along each axis of a dense row-major tensor. The strides of a tensor without elements are
/// meaningless and may have wrapped.
[[gnu::noinline]] constexpr extents row_major_strides(std::span<const std::int64_t> shape) {
    extents strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d > 1; --d)
        strides[d - 2] = static_cast<std::int64_t>(static_cast<std::uint64_t>(strides[d - 1]) *
                                                   static_cast<std::uint64_t>(shape[d - 1]));
    return strides;
}

/// A non-owning view of a dense row-major array and its shape: an operand of the typed kernels.
///
/// Requires: elements and shape outlive the view; `data` may be null if there are no elements.
template <class T>
struct view {
    T* data = nullptr;
    std::span<const std::int64_t> shape;

    constexpr std::size_t rank() const { return shape.size(); }
    constexpr std::int64_t size() const { return element_count(shape); }
    constexpr std::span<T> elements() const { return {data, static_cast<std::size_t>(size())}; }
    constexpr operator view<const T>() const // NOLINT: reading is always allowed
        requires(!std::is_const_v<T>)
    {
        return {data, shape};
    }
};

/// Returns a read-only view of a tensor. Requires: T is the element type.
template <class T>
constexpr view<const T> view_of(const tensor& t) {
    return {t.data<T>(), t.shape()};
}

/// Returns a writable view of a tensor. Requires: T is the element type; the elements are not shared.
template <class T>
constexpr view<T> mutable_view_of(tensor& t) {
    return {t.mutable_data<T>(), t.shape()};
}

/// A shape that is split into the axes before an axis, the axis itself and the axes after it. Element (o, i, j) is at
/// `(o * length + i) * inner + j`.
struct axis_split {
    std::int64_t outer = 1;
    std::int64_t length = 1;
    std::int64_t inner = 1;
};

/// Splits a shape at an axis. Requires: `axis < shape.size()`.
constexpr axis_split split_at(std::span<const std::int64_t> shape, std::size_t axis) {
    return {element_count(shape.first(axis)), shape[axis], element_count(shape.subspan(axis + 1))};
}

} // namespace tutti::kernel
