#include <tutti/kernel/join.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;
using test::error_of;
using test::shape_of;
using test::shape_t;

namespace {

constexpr bool joins_in_constant_evaluation() {
    const tensor t({2, 2}, {1, 2, 3, 4});
    const std::array<const tensor*, 2> parts{&t, &t};
    tensor out;
    kernel::concatenate(parts, 1, out);
    if (out.shape()[1] != 4 || out.elements<int>()[3] != 2 || out.elements<int>()[4] != 3) return false;
    kernel::stack(parts, -1, out);
    return out.rank() == 3 && out.elements<int>()[1] == 1 && out.elements<int>()[2] == 2;
}

std::vector<const tensor*> pointers(const std::vector<tensor>& tensors) {
    std::vector<const tensor*> all;
    for (const tensor& t : tensors) all.push_back(&t);
    return all;
}
tensor joined(const std::vector<tensor>& parts, std::int64_t axis) {
    return test::made([&](tensor& out) { kernel::concatenate(pointers(parts), axis, out); });
}
tensor stacked(const std::vector<tensor>& parts, std::int64_t axis) {
    return test::made(kernel::stack, pointers(parts), axis);
}

} // namespace

TEST_CASE("join: joins and stacks in constant evaluation", "[kernel][join]") {
    static_assert(joins_in_constant_evaluation());
    CHECK(joins_in_constant_evaluation());
}

TEST_CASE("join: concatenate puts tensors one after another along any axis", "[kernel][join]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        shape_t shape = test::any_shape(random, 4, 1);
        const std::int64_t axis = test::any_axis(random, shape.size());
        const std::size_t at = test::place(axis, shape.size());
        const dtype type = test::any_dtype(random);
        std::vector<tensor> parts;
        std::vector<test::elements_of> x;
        shape[at] = 0;
        for (std::int64_t i = random.integer(1, 4); i > 0; --i) {
            shape_t part = shape;
            part[at] = random.integer(0, 3);
            shape[at] += part[at];
            parts.push_back(test::any_data(random, type, part));
            x.emplace_back(parts.back());
        }
        INFO("axis " << axis << " of " << kernel::text(shape));
        CHECK(test::difference_from(joined(parts, axis), type, shape, [&](shape_t index) {
                  std::size_t which = 0;
                  while (index[at] >= parts[which].shape()[at]) index[at] -= parts[which++].shape()[at];
                  return x[which](index);
              }) == "");
    }
}

TEST_CASE("join: concatenate names the tensor that does not fit", "[kernel][join]") {
    const std::string expected = "; expected the same element type and, except along axis ";
    const std::vector<tensor> shapes{tensor(dtype::int8, {2, 3}), tensor(dtype::int8, {2, 4})};
    CHECK(error_of([&] { joined(shapes, 0); }) ==
          "kernel::concatenate: one tensor is (2, 3) int8 and another is (2, 4) int8" + expected + "0, the same shape");
    const std::vector<tensor> types{tensor(dtype::int8, {2, 3}), tensor(dtype::uint8, {2, 3})};
    CHECK(error_of([&] { joined(types, 1); }) ==
          "kernel::concatenate: one tensor is (2, 3) int8 and another is (2, 3) uint8" + expected +
              "1, the same shape");
    const std::vector<tensor> ranks{tensor(dtype::int8, {2, 3}), tensor(dtype::int8, {2})};
    CHECK(error_of([&] {
              joined(ranks, 0);
          }).starts_with("kernel::concatenate: one tensor is (2, 3) int8 and another is (2,) int8"));
    CHECK(error_of([] { joined({}, 0); }) == "kernel::concatenate: no tensors; expected at least one");
    CHECK(error_of([&] { joined(shapes, 2); }) ==
          "kernel::concatenate: axis 2 of a tensor of rank 2; expected an axis from -2 to 1");
    const tensor large(dtype::int8, {std::int64_t{1} << 47, 0});
    CHECK(error_of([&] { joined({large, large}, 0); }) ==
          "kernel::concatenate: a size of 140737488355328 and 140737488355328 more; expected sizes below 2^48");
}

