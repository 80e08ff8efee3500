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
/// Types with lanes, such as `int8x4`, have no enumerators: `with_lanes` returns them. Programs may use types with
/// lanes, but tensors cannot have them.
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

    // Narrow types: each element takes one byte in memory. The lower four bits of the enumerators are 15, as in no
    // other type.
    float8_e4m3fn = 0x0F,
    float8_e4m3fnuz = 0x1F,
    float8_e5m2 = 0x2F,
    float8_e5m2fnuz = 0x3F,
    float8_e8m0fnu = 0x4F,
    float4_e2m1fn = 0x5F,
    int4 = 0x6F,
    uint4 = 0x7F,
    int2 = 0x8F,
    uint2 = 0x9F,
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

// The names of the narrow types, indexed by the upper four bits of the dtype.
inline constexpr std::array<std::string_view, 10> narrow_names{"float8_e4m3fn",  "float8_e4m3fnuz",
                                                               "float8_e5m2",    "float8_e5m2fnuz",
                                                               "float8_e8m0fnu", "float4_e2m1fn",
                                                               "int4",           "uint4",
                                                               "int2",           "uint2"};

// Numbers of lanes. In a dtype that is not narrow, the lower four bits are the type of a lane and the upper four bits
// are an index into this list.
inline constexpr std::array<std::uint16_t, 16> lane_counts{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64, 128, 256};

struct lane_name {
    char text[12] = {}; // "bfloat16x256"
    std::uint8_t size = 0;
};

// The names of types with lanes, indexed by dtype. The reference treats bool as a 1-bit unsigned integer.
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

/// True for types of less than a byte and for floating-point types of a byte. Tensors store one such element per byte:
/// floating-point elements as their bits, integers as an int8 or uint8 of the same value.
constexpr bool is_narrow(dtype type) {
    return (static_cast<unsigned>(type) & 15U) == 15 &&
           static_cast<std::size_t>(type) >> 4 < detail::narrow_names.size();
}
constexpr bool is_narrow_floating(dtype type) { return is_narrow(type) && type <= dtype::float4_e2m1fn; }
constexpr bool is_narrow_integer(dtype type) { return is_narrow(type) && type > dtype::float4_e2m1fn; }

/// Returns the number of lanes; 1 for most types.
constexpr unsigned lane_count(dtype type) {
    return is_narrow(type) ? 1 : detail::lane_counts[static_cast<std::size_t>(type) >> 4];
}

/// Returns the type of one lane: `type` itself if it has only one lane.
constexpr dtype lane_type(dtype type) {
    return is_narrow(type) ? type : static_cast<dtype>(static_cast<unsigned>(type) & 15U);
}

/// True if `number` is the value of a dtype, with or without lanes.
constexpr bool is_dtype(std::uint8_t number) {
    return (number & 15U) < detail::dtypes.size() || is_narrow(static_cast<dtype>(number));
}

/// Returns the type with `count` lanes, or `none` if no such type exists. Types have 1 to 8, 12, 16, 24, 32, 48, 64,
/// 128 or 256 lanes; narrow types have one lane only.
///
/// Requires: `lane` has one lane and is not `none`.
constexpr dtype with_lanes(dtype lane, std::uint64_t count) {
    if (is_narrow(lane)) return count == 1 ? lane : dtype::none;
    for (std::size_t i = 0; i < detail::lane_counts.size(); ++i)
        if (detail::lane_counts[i] == count) return static_cast<dtype>(static_cast<std::size_t>(lane) | i << 4);
    return dtype::none;
}

/// Returns the type's name in Relay text: "float32", "bool", "int8x4"; "void" for `none`.
constexpr std::string_view name(dtype type) {
    const auto number = static_cast<std::size_t>(type);
    if (number < detail::dtypes.size()) return detail::dtypes[number].name;
    if (is_narrow(type)) return detail::narrow_names[number >> 4];
    return {detail::lane_names[number].text, detail::lane_names[number].size};
}

