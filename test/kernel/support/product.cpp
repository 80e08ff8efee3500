#include <tutti/kernel/support/product.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <type_traits>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;

namespace {

dtype result_type(dtype data, dtype weight, dtype out) {
    return kernel::detail::product_type("k", tensor(data, {1}), tensor(weight, {1}), out);
}

dtype sum_type(dtype data, dtype weight, dtype out) {
    const dtype sum = kernel::detail::sum_type(data, weight, out);
    dtype meant = dtype::none;
    kernel::detail::with_sum_type(sum, [&]<class Sum>(std::type_identity<Sum>) { meant = kernel::dtype_of<Sum>; });
    CHECK(meant == sum);
    return sum;
}

} // namespace

TEST_CASE("product: the result has the data's type, or the requested one", "[kernel][product]") {
    CHECK(result_type(dtype::int8, dtype::int8, dtype::none) == dtype::int8);
    CHECK(result_type(dtype::uint8, dtype::int8, dtype::int32) == dtype::int32);
    CHECK(result_type(dtype::int8, dtype::int8, dtype::float32) == dtype::float32);
    CHECK(result_type(dtype::float16, dtype::float16, dtype::float64) == dtype::float64);
    CHECK(test::error_of([] { result_type(dtype::float32, dtype::float32, dtype::int8); }) ==
          "kernel::k: data is (1,) float32 and weight is (1,) float32; expected a result type that can hold the "
          "products of these elements, unlike int8");
    CHECK(test::error_of([] { result_type(dtype::float32, dtype::float32, dtype::boolean); }) ==
          "kernel::k: data is (1,) float32 and weight is (1,) float32; expected a result type that can hold the "
          "products of these elements, unlike bool");
    CHECK(test::error_of([] { result_type(dtype::boolean, dtype::int8, dtype::none); }) ==
          "kernel::k: data is (1,) bool and weight is (1,) int8; expected elements of integer or floating-point types");
}

TEST_CASE("product: is summed in a type that is wide enough", "[kernel][product]") {
    CHECK(sum_type(dtype::float16, dtype::float16, dtype::float16) == dtype::float32);
    CHECK(sum_type(dtype::float32, dtype::float32, dtype::float64) == dtype::float64);
    CHECK(sum_type(dtype::float64, dtype::float64, dtype::float32) == dtype::float64);
    CHECK(sum_type(dtype::int8, dtype::uint8, dtype::int32) == dtype::uint32);
    CHECK(sum_type(dtype::int8, dtype::int8, dtype::int64) == dtype::uint64);
    CHECK(sum_type(dtype::int64, dtype::int64, dtype::int8) == dtype::uint32); // correct modulo 2^8
    CHECK(sum_type(dtype::int8, dtype::int8, dtype::float32) == dtype::float32);
}
