#include <tutti/kernel/support/numbers.hpp>

#include "kernel/moving.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::number;
using kernel::tensor;
using test::error_of;
using test::shape_t;

namespace {

constexpr bool reads_in_constant_evaluation() {
    const tensor sizes({3}, {4, 5, -6});
    const kernel::extents values = kernel::integers("k", "sizes", sizes);
    tensor out(dtype::float32, {2});
    kernel::scalar("k", "value", tensor::scalar(std::int16_t{7})).put(out, 1);
    return values.size() == 3 && values[2] == -6 && out.elements<float>()[1] == 7;
}

} // namespace

TEST_CASE("numbers: reads integers in constant evaluation", "[kernel][numbers]") {
    static_assert(reads_in_constant_evaluation());
    CHECK(reads_in_constant_evaluation());
}

TEST_CASE("numbers: an element of any type becomes one of any other, as in a cast", "[kernel][numbers]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const dtype from : test::all_dtypes)
        for (const dtype to : test::all_dtypes) {
            const tensor data = test::any_data(random, from, {3});
            tensor out(to, {2});
            number::at(data, 2).put(out, 1);
            const double x = test::values(data)[2];
            INFO(kernel::name(from) << " to " << kernel::name(to));
            CHECK(number::at(data, 2).real() == x);
            CHECK(test::difference(out, {2}, {0, to == dtype::boolean ? static_cast<double>(x != 0) : x}, 0) == "");
        }
    const auto largest = std::numeric_limits<std::uint64_t>::max();
    tensor out(dtype::uint64, {1});
    number::at(tensor::scalar(largest), 0).put(out, 0);
    CHECK(out.elements<std::uint64_t>()[0] == largest);
    CHECK(number::at(out, 0).real() == 0x1p64);
    tensor small(dtype::int8, {1});
    number(std::int64_t{300}).put(small, 0);
    CHECK(small.elements<std::int8_t>()[0] == 44); // wraps
    number(1e9).put(small, 0);
    CHECK(small.elements<std::int8_t>()[0] == 127); // saturates
}

TEST_CASE("numbers: integers of any type are read, and nothing else", "[kernel][numbers]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const dtype type : test::all_dtypes) {
        const tensor t = test::any_data(random, type, {5});
        INFO(kernel::text(t));
        if (kernel::is_floating(type)) {
            CHECK(error_of([&] { kernel::integers("k", "sizes", t); }) ==
                  "kernel::k: sizes is " + kernel::text(t) + "; expected integers");
        } else {
            const kernel::extents read = kernel::integers("k", "sizes", t);
            CHECK(std::vector<double>(read.begin(), read.end()) == test::values(t));
            std::array<std::int64_t, 2> some{};
            kernel::detail::read_integers("k", "sizes", t, 3, some);
            CHECK(static_cast<double>(some[1]) == test::values(t)[4]);
        }
    }
    const tensor beyond({1}, {std::uint64_t{1} << 63});
    CHECK(kernel::integer("k", "size", beyond) == std::numeric_limits<std::int64_t>::max());
    CHECK(kernel::integers("k", "sizes", tensor(dtype::int8, {0})).size() == 0);
}

TEST_CASE("numbers: a tensor of another shape is an error that names it", "[kernel][numbers]") {
    CHECK(error_of([] { kernel::integers("k", "sizes", tensor(dtype::int8, {2, 2})); }) ==
          "kernel::k: sizes is (2, 2) int8; expected a vector of at most 32 integers");
    CHECK(error_of([] { kernel::integers("k", "sizes", tensor(dtype::int8, {33})); }) ==
          "kernel::k: sizes is (33,) int8; expected a vector of at most 32 integers");
    CHECK(error_of([] { kernel::integer("k", "n", tensor(dtype::int8, {2})); }) ==
          "kernel::k: n is (2,) int8; expected one integer");
    CHECK(error_of([] { kernel::integer("k", "n", tensor()); }) == "kernel::k: n is () void; expected one integer");
    CHECK(error_of([] { kernel::integer("k", "n", tensor::scalar(2.F)); }) ==
          "kernel::k: n is () float32; expected integers");
    CHECK(error_of([] { kernel::scalar("k", "x", tensor(dtype::int8, {0})); }) ==
          "kernel::k: x is (0,) int8; expected one element");
    CHECK(kernel::integer("k", "n", tensor({1, 1}, {5})) == 5);
}
