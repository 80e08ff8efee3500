#include <tutti/relay/onnx/ops/signal.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::dtype;
using kernel::tensor;

TEST_CASE("signal: windows are periodic or symmetric", "[relay][onnx][signal]") {
    const auto window = [](std::string_view op_type, std::int64_t periodic) {
        made_model m;
        m.input("n", {}, 7).node(op_type, {"n"}, {"y"}, {integer_attribute("periodic", periodic)}).output("y");
        const tensor y = result_of(m, {tensor::scalar(std::int64_t{4})});
        return std::vector<float>{y.data<float>(), y.data<float>() + y.size()};
    };
    const auto near = [](const std::vector<float>& a, const std::vector<float>& b) {
        bool same = a.size() == b.size();
        for (std::size_t i = 0; same && i < a.size(); ++i) same = std::abs(a[i] - b[i]) < 1e-5F;
        return same;
    };
    CHECK(near(window("HannWindow", 1), {0, 0.5F, 1, 0.5F}));
    CHECK(near(window("HannWindow", 0), {0, 0.75F, 0.75F, 0}));
    CHECK(near(window("HammingWindow", 1), {4 / 46.F, 25 / 46.F, 1, 25 / 46.F}));
    CHECK(near(window("BlackmanWindow", 1), {0, 0.34F, 1, 0.34F}));
}

TEST_CASE("signal: triangular filters between edges evenly spaced in mel", "[relay][onnx][signal]") {
    made_model m;
    m.input("filters", {}, 7)
        .initializer(int64_tensor("length", {}, {30}))
        .initializer(int64_tensor("rate", {}, {8000}));
    m.initializer(float_tensor("low", {}, {100})).initializer(float_tensor("high", {}, {4000}));
    m.node("MelWeightMatrix", {"filters", "length", "rate", "low", "high"}, {"y"}).output("y");
    const std::int64_t filters = 4, rows = 16;
    const tensor y = result_of(m, {tensor::scalar(filters)});
    REQUIRE(y.size() == rows * filters);
    const auto edge = [&](std::int64_t i) {
        const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
        const double at = mel(100) + static_cast<double>(i) * (mel(4000) - mel(100)) / static_cast<double>(filters + 2);
        return static_cast<std::int64_t>(31 * 700 * (std::pow(10, at / 2595) - 1) / 8000);
    };
    for (std::int64_t f = 0; f < filters; ++f) {
        const std::int64_t start = edge(f), peak = edge(f + 1), end = edge(f + 2);
        for (std::int64_t row = 0; row < rows; ++row) {
            double expected = 0;
            if (row == peak)
                expected = 1;
            else if (row >= start && row < peak)
                expected = static_cast<double>(row - start) / static_cast<double>(peak - start);
            else if (row > peak && row < end)
                expected = static_cast<double>(end - row) / static_cast<double>(end - peak);
            CAPTURE(f, row, start, peak, end);
            CHECK(std::abs(static_cast<double>(y.data<float>()[row * filters + f]) - expected) < 1e-6);
        }
    }
}
