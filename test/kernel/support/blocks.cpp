#include <tutti/kernel/support/blocks.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;

static_assert(std::is_same_v<kernel::arithmetic_type<bool>, std::int64_t>);
static_assert(std::is_same_v<kernel::arithmetic_type<std::uint32_t>, std::int64_t>);
static_assert(std::is_same_v<kernel::arithmetic_type<std::uint64_t>, std::uint64_t>);
static_assert(std::is_same_v<kernel::arithmetic_type<kernel::float16>, float>);
static_assert(std::is_same_v<kernel::arithmetic_type<double>, double>);

TEST_CASE("blocks: reading and writing preserves the elements of every type", "[kernel][blocks]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int i = static_cast<int>(dtype::boolean); i <= static_cast<int>(dtype::float64); ++i) {
        const auto type = static_cast<dtype>(i);
        const tensor in = test::made([](auto&... a) { kernel::cast(a...); }, random.filled<double>({9}, 0, 100), type);
        tensor out(type, {9});
        kernel::detail::with_arithmetic(type, [&]<class C>(std::type_identity<C>) {
            C room[4];
            C made[4];
            const C* from = kernel::detail::read_block(in, 3, 4, +room);
            C* to = kernel::detail::block_to_write(out, 3, +made);
            for (int k = 0; k < 4; ++k) to[k] = from[k];
            kernel::detail::write_block<C>(to, 4, out, 3);
            const bool in_place = type == kernel::dtype_of<C>;
            CHECK((from != room) == in_place);
            CHECK((to != made) == in_place);
        });
        std::vector<double> expected = test::values(in);
        for (const std::size_t k : {0U, 1U, 2U, 7U, 8U}) expected[k] = 0;
        INFO(kernel::name(type));
        CHECK(test::difference(out, {9}, expected, 0) == "");
    }
}

TEST_CASE("blocks: the checks name the element type", "[kernel][blocks]") {
    CHECK(test::error_of([] { kernel::detail::check_arithmetic("k", tensor(dtype::boolean, {})); }) ==
          "kernel::k: cannot compute with elements of type bool; expected an integer or floating-point type");
    CHECK(test::error_of([] { kernel::detail::check_arithmetic("k", tensor(dtype::int4, {})); }) ==
          "kernel::k: cannot compute with elements of type int4; expected a wider type, to which `cast` converts them");
    CHECK(test::error_of([] { kernel::detail::check_floating("k", tensor(dtype::int8, {})); }) ==
          "kernel::k: cannot compute with elements of type int8; expected float16, bfloat16, float32 or float64");
    CHECK(test::error_of([] { kernel::detail::check_any("k", tensor()); }) ==
          "kernel::k: an empty tensor; expected a tensor with an element type");
    CHECK_NOTHROW(kernel::detail::check_arithmetic("k", tensor(dtype::uint8, {})));
    CHECK_NOTHROW(kernel::detail::check_floating("k", tensor(dtype::float16, {})));
    CHECK_NOTHROW(kernel::detail::check_any("k", tensor(dtype::boolean, {})));
}
