#pragma once

#include <tutti/kernel/float16.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// The element type of a tensor. `none` stands for "not given" (the reference's `void`).
enum class dtype : std::uint8_t {
    none,
    boolean,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    float32,
    float64,
};

namespace detail {

struct dtype_facts {
    std::string_view name;
    std::size_t bytes;
};

inline constexpr std::array<dtype_facts, 13> dtypes{{{"void", 0},
                                                     {"bool", 1},
                                                     {"int8", 1},
                                                     {"int16", 2},
                                                     {"int32", 4},
                                                     {"int64", 8},
                                                     {"uint8", 1},
                                                     {"uint16", 2},
                                                     {"uint32", 4},
                                                     {"uint64", 8},
                                                     {"float16", 2},
                                                     {"float32", 4},
                                                     {"float64", 8}}};

} // namespace detail

/// The type's name in Relay text: "float32", "bool"; "void" for `none`.
constexpr std::string_view name(dtype type) { return detail::dtypes[static_cast<std::size_t>(type)].name; }

/// The size of one element in bytes; 0 for `none`.
constexpr std::size_t bytes(dtype type) { return detail::dtypes[static_cast<std::size_t>(type)].bytes; }

/// The type with that name, or `none` if there is none.
constexpr dtype dtype_named(std::string_view text) {
    for (std::size_t i = 1; i < detail::dtypes.size(); ++i)
        if (detail::dtypes[i].name == text) return static_cast<dtype>(i);
    return dtype::none;
}

constexpr bool is_floating(dtype type) { return type >= dtype::float16; }
constexpr bool is_integer(dtype type) { return type >= dtype::int8 && type <= dtype::uint64; }

/// The least and the greatest value of a type of integers, of uint64 as many as fit; of bool 0 and 1.
struct integer_range {
    std::int64_t least = 0;
    std::int64_t greatest = 1;
};

/// Requires: no type of floating point.
constexpr integer_range values_of(dtype type) {
    if (type == dtype::boolean) return {};
    const bool has_sign = type <= dtype::int64;
    const std::size_t bits = bytes(type) == 8 ? 63 : 8 * bytes(type) - (has_sign ? 1 : 0);
    const auto greatest = static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
    return {has_sign ? -greatest - 1 : 0, greatest};
}

/// The dtype of a C++ element type.
template <class T>
inline constexpr dtype dtype_of = dtype::none;
template <>
inline constexpr dtype dtype_of<bool> = dtype::boolean;
template <>
inline constexpr dtype dtype_of<std::int8_t> = dtype::int8;
template <>
inline constexpr dtype dtype_of<std::int16_t> = dtype::int16;
template <>
inline constexpr dtype dtype_of<std::int32_t> = dtype::int32;
template <>
inline constexpr dtype dtype_of<std::int64_t> = dtype::int64;
template <>
inline constexpr dtype dtype_of<std::uint8_t> = dtype::uint8;
template <>
inline constexpr dtype dtype_of<std::uint16_t> = dtype::uint16;
template <>
inline constexpr dtype dtype_of<std::uint32_t> = dtype::uint32;
template <>
inline constexpr dtype dtype_of<std::uint64_t> = dtype::uint64;
template <>
inline constexpr dtype dtype_of<float16> = dtype::float16;
template <>
inline constexpr dtype dtype_of<float> = dtype::float32;
template <>
inline constexpr dtype dtype_of<double> = dtype::float64;

/// Calls `f(std::type_identity<T>{})` with the C++ type of `type`'s elements.
///
/// Requires: `type` is not `none`; `f` returns the same type for each.
template <class F>
constexpr decltype(auto) with_element_type(dtype type, F&& f) {
    switch (type) {
    case dtype::none:
    case dtype::boolean:
        return f(std::type_identity<bool>{});
    case dtype::int8:
        return f(std::type_identity<std::int8_t>{});
    case dtype::int16:
        return f(std::type_identity<std::int16_t>{});
    case dtype::int32:
        return f(std::type_identity<std::int32_t>{});
    case dtype::int64:
        return f(std::type_identity<std::int64_t>{});
    case dtype::uint8:
        return f(std::type_identity<std::uint8_t>{});
    case dtype::uint16:
        return f(std::type_identity<std::uint16_t>{});
    case dtype::uint32:
        return f(std::type_identity<std::uint32_t>{});
    case dtype::uint64:
        return f(std::type_identity<std::uint64_t>{});
    case dtype::float16:
        return f(std::type_identity<float16>{});
    case dtype::float32:
        return f(std::type_identity<float>{});
    case dtype::float64:
        break;
    }
    return f(std::type_identity<double>{});
}

} // namespace tutti::kernel
