#include <tutti/kernel/arange.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using test::difference;
using test::error_of;
using test::made;

namespace {

constexpr bool counts_in_constant_evaluation() {
    tensor out;
    kernel::arange(tensor::scalar(5), tensor::scalar(0), tensor::scalar(-2), dtype::int32, out);
    return out.size() == 3 && out.elements<std::int32_t>()[2] == 1;
}

template <class T>
tensor numbers(T start, T stop, T step, dtype type) {
    return made(kernel::arange, tensor::scalar(start), tensor::scalar(stop), tensor::scalar(step), type);
}

template <class T>
std::int64_t length(T start, T stop, T step) {
    return kernel::arange_length(tensor::scalar(start), tensor::scalar(stop), tensor::scalar(step));
}

} // namespace

TEST_CASE("arange: counts in constant evaluation", "[kernel][arange]") {
    static_assert(counts_in_constant_evaluation());
    CHECK(counts_in_constant_evaluation());
}

TEST_CASE("arange: numbers up, down, or none", "[kernel][arange]") {
    CHECK(difference(numbers(1.F, 20.5F, 5.F, dtype::float32), {4}, {1, 6, 11, 16}, 0) == "");
    CHECK(difference(numbers(1.F, 0.F, -0.25F, dtype::float32), {4}, {1, 0.75, 0.5, 0.25}, 0) == "");
    CHECK(difference(numbers(std::int8_t{120}, std::int8_t{127}, std::int8_t{4}, dtype::int8), {2}, {120, 124}, 0) ==
          "");
    CHECK(difference(numbers(3, 0, 1, dtype::int32), {0}, {}, 0) == "");
    CHECK(difference(numbers(3., 0., 1., dtype::float64), {0}, {}, 0) == "");
    CHECK(numbers(0, 5000, 1, dtype::int64).elements<std::int64_t>()[4999] == 4999);
}

TEST_CASE("arange: how many there are, where the numbers are as large as they can be", "[kernel][arange]") {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    CHECK(length<std::int64_t>(least, most, most) == 3);
    CHECK(length<std::int64_t>(most, least, least) == 2);
    CHECK(length<std::int64_t>(most - 5, most, 2) == 3);
    const std::string expected = "expected a step that is not 0, and fewer than 2^48 numbers";
    CHECK(error_of([&] { length<std::int64_t>(least, most, 1); }).ends_with(expected));
    CHECK(error_of([&] { length(0, 1, 0); }).ends_with(expected));
    CHECK(error_of([&] { length(0.F, 1.F, 0.F); }).ends_with(expected));
    CHECK(error_of([&] { length(0.F, std::numeric_limits<float>::quiet_NaN(), 1.F); }).ends_with(expected));
    CHECK(error_of([&] { length(0.F, -std::numeric_limits<float>::infinity(), 1.F); }).ends_with(expected));
    CHECK(error_of([&] { length(0., 1e300, 1e-300); }).ends_with(expected));
    CHECK(error_of([&] {
              kernel::arange_length(tensor::scalar(0), tensor::scalar(1.F), tensor::scalar(1));
          }).ends_with("expected numbers of one type"));
    CHECK(error_of([&] {
              kernel::arange_length(tensor({2}, {0, 1}), tensor::scalar(1), tensor::scalar(1));
          }).ends_with("expected one integer"));
    CHECK(error_of([&] { numbers(0, 1, 1, dtype::none); }) ==
          "kernel::arange: elements of type void; expected an element type");
}
