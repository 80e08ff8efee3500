#pragma once

#include <tutti/kernel/bfloat16.hpp>
#include <tutti/kernel/float16.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// The element type of a tensor. `none` means "not given" (the reference's `void`).
///
/// Types with lanes, such as `int8x4`, are values made by `with_lanes`; types in programs may have lanes, tensors do
/// not.
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
    bfloat16,
    float32,
    float64,
};

namespace detail {

struct dtype_facts {
    std::string_view name;
    std::size_t bytes;
};

inline constexpr std::array<dtype_facts, 14> dtypes{{{"void", 0},
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
                                                     {"bfloat16", 2},
                                                     {"float32", 4},
                                                     {"float64", 8}}};

// The lower four bits of a dtype are the type of a lane, the upper four the index of the number of lanes.
inline constexpr std::array<std::uint16_t, 16> lane_counts{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 128, 256};

struct lane_name {
    char text[12] = {}; // "bfloat16x256"
    std::uint8_t size = 0;
};

// The names of types with lanes, by dtype. The reference treats bool as a 1-bit unsigned integer.
inline constexpr auto lane_names = [] {
    std::array<lane_name, 256> names{};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i % 16 == 0 || i % 16 >= dtypes.size()) continue;
        lane_name& made = names[i];
        for (const char c :
             i % 16 == static_cast<std::size_t>(dtype::boolean) ? std::string_view("uint1") : dtypes[i % 16].name)
            made.text[made.size++] = c;
        made.text[made.size++] = 'x';
        const unsigned lanes = lane_counts[i / 16];
        for (unsigned unit = lanes >= 100 ? 100 : lanes >= 10 ? 10 : 1; unit != 0; unit /= 10)
            made.text[made.size++] = static_cast<char>('0' + lanes / unit % 10);
    }
    return names;
}();

} // namespace detail

/// Returns the number of lanes; 1 for most types.
constexpr unsigned lane_count(dtype type) { return detail::lane_counts[static_cast<std::size_t>(type) >> 4]; }

/// Returns the type of one lane: the type itself if it has only one.
constexpr dtype lane_type(dtype type) { return static_cast<dtype>(static_cast<unsigned>(type) & 15U); }

/// True if some type has this number.
constexpr bool is_dtype(std::uint8_t number) { return (number & 15U) < detail::dtypes.size(); }

/// Returns the type with `count` lanes, or `none` if there is none: 1 to 8, 12, 16, 24, 32, 48, 64, 128 or 256.
///
/// Requires: `lane` has one lane and is not `none`.
constexpr dtype with_lanes(dtype lane, std::uint64_t count) {
    for (std::size_t i = 0; i < detail::lane_counts.size(); ++i)
        if (detail::lane_counts[i] == count) return static_cast<dtype>(static_cast<std::size_t>(lane) | i << 4);
    return dtype::none;
}

/// Returns the type's name in Relay text: "float32", "bool", "int8x4"; "void" for `none`.
constexpr std::string_view name(dtype type) {
    const auto number = static_cast<std::size_t>(type);
    if (number < detail::dtypes.size()) return detail::dtypes[number].name;
    return {detail::lane_names[number].text, detail::lane_names[number].size};
}

/// Returns the size of one element in bytes; 0 for `none`.
constexpr std::size_t bytes(dtype type) {
    return detail::dtypes[static_cast<std::size_t>(lane_type(type))].bytes * lane_count(type);
}

/// Returns the type of that name, or `none` if there is none.
constexpr dtype dtype_named(std::string_view text) {
    for (std::size_t i = 1; i < detail::dtypes.size(); ++i)
        if (detail::dtypes[i].name == text) return static_cast<dtype>(i);
    if (text.find('x') == std::string_view::npos) return dtype::none;
    for (std::size_t i = 17; i < detail::lane_names.size(); ++i)
        if (detail::lane_names[i].size != 0 && name(static_cast<dtype>(i)) == text) return static_cast<dtype>(i);
    return dtype::none;
}

/// True if a type is of floating point, or an integer type; false for types with lanes.
constexpr bool is_floating(dtype type) { return type >= dtype::float16 && type <= dtype::float64; }
constexpr bool is_integer(dtype type) { return type >= dtype::int8 && type <= dtype::uint64; }

/// The smallest and the largest value of an integer type that fit std::int64_t; 0 and 1 for bool.
struct integer_range {
    std::int64_t least = 0;
    std::int64_t greatest = 1;
};

/// Returns the range of a type. Requires: the type is not of floating point.
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
inline constexpr dtype dtype_of<bfloat16> = dtype::bfloat16;
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
    case dtype::bfloat16:
        return f(std::type_identity<bfloat16>{});
    case dtype::float32:
        return f(std::type_identity<float>{});
    case dtype::float64:
        break;
    }
    return f(std::type_identity<double>{});
}

} // namespace tutti::kernel
