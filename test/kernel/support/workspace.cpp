#include <tutti/kernel/support/workspace.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;

TEST_CASE("workspace: elements of the type that is wanted are not copied", "[kernel][workspace]") {
    tensor spare;
    const tensor wanted({2}, {1.5F, -2.F});
    CHECK(&kernel::detail::as_type(wanted, dtype::float32, spare) == &wanted);
    CHECK(spare.empty());
    const tensor& wide = kernel::detail::as_type(wanted, dtype::float64, spare);
    CHECK(&wide == &spare);
    CHECK(wide.elements<double>()[1] == -2);
}

TEST_CASE("workspace: a result of another type is converted", "[kernel][workspace]") {
    const std::int64_t shape[]{2};
    const auto fill = [](tensor& computed) {
        float* x = computed.mutable_data<float>();
        x[0] = 1.5F;
        x[1] = -2;
    };
    tensor spare;
    tensor out;
    kernel::detail::with_result_as("k", dtype::float32, dtype::float32, shape, spare, out, fill);
    CHECK(spare.empty());
    CHECK(test::difference(out, {2}, {1.5, -2}, 0) == "");
    kernel::detail::with_result_as("k", dtype::int8, dtype::float32, shape, spare, out, fill);
    CHECK(out.type() == dtype::int8);
    CHECK(test::difference(out, {2}, {1, -2}, 0) == "");
}

TEST_CASE("workspace: a kernel has its own where it is given none", "[kernel][workspace]") {
    kernel::workspace kept;
    const auto memory_of = [](kernel::scratch space) {
        space->rows = tensor({2}, {1, 2});
        return &*space;
    };
    CHECK(memory_of(kept) == &kept);
    CHECK(kept.rows.size() == 2);
    CHECK(memory_of({}) != &kept);
}
