#include <tutti/relay/onnx/ops/signal.hpp>

#include <tutti/relay/eval/evaluate.hpp>

#include "../made_model.hpp"
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

tensor result_of(const made_model& m, const tensor& x) {
    return relay::evaluate(import_model(model_of(m)), std::span<const tensor>(&x, 1))[0];
}

made_model transform(std::int64_t parts, bool inverse, bool onesided, std::int64_t length) {
    made_model m;
    m.input("x", {2, 5, parts}).initializer(int64_tensor("n", {}, {length}));
    m.node("DFT", {"x", "n"}, {"y"}, {integer_attribute("inverse", inverse), integer_attribute("onesided", onesided)});
    return m.output("y");
}

} // namespace

TEST_CASE("signal: a transform is the sum of turned elements", "[relay][onnx][signal]") {
    for (const std::int64_t parts : {1, 2})
        for (const bool inverse : {false, true})
            for (const std::int64_t length : {4, 5, 7}) {
                tensor x(dtype::float32, {2, 5, parts});
                for (std::int64_t i = 0; i < x.size(); ++i)
                    x.mutable_data<float>()[i] = static_cast<float>((i * 7) % 11) - 3;
                const bool onesided = parts == 1 && length == 5 && !inverse;
                const tensor y = result_of(transform(parts, inverse, onesided, length), x);
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

TEST_CASE("signal: a real signal from half a spectrum", "[relay][onnx][signal]") {
    CHECK(import_refused(transform(2, true, true, 5)) ==
          "m.onnx, node `y` (DFT): onesided with inverse; expected one of them");
}

TEST_CASE("signal: windows are periodic or symmetric", "[relay][onnx][signal]") {
    const auto window = [](std::string_view op_type, std::int64_t periodic) {
        made_model m;
        m.input("n", {}, 7).node(op_type, {"n"}, {"y"}, {integer_attribute("periodic", periodic)}).output("y");
        const tensor y = result_of(m, tensor::scalar(std::int64_t{4}));
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

TEST_CASE("signal: refuses invalid signals", "[relay][onnx][signal]") {
    made_model flat;
    flat.input("x", {4, 1}).node("DFT", {"x"}, {"y"}).output("y");
    CHECK(import_refused(flat).find("a signal of rank 2") != std::string::npos);
    made_model three;
    three.input("x", {1, 4, 3}).node("DFT", {"x"}, {"y"}).output("y");
    CHECK(import_refused(three).find("elements of 3 parts; expected 1 (real) or 2 (complex)") != std::string::npos);
    CHECK(import_refused(transform(1, false, false, 0)).find("a length of 0; expected 1 to 16,384") !=
          std::string::npos);
}
