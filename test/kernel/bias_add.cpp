#include <tutti/kernel/bias_add.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::bias_add;
using kernel::dtype;
using kernel::tensor;
using test::shape_t;

namespace {

constexpr bool computes_in_constant_evaluation() {
    tensor out;
    bias_add(tensor({2, 2}, {1, 2, 3, 4}), tensor({2}, {10, 20}), 0, out);
    return out.elements<std::int32_t>()[1] == 12 && out.elements<std::int32_t>()[2] == 23;
}

} // namespace

TEST_CASE("bias_add: computes in constant evaluation", "[kernel][bias_add]") {
    static_assert(computes_in_constant_evaluation());
    CHECK(computes_in_constant_evaluation());
}

TEST_CASE("bias_add: integers wrap, and long rows and no rows work", "[kernel][bias_add]") {
    const tensor bytes({2, 2}, {std::int8_t{127}, std::int8_t{0}, std::int8_t{1}, std::int8_t{2}});
    const tensor one({2}, {std::int8_t{1}, std::int8_t{2}});
    CHECK(test::difference(test::made(bias_add, bytes, one, -1), {2, 2}, {-128, 2, 2, 4}, 0) == "");
    const tensor two({2}, {1.0, 2.0});
    std::vector<double> expected(2000, 1);
    std::fill(expected.begin() + 1000, expected.end(), 2);
    CHECK(test::difference(test::made(bias_add, tensor(dtype::float64, {2, 1000}), two, 0), {2, 1000}, expected, 0) ==
          "");
    CHECK(test::difference(test::made(bias_add, tensor(dtype::float64, {0, 2}), two, 1), {0, 2}, {}, 0) == "");
    const tensor truths({2, 2}, {false, true, false, true});
    CHECK(test::difference(test::made(bias_add, truths, tensor({2}, {false, true}), 0), {2, 2}, {0, 1, 1, 0}, 0) == "");
}

TEST_CASE("bias_add: adds along its axis", "[kernel][bias_add]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const shape_t shape{2, 3, 4, 5};
    const tensor data = random.filled<float>(shape);
    for (std::int64_t axis = -4; axis < 4; ++axis) {
        const auto at = static_cast<std::size_t>(axis < 0 ? axis + 4 : axis);
        const tensor bias = random.filled<float>({shape[at]});
        std::vector<double> expected = test::values(data);
        test::for_each_index(shape, [&](const shape_t& index) {
            expected[test::offset(shape, index)] += test::values(bias)[static_cast<std::size_t>(index[at])];
        });
        INFO("axis " << axis);
        CHECK(test::difference(test::made(bias_add, data, bias, axis), shape, expected, 1e-6) == "");
    }
    CHECK(test::error_of([&] { test::made(bias_add, data, tensor(dtype::float32, {4}), 1); }) ==
          "kernel::bias_add: data is (2, 3, 4, 5) float32 and bias is (4,) float32; expected a bias of shape "
          "(3,), like axis "
          "1 of data, and of its element type");
    CHECK(test::error_of([&] { test::made(bias_add, data, tensor(dtype::float32, {4}), 4); }) ==
          "kernel::bias_add: axis 4 of a tensor of rank 4; expected an axis from -4 to 3");
}
