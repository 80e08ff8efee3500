#include <tutti/kernel/support/loops.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
namespace detail = tutti::kernel::detail;
using kernel::dtype;
using kernel::extents;
using kernel::tensor;

namespace {

struct difference {
    template <class T>
    constexpr T operator()(T a, T b) const {
        return a - b;
    }
};

struct scaled {
    template <class T>
    constexpr T operator()(T x, T factor, T shift) const {
        return x * factor + shift;
    }
};

} // namespace

TEST_CASE("loops: operands are read with their strides, in rows longer than a block", "[kernel][loops]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const std::int64_t columns : {1, 3, 511, 512, 513, 1025}) {
        const tensor a = random.filled<std::int16_t>({2, columns}, -100, 100);
        const tensor b = random.filled<std::int16_t>({2}, -100, 100);
        tensor out(dtype::int16, {2, columns});
        detail::compute(detail::pair_loops<difference>, a, extents(test::shape_t{columns, 1}), b,
                        extents(test::shape_t{1, 0}), out);
        std::vector<double> expected = test::values(a);
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected[i] -= test::values(b)[i / static_cast<std::size_t>(columns)];
        CHECK(test::difference(out, {2, columns}, expected, 0) == "");
    }
}

TEST_CASE("loops: parameters are the same for all elements", "[kernel][loops]") {
    const tensor in(dtype::float16, {1000});
    tensor out(dtype::float16, {1000});
    const float parameters[]{2, 3};
    detail::walk_unary(detail::arithmetic_loops<scaled, 2>.f32, in, +parameters, out);
    CHECK(test::difference(out, {1000}, std::vector<double>(1000, 3), 0) == "");
}
