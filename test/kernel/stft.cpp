#include <tutti/kernel/stft.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::stft_options;
using kernel::tensor;

namespace {

tensor transformed(const tensor& data, const tensor& window, const stft_options& o) {
    return test::made([](auto&... a) { kernel::stft(a...); }, data, window, o);
}

template <class T>
void check(test::random_source& random, double tolerance) {
    stft_options o;
    o.size = random.integer(1, 9);
    o.window = random.integer(1, o.size);
    o.hop = random.integer(1, 4);
    o.normalized = random.integer(0, 1) == 0;
    o.onesided = random.integer(0, 1) == 0;
    const bool one = random.integer(0, 1) == 0;
    const std::int64_t signals = one ? 1 : random.integer(0, 2);
    const std::int64_t length = o.size + random.integer(0, 9);
    const tensor data = random.filled<T>(one ? test::shape_t{length} : test::shape_t{signals, length});
    const tensor window = random.filled<T>({o.window});
    const std::vector<double> x = test::values(data);
    const std::vector<double> by = test::values(window);
    const std::int64_t rows = o.onesided ? o.size / 2 + 1 : o.size;
    const std::int64_t frames = (length - o.size) / o.hop + 1;
    std::vector<double> expected;
    for (std::int64_t n = 0; n < signals; ++n)
        for (std::int64_t f = 0; f < rows; ++f)
            for (std::int64_t frame = 0; frame < frames; ++frame) {
                double real = 0;
                double imaginary = 0;
                for (std::int64_t i = 0; i < o.window; ++i) {
                    const double angle =
                        2 * std::acos(-1.0) * static_cast<double>(f * i) / static_cast<double>(o.window);
                    const double value =
                        by[static_cast<std::size_t>(i)] * x[static_cast<std::size_t>(n * length + frame * o.hop + i)];
                    real += value * std::cos(angle);
                    imaginary -= value * std::sin(angle);
                }
                const double scale = o.normalized ? std::sqrt(static_cast<double>(o.size)) : 1;
                expected.push_back(real / scale);
                expected.push_back(imaginary / scale);
            }
    test::shape_t shape{rows, frames, 2};
    if (!one) shape.insert(shape.begin(), signals);
    CHECK(test::difference(transformed(data, window, o), shape, expected, tolerance) == "");
}

} // namespace

TEST_CASE("stft: agrees with the definition", "[kernel][stft]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < test::rounds(60); ++round) {
        check<float>(random, 1e-5);
        check<double>(random, 1e-12);
        check<kernel::float16>(random, 0.003);
    }
}

TEST_CASE("stft: a signal of two frames", "[kernel][stft]") {
    const tensor out = transformed(tensor({6}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F}), tensor({3}, {4.F, 3.F, 2.F}),
                                   {.size = 3, .hop = 3, .window = 3});
    CHECK(test::difference(out, {2, 2, 2}, {16, 0, 43, 0, -2, 0, 2.5, -1.5 * std::sqrt(3.0)}, 1e-6) == "");
}

TEST_CASE("stft: an error names mismatched operands", "[kernel][stft]") {
    const tensor data(dtype::float32, {2, 8});
    const tensor window(dtype::float32, {4});
    const auto error = [&](const tensor& d, const stft_options& o) {
        return test::error_of([&] { transformed(d, window, o); });
    };
    CHECK(error(data, {.size = 9, .hop = 1, .window = 4}).find("a transform of 9 every 1 over 4") != std::string::npos);
    CHECK(error(data, {.size = 4, .hop = 0, .window = 4}).find("positive numbers") != std::string::npos);
    CHECK(error(data, {.size = 4, .hop = 1, .window = 5}).find("window <= transform") != std::string::npos);
    CHECK(error(data, {.size = 8, .hop = 1, .window = 5}).find("window <= transform") != std::string::npos);
    CHECK(error(tensor(dtype::int32, {8}), {.size = 4, .hop = 1, .window = 4}).find("floating-point") !=
          std::string::npos);
    CHECK(error(tensor(dtype::float32, {}), {}).find("floating-point signals") != std::string::npos);
    CHECK(transformed(data, window, {.size = 8, .hop = INT64_MAX, .window = 4}).size() == 20);
}
