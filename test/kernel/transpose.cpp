#include <tutti/kernel/transpose.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using test::error_of;
using test::shape_t;

namespace {

constexpr bool turns_in_constant_evaluation() {
    const tensor t({2, 3}, {1, 2, 3, 4, 5, 6});
    tensor out;
    kernel::transpose(t, std::nullopt, out);
    return out.elements<int>()[1] == 4 && out.shape()[0] == 3;
}

tensor transposed(const tensor& t, const shape_t& axes) {
    return test::made([&](tensor& out) { kernel::transpose(t, axes, out); });
}

} // namespace

TEST_CASE("transpose: turns a matrix in constant evaluation", "[kernel][transpose]") {
    static_assert(turns_in_constant_evaluation());
    CHECK(turns_in_constant_evaluation());
}

TEST_CASE("transpose: puts each element where its axes went", "[kernel][transpose]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 300; ++round) {
        const shape_t shape = test::any_shape(random, 5);
        shape_t axes;
        for (std::size_t d = 0; d < shape.size(); ++d)
            axes.insert(axes.begin() + random.integer(0, static_cast<std::int64_t>(d)), static_cast<std::int64_t>(d));
        const shape_t order = axes;
        shape_t turned;
        for (std::int64_t& axis : axes) {
            turned.push_back(shape[static_cast<std::size_t>(axis)]);
            if (random.integer(0, 1) == 0) axis -= static_cast<std::int64_t>(axes.size());
        }
        const tensor t = test::any_data(random, shape);
        const test::elements_of x(t);
        INFO(kernel::text(t) << ", axes " << kernel::text(axes));
        CHECK(test::difference_from(transposed(t, axes), t.type(), turned, [&](const shape_t& index) {
                  shape_t from(shape.size());
                  for (std::size_t d = 0; d < shape.size(); ++d) from[static_cast<std::size_t>(order[d])] = index[d];
                  return x(from);
              }) == "");
    }
}

TEST_CASE("transpose: without axes reverses them, and wants each once", "[kernel][transpose]") {
    const tensor t(dtype::boolean, {2, 3, 4});
    CHECK(test::shape_of(test::made([&](tensor& out) { kernel::transpose(t, std::nullopt, out); })) ==
          shape_t{4, 3, 2});
    const std::string expected = "; expected each axis of the data once";
    CHECK(error_of([&] { transposed(t, {0, 1, -2}); }) ==
          "kernel::transpose: axes (0, 1, -2) of data (2, 3, 4) bool" + expected);
    CHECK(error_of([&] { transposed(t, {0, 1}); }) ==
          "kernel::transpose: axes (0, 1) of data (2, 3, 4) bool" + expected);
    CHECK(error_of([&] { transposed(t, {0, 1, 3}); }) ==
          "kernel::transpose: axis 3 of a tensor of rank 3; expected an axis from -3 to 2");
    CHECK(error_of([&] { transposed(tensor(), {}); }) ==
          "kernel::transpose: an empty tensor; expected a tensor with an element type");
}
