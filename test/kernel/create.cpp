#include <tutti/kernel/create.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::number;
using kernel::tensor;
using test::error_of;
using test::made;
using test::shape_t;

namespace {

constexpr bool creates_in_constant_evaluation() {
    const std::int64_t shape[]{2, 2};
    tensor t;
    tensor sizes;
    kernel::full(3.5, dtype::float32, shape, t);
    kernel::shape_of(t, dtype::int64, sizes);
    return t.elements<float>()[3] == 3.5F && sizes.elements<std::int64_t>()[1] == 2;
}

} // namespace

TEST_CASE("create: fills in constant evaluation", "[kernel][create]") {
    static_assert(creates_in_constant_evaluation());
    CHECK(creates_in_constant_evaluation());
}

TEST_CASE("create: full is one value everywhere, of any type and shape", "[kernel][create]") {
    for (const dtype type : test::all_dtypes)
        for (const shape_t& shape : {shape_t{}, shape_t{5}, shape_t{2, 0, 3}, shape_t{2, 3, 4}}) {
            INFO(kernel::name(type) << " " << kernel::text(shape));
            CHECK(test::difference_from(made(kernel::full, number(1.0), type, shape), type, shape,
                                        [](const shape_t&) { return 1.0; }) == "");
        }
    CHECK(std::isnan(test::values(made(kernel::full, number(double{NAN}), dtype::float16, shape_t{3}))[2]));
    CHECK(made(kernel::full, number(std::int64_t{-1}), dtype::uint64, shape_t{3}).elements<std::uint64_t>()[2] ==
          ~std::uint64_t{0});
}

TEST_CASE("create: a shape that is none is an error", "[kernel][create]") {
    const auto error = [](dtype type, const shape_t& shape) {
        return error_of([&] { made(kernel::full, number(1.0), type, shape); });
    };
    CHECK(error(dtype::none, {}) == "kernel::full: elements of type void; expected an element type");
    CHECK(error(dtype::int8, {-1}) == "kernel::full: a shape of (-1,); expected at most 32 non-negative sizes");
    CHECK(error(dtype::int8, shape_t(33, 1)).ends_with("expected at most 32 non-negative sizes"));
    CHECK(error(dtype::int8, {1 << 30, 1 << 30}) ==
          "kernel::full: a result of shape (1073741824, 1073741824); expected fewer than 2^48 elements");
}

TEST_CASE("create: shape_of says the sizes", "[kernel][create]") {
    const auto sizes = [](const shape_t& shape, dtype type) {
        return made(kernel::shape_of, tensor(dtype::boolean, shape), type);
    };
    CHECK(test::difference(sizes({2, 0, 4}, dtype::int32), {3}, {2, 0, 4}, 0) == "");
    CHECK(sizes({2, 0, 4}, dtype::int32).type() == dtype::int32);
    CHECK(test::difference(sizes({7}, dtype::float32), {1}, {7}, 0) == "");
    CHECK(test::difference(sizes({}, dtype::int64), {}, {0}, 0) == "");
    CHECK(error_of([&] { sizes({1}, dtype::none); }) ==
          "kernel::shape_of: elements of type void; expected an element type");
    CHECK(error_of([&] { made(kernel::shape_of, tensor(), dtype::int8); }) ==
          "kernel::shape_of: an empty tensor; expected a tensor with an element type");
}
