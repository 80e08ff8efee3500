#pragma once

#include <tutti/kernel/blocked/integer/integers.hpp>
#include <tutti/kernel/quantized_arithmetic.hpp>

#include "../support.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace test {

/// Describes the first difference between two int32 tensors, which must be identical. Returns "" if there is none.
inline std::string difference_of_integers(const tensor& got, const tensor& expected) {
    if (got.type() != expected.type() || !std::ranges::equal(got.shape(), expected.shape()))
        return "it is " + tutti::kernel::text(got) + ", not " + tutti::kernel::text(expected);
    const auto a = got.elements<std::int32_t>();
    const auto b = expected.elements<std::int32_t>();
    const auto at = std::ranges::mismatch(a, b);
    if (at.in1 == a.end()) return {};
    return "element " + std::to_string(at.in1 - a.begin()) + " is " + std::to_string(*at.in1) + ", not " +
           std::to_string(*at.in2);
}

/// Returns random integers of this type, including its smallest and largest.
inline tensor any_integers(random_source& random, dtype type, shape_t shape) {
    const auto filled = [&]<class T>(T least, T greatest) {
        tensor t = random.filled<T>(std::move(shape), least, greatest);
        for (T& x : t.mutable_elements<T>())
            if (random.integer(0, 9) == 0) x = random.integer(0, 1) == 0 ? least : greatest;
        return t;
    };
    if (type == dtype::uint8) return filled(std::uint8_t{0}, std::uint8_t{255});
    if (type == dtype::int8) return filled(std::int8_t{-128}, std::int8_t{127});
    return filled(std::int16_t{-32768}, std::int16_t{32767});
}

/// Operands of an integer product, and their zero points: absent, within the range of the types, or beyond a byte.
struct integer_problem {
    dtype data_type;
    dtype weight_type;
    tensor data_zero;
    tensor weight_zero;
    bool with_zeros;

    /// Creates a random problem. `channels` is the number of channels of the weights, which may each have a zero point.
    integer_problem(random_source& random, std::int64_t channels) {
        constexpr dtype types[]{dtype::uint8, dtype::int8, dtype::int16};
        data_type = types[random.integer(0, 9) == 0 ? 2 : random.integer(0, 1)];
        weight_type = types[random.integer(0, 2) != 0 ? 1 : random.integer(0, 2)];
        with_zeros = random.integer(0, 3) != 0;
        const auto zeros = [&](dtype type, std::int64_t count) {
            tensor t(dtype::int32, {count});
            for (std::int32_t& z : t.mutable_elements<std::int32_t>())
                z = static_cast<std::int32_t>(type == dtype::int16        ? 0
                                              : random.integer(0, 9) == 0 ? random.integer(-1000, 1000)
                                              : type == dtype::int8       ? random.integer(-128, 127)
                                                                          : random.integer(0, 255));
            return t;
        };
        data_zero = tensor::scalar(zeros(data_type, 1).elements<std::int32_t>()[0]);
        weight_zero = zeros(weight_type, random.integer(0, 2) == 0 ? channels : 1);
        if (random.integer(0, 1) == 0)
            for (std::int32_t& z : weight_zero.mutable_elements<std::int32_t>()) z = 0;
    }

    tutti::kernel::blocked::zero_points zeros() const {
        return with_zeros ? tutti::kernel::blocked::zero_points{&data_zero, &weight_zero}
                          : tutti::kernel::blocked::zero_points{};
    }
    /// Returns an operand minus its zero points, as int32.
    tensor less(const tensor& operand, const tensor& zero, std::int64_t axis) const {
        static const tensor nothing = tensor::scalar(std::int32_t{0});
        return made(
            [&](tensor& out) { tutti::kernel::subtract_zero_point(operand, with_zeros ? zero : nothing, axis, out); });
    }
};

} // namespace test
