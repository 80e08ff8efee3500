#include <tutti/kernel/where.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using kernel::where;
using test::shape_t;

namespace {

constexpr bool chooses_in_constant_evaluation() {
    tensor out;
    where(tensor({2}, {true, false}), tensor({2, 1}, {1, 2}), tensor::scalar(7), out);
    return out.rank() == 2 && out.elements<std::int32_t>()[0] == 1 && out.elements<std::int32_t>()[1] == 7 &&
           out.elements<std::int32_t>()[2] == 2;
}

// Returns the offset of the operand element that broadcasts to element `index` of the result.
std::size_t place(const shape_t& own, const shape_t& index) {
    shape_t at(own.size());
    for (std::size_t d = 0; d < own.size(); ++d) at[d] = own[d] == 1 ? 0 : index[index.size() - own.size() + d];
    return test::offset(own, at);
}

} // namespace

TEST_CASE("where: chooses in constant evaluation", "[kernel][where]") {
    static_assert(chooses_in_constant_evaluation());
    CHECK(chooses_in_constant_evaluation());
}

TEST_CASE("where: chooses among broadcast operands of every element type", "[kernel][where]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto cast = [](auto&... a) { kernel::cast(a...); };
    const std::vector<std::vector<shape_t>> shapes{{{2, 3, 4}, {2, 3, 4}, {2, 3, 4}},
                                                   {{3, 1}, {2, 1, 4}, {4}},
                                                   {{}, {2, 3, 1}, {1, 3, 4}},
                                                   {{2, 3, 4}, {}, {1}},
                                                   {{1, 1, 4}, {3, 4}, {2, 1, 1}}};
    for (int i = static_cast<int>(dtype::boolean); i <= static_cast<int>(dtype::float64); ++i)
        for (int j = static_cast<int>(dtype::boolean); j <= static_cast<int>(dtype::float64); ++j)
            for (const auto& operands : shapes) {
                const tensor c = test::made(cast, random.filled<std::int8_t>(operands[0], 0, 2), static_cast<dtype>(j));
                const tensor x = test::made(cast, random.filled<double>(operands[1], 0, 100), static_cast<dtype>(i));
                const tensor y = test::made(cast, random.filled<double>(operands[2], 0, 100), static_cast<dtype>(i));
                std::vector<double> expected;
                test::for_each_index({2, 3, 4}, [&](const shape_t& at) {
                    expected.push_back(test::values(c)[place(operands[0], at)] != 0
                                           ? test::values(x)[place(operands[1], at)]
                                           : test::values(y)[place(operands[2], at)]);
                });
                INFO(kernel::text(c) << ", " << kernel::text(x) << ", " << kernel::text(y));
                CHECK(test::difference(test::made(where, c, x, y), {2, 3, 4}, expected, 0) == "");
            }
}

TEST_CASE("where: rows longer than a block, no elements, NaN", "[kernel][where]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor c = random.filled<std::int32_t>({1300}, -2, 2);
    const tensor x = random.filled<float>({1300});
    std::vector<double> expected;
    for (std::size_t i = 0; i < 1300; ++i) expected.push_back(test::values(c)[i] != 0 ? test::values(x)[i] : 5);
    CHECK(test::difference(test::made(where, c, x, tensor::scalar(5.F)), {1300}, expected, 0) == "");
    CHECK(
        test::difference(test::made(where, tensor::scalar(true), tensor(dtype::int8, {0, 3}), tensor(dtype::int8, {3})),
                         {0, 3}, {}, 0) == "");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(
        test::difference(test::made(where, tensor({2}, {nan, -0.F}), tensor({2}, {nan, 1.F}), tensor({2}, {2.F, nan})),
                         {2}, {nan, nan}, 0) == "");
}

TEST_CASE("where: operands that do not fit are named", "[kernel][where]") {
    const tensor yes = tensor::scalar(true);
    CHECK(test::error_of([&] { test::made(where, yes, tensor::scalar(1), tensor::scalar(1.F)); }) ==
          "kernel::where: x is () int32 and y is () float32; expected the same element type");
    CHECK(test::error_of([&] { test::made(where, yes, tensor({2}, {1, 2}), tensor({3}, {1, 2, 3})); }) ==
          "kernel::where: x is (2,) int32 and y is (3,) int32; expected shapes that broadcast");
    CHECK(test::error_of([&] {
              test::made(where, tensor({2}, {true, true}), tensor::scalar(1), tensor({3}, {1, 2, 3}));
          }) == "kernel::where: condition is (2,) bool and x is () int32; expected shapes that broadcast");
    CHECK(test::error_of([&] { test::made(where, tensor(), tensor::scalar(1), tensor::scalar(1)); }) ==
          "kernel::where: an empty tensor; expected a tensor with an element type");
}