TEST_CASE("join: stack puts tensors along a new axis", "[kernel][join]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        const shape_t one = test::any_shape(random, 4);
        const std::int64_t axis = test::any_axis(random, one.size() + 1);
        const std::size_t at = test::place(axis, one.size() + 1);
        const dtype type = test::any_dtype(random);
        std::vector<tensor> parts;
        std::vector<test::elements_of> x;
        for (std::int64_t i = random.integer(1, 4); i > 0; --i) {
            parts.push_back(test::any_data(random, type, one));
            x.emplace_back(parts.back());
        }
        shape_t shape = one;
        shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::int64_t>(parts.size()));
        INFO("axis " << axis << " of " << kernel::text(shape));
        CHECK(test::difference_from(stacked(parts, axis), type, shape, [&](shape_t index) {
                  const auto which = static_cast<std::size_t>(index[at]);
                  index.erase(index.begin() + static_cast<std::ptrdiff_t>(at));
                  return x[which](index);
              }) == "");
    }
    const std::vector<tensor> shapes{tensor(dtype::int8, {2, 3}), tensor(dtype::int8, {2, 1})};
    CHECK(
        error_of([&] { stacked(shapes, 0); }) ==
        "kernel::stack: one tensor is (2, 3) int8 and another is (2, 1) int8; expected the same shape and element type");
    CHECK(error_of([] { stacked({}, 0); }) == "kernel::stack: no tensors; expected at least one");
    CHECK(error_of([&] { stacked({shapes[0]}, 3); }) ==
          "kernel::stack: axis 3 of a tensor of rank 3; expected an axis from -3 to 2");
    CHECK(
        error_of([] { stacked({tensor(dtype::int8, shape_t(32, 1))}, 0); }).ends_with("expected a rank of at most 32"));
}

TEST_CASE("join: meshgrid repeats vectors along each other's axes", "[kernel][join]") {
    const auto grids = [](const std::vector<tensor>& vectors, kernel::grid_order order) {
        std::vector<const tensor*> parts;
        for (const tensor& t : vectors) parts.push_back(&t);
        std::vector<tensor> out(vectors.size());
        kernel::meshgrid(parts, order, out);
        return out;
    };
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 100; ++round) {
        const dtype type = test::any_dtype(random);
        const bool xy = random.integer(0, 1) == 0;
        std::vector<tensor> vectors;
        shape_t shape;
        for (std::int64_t n = random.integer(1, 4); n != 0; --n) {
            vectors.push_back(test::any_data(random, type, test::any_shape(random, 1)));
            shape.push_back(vectors.back().size());
        }
        const bool swapped = xy && shape.size() > 1;
        if (swapped) std::swap(shape[0], shape[1]);
        const auto made = grids(vectors, xy ? kernel::grid_order::xy : kernel::grid_order::ij);
        for (std::size_t i = 0; i < vectors.size(); ++i) {
            const std::vector<double> x = test::values(vectors[i]);
            CHECK(test::difference_from(made[i], type, shape, [&](const shape_t& index) {
                      return x[static_cast<std::size_t>(index[swapped && i < 2 ? 1 - i : i])];
                  }) == "");
        }
    }
    CHECK(error_of([&] { grids({}, kernel::grid_order::ij); }) == "kernel::meshgrid: 0 tensors; expected 1 to 32");
    CHECK(error_of([&] {
              grids({tensor(dtype::int8, {2, 2})}, kernel::grid_order::ij);
          }).ends_with("vectors of one element type"));
}

TEST_CASE("join: fifo_buffer keeps the last elements", "[kernel][join]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 100; ++round) {
        const shape_t shape = test::any_shape(random, 4, 1);
        const std::int64_t axis = test::any_axis(random, shape.size());
        const std::size_t at = test::place(axis, shape.size());
        shape_t more = shape;
        more[at] = random.integer(0, shape[at]);
        const dtype type = test::any_dtype(random);
        const tensor buffer = test::any_data(random, type, shape);
        const tensor data = test::any_data(random, type, more);
        const test::elements_of old(buffer);
        const test::elements_of fresh(data);
        CHECK(
            test::difference_from(test::made(kernel::fifo_buffer, data, buffer, axis), type, shape, [&](shape_t index) {
                const std::int64_t kept = shape[at] - more[at];
                const bool is_old = index[at] < kept;
                index[at] += is_old ? more[at] : -kept;
                return is_old ? old(index) : fresh(index);
            }) == "");
    }
    const tensor two(dtype::int8, {2, 2});
    CHECK(error_of([&] { test::made(kernel::fifo_buffer, tensor(dtype::int8, {3, 2}), two, 0); }) ==
          "kernel::fifo_buffer: data is (3, 2) int8 and the buffer is (2, 2) int8; expected the same element type and, "
          "except along axis 0, the same shape");
    CHECK(error_of([&] { test::made(kernel::fifo_buffer, two, two, 2); }).ends_with("an axis from -2 to 1"));
}
