#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/strided.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

// What every kernel that moves elements is made of: two copies, the only code there that knows element types. All else is
// arithmetic on where elements are.

namespace tutti::kernel {

/// Copies as many elements as `shape` has from their placement in one tensor to that in another; see `copy_strided`.
///
/// Requires: both have one element type; the placements are inside them; `to` is not shared.
/// Cost:     allocates nothing.
constexpr void copy_elements(std::span<const std::int64_t> shape, const tensor& from, const placement& source, tensor& to,
                             const placement& target) {
    assert(from.type() == to.type());
    if (element_count(shape) == 0) return;
    with_element_type(to.type(), [&]<class T>(std::type_identity<T>) {
        copy_strided<T>(shape, from.elements<T>().data(), source, to.mutable_elements<T>().data(), target);
    });
}

/// Copies runs of `length` neighbouring elements, the i-th from `sources[i]` in one tensor to `targets[i]` in another.
///
/// Requires: both have one element type; as many sources as targets; the runs are inside the tensors; `to` is not shared.
/// Cost:     allocates nothing.
constexpr void copy_runs(std::int64_t length, const tensor& from, std::span<const std::int64_t> sources, tensor& to,
                         std::span<const std::int64_t> targets) {
    assert(from.type() == to.type() && sources.size() == targets.size());
    if (length == 0 || sources.empty()) return;
    with_element_type(to.type(), [&]<class T>(std::type_identity<T>) {
        const T* read = from.elements<T>().data();
        T* write = to.mutable_elements<T>().data();
        for (std::size_t i = 0; i < sources.size(); ++i) std::copy_n(read + sources[i], length, write + targets[i]);
    });
}

namespace detail {

/// The whole of a dense tensor of that shape; all distances are 0 if it has no elements.
constexpr placement dense(std::span<const std::int64_t> shape) {
    return {0, element_count(shape) == 0 ? extents(shape.size(), 0) : row_major_strides(shape)};
}

/// Copies one element of a tensor to all the others.
constexpr void spread(tensor& t, std::int64_t at = 0) {
    const std::int64_t count[]{t.size()};
    copy_elements(count, t, {at, extents(1, 0)}, t, {0, extents(1, 1)});
}

/// The sizes of a new tensor that come from data. Throws: tutti::error if one is negative, or there are more than `max_rank`.
constexpr void check_sizes(std::string_view kernel, std::span<const std::int64_t> sizes) {
    bool good = sizes.size() <= max_rank;
    for (const std::int64_t d : sizes) good = good && d >= 0;
    if (!good) fail(kernel, "a shape of " + text(sizes), "at most " + std::to_string(max_rank) + " sizes, none of them negative");
}

/// a * b, neither of which is negative. Throws: tutti::error if that is 2^48 or more.
constexpr std::int64_t checked_product(std::string_view kernel, std::int64_t a, std::int64_t b) {
    constexpr std::int64_t limit = std::int64_t{1} << 48;
    if (b != 0 && a > (limit - 1) / b)
        fail(kernel, "a size of " + std::to_string(a) + " times " + std::to_string(b), "sizes below 2^48");
    return a * b;
}

/// a + b, of which a is not negative and b between -2^62 and 2^62. Throws: tutti::error if that is 2^48 or more.
constexpr std::int64_t checked_sum(std::string_view kernel, std::int64_t a, std::int64_t b) {
    constexpr std::int64_t limit = std::int64_t{1} << 48;
    if (b > 0 && a >= limit - b)
        fail(kernel, "a size of " + std::to_string(a) + " and " + std::to_string(b) + " more", "sizes below 2^48");
    return a + b;
}

/// Throws: tutti::error if the tensor is empty, or of a rank that is too high.
constexpr void check_data(std::string_view kernel, const tensor& t) {
    if (t.empty()) fail(kernel, "an empty tensor", "a tensor with an element type");
    check_rank(kernel, t);
}

} // namespace detail

} // namespace tutti::kernel