/// Returns the size of one element in memory, in bytes; 0 for `none`.
constexpr std::size_t bytes(dtype type) {
    return is_narrow(type) ? 1 : detail::dtypes[static_cast<std::size_t>(lane_type(type))].bytes * lane_count(type);
}

/// Returns the number of significant bits of an element: for bool and some narrow types, fewer than an element occupies
/// in memory.
constexpr std::size_t bits(dtype type) {
    if (type == dtype::boolean) return 1;
    if (type == dtype::int2 || type == dtype::uint2) return 2;
    return is_narrow_integer(type) || type == dtype::float4_e2m1fn ? 4 : 8 * bytes(type);
}

/// Returns the type with the name `text`, or `none` if there is no such type.
constexpr dtype dtype_named(std::string_view text) {
    for (std::size_t i = 1; i < detail::dtypes.size(); ++i)
        if (detail::dtypes[i].name == text) return static_cast<dtype>(i);
    for (std::size_t i = 0; i < detail::narrow_names.size(); ++i)
        if (detail::narrow_names[i] == text) return static_cast<dtype>(i << 4 | 15U);
    if (text.find('x') == std::string_view::npos) return dtype::none;
    for (std::size_t i = 17; i < detail::lane_names.size(); ++i)
        if (detail::lane_names[i].size != 0 && name(static_cast<dtype>(i)) == text) return static_cast<dtype>(i);
    return dtype::none;
}

/// True for floating-point types. `is_integer` is true for integer types. Both are false for narrow types and types
/// with lanes.
constexpr bool is_floating(dtype type) { return type >= dtype::float16 && type <= dtype::float64; }
constexpr bool is_integer(dtype type) { return type >= dtype::int8 && type <= dtype::uint64; }

/// The smallest and the largest value of an integer type, clamped to the range of std::int64_t; 0 and 1 for bool.
struct integer_range {
    std::int64_t least = 0;
    std::int64_t greatest = 1;
};

/// Returns the range of a type. Requires: the type is not a floating-point type.
constexpr integer_range values_of(dtype type) {
    if (type == dtype::boolean) return {};
    const bool has_sign = type <= dtype::int64 || type == dtype::int4 || type == dtype::int2;
    const std::size_t digits = bits(type) == 64 ? 63 : bits(type) - (has_sign ? 1 : 0);
    const auto greatest = static_cast<std::int64_t>((std::uint64_t{1} << digits) - 1);
    return {has_sign ? -greatest - 1 : 0, greatest};
}

/// Returns the type itself or, for a narrow type, the type in which kernels compute with its values: float32, int8 or
/// uint8.
constexpr dtype wide_type(dtype type) {
    if (!is_narrow(type)) return type;
    return is_narrow_floating(type) ? dtype::float32 : values_of(type).least < 0 ? dtype::int8 : dtype::uint8;
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

/// Calls `f(std::type_identity<T>{})` with the C++ type in which elements of `type` are stored. T is int8 or uint8 for
/// narrow integers, and uint8 (the bits of an element) for narrow floating-point types.
///
/// Requires: `type` is not `none`; `f` returns the same type for every T.
template <class F>
constexpr decltype(auto) with_element_type(dtype type, F&& f) {
    switch (type) {
    case dtype::none:
    case dtype::boolean:
        return f(std::type_identity<bool>{});
    case dtype::int8:
    case dtype::int4:
    case dtype::int2:
        return f(std::type_identity<std::int8_t>{});
    case dtype::int16:
        return f(std::type_identity<std::int16_t>{});
    case dtype::int32:
        return f(std::type_identity<std::int32_t>{});
    case dtype::int64:
        return f(std::type_identity<std::int64_t>{});
    case dtype::uint8:
    case dtype::float8_e4m3fn:
    case dtype::float8_e4m3fnuz:
    case dtype::float8_e5m2:
    case dtype::float8_e5m2fnuz:
    case dtype::float8_e8m0fnu:
    case dtype::float4_e2m1fn:
    case dtype::uint4:
    case dtype::uint2:
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
