#include <tutti/kernel/broadcast_to.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::broadcast_to;
using kernel::dtype;
using kernel::tensor;
using test::shape_t;

namespace {

constexpr bool stretches_in_constant_evaluation() {
    const tensor row({1, 2}, {3, 4});
    tensor out;
    broadcast_to(row, shape_t{2, 2, 2}, out);
    return out.rank() == 3 && out.elements<int>()[6] == 3 && out.elements<int>()[7] == 4;
}

} // namespace

TEST_CASE("broadcast_to: stretches in constant evaluation", "[kernel][broadcast_to]") {
    static_assert(stretches_in_constant_evaluation());
    CHECK(stretches_in_constant_evaluation());
}

TEST_CASE("broadcast_to: repeats axes that have length 1 or are missing", "[kernel][broadcast_to]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const shape_t shape{2, 3, 4};
    for (const shape_t& own : {shape_t{}, shape_t{4}, shape_t{1}, shape_t{3, 1}, shape_t{2, 1, 4}, shape_t{2, 3, 4}}) {
        const tensor t = random.filled<float>(own);
        std::vector<double> expected;
        test::for_each_index(shape, [&](const shape_t& index) {
            shape_t at(own.size());
            for (std::size_t d = 0; d < own.size(); ++d) at[d] = own[d] == 1 ? 0 : index[shape.size() - own.size() + d];
            expected.push_back(test::values(t)[test::offset(own, at)]);
        });
        INFO(kernel::text(t));
        CHECK(test::difference(test::made(broadcast_to, t, shape), shape, expected, 0) == "");
    }
    CHECK(test::made(broadcast_to, tensor(dtype::int8, {1}), shape_t{3, 0}).size() == 0);
}

TEST_CASE("broadcast_to: a shape that the data does not stretch to is an error", "[kernel][broadcast_to]") {
    const tensor t(dtype::int8, {2, 3});
    const auto error = [&](const shape_t& shape) {
        return test::error_of([&] { test::made(broadcast_to, t, shape); });
    };
    const std::string expected = "; expected a shape that the data broadcasts to";
    CHECK(error({3, 2}) == "kernel::broadcast_to: data is (2, 3) int8 and the new shape is (3, 2)" + expected);
    CHECK(error({1, 3}) == "kernel::broadcast_to: data is (2, 3) int8 and the new shape is (1, 3)" + expected);
    CHECK(error({3}) == "kernel::broadcast_to: data is (2, 3) int8 and the new shape is (3,)" + expected);
    CHECK(error(shape_t(40, 3)).ends_with(expected));
    const shape_t negative{-1, -1, -1};
    CHECK(test::error_of([&] { test::made(broadcast_to, tensor::scalar(1), negative); }) ==
          "kernel::broadcast_to: a shape of (-1, -1, -1); expected at most 32 non-negative sizes");
}
