#include <tutti/kernel/blocked/integer/quantize.hpp>

#include <tutti/parallel/thread_pool.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::dtype;
using kernel::quantization;
using kernel::tensor;
using test::shape_t;

namespace {

// Requantises with the kernel in one call. False if the kernel does not support the case.
bool requantize(const tensor& data, const quantization& from, const quantization& to,
                const kernel::requantize_options& options, dtype type, tensor& out, tensor& room,
                tutti::executor_ref on = {}) {
    blocked::requantization how;
    if (!how.set(data, from, to, options, type, room)) return false;
    how.run(data, out, on);
    return true;
}

// A tensor with scales and zero points, per tensor or per channel.
struct quantized_case {
    shape_t shape;
    std::int64_t axis = -1;
    tensor scale;
    tensor zero;

    explicit quantized_case(test::random_source& random, double least = 1e-4, std::int64_t zeros = 100) {
        const bool large = random.integer(0, 9) == 0; // large enough for several threads
        shape.resize(static_cast<std::size_t>(random.integer(1, large ? 3 : 4)));
        for (std::int64_t& d : shape) d = large ? random.integer(20, 50) : random.integer(1, 20);
        if (random.integer(0, 3) == 0) shape.back() *= random.integer(1, 70);
        const auto rank = static_cast<std::int64_t>(shape.size());
        axis = random.integer(-rank, rank - 1);
        const std::int64_t count = shape[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)];
        scale = random.filled<float>({random.integer(0, 2) == 0 ? 1 : count}, least, 1);
        zero = random.filled<std::int32_t>({random.integer(0, 1) == 0 ? 1 : count}, static_cast<double>(-zeros),
                                           static_cast<double>(zeros));
        if (random.integer(0, 3) == 0) // varying magnitudes
            for (float& s : scale.mutable_elements<float>())
                s = std::ldexp(s, static_cast<int>(random.integer(-40, 10)));
    }
    quantization as() const { return {scale, zero, axis}; }
};

constexpr dtype quantized_types[]{dtype::int8, dtype::uint8, dtype::int16, dtype::uint16, dtype::int32};

tensor any_quantized(test::random_source& random, const shape_t& shape, dtype type) {
    const auto range = kernel::values_of(type);
    tensor wide(dtype::int32, shape);
    const std::int64_t bits = random.integer(0, 24);
    for (std::int32_t& x : wide.mutable_elements<std::int32_t>()) {
        x = static_cast<std::int32_t>(random.integer(range.least, range.greatest));
        if (type == dtype::int32 && random.integer(0, 9) != 0) x >>= bits;
    }
    return test::converted(wide, type);
}

} // namespace

TEST_CASE("blocked/quantize: quantize makes the reference's integers, on any number of threads", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    tensor room;
    int known = 0;
    for (int round = test::rounds(300); round > 0; --round) {
        const quantized_case q(random);
        const dtype type = quantized_types[random.integer(0, 4)];
        tensor data = random.filled<float>(q.shape, -300, 300);
        const bool halves = random.integer(0, 1) == 0; // ties and their neighbours
        for (float& x : data.mutable_elements<float>()) {
            if (halves) x = static_cast<float>(random.integer(-600, 600)) * 0.5F * q.scale.data<float>()[0];
            if (random.integer(0, 3) == 0) x = std::nextafter(x, random.integer(0, 1) == 0 ? -1e9F : 1e9F);
            constexpr float strange[]{std::numeric_limits<float>::quiet_NaN(),
                                      std::numeric_limits<float>::infinity(),
                                      -std::numeric_limits<float>::infinity(),
                                      1e30F,
                                      -1e30F,
                                      -0.F};
            if (random.integer(0, 99) == 0) x = strange[random.integer(0, 5)];
        }
        tensor got;
        if (!blocked::quantize(data, q.as(), type, got, room,
                               round % 2 == 0 ? tutti::executor_ref(pool) : tutti::executor_ref())) {
            CHECK(type == dtype::int32);
            continue;
        }
        ++known;
        INFO(kernel::text(data) << " along " << q.axis << " to " << kernel::name(type));
        CHECK(test::identical(got, test::made(kernel::quantize, data, q.as(), type)));
    }
    CHECK(known > test::rounds(300) / 2);
}

