#include <tutti/kernel/shape.hpp>

#include "catch.hpp"

#include "support.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::image_layout;
using kernel::tensor;
using test::error_of;
using test::shape_t;

namespace {

shape_t shape_of(const tensor& t) { return {t.shape().begin(), t.shape().end()}; }

constexpr bool moves_in_constant_evaluation() {
    const tensor t({2, 3}, {1, 2, 3, 4, 5, 6});
    const tensor turned = kernel::transpose(t);
    const std::array<tensor, 2> parts{t, t};
    const tensor joined = kernel::concatenate(parts, 1);
    return turned.elements<int>()[1] == 4 && turned.shape()[0] == 3 && joined.elements<int>()[3] == 1 &&
           joined.shape()[1] == 6 && kernel::reshape(t, {3, 2}).same_elements(t) &&
           kernel::squeeze(kernel::expand_dims(t, 1, 2)).rank() == 2 && kernel::batch_flatten(t).rank() == 2;
}

} // namespace

TEST_CASE("shape: moves elements in constant evaluation", "[kernel][shape]") {
    static_assert(moves_in_constant_evaluation());
    CHECK(moves_in_constant_evaluation());
}

TEST_CASE("shape: reshape shares the elements and keeps their number", "[kernel][shape]") {
    const tensor t(dtype::float32, {2, 3, 4});
    CHECK(kernel::reshape(t, {4, 6}).same_elements(t));
    CHECK(shape_of(kernel::reshape(t, {24})) == shape_t{24});
    CHECK(shape_of(kernel::reshape(tensor(dtype::int8, {0, 3}), {7, 0})) == shape_t{7, 0});
    CHECK(
        error_of([&] {
            kernel::reshape(t, {5, 5});
        }) ==
        "kernel::reshape: data is (2, 3, 4) float32 and the new shape is (5, 5); expected as many elements");
    CHECK(error_of([&] {
              kernel::reshape(t, {-4, -6});
          }) == "kernel::reshape: data is (2, 3, 4) float32 and the new shape is (-4, -6); expected as many "
                "elements");
    CHECK(error_of([&] {
              kernel::reshape(t, {std::int64_t{1} << 62, 4});
          }) == "kernel::reshape: data is (2, 3, 4) float32 and the new shape is (4611686018427387904, 4); "
                "expected as many elements");
    CHECK(error_of([&] { kernel::reshape(tensor(), {0}); }) ==
          "kernel::reshape: data is () void and the new shape is (0,); expected as many elements");
}

TEST_CASE("shape: batch_flatten keeps the first axis", "[kernel][shape]") {
    CHECK(shape_of(kernel::batch_flatten(tensor(dtype::float32, {2, 3, 4}))) == shape_t{2, 12});
    CHECK(shape_of(kernel::batch_flatten(tensor(dtype::float32, {5}))) == shape_t{5, 1});
    CHECK(shape_of(kernel::batch_flatten(tensor(dtype::float32, {0, 3}))) == shape_t{0, 3});
    CHECK(error_of([] { kernel::batch_flatten(tensor::scalar(1.F)); }) ==
          "kernel::batch_flatten: data is () float32; expected a rank of at least 1");
}

TEST_CASE("shape: expand_dims and squeeze put axes of length 1 in and take them out", "[kernel][shape]") {
    const tensor t(dtype::int16, {2, 3});
    CHECK(shape_of(kernel::expand_dims(t, 0)) == shape_t{1, 2, 3});
    CHECK(shape_of(kernel::expand_dims(t, 1, 2)) == shape_t{2, 1, 1, 3});
    CHECK(shape_of(kernel::expand_dims(t, -1, 2)) == shape_t{2, 3, 1, 1});
    CHECK(shape_of(kernel::expand_dims(t, -3)) == shape_t{1, 2, 3});
    CHECK(shape_of(kernel::expand_dims(tensor::scalar(1), 0)) == shape_t{1});
    CHECK(kernel::expand_dims(t, 2).same_elements(t));
    CHECK(error_of([&] { kernel::expand_dims(t, 3); }) ==
          "kernel::expand_dims: axis 3 of a tensor of rank 3; expected an axis from -3 to 2");
    CHECK(error_of([&] { kernel::expand_dims(t, 0, 31); }) ==
          "kernel::expand_dims: 31 more axes for data (2, 3) int16; expected a rank of at most 32");

    const tensor u(dtype::int16, {1, 2, 1, 3, 1});
    CHECK(shape_of(kernel::squeeze(u)) == shape_t{2, 3});
    CHECK(shape_of(kernel::squeeze(u, shape_t{0, -1})) == shape_t{2, 1, 3});
    CHECK(kernel::squeeze(u).same_elements(u));
    CHECK(error_of([&] { kernel::squeeze(u, shape_t{1}); }) ==
          "kernel::squeeze: axis 1 of data (1, 2, 1, 3, 1) int16; expected an axis of length 1");
}

