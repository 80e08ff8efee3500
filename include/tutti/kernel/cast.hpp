#pragma once

#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convert.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace tutti::kernel {

/// Converts each element. Requires: `in` and `out` have the same number of elements and do not overlap.
template <class To, class From>
constexpr void cast(view<const From> in, view<To> out) {
    std::transform(in.elements().begin(), in.elements().end(), out.data, [](From x) { return convert<To>(x); });
}

/// Converts the elements to `type`, like `convert`. Shares the elements if they already have that type.
///
/// Throws: tutti::error if either type is `none`.
constexpr void cast(const tensor& data, dtype type, tensor& out) {
    if (type == dtype::none) detail::fail("cast", "to elements of type void", "an element type");
    detail::check_any("cast", data);
    if (data.type() == type) return out.share(data, data.shape());
    detail::make_result("cast", type, data.shape(), out);
    detail::with_arithmetic(data.type(), [&]<class C>(std::type_identity<C>) {
        C room[detail::block_length];
        for (std::int64_t at = 0; at < data.size(); at += detail::block_length) {
            const std::int64_t n = std::min(detail::block_length, data.size() - at);
            detail::convert_block<C>(detail::read_block(data, at, n, +room), n, out, at);
        }
    });
}

/// Returns the tensor with elements of a type for arithmetic: converts narrow elements to `wide_type`, shares others.
constexpr tensor widened(const tensor& t) {
    if (!is_narrow(t.type())) return t;
    tensor wide;
    cast(t, wide_type(t.type()), wide);
    return wide;
}

namespace detail {

template <class T>
using bits_type =
    std::conditional_t<sizeof(T) == 1, std::uint8_t,
                       std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                          std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

constexpr void reinterpret_constants(const tensor& data, tensor& out) {
    for (std::int64_t i = 0; i < data.size(); ++i) {
        const auto bits = with_element_type(data.type(), [&]<class From>(std::type_identity<From>) -> std::uint64_t {
            return std::bit_cast<bits_type<From>>(data.data<From>()[i]);
        });
        with_element_type(out.type(), [&]<class To>(std::type_identity<To>) {
            if constexpr (std::is_same_v<To, bool>)
                out.mutable_data<To>()[i] = bits != 0;
            else
                out.mutable_data<To>()[i] = std::bit_cast<To>(static_cast<bits_type<To>>(bits));
        });
    }
}

} // namespace detail

/// Reads the bits of the elements as another type of the same size; shares the elements if they have that type already.
/// An element read as bool is true if any of its bits is set.
///
/// Throws: tutti::error if the sizes differ, or if the tensor is empty.
constexpr void reinterpret(const tensor& data, dtype type, tensor& out) {
    detail::check_any("reinterpret", data);
    if (bytes(data.type()) != bytes(type))
        detail::fail("reinterpret", {"elements of type ", data.type(), " as ", type}, "types of the same size");
    if (data.type() == type) return out.share(data, data.shape());
    detail::make_result("reinterpret", type, data.shape(), out);
    if (__builtin_is_constant_evaluated()) return detail::reinterpret_constants(data, out);
    const auto size = static_cast<std::size_t>(data.size()) * bytes(type);
    std::memcpy(out.mutable_memory(), data.memory(), size);
    if (type != dtype::boolean) return;
    auto* truth = static_cast<unsigned char*>(out.mutable_memory());
    for (std::size_t i = 0; i < size; ++i) truth[i] = truth[i] != 0;
}

} // namespace tutti::kernel
