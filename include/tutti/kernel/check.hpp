#pragma once

#include <tutti/error.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

// What the kernels over `tensor` share: they check shapes and element types, and make the result. Where a check fails they throw
// `tutti::error`.

namespace tutti::kernel {

/// A shape as Relay writes it: "(2, 3)", "(4,)", "()".
inline std::string text(std::span<const std::int64_t> shape) {
    std::string s = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) s += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return s + (shape.size() == 1 ? ",)" : ")");
}

/// A tensor's shape and element type: "(2, 3) float32".
inline std::string text(const tensor& t) { return text(t.shape()) + " " + std::string(name(t.type())); }

namespace detail {

[[noreturn]] inline void fail(std::string_view kernel, std::string problem, std::string expected) {
    throw error{"kernel::" + std::string(kernel), std::move(problem), std::move(expected)};
}

[[noreturn]] inline void fail_type(std::string_view kernel, const tensor& t, std::string_view expected) {
    fail(kernel, "cannot compute with elements of type " + std::string(name(t.type())), std::string(expected));
}

[[noreturn]] inline void fail_pair(std::string_view kernel, std::string_view first, const tensor& a,
                                   std::string_view second, const tensor& b, std::string_view expected) {
    fail(kernel, std::string(first) + " is " + text(a) + " and " + std::string(second) + " is " + text(b),
         std::string(expected));
}

/// Where `axis`, which may count from the end, is in `rank` axes.
constexpr std::size_t checked_axis(std::string_view kernel, std::int64_t axis, std::size_t rank) {
    const auto n = static_cast<std::int64_t>(rank);
    if (axis < -n || axis >= n)
        fail(kernel, "axis " + std::to_string(axis) + " of a tensor of rank " + std::to_string(rank),
             n == 0 ? "a rank of at least 1" : "an axis from " + std::to_string(-n) + " to " + std::to_string(n - 1));
    return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

constexpr void check_rank(std::string_view kernel, const tensor& t) {
    if (t.rank() > max_rank)
        fail(kernel, "a tensor of rank " + std::to_string(t.rank()), "a rank of at most " + std::to_string(max_rank));
}

/// Throws: tutti::error if a result of that shape would have 2^48 elements or more.
constexpr void check_size(std::string_view kernel, std::span<const std::int64_t> shape) {
    constexpr std::int64_t limit = std::int64_t{1} << 48;
    std::int64_t n = 1;
    for (const std::int64_t d : shape) {
        if (d != 0 && n >= limit / d) fail(kernel, "a result of shape " + text(shape), "fewer than 2^48 elements");
        n *= d;
    }
}

/// Makes `out` a result of that type and shape, all of whose elements are yet to be written: they have no specified values.
///
/// Requires: no dimension is negative; `shape` is not that of `out` itself.
/// Throws:   tutti::error if it would have 2^48 elements or more; `out` is then as it was.
constexpr void make_result(std::string_view kernel, dtype type, std::span<const std::int64_t> shape, tensor& out) {
    check_size(kernel, shape);
    out.reset(type, shape);
}

} // namespace detail
} // namespace tutti::kernel
