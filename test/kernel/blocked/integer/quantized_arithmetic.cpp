#include <tutti/kernel/blocked/integer/quantized_arithmetic.hpp>

#include <tutti/kernel/quantized_arithmetic.hpp>
#include <tutti/kernel/quantized_functions.hpp>
#include <tutti/parallel/thread_pool.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::dtype;
using kernel::quantization;
using kernel::tensor;
using test::shape_t;

TEST_CASE("blocked/quantized_arithmetic: makes the reference's integers, broadcast, on any number of threads",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    kernel::quantized_workspace space;
    int known = 0;
    for (int round = test::rounds(300); round > 0; --round) {
        constexpr dtype types[]{dtype::uint8, dtype::int8,   dtype::uint8, dtype::int8,
                                dtype::int16, dtype::uint16, dtype::int32};
        const dtype type = types[random.integer(0, 6)];
        shape_t shape(static_cast<std::size_t>(random.integer(0, 4)));
        for (std::int64_t& d : shape) d = random.integer(1, 9);
        if (!shape.empty() && random.integer(0, 3) == 0) shape.back() *= random.integer(1, 3000);
        const auto part_of = [&] {
            shape_t s = shape;
            if (random.integer(0, 1) == 0)
                for (std::int64_t& d : s) d = random.integer(0, 2) == 0 ? 1 : d;
            s.erase(s.begin(), s.begin() + (random.integer(0, 4) == 0 && !s.empty() ? 1 : 0));
            const auto range = kernel::values_of(type);
            return test::converted(
                random.filled<std::int32_t>(s, static_cast<double>(range.least), static_cast<double>(range.greatest)),
                type);
        };
        const auto scale = [&] {
            const int exponent = random.integer(0, 5) == 0 ? static_cast<int>(random.integer(-30, 20)) : 0;
            return tensor::scalar(std::ldexp(static_cast<float>(random.real(0.01, 1)), exponent));
        };
        const auto point = [&] { return tensor::scalar(static_cast<std::int32_t>(random.integer(-256, 256))); };
        const tensor a = part_of(), b = part_of();
        const tensor scales[]{scale(), scale(), scale()};
        const tensor points[]{point(), point(), point()};
        const quantization l{scales[0], points[0]}, r{scales[1], points[1]}, to{scales[2], points[2]};
        const tutti::executor_ref on = round % 2 == 0 ? tutti::executor_ref(pool) : tutti::executor_ref();
        INFO(kernel::text(a) << " and " << kernel::text(b));
        const auto check = [&](auto mine, auto reference) {
            tensor got;
            if (!mine({a, l, b, r}, to, got, on)) return;
            ++known;
            tensor expected;
            reference(a, l, b, r, to, expected, space);
            CHECK(test::identical(got, expected));
        };
        check(blocked::quantized_add, kernel::quantized_add);
        check(blocked::quantized_subtract, kernel::quantized_subtract);
        check(blocked::quantized_multiply, kernel::quantized_multiply);
    }
    CHECK(known > test::rounds(300) * 3 / 2);
}

TEST_CASE("blocked/quantized_arithmetic: declines several scales, and unsupported shapes", "[kernel][blocked]") {
    const tensor one = tensor::scalar(1.F);
    const tensor zero = tensor::scalar(0);
    const tensor two({2}, {1.F, 2.F});
    const tensor bytes(dtype::int8, {3, 2});
    const quantization q{one, zero};
    tensor out;
    const auto left = [&](const tensor& a, const quantization& l, const tensor& b, const quantization& r,
                          const quantization& to) {
        CHECK(!blocked::quantized_add({a, l, b, r}, to, out));
        CHECK(!blocked::quantized_subtract({a, l, b, r}, to, out));
        CHECK(!blocked::quantized_multiply({a, l, b, r}, to, out));
    };
    left(bytes, {two, zero, 1}, bytes, q, q);
    left(bytes, q, bytes, {two, zero, 1}, q);
    left(bytes, q, bytes, q, {two, zero, 1});
    left(bytes, q, tensor(dtype::uint8, {3, 2}), q, q);
    left(bytes, q, tensor(dtype::int8, {4}), q, q);
    left(tensor(dtype::float32, {2}), q, tensor(dtype::float32, {2}), q, q);
    CHECK(out.empty());
    CHECK_THROWS_AS(blocked::quantized_add({bytes, {tensor::scalar(-1.F), zero}, bytes, q}, q, out), tutti::error);
}
