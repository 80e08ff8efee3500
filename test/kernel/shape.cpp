#include <tutti/kernel/shape.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <optional>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using test::error_of;
using test::made;
using test::shape_of;
using test::shape_t;

namespace {

constexpr bool reshapes_in_constant_evaluation() {
    const tensor t({2, 3}, {1, 2, 3, 4, 5, 6});
    tensor a;
    tensor b;
    const std::int64_t shape[]{3, 2};
    kernel::reshape(t, shape, a);
    kernel::expand_dims(a, 1, 2, b);
    if (!b.same_elements(t) || b.rank() != 4) return false;
    kernel::squeeze(b, std::nullopt, a);
    kernel::batch_flatten(a, b);
    return b.rank() == 2 && b.elements<int>()[5] == 6;
}

tensor reshaped(const tensor& t, const shape_t& shape) { return made(kernel::reshape, t, shape); }
tensor expanded(const tensor& t, std::int64_t axis, std::int64_t count = 1) {
    return made(kernel::expand_dims, t, axis, count);
}
tensor flattened(const tensor& t) { return made(kernel::batch_flatten, t); }

} // namespace

TEST_CASE("shape: gives elements another shape in constant evaluation", "[kernel][shape]") {
    static_assert(reshapes_in_constant_evaluation());
    CHECK(reshapes_in_constant_evaluation());
}

TEST_CASE("shape: reshape shares the elements and keeps their number", "[kernel][shape]") {
    const tensor t(dtype::float32, {2, 3, 4});
    CHECK(reshaped(t, {4, 6}).same_elements(t));
    CHECK(shape_of(reshaped(t, {24})) == shape_t{24});
    CHECK(shape_of(reshaped(tensor(dtype::int8, {0, 3}), {7, 0})) == shape_t{7, 0});
    CHECK(shape_of(reshaped(tensor(dtype::int8, {1, 1}), {})) == shape_t{});
    const std::string data = "kernel::reshape: data is (2, 3, 4) float32 and the new shape is ";
    CHECK(error_of([&] { reshaped(t, {5, 5}); }) == data + "(5, 5); expected as many elements");
    CHECK(error_of([&] { reshaped(t, {-4, -6}); }) == data + "(-4, -6); expected as many elements");
    CHECK(error_of([&] { reshaped(t, {std::int64_t{1} << 62, 4}); }) ==
          data + "(4611686018427387904, 4); expected as many elements");
    CHECK(error_of([&] { reshaped(tensor(), {0}); }) ==
          "kernel::reshape: data is () void and the new shape is (0,); expected as many elements");
}

TEST_CASE("shape: batch_flatten keeps the first axis", "[kernel][shape]") {
    CHECK(shape_of(flattened(tensor(dtype::float32, {2, 3, 4}))) == shape_t{2, 12});
    CHECK(shape_of(flattened(tensor(dtype::float32, {5}))) == shape_t{5, 1});
    CHECK(shape_of(flattened(tensor(dtype::float32, {0, 3}))) == shape_t{0, 3});
    CHECK(error_of([] { flattened(tensor::scalar(1.F)); }) ==
          "kernel::batch_flatten: data is () float32; expected a rank of at least 1");
}

TEST_CASE("shape: expand_dims and squeeze put axes of length 1 in and take them out", "[kernel][shape]") {
    const tensor t(dtype::int16, {2, 3});
    CHECK(shape_of(expanded(t, 0)) == shape_t{1, 2, 3});
    CHECK(shape_of(expanded(t, 1, 2)) == shape_t{2, 1, 1, 3});
    CHECK(shape_of(expanded(t, -1, 2)) == shape_t{2, 3, 1, 1});
    CHECK(shape_of(expanded(t, -3)) == shape_t{1, 2, 3});
    CHECK(shape_of(expanded(t, 0, 0)) == shape_t{2, 3});
    CHECK(shape_of(expanded(tensor::scalar(1), 0)) == shape_t{1});
    CHECK(expanded(t, 2).same_elements(t));
    CHECK(error_of([&] { expanded(t, 3); }) ==
          "kernel::expand_dims: axis 3 of a tensor of rank 3; expected an axis from -3 to 2");
    CHECK(error_of([&] { expanded(t, 0, 31); }) ==
          "kernel::expand_dims: 31 more axes for data (2, 3) int16; expected a rank of at most 32");

    const tensor u(dtype::int16, {1, 2, 1, 3, 1});
    const auto squeezed = [](const tensor& x, std::optional<shape_t> axes) {
        return made(
            [&](const tensor& data, tensor& out) {
                axes ? kernel::squeeze(data, *axes, out) : kernel::squeeze(data, std::nullopt, out);
            },
            x);
    };
    CHECK(shape_of(squeezed(u, std::nullopt)) == shape_t{2, 3});
    CHECK(shape_of(squeezed(u, shape_t{0, -1})) == shape_t{2, 1, 3});
    CHECK(shape_of(squeezed(u, shape_t{})) == shape_t{1, 2, 1, 3, 1});
    CHECK(squeezed(u, std::nullopt).same_elements(u));
    CHECK(error_of([&] { squeezed(u, shape_t{1}); }) ==
          "kernel::squeeze: axis 1 of data (1, 2, 1, 3, 1) int16; expected an axis of length 1");
}