TEST_CASE("blocked/quantize: quantize rounds the number before a half down, and halves away from zero",
          "[kernel][blocked]") {
    const tensor one = tensor::scalar(1.F);
    const tensor zero = tensor::scalar(0);
    tensor x(dtype::float32, {60000});
    for (std::int64_t i = 0; i < 20000; ++i) {
        const float half = static_cast<float>(i - 10000) + 0.5F;
        x.mutable_data<float>()[3 * i] = std::nextafter(half, -1e9F);
        x.mutable_data<float>()[3 * i + 1] = half;
        x.mutable_data<float>()[3 * i + 2] = std::nextafter(half, 1e9F);
    }
    tensor got;
    tensor room;
    CHECK(blocked::quantize(x, {one, zero}, dtype::int16, got, room));
    CHECK(test::identical(got, test::made(kernel::quantize, x, quantization{one, zero}, dtype::int16)));
}

TEST_CASE("blocked/quantize: dequantize makes the reference's numbers, on any number of threads", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    tensor room;
    for (int round = test::rounds(200); round > 0; --round) {
        const dtype type = quantized_types[random.integer(0, 4)];
        quantized_case q(random);
        if (type == dtype::int32) q.zero = tensor::scalar(0);
        const tensor data = any_quantized(random, q.shape, type);
        tensor got;
        INFO(kernel::text(data) << " along " << q.axis);
        CHECK(blocked::dequantize(data, q.as(), got, room,
                                  round % 2 == 0 ? tutti::executor_ref(pool) : tutti::executor_ref()));
        CHECK(test::identical(got, test::made(kernel::dequantize, data, q.as())));
    }
}

TEST_CASE("blocked/quantize: requantize makes the reference's integers, on any number of threads",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    tensor room;
    int known = 0;
    for (int round = test::rounds(400); round > 0; --round) {
        const dtype type = quantized_types[random.integer(0, 4)];
        const dtype made_type = quantized_types[random.integer(0, 4)];
        quantized_case q(random);
        if (type == dtype::int32 && random.integer(0, 3) != 0) q.zero = tensor::scalar(0);
        const tensor scale = random.filled<float>({1}, 0.01, 3);
        const tensor zero = random.filled<std::int32_t>({1}, -200, 200);
        const tensor data = any_quantized(random, q.shape, type);
        const kernel::requantize_options how{random.integer(0, 1) == 0 ? kernel::rounding::upward
                                                                       : kernel::rounding::to_nearest,
                                             random.integer(0, 19) == 0 ? kernel::requantize_arithmetic::float32
                                                                        : kernel::requantize_arithmetic::fixed_point};
        tensor got;
        if (!requantize(data, q.as(), {scale, zero}, how, made_type, got, room,
                        round % 2 == 0 ? tutti::executor_ref(pool) : tutti::executor_ref())) {
            CHECK(got.empty());
            continue;
        }
        ++known;
        INFO(kernel::text(data) << " along " << q.axis << " to " << kernel::name(made_type));
        CHECK(test::identical(got,
                              test::made(kernel::requantize, data, q.as(), quantization{scale, zero}, how, made_type)));
    }
    CHECK(known > test::rounds(400) / 2);
}

TEST_CASE("blocked/quantize: declines unsupported operands, and a wrong scale is an error", "[kernel][blocked]") {
    const tensor one = tensor::scalar(1.F);
    const tensor zero = tensor::scalar(0);
    const tensor two({2}, {1.F, 2.F});
    const tensor floats(dtype::float32, {3});
    const tensor bytes(dtype::int8, {3});
    tensor out;
    tensor room;
    CHECK(!blocked::quantize(bytes, {one, zero}, dtype::int8, out, room));
    CHECK(!blocked::quantize(floats, {two, zero}, dtype::int8, out, room));
    CHECK(!blocked::quantize(floats, {one, zero}, dtype::float32, out, room));
    CHECK(!blocked::quantize(floats, {one, tensor::scalar(1 << 24)}, dtype::int8, out, room));
    CHECK(!blocked::dequantize(floats, {one, zero}, out, room));
    CHECK(!blocked::dequantize(tensor(dtype::int32, {3}), {one, tensor::scalar(1)}, out, room));
    CHECK(!requantize(bytes, {one, zero}, {two, zero}, {}, dtype::int8, out, room));
    CHECK(!requantize(bytes, {one, zero}, {one, one}, {}, dtype::int8, out, room));
    CHECK(!requantize(tensor(dtype::int32, {3}), {two, zero}, {one, zero}, {}, dtype::int8, out, room));
    CHECK(out.empty());
    const tensor none = tensor::scalar(0.F);
    CHECK(test::error_of([&] { blocked::quantize(floats, {none, zero}, dtype::int8, out, room); }) ==
          test::error_of([&] { kernel::quantize(floats, {none, zero}, dtype::int8, out); }));
    CHECK(test::error_of([&] { requantize(bytes, {none, zero}, {one, zero}, {}, dtype::int8, out, room); }) ==
          test::error_of([&] { kernel::requantize(bytes, {none, zero}, {one, zero}, {}, dtype::int8, out); }));
}