TEST_CASE("shape: transpose puts each element where its axes went", "[kernel][shape]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        shape_t shape;
        shape_t axes;
        for (std::int64_t d = random.integer(0, 5); d > 0; --d) {
            shape.push_back(random.integer(random.integer(0, 9) == 0 ? 0 : 1, 5));
            axes.insert(axes.begin() + random.integer(0, static_cast<std::int64_t>(axes.size())),
                        static_cast<std::int64_t>(axes.size()));
        }
        shape_t turned;
        for (const std::int64_t axis : axes) turned.push_back(shape[static_cast<std::size_t>(axis)]);
        const tensor t = random.filled<float>(shape);
        const std::vector<double> x = test::values(t);
        std::vector<double> expected;
        test::for_each_index(turned, [&](const shape_t& index) {
            shape_t from(shape.size());
            for (std::size_t d = 0; d < shape.size(); ++d) from[static_cast<std::size_t>(axes[d])] = index[d];
            expected.push_back(x[test::offset(shape, from)]);
        });
        for (std::int64_t& axis : axes)
            if (random.integer(0, 1) == 0) axis -= static_cast<std::int64_t>(axes.size());
        INFO("shape " << kernel::text(shape) << ", axes " << kernel::text(axes));
        CHECK(test::difference(kernel::transpose(t, axes), turned, expected, 0) == "");
    }
}

TEST_CASE("shape: transpose without axes reverses them, and wants each once", "[kernel][shape]") {
    const tensor t(dtype::boolean, {2, 3, 4});
    CHECK(shape_of(kernel::transpose(t)) == shape_t{4, 3, 2});
    const std::string expected = "; expected each axis of the data once";
    CHECK(error_of([&] {
              kernel::transpose(t, shape_t{0, 1, -2});
          }) == "kernel::transpose: axes (0, 1, -2) of data (2, 3, 4) bool" + expected);
    CHECK(error_of([&] {
              kernel::transpose(t, shape_t{0, 1});
          }) == "kernel::transpose: axes (0, 1) of data (2, 3, 4) bool" + expected);
}

TEST_CASE("shape: layout_transform goes there and back", "[kernel][shape]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor t = random.filled<float>({2, 3, 4, 5});
    const tensor there = kernel::layout_transform(t, image_layout::nchw, image_layout::nhwc);
    CHECK(shape_of(there) == shape_t{2, 4, 5, 3});
    CHECK(test::values(there)[test::offset({2, 4, 5, 3}, {1, 2, 3, 0})] ==
          test::values(t)[test::offset({2, 3, 4, 5}, {1, 0, 2, 3})]);
    const tensor back = kernel::layout_transform(there, image_layout::nhwc, image_layout::nchw);
    CHECK(test::difference(back, {2, 3, 4, 5}, test::values(t), 0) == "");
    CHECK(kernel::layout_transform(t, image_layout::nchw, image_layout::nchw).same_elements(t));
}

TEST_CASE("shape: concatenate puts tensors one after another along any axis", "[kernel][shape]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (std::int64_t axis = -3; axis < 3; ++axis) {
        const auto at = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis);
        std::vector<tensor> parts;
        shape_t shape{2, 3, 4};
        shape[at] = 0;
        for (int i = 0; i < 4; ++i) {
            shape_t part{2, 3, 4};
            part[at] = i == 2 ? 0 : random.integer(1, 3);
            shape[at] += part[at];
            parts.push_back(random.filled<float>(part));
        }
        std::vector<double> expected;
        test::for_each_index(shape, [&](shape_t index) {
            std::size_t which = 0;
            while (index[at] >= parts[which].shape()[at]) index[at] -= parts[which++].shape()[at];
            expected.push_back(test::values(parts[which])[test::offset(shape_of(parts[which]), index)]);
        });
        INFO("axis " << axis);
        CHECK(test::difference(kernel::concatenate(parts, axis), shape, expected, 0) == "");
    }
}

TEST_CASE("shape: concatenate names the tensor that does not fit", "[kernel][shape]") {
    const std::vector<tensor> shapes{tensor(dtype::int8, {2, 3}), tensor(dtype::int8, {2, 4})};
    CHECK(error_of([&] { kernel::concatenate(shapes, 0); }) ==
          "kernel::concatenate: one tensor is (2, 3) int8 and another is (2, 4) int8; expected the same "
          "element type and, but "
          "for axis 0, the same shape");
    const std::vector<tensor> types{tensor(dtype::int8, {2, 3}), tensor(dtype::uint8, {2, 3})};
    CHECK(error_of([&] { kernel::concatenate(types, 1); }) ==
          "kernel::concatenate: one tensor is (2, 3) int8 and another is (2, 3) uint8; expected the same "
          "element type and, but "
          "for axis 1, the same shape");
    CHECK(error_of([] { kernel::concatenate({}, 0); }) ==
          "kernel::concatenate: no tensors; expected at least one");
    CHECK(error_of([&] { kernel::concatenate(shapes, 2); }) ==
          "kernel::concatenate: axis 2 of a tensor of rank 2; expected an axis from -2 to 1");
}
