#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/testing/choices.hpp>

#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM::testing {

using kernel::dtype;

/// The kinds of elements of a made-up tensor.
enum class elements : std::uint8_t {
    small,       ///< small numbers, with halves and quarters
    any,         ///< integers from the type's whole range, or fractions between -2 and 2
    positive,    ///< from 1/4 to 4
    edges,       ///< signed zeros, least and greatest numbers and their neighbours, subnormals, infinities, rarely NaN
    not_numbers, ///< small numbers, with NaN for floating point
};

namespace detail {

template <class T>
T made_up(elements kind, std::mt19937_64& random) {
    const auto pick = [&](std::uint64_t count) { return static_cast<std::int64_t>(random() % count); };
    if constexpr (std::is_same_v<T, bool>) {
        return pick(2) == 1;
    } else if constexpr (std::is_same_v<T, kernel::float16>) {
        if (kind == elements::not_numbers && pick(3) == 0) return kernel::float16::from_bits(0x7E00);
        if (kind != elements::edges) return kernel::float16(made_up<float>(kind, random));
        constexpr std::uint16_t edges[]{0x0000, 0x8000, 0x3C00, 0x7BFF, 0xFBFF, 0x0001,
                                        0x8001, 0x0400, 0x7C00, 0xFC00, 0x3800, 0x5640};
        if (pick(32) == 0) return kernel::float16::from_bits(0x7E00);
        return kernel::float16::from_bits(edges[pick(std::size(edges))]);
    } else if constexpr (kernel::is_half<T>) {
        if (kind == elements::not_numbers && pick(3) == 0) return kernel::bfloat16::from_bits(0x7FC0);
        if (kind != elements::edges) return kernel::bfloat16(made_up<float>(kind, random));
        constexpr std::uint16_t edges[]{0x0000, 0x8000, 0x3F80, 0x7F7F, 0xFF7F, 0x0001,
                                        0x8001, 0x0080, 0x7F80, 0xFF80, 0x3F00, 0x47C3};
        if (pick(32) == 0) return kernel::bfloat16::from_bits(0x7FC0);
        return kernel::bfloat16::from_bits(edges[pick(std::size(edges))]);
    } else if constexpr (std::is_floating_point_v<T>) {
        using limits = std::numeric_limits<T>;
        constexpr T edges[]{T{0},
                            -T{0},
                            T{1},
                            limits::max(),
                            limits::lowest(),
                            limits::denorm_min(),
                            -limits::denorm_min(),
                            limits::min(),
                            limits::infinity(),
                            -limits::infinity(),
                            T{0.5},
                            T{1e5}};
        switch (kind) {
        case elements::not_numbers:
            if (pick(3) == 0) return limits::quiet_NaN();
            [[fallthrough]];
        case elements::small:
            return static_cast<T>(pick(33) - 16) / 4;
        case elements::any:
            return static_cast<T>(pick(1 << 20) - (1 << 19)) / T{1 << 18};
        case elements::positive:
            return static_cast<T>(pick(16) + 1) / 4;
        case elements::edges:
            break;
        }
        return pick(32) == 0 ? limits::quiet_NaN() : edges[pick(std::size(edges))];
    } else {
        using limits = std::numeric_limits<T>;
        constexpr T edges[]{T{0}, T{1}, static_cast<T>(-1), limits::max(), limits::min(), limits::max() - 1};
        switch (kind) {
        case elements::not_numbers:
        case elements::small:
            return static_cast<T>(std::is_signed_v<T> ? pick(9) - 4 : pick(9));
        case elements::any:
            return static_cast<T>(random());
        case elements::positive:
            return static_cast<T>(pick(4) + 1);
        case elements::edges:
            break;
        }
        return edges[pick(std::size(edges))];
    }
}

} // namespace detail

/// Returns a tensor with elements determined by `seed`.
inline kernel::tensor made_up_tensor(dtype type, vector<std::int64_t> shape, elements kind, std::uint64_t seed) {
    if (kernel::is_narrow(type)) {
        kernel::tensor narrow;
        kernel::cast(made_up_tensor(kernel::wide_type(type), std::move(shape), kind, seed), type, narrow);
        return narrow;
    }
    kernel::tensor t(type, std::move(shape));
    std::mt19937_64 random(seed);
    kernel::with_element_type(type, [&]<class T>(std::type_identity<T>) {
        // Among edges, one element in four is a small number.
        for (T& x : t.mutable_elements<T>())
            x = detail::made_up<T>(kind == elements::edges && random() % 4 == 0 ? elements::small : kind, random);
    });
    return t;
}

/// Returns a rank-0 tensor.
inline kernel::tensor scalar_of(dtype type, double value) {
    kernel::tensor t(type, {});
    kernel::number(value).put(t, 0);
    return t;
}

/// Returns the least finite number of a type.
inline double lowest(dtype type) {
    if (type == dtype::float16) return -65504;
    if (type == dtype::bfloat16) return -0x1.FEp127;
    if (type == dtype::float32) return std::numeric_limits<float>::lowest();
    if (type == dtype::float64) return std::numeric_limits<double>::lowest();
    return static_cast<double>(kernel::values_of(type).least);
}

inline double greatest(dtype type) {
    return kernel::is_floating(type) ? -lowest(type) : static_cast<double>(kernel::values_of(type).greatest);
}

} // namespace tutti::relay::inline TUTTI_FORM::testing
