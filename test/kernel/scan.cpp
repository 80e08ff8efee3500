#include <tutti/kernel/scan.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::scan_bounds;
using kernel::scan_operation;
using kernel::tensor;
using test::error_of;
using test::made;
using test::shape_t;

namespace {

constexpr bool scans_in_constant_evaluation() {
    tensor out;
    kernel::scan(tensor({3}, {1, 2, 3}), 0, scan_operation::sum, scan_bounds::inclusive, dtype::int32, out);
    return out.elements<int>()[2] == 6;
}

} // namespace

TEST_CASE("scan: scans in constant evaluation", "[kernel][scan]") {
    static_assert(scans_in_constant_evaluation());
    CHECK(scans_in_constant_evaluation());
}

TEST_CASE("scan: sums and products along an axis agree with the definition, for all types", "[kernel][scan]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        shape_t shape = test::any_shape(random, 3, 1);
        const std::int64_t axis = test::any_axis(random, shape.size());
        const std::size_t at = test::place(axis, shape.size());
        if (round % 20 == 0) shape[random.integer(0, 1) == 0 ? at : 0] = 600; // longer than one block
        const tensor t = test::any_data(random, test::any_number_dtype(random), shape);
        const test::elements_of x(t);
        const auto bounds = random.integer(0, 1) == 0 ? scan_bounds::inclusive : scan_bounds::exclusive;
        INFO(kernel::text(t) << ", axis " << axis);
        CHECK(test::difference_from(made(kernel::scan, t, axis, scan_operation::sum, bounds, dtype::float64),
                                    dtype::float64, shape, [&](shape_t index) {
                                        double sum = 0;
                                        const std::int64_t end = index[at] + (bounds == scan_bounds::inclusive ? 1 : 0);
                                        for (index[at] = 0; index[at] < end; ++index[at]) sum += x(index);
                                        return sum;
                                    }) == "");
    }
    const tensor bytes({2, 2}, {std::int8_t{100}, std::int8_t{100}, std::int8_t{2}, std::int8_t{-1}});
    CHECK(test::difference(
              made(kernel::scan, bytes, std::nullopt, scan_operation::sum, scan_bounds::inclusive, dtype::int8), {4},
              {100, -56, -54, -55}, 0) == "");
    CHECK(test::difference(made(kernel::scan, bytes, 1, scan_operation::product, scan_bounds::inclusive, dtype::int32),
                           {2, 2}, {100, 10000, 2, -2}, 0) == "");
    const tensor large({2}, {std::numeric_limits<std::int64_t>::max(), std::int64_t{2}});
    CHECK(made(kernel::scan, large, 0, scan_operation::product, scan_bounds::inclusive, dtype::int64)
              .elements<std::int64_t>()[1] == -2);
}

TEST_CASE("scan: axes and types that there are not are errors", "[kernel][scan]") {
    const tensor t(dtype::int8, {2});
    const auto scanned = [&](std::optional<std::int64_t> axis, dtype type) {
        return error_of([&] { made(kernel::scan, t, axis, scan_operation::sum, scan_bounds::inclusive, type); });
    };
    CHECK(scanned(1, dtype::int8) == "kernel::scan: axis 1 of a tensor of rank 1; expected an axis from -1 to 0");
    CHECK(scanned(0, dtype::none) == "kernel::scan: elements of type void; expected an element type");
}
