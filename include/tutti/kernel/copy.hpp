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
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

// What every kernel that moves elements is made of: two copies, the only code there that knows element types. All else is
// arithmetic on where elements are.

namespace tutti::kernel {

namespace detail {

/// Two axes, along one of which a tensor's elements are neighbours and along the other those of the tensor that they go to.
struct crossing {
    std::size_t read = 0;
    std::size_t written = 0;
};

/// The axes that cross, if a walk in the order of the one tensor would have left the cache before it comes back to the same
/// line of the other.
constexpr std::optional<crossing> crossing_of(std::span<const std::int64_t> shape, const placement& source,
                                              const placement& target) {
    constexpr std::int64_t kept_lines = 256;
    std::optional<std::size_t> read;
    std::optional<std::size_t> written;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 1) continue;
        if (source.strides[d] == 1) read = d;
        if (target.strides[d] == 1) written = d;
    }
    if (!read || !written || *read == *written || source.strides[*written] == 0 || target.strides[*read] < kept_lines)
        return std::nullopt;
    return crossing{*read, *written};
}

constexpr void copy_straight(std::span<const std::int64_t> shape, const tensor& from, const placement& source,
                             tensor& to, const placement& target) {
    with_element_type(to.type(), [&]<class T>(std::type_identity<T>) {
        copy_strided<T>(shape, from.data<T>(), source, to.mutable_data<T>(), target);
    });
}

/// Squares of the two axes that cross, one after another: what is read and what is written of one stays in the cache.
constexpr void copy_squares(crossing axes, std::span<const std::int64_t> shape, const tensor& from,
                            const placement& source, tensor& to, const placement& target) {
    constexpr std::int64_t side = 16;
    extents part;
    placement read{source.first, {}};
    placement written{target.first, {}};
    const auto take = [&](std::size_t d) {
        part.push_back(shape[d]);
        read.strides.push_back(source.strides[d]);
        written.strides.push_back(target.strides[d]);
    };
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (d != axes.read && d != axes.written) take(d);
    take(axes.read);
    take(axes.written);
    const std::size_t last = part.size() - 1;
    for (std::int64_t i = 0; i < shape[axes.read]; i += side)
        for (std::int64_t j = 0; j < shape[axes.written]; j += side) {
            part[last - 1] = std::min(side, shape[axes.read] - i);
            part[last] = std::min(side, shape[axes.written] - j);
            read.first = source.first + i + j * source.strides[axes.written];
            written.first = target.first + i * target.strides[axes.read] + j;
            copy_straight(part, from, read, to, written);
        }
}

} // namespace detail

/// Copies as many elements as `shape` has from their placement in one tensor to that in another; see `copy_strided`.
///
/// Requires: both have one element type; the placements are inside them; `to` is not shared.
/// Cost:     allocates nothing.
constexpr void copy_elements(std::span<const std::int64_t> shape, const tensor& from, const placement& source,
                             tensor& to, const placement& target) {
    assert(from.type() == to.type());
    if (element_count(shape) == 0) return;
    if (const auto axes = detail::crossing_of(shape, source, target))
        detail::copy_squares(*axes, shape, from, source, to, target);
    else
        detail::copy_straight(shape, from, source, to, target);
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
        const T* read = from.data<T>();
        T* write = to.mutable_data<T>();
        for (std::size_t i = 0; i < sources.size(); ++i) copy_run(read + sources[i], length, write + targets[i]);
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
    if (!good) fail(kernel, {"a shape of ", sizes}, {"at most ", max_rank, " sizes, none of them negative"});
}

/// a * b, neither of which is negative. Throws: tutti::error if that is 2^48 or more.
constexpr std::int64_t checked_product(std::string_view kernel, std::int64_t a, std::int64_t b) {
    constexpr std::int64_t limit = std::int64_t{1} << 48;
    if (b != 0 && a > (limit - 1) / b) fail(kernel, {"a size of ", a, " times ", b}, "sizes below 2^48");
    return a * b;
}

/// a + b, of which a is not negative and b between -2^62 and 2^62. Throws: tutti::error if that is 2^48 or more.
constexpr std::int64_t checked_sum(std::string_view kernel, std::int64_t a, std::int64_t b) {
    constexpr std::int64_t limit = std::int64_t{1} << 48;
    if (b > 0 && a >= limit - b) fail(kernel, {"a size of ", a, " and ", b, " more"}, "sizes below 2^48");
    return a + b;
}

/// Throws: tutti::error if the tensor is empty, or of a rank that is too high.
constexpr void check_data(std::string_view kernel, const tensor& t) {
    if (t.empty()) fail(kernel, "an empty tensor", "a tensor with an element type");
    check_rank(kernel, t);
}

} // namespace detail

} // namespace tutti::kernel
