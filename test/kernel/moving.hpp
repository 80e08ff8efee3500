#pragma once

// Helpers for tests of kernels that move elements: random data of any type and shape, and comparison with elements that
// are computed from their index.

#include <tutti/kernel/narrow.hpp>

#include "support.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace test {

inline constexpr std::array all_dtypes{dtype::boolean, dtype::int8,    dtype::int16,   dtype::int32,
                                       dtype::int64,   dtype::uint8,   dtype::uint16,  dtype::uint32,
                                       dtype::uint64,  dtype::float16, dtype::float32, dtype::float64};
// Types that most kernels only move. Excludes float8_e8m0fnu, which has no 0 to fill positions without an element.
inline constexpr std::array moved_dtypes{
    dtype::bfloat16,      dtype::float8_e4m3fn, dtype::float8_e4m3fnuz, dtype::float8_e5m2, dtype::float8_e5m2fnuz,
    dtype::float4_e2m1fn, dtype::int4,          dtype::uint4,           dtype::int2,        dtype::uint2};

template <std::size_t N>
dtype pick(random_source& random, const std::array<dtype, N>& from) {
    return from[static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(N) - 1))];
}

/// Returns a random type that kernels compute with.
inline dtype any_number_dtype(random_source& random) { return pick(random, all_dtypes); }

/// Returns a random type. In one of eight cases, most kernels only move elements of this type.
inline dtype any_dtype(random_source& random) {
    return random.integer(0, 7) == 0 ? pick(random, moved_dtypes) : any_number_dtype(random);
}

inline shape_t shape_of(const tensor& t) { return {t.shape().begin(), t.shape().end()}; }

/// Returns a random shape of up to `rank` axes, sometimes without elements.
inline shape_t any_shape(random_source& random, std::int64_t rank, std::int64_t least_rank = 0) {
    shape_t shape;
    for (std::int64_t d = random.integer(least_rank, rank); d > 0; --d)
        shape.push_back(random.integer(random.integer(0, 19) == 0 ? 0 : 1, 5));
    return shape;
}

/// Returns random data of this type. The elements are integers from 0 to `most`, which is at most 100. In narrow types,
/// these integers are the bits of the elements.
inline tensor any_data(random_source& random, dtype type, const shape_t& shape, std::int64_t most = 100) {
    tensor t(type, shape);
    tutti::kernel::with_element_type(type, [&]<class T>(std::type_identity<T>) {
        for (T& x : t.mutable_elements<T>()) x = tutti::kernel::convert<T>(random.integer(0, most));
    });
    tutti::kernel::make_valid(type, static_cast<unsigned char*>(t.mutable_memory()),
                              static_cast<std::size_t>(t.size()) * tutti::kernel::bytes(type));
    return t;
}

/// Returns random data of a random type.
inline tensor any_data(random_source& random, const shape_t& shape) {
    return any_data(random, any_dtype(random), shape);
}

/// Returns a random axis of a tensor with `n` axes, counted from either end.
inline std::int64_t any_axis(random_source& random, std::size_t n) {
    const auto rank = static_cast<std::int64_t>(n);
    return random.integer(-rank, rank - 1);
}

inline std::size_t place(std::int64_t axis, std::size_t rank) {
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

/// Gives access to the elements of a tensor by index. Requires: the index is in range.
class elements_of {
public:
    explicit elements_of(const tensor& t) : shape_(shape_of(t)), values_(values(t)) {}
    double operator()(const shape_t& index) const { return values_.at(offset(shape_, index)); }

private:
    shape_t shape_;
    std::vector<double> values_;
};

/// Returns the difference between a tensor and one with elements `f(index)`; empty if they are equal.
template <class F>
std::string difference_from(const tensor& got, dtype type, const shape_t& shape, F f) {
    if (got.type() != type) return "elements of type " + std::string(tutti::kernel::name(got.type()));
    std::vector<double> expected;
    for_each_index(shape, [&](const shape_t& index) { expected.push_back(f(index)); });
    return difference(got, shape, expected, 0);
}

} // namespace test
