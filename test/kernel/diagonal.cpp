#include <tutti/kernel/diagonal.hpp>

#include "catch.hpp"
#include "moving.hpp"

#include <cstdint>
#include <limits>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using kernel::triangle;
using test::error_of;
using test::made;
using test::shape_t;

namespace {

constexpr bool cuts_in_constant_evaluation() {
    tensor out;
    kernel::trilu(tensor({2, 2}, {1, 2, 3, 4}), 0, triangle::lower, out);
    return out.elements<int>()[1] == 0 && out.elements<int>()[2] == 3;
}

} // namespace

TEST_CASE("diagonal: cuts in constant evaluation", "[kernel][diagonal]") {
    static_assert(cuts_in_constant_evaluation());
    CHECK(cuts_in_constant_evaluation());
}

TEST_CASE("diagonal: trilu keeps one side of a diagonal", "[kernel][diagonal]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        const shape_t shape = test::any_shape(random, 4, 2);
        const tensor t = test::any_data(random, shape);
        const test::elements_of x(t);
        const std::int64_t k = round % 10 == 0   ? std::numeric_limits<std::int64_t>::max()
                               : round % 10 == 1 ? std::numeric_limits<std::int64_t>::min()
                                                 : random.integer(-6, 6);
        const auto part = random.integer(0, 1) == 0 ? triangle::upper : triangle::lower;
        INFO(kernel::text(t) << ", diagonal " << k);
        CHECK(test::difference_from(made(kernel::trilu, t, k, part), t.type(), shape, [&](const shape_t& index) {
                  const std::int64_t from_main = index.back() - index[index.size() - 2];
                  return (part == triangle::upper ? from_main >= k : from_main <= k) ? x(index) : 0;
              }) == "");
    }
    CHECK(error_of([] { made(kernel::trilu, tensor(dtype::int8, {2}), 0, triangle::upper); }) ==
          "kernel::trilu: data is (2,) int8; expected matrices");
}
