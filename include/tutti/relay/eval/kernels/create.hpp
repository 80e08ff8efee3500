#pragma once

#include <tutti/kernel/create.hpp>
#include <tutti/kernel/numbers.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/create.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tutti::relay::kernels {

namespace detail {

/// A tensor of the shape and type that the attributes say; without a shape there is no kernel.
constexpr bool full(const invocation& c, const create_attributes& a, const kernel::number& value, dtype type) {
    const auto shape = numbers("the attribute `shape`", a.shape.value);
    if (!shape) return false;
    kernel::full(value, type, *shape, c.result());
    return true;
}

} // namespace detail

/// The number of elements of a tensor of that shape, as ndarray_size gives it. Requires: as `shape_tensor`.
constexpr tensor size_tensor(std::span<const dim> dims, dtype type) {
    std::uint64_t size = 1;
    for (const dim d : dims) size *= static_cast<std::uint64_t>(d.value());
    tensor out;
    kernel::full(static_cast<std::int64_t>(size), type, {}, out);
    return out;
}

/// A shape as a tensor of that element type, as shape_of gives it. Requires: every dimension is known; the type is not `none`.
constexpr tensor shape_tensor(std::span<const dim> dims, dtype type) {
    std::vector<std::int64_t> sizes;
    for (const dim d : dims) sizes.push_back(d.value());
    tensor out;
    kernel::list_of(sizes, type, out);
    return out;
}

/// The operators that make a tensor of a shape, or say the shape of one.
inline constexpr std::array create_kernels{
    kernel_for<op::full>([](const invocation& c, const create_attributes& a) {
        const tensor& value = c.input(0);
        return detail::full(c, a, kernel::scalar("full", "the value", value),
                            a.dtype == dtype::none ? value.type() : a.dtype);
    }),
    kernel_for<op::ones>(
        [](const invocation& c, const create_attributes& a) { return detail::full(c, a, std::int64_t{1}, a.dtype); }),
    kernel_for<op::zeros>(
        [](const invocation& c, const create_attributes& a) { return detail::full(c, a, std::int64_t{0}, a.dtype); }),
    kernel_for<op::ndarray_size>([](const invocation& c, const shape_of_attributes& a) {
        kernel::full(c.input(0).size(), a.dtype, {}, c.result());
    }),
    kernel_for<op::shape_of>(
        [](const invocation& c, const shape_of_attributes& a) { kernel::shape_of(c.input(0), a.dtype, c.result()); }),
};

} // namespace tutti::relay::kernels
