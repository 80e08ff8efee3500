#include <tutti/kernel/support/allowance.hpp>

#include <tutti/kernel/dense.hpp>
#include <tutti/kernel/pool.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace kernel = tutti::kernel;
using kernel::allowance;
using kernel::dtype;
using kernel::tensor;

namespace {

allowance of(std::uint64_t bytes, std::uint64_t work) {
    return allowance({"the test", "bytes at once", "max_bytes", bytes}, {"the test", "steps", "max_work", work});
}

} // namespace

TEST_CASE("allowance: tensors take from it and return to it, inside and outside of its scope",
          "[kernel][allowance][limits]") {
    allowance most = of(1000, 0);
    tensor outside(dtype::uint8, {2000});
    std::optional<tensor> kept;
    {
        const allowance::use here(most);
        tensor t(dtype::float32, {100});
        CHECK(most.bytes_left() == 600);
        kept = t;
        CHECK(most.bytes_left() == 600);
        CHECK(test::error_of([] { tensor(dtype::float64, {76}); }) ==
              "the test: more than 1,000 bytes at once; expected no more, or a larger max_bytes");
        CHECK(most.bytes_left() == 600);
        outside.reset(dtype::uint8, std::vector<std::int64_t>{1000}); // its existing memory is large enough
        const std::int64_t more[]{200};
        CHECK_THROWS_AS(t.reset(dtype::float32, more), kernel::beyond_allowance);
        CHECK(t.size() == 100);
    }
    CHECK(most.bytes_left() == 600);
    const tensor not_counted(dtype::uint8, {2000});
    kept.reset();
    CHECK(most.bytes_left() == 1000);
}

TEST_CASE("allowance: a copy takes from the same, and outlives it", "[kernel][allowance][limits]") {
    std::optional<allowance> first(of(1000, 0));
    const allowance second = *first;
    {
        const allowance::use here(*first);
        const tensor t(dtype::uint8, {600});
        CHECK(second.bytes_left() == 400);
    }
    first.reset();
    CHECK(second.bytes_left() == 1000);
}

TEST_CASE("allowance: one in another takes its place until it ends", "[kernel][allowance][limits]") {
    allowance outer = of(100, 0);
    allowance inner = of(1000, 0);
    const allowance::use here(outer);
    {
        const allowance::use there(inner);
        const tensor t(dtype::uint8, {500});
        CHECK(inner.bytes_left() == 500);
    }
    CHECK(outer.bytes_left() == 100);
    CHECK_THROWS_AS(tensor(dtype::uint8, {101}), kernel::beyond_allowance);
}

TEST_CASE("allowance: tensors may outlive it", "[kernel][allowance][limits]") {
    std::optional<allowance> most(of(1000, 0));
    tensor t;
    {
        const allowance::use here(*most);
        t = tensor({3}, {1, 2, 3});
    }
    allowance moved = std::move(*most);
    most.reset();
    CHECK(moved.bytes_left() == 988);
    CHECK(t.elements<int>()[2] == 3);
}

TEST_CASE("allowance: products and windows are counted before they are computed", "[kernel][allowance][limits]") {
    static_assert(kernel::steps(2, 3, std::int64_t{4}) == 24);
    static_assert(kernel::steps(std::int64_t{1} << 40, std::int64_t{1} << 40) == ~std::uint64_t{0});
    static_assert(kernel::steps(std::int64_t{1} << 40, std::int64_t{1} << 40, 0) == 0);
    allowance most = of(1 << 20, 1000);
    const allowance::use here(most);
    const tensor a(dtype::float32, {10, 10});
    tensor out;
    kernel::dense(a, a, dtype::none, out);
    CHECK(test::error_of([&] { kernel::dense(a, a, dtype::none, out); }) ==
          "the test: more than 1,000 steps; expected no more, or a larger max_work");
    most.renew_work();
    kernel::dense(a, a, dtype::none, out);
    most.renew_work();
    const tensor image(dtype::float32, {1, 1, 20, 20});
    CHECK_THROWS_AS(kernel::max_pool(image, {.size = {10, 10}}, out),
                    kernel::beyond_allowance); // 11 x 11 windows of 100 elements
}
