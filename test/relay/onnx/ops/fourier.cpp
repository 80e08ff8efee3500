#include <tutti/relay/onnx/ops/fourier.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::dtype;
using kernel::tensor;

namespace {

std::vector<std::int64_t> shape_of(const tensor& t) { return {t.shape().begin(), t.shape().end()}; }
bool near(const tensor& a, const tensor& b) {
    bool same = shape_of(a) == shape_of(b);
    for (std::int64_t i = 0; same && i < a.size(); ++i)
        same = std::abs(a.data<float>()[i] - b.data<float>()[i]) < 1e-4F;
    return same;
}
tensor signal(std::initializer_list<std::int64_t> shape) {
    tensor x(dtype::float32, shape);
    for (std::int64_t i = 0; i < x.size(); ++i) x.mutable_data<float>()[i] = static_cast<float>((i * 7) % 11) - 3;
    return x;
}

made_model transform(std::int64_t parts, bool inverse, bool onesided, std::int64_t length) {
    made_model m;
    m.input("x", {2, 5, parts}).initializer(int64_tensor("n", {}, {length}));
    m.node("DFT", {"x", "n"}, {"y"}, {integer_attribute("inverse", inverse), integer_attribute("onesided", onesided)});
    return m.output("y");
}

} // namespace

TEST_CASE("fourier: a transform is the sum of turned elements", "[relay][onnx][fourier]") {
    for (const std::int64_t parts : {1, 2})
        for (const bool inverse : {false, true})
            for (const std::int64_t length : {4, 5, 7}) {
                const tensor x = signal({2, 5, parts});
                const bool onesided = parts == 1 && length == 5 && !inverse;
                const tensor y = result_of(transform(parts, inverse, onesided, length), {x});
                const std::int64_t kept = onesided ? length / 2 + 1 : length;
                REQUIRE(std::vector<std::int64_t>(y.shape().begin(), y.shape().end()) ==
                        std::vector<std::int64_t>{2, kept, 2});
                for (std::int64_t row = 0; row < 2; ++row)
                    for (std::int64_t k = 0; k < kept; ++k) {
                        std::complex<double> sum = 0;
                        for (std::int64_t n = 0; n < std::min<std::int64_t>(length, 5); ++n) {
                            const float* const at = x.data<float>() + (row * 5 + n) * parts;
                            const double turn = (inverse ? 2 : -2) * std::numbers::pi * static_cast<double>(k * n) /
                                                static_cast<double>(length);
                            sum += std::complex<double>(static_cast<double>(at[0]),
                                                        parts == 2 ? static_cast<double>(at[1]) : 0) *
                                   std::polar(1.0, turn);
                        }
                        if (inverse) sum /= static_cast<double>(length);
                        const float* const got = y.data<float>() + (row * kept + k) * 2;
                        CHECK(std::abs(static_cast<double>(got[0]) - sum.real()) < 1e-4);
                        CHECK(std::abs(static_cast<double>(got[1]) - sum.imag()) < 1e-4);
                    }
            }
}

TEST_CASE("fourier: a real signal from half of its spectrum", "[relay][onnx][fourier]") {
    for (const std::int64_t length : {4, 5}) {
        const tensor x = signal({2, length, 1});
        made_model m;
        m.input("x", {2, length, 1}).initializer(int64_tensor("n", {}, {length}));
        m.node("DFT", {"x"}, {"half"}, {integer_attribute("onesided", 1)});
        m.node("DFT", {"half", "n"}, {"y"}, {integer_attribute("inverse", 1), integer_attribute("onesided", 1)});
        CHECK(near(result_of(m.output("y"), {x}), x));
    }
}

