#include <tutti/kernel/blocked/integer/cast.hpp>

#include <tutti/kernel/cast.hpp>
#include <tutti/parallel/thread_pool.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::dtype;
using kernel::tensor;

namespace {

tensor cast_by_reference(const tensor& data, dtype type) {
    return test::made([&](tensor& out) { kernel::cast(data, type, out); });
}

} // namespace

TEST_CASE("blocked/cast: between small integers and float32, to the bit, on any number of threads",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    constexpr dtype types[]{dtype::int8, dtype::uint8, dtype::int16, dtype::uint16, dtype::int32, dtype::float32};
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::vector<float> edges{0, -0.F, infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 1e-40F, 3e38F};
    for (const dtype type : types)
        if (type != dtype::float32)
            for (const std::int64_t end : {kernel::values_of(type).least, kernel::values_of(type).greatest})
                for (const float by : {-1.F, -0.5F, 0.F, 0.5F, 1.F}) {
                    const float x = static_cast<float>(end) + by;
                    for (const float near : {x, std::nextafter(x, infinity), std::nextafter(x, -infinity)})
                        edges.push_back(near);
                }
    for (int round = test::rounds(300); round > 0; --round) {
        const dtype from = types[random.integer(0, 5)];
        const dtype to = types[random.integer(0, 5)];
        if (from == to) continue;
        const std::int64_t size = random.integer(0, 9) == 0 ? random.integer(30000, 70000) : random.integer(0, 1500);
        tensor data(dtype::int32, {size});
        for (std::int32_t& x : data.mutable_elements<std::int32_t>()) x = static_cast<std::int32_t>(random.bits());
        if (from == dtype::float32) {
            data = random.filled<float>({size}, -1, 1);
            for (float& x : data.mutable_elements<float>())
                x = random.integer(0, 3) == 0 ? edges[static_cast<std::size_t>(
                                                    random.integer(0, static_cast<std::int64_t>(edges.size()) - 1))]
                                              : std::ldexp(x, static_cast<int>(random.integer(0, 34)));
        } else {
            data = test::converted(data, from);
        }
        INFO(kernel::text(data) << " to " << kernel::name(to));
        bool known = false;
        const tensor got = test::made([&](tensor& out) {
            known = blocked::cast(data, to, out, round % 2 == 0 ? tutti::executor_ref(pool) : tutti::executor_ref());
        });
        CHECK(known);
        CHECK(test::identical(got, cast_by_reference(data, to)));
    }
}

TEST_CASE("blocked/cast: other types, and elements that are of the type, are left to others", "[kernel][blocked]") {
    tensor out;
    for (const dtype other : {dtype::boolean, dtype::float64, dtype::float16, dtype::int64, dtype::uint32}) {
        CHECK(!blocked::cast(tensor(dtype::int8, {2}), other, out));
        CHECK(!blocked::cast(tensor(other, {2}), dtype::int8, out));
    }
    CHECK(!blocked::cast(tensor(dtype::int8, {2}), dtype::int8, out));
    CHECK(!blocked::cast(tensor{}, dtype::int8, out));
    CHECK(out.empty());
}
