#include <tutti/kernel/support/check.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using test::error_of;

TEST_CASE("check: shapes are written as in Relay text", "[kernel][check]") {
    CHECK(kernel::text(std::vector<std::int64_t>{}) == "()");
    CHECK(kernel::text(std::vector<std::int64_t>{4}) == "(4,)");
    CHECK(kernel::text(tensor(dtype::int8, {2, 3})) == "(2, 3) int8");
}

TEST_CASE("check: an axis may count from the end but not beyond either", "[kernel][check]") {
    CHECK(kernel::detail::checked_axis("k", -1, 3) == 2);
    CHECK(kernel::detail::checked_axis("k", 2, 3) == 2);
    CHECK(error_of([] { kernel::detail::checked_axis("k", 3, 3); }) ==
          "kernel::k: axis 3 of a tensor of rank 3; expected an axis from -3 to 2");
    CHECK(error_of([] { kernel::detail::checked_axis("k", -4, 3); }) ==
          "kernel::k: axis -4 of a tensor of rank 3; expected an axis from -3 to 2");
}

TEST_CASE("check: a result too large to exist is an error, not an overflow", "[kernel][check]") {
    const std::vector<std::int64_t> huge{std::int64_t{1} << 40, std::int64_t{1} << 40};
    tensor out({2}, {1.F, 2.F});
    CHECK(error_of([&] { kernel::detail::make_result("k", dtype::int8, huge, out); }) ==
          "kernel::k: a result of shape (1099511627776, 1099511627776); expected fewer than 2^48 elements");
    CHECK(kernel::text(out) == "(2,) float32");
    kernel::detail::make_result("k", dtype::int8, std::vector<std::int64_t>{3, 0}, out);
    CHECK(kernel::text(out) == "(3, 0) int8");
}

TEST_CASE("check: the tests' own helper gives a kernel memory that was used before", "[kernel][check]") {
    const tensor first =
        test::made([](const tensor& a, tensor& out) { out.reset(a.type(), a.shape()); }, tensor({2}, {0, 0}));
    CHECK(first.elements<std::int32_t>()[0] == 0x5B5B5B5B);
    CHECK(first.elements<std::int32_t>()[1] == 0x5B5B5B5B);
}

TEST_CASE("check: the tests' own comparison detects differences", "[kernel][check]") {
    const tensor t({2}, {1.F, 2.F});
    CHECK(test::difference(t, {2}, {1, 2}, 0).empty());
    CHECK(test::difference(t, {2}, {1, 2.5}, 0.3).empty());
    CHECK(test::difference(t, {2}, {1, 2.5}, 0.1) == "element 1 is 2.000000, not 2.500000");
    CHECK(test::difference(t, {2}, {NAN, 2}, 0.1) == "element 0 is 1.000000, not nan");
    CHECK(test::difference(tensor({1}, {NAN}), {1}, {1}, 0.1) == "element 0 is nan, not 1.000000");
    CHECK(test::difference(tensor({1}, {INFINITY}), {1}, {1}, 0.1) == "element 0 is inf, not 1.000000");
    CHECK(test::difference(t, {1, 2}, {1, 2}, 0) == "shape (2,)");
    CHECK(error_of([] {}) == "nothing thrown");
}