TEST_CASE("fourier: the axis, the length and the sizes are known at run time", "[relay][onnx][fourier]") {
    const auto model = [](bool known, std::int64_t axis, bool onesided) {
        made_model m;
        m.opset = 20;
        if (known)
            m.input("x", {2, 3, 5, 1})
                .initializer(int64_tensor("axis", {}, {axis}))
                .initializer(int64_tensor("n", {}, {4}));
        else
            m.input("x", {-1, -2, -3, 1}).input("axis", {}, 7).input("n", {}, 7);
        m.node("DFT", {"x", "n", "axis"}, {"y"}, {integer_attribute("onesided", onesided)});
        return m.output("y");
    };
    const tensor x = signal({2, 3, 5, 1});
    for (const std::int64_t axis : {0, 1, 2, -2, -4})
        for (const bool onesided : {false, true}) {
            CAPTURE(axis, onesided);
            const tensor y = result_of(model(true, axis, onesided), {x});
            CHECK(y.shape()[static_cast<std::size_t>(axis < 0 ? axis + 4 : axis)] == (onesided ? 3 : 4));
            CHECK(near(
                result_of(model(false, axis, onesided), {x, tensor::scalar(axis), tensor::scalar(std::int64_t{4})}),
                y));
        }
}

TEST_CASE("fourier: frames of a signal are transformed one by one", "[relay][onnx][fourier]") {
    made_model m;
    m.input("x", {2, 7, 1}).initializer(int64_tensor("step", {}, {3}));
    m.initializer(float_tensor("window", {4}, {1, 2, 3, 4}));
    m.node("STFT", {"x", "step", "window"}, {"y"}, {integer_attribute("onesided", 0)}).output("y");
    const tensor x = signal({2, 7, 1});
    const tensor y = result_of(m, {x});
    REQUIRE(shape_of(y) == std::vector<std::int64_t>{2, 2, 4, 2});
    for (std::int64_t batch = 0; batch < 2; ++batch)
        for (std::int64_t frame = 0; frame < 2; ++frame) {
            tensor part(dtype::float32, {1, 4, 1});
            for (std::int64_t i = 0; i < 4; ++i)
                part.mutable_data<float>()[i] = x.data<float>()[batch * 7 + frame * 3 + i] * static_cast<float>(i + 1);
            made_model one;
            one.input("x", {1, 4, 1}).node("DFT", {"x"}, {"y"}).output("y");
            const tensor expected = result_of(one, {part});
            for (std::int64_t i = 0; i < 8; ++i)
                CHECK(std::abs(y.data<float>()[(batch * 2 + frame) * 8 + i] - expected.data<float>()[i]) < 1e-4F);
        }
}

TEST_CASE("fourier: signals that have no transform", "[relay][onnx][fourier]") {
    CHECK(import_refused(transform(3, false, false, 5)) ==
          "m.onnx, node `y` (DFT): elements of 3 parts; expected 1 (real) or 2 (complex)");
    CHECK(import_refused(transform(2, false, true, 5)) ==
          "m.onnx, node `y` (DFT): half of the spectrum of a complex signal; expected onesided=0");
    CHECK(import_refused(transform(1, true, true, 5)) ==
          "m.onnx, node `y` (DFT): half of a spectrum with real elements; expected complex elements (2 parts)");
    CHECK(import_refused(transform(1, false, false, 0)) ==
          "m.onnx, node `y` (DFT): a length of 0; expected 1 to 16,384");
    CHECK(import_refused(transform(1, false, false, 20'000)) ==
          "m.onnx, node `y` (DFT): a length of 20000; expected 1 to 16,384");
    made_model flat;
    flat.input("x", {4, 1}).node("DFT", {"x"}, {"y"}).output("y");
    CHECK(import_refused(flat) ==
          "m.onnx, node `y` (DFT): a signal of rank 2; expected 3 or more: batch, elements, parts");
    made_model m;
    m.input("x", {1, 8, 1}).input("step", {}, 7).node("STFT", {"x", "step"}, {"y"}, {}, "s").output("y");
    CHECK(import_refused(m) ==
          "m.onnx, node `s` (STFT): has neither a window nor a frame_length; expected one of them");
}
