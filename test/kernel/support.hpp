#pragma once

// Helpers for kernel tests: random input whose seed is printed on failure, and comparison with results computed in
// double.

#include <tutti/base/error.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace test {

using shape_t = std::vector<std::int64_t>;
using tutti::kernel::dtype;
using tutti::kernel::float16;
using tutti::kernel::tensor;

/// A source of random numbers, which differ in each run. Set the environment variable TUTTI_SEED to reproduce a run.
class random_source {
public:
    random_source() : engine_(seed()) {}

    static std::uint32_t seed() {
        static const std::uint32_t value = [] {
            const char* given = std::getenv("TUTTI_SEED");
            return given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10))
                                    : std::random_device{}();
        }();
        return value;
    }

    double real(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
    std::int64_t integer(std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
    }
    std::uint64_t bits() { return engine_(); }

    /// Returns a tensor of random values between `low` and `high`.
    template <class T>
    tensor filled(shape_t shape, double low = -1, double high = 1) {
        tensor t(tutti::kernel::dtype_of<T>, std::move(shape));
        for (T& x : t.mutable_elements<T>()) x = tutti::kernel::convert<T>(real(low, high));
        return t;
    }

private:
    std::mt19937_64 engine_;
};

/// Returns the number of random cases of a test: `usual`, multiplied by the environment variable TUTTI_ROUNDS if set.
inline int rounds(int usual) {
    const char* given = std::getenv("TUTTI_ROUNDS");
    return given != nullptr ? usual * std::max(1, std::atoi(given)) : usual;
}

/// Prints the seed if the test fails. For tests with random numbers.
#define TUTTI_TEST_SEED() INFO("TUTTI_SEED=" << test::random_source::seed())

/// Returns the result of a kernel called with `arguments` and an output. The output's memory is dirty, so that an
/// element left unwritten causes a failure.
///
/// Example: `made([](auto&... a) { kernel::softmax(a...); }, data, axis)`, or `made(kernel::add, lhs, rhs)` for a
/// function that is not overloaded.
template <class F, class... Arguments>
tensor made(F kernel, const Arguments&... arguments) {
    tensor out(dtype::uint8, {1 << 14});
    std::ranges::fill(out.mutable_elements<std::uint8_t>(), std::uint8_t{0x5B});
    kernel(arguments..., out);
    return out;
}

/// Returns a tensor with its elements converted to another type.
inline tensor converted(const tensor& t, dtype type) {
    tensor out;
    tutti::kernel::cast(t, type, out);
    return out;
}

/// Returns the elements of a tensor as doubles.
inline std::vector<double> values(const tensor& t) {
    const tensor wide = converted(t, dtype::float64);
    return {wide.elements<double>().begin(), wide.elements<double>().end()};
}

/// Returns the first difference between a tensor and the expected shape and elements; empty if there is none. Elements
/// may differ by `tolerance` times the largest expected magnitude (at least 1). NaN equals NaN.
inline std::string difference(const tensor& got, const shape_t& shape, const std::vector<double>& expected,
                              double tolerance) {
    if (shape_t(got.shape().begin(), got.shape().end()) != shape) return "shape " + tutti::kernel::text(got.shape());
    const std::vector<double> actual = values(got);
    if (actual.size() != expected.size()) return std::to_string(expected.size()) + " elements expected";
    double largest = 1;
    for (const double x : expected)
        if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const bool same = actual[i] == expected[i] || (std::isnan(actual[i]) && std::isnan(expected[i]));
        if (!same && !(std::abs(actual[i] - expected[i]) <= tolerance * largest))
            return "element " + std::to_string(i) + " is " + std::to_string(actual[i]) + ", not " +
                   std::to_string(expected[i]);
    }
    return {};
}

/// True if `a` and `b` have the same type, shape and bits.
inline bool identical(const tensor& a, const tensor& b) {
    return a.type() == b.type() && std::ranges::equal(a.shape(), b.shape()) &&
           (a.size() == 0 || std::memcmp(a.memory(), b.memory(),
                                         static_cast<std::size_t>(a.size()) * tutti::kernel::bytes(a.type())) == 0);
}

/// Calls `f(index)` for each index of a shape, in row-major order.
template <class F>
void for_each_index(const shape_t& shape, F f) {
    for (const std::int64_t d : shape)
        if (d == 0) return;
    shape_t index(shape.size(), 0);
    for (;;) {
        f(index);
        std::size_t d = shape.size();
        while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
        if (d == 0) return;
    }
}

/// Returns the row-major offset of the element at `index`.
inline std::size_t offset(const shape_t& shape, const shape_t& index) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) at = at * shape[d] + index[d];
    return static_cast<std::size_t>(at);
}

/// Returns the message of the tutti::error that `f` throws, or "nothing thrown".
template <class F>
std::string error_of(F f) {
    try {
        f();
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "nothing thrown";
}

} // namespace test
