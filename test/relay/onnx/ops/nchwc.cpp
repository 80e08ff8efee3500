#include <tutti/relay/onnx/ops/nchwc.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using Catch::Matchers::Contains;
using kernel::tensor;

// test/onnx/saved.py evaluates networks that ONNX Runtime saved, and compares the results with recorded ones.

namespace {

using names = std::initializer_list<std::string_view>;

void blocked(made_model& m, std::string_view op, names inputs, std::initializer_list<wire> attributes = {}) {
    m.node(op, inputs, {"y"}, attributes, "n", nchwc_domain).output("y");
}

struct weight_sizes {
    std::int64_t outputs, inputs, rows, columns;
    std::int64_t size() const { return outputs * inputs * rows * columns; }
};

// Returns the element of a weight at a position. No two elements are equal.
float element(const weight_sizes& s, std::int64_t o, std::int64_t i, std::int64_t r, std::int64_t q) {
    return static_cast<float>(((o * s.inputs + i) * s.rows + r) * s.columns + q);
}

// Returns the elements of a weight in the blocked layout, by the definition of the layout.
std::vector<float> in_blocks(const weight_sizes& s, std::int64_t block, bool of_inputs) {
    std::vector<float> all(static_cast<std::size_t>(s.size()));
    for (std::int64_t o = 0; o < s.outputs; ++o)
        for (std::int64_t i = 0; i < s.inputs; ++i)
            for (std::int64_t r = 0; r < s.rows; ++r)
                for (std::int64_t q = 0; q < s.columns; ++q) {
                    const std::int64_t blocks = of_inputs ? s.inputs / block : s.inputs;
                    std::int64_t place = (o / block * blocks + (of_inputs ? i / block : i)) * s.rows + r;
                    place = place * s.columns + q;
                    if (of_inputs) place = place * block + i % block;
                    all[static_cast<std::size_t>(place * block + o % block)] = element(s, o, i, r, q);
                }
    return all;
}

// True if a convolution uses each element of its weight at the right position. Tests inputs that are 1 at one position
// and 0 elsewhere.
bool is_read(const weight_sizes& s, std::int64_t block, bool of_inputs, std::int64_t groups, std::int64_t option = 0) {
    made_model m;
    const std::int64_t channels = groups * s.inputs;
    m.input("x", {1, channels, s.rows, s.columns})
        .initializer(float_tensor("w", {s.outputs, s.inputs, s.rows, s.columns}, in_blocks(s, block, of_inputs)));
    blocked(m, "Conv", {"x", "w"}, {integer_attribute("group", groups)});
    relay::evaluator e(import_model(model_of(m), {.nchwc_block = option}));
    for (std::int64_t c = 0; c < channels; ++c)
        for (std::int64_t at = 0; at < s.rows * s.columns; ++at) {
            tensor input(kernel::dtype::float32, {1, channels, s.rows, s.columns});
            float* const x = input.mutable_data<float>();
            std::fill_n(x, input.size(), 0.0F);
            x[c * s.rows * s.columns + at] = 1;
            const auto y = e.run(std::span<const tensor>(&input, 1))[0].elements<float>();
            for (std::int64_t o = 0; o < s.outputs; ++o) {
                const bool same_group = o / (s.outputs / groups) == c / s.inputs;
                const float expected = same_group ? element(s, o, c % s.inputs, at / s.columns, at % s.columns) : 0.0F;
                if (y[static_cast<std::size_t>(o)] != expected) return false;
            }
        }
    return true;
}

} // namespace

TEST_CASE("nchwc: weights in blocks of outputs and inputs, of outputs, and of groups", "[relay][onnx][nchwc]") {
    CHECK(is_read({24, 16, 2, 1}, 8, true, 1));
    CHECK(is_read({32, 16, 1, 2}, 16, true, 1, 16));
    CHECK_FALSE(is_read({32, 16, 1, 2}, 16, true, 1, 8));
    CHECK(is_read({24, 3, 2, 2}, 8, false, 1));
    CHECK(is_read({16, 12, 1, 1}, 16, false, 1));
    CHECK(is_read({24, 1, 2, 3}, 8, false, 24));
    CHECK(is_read({48, 8, 1, 1}, 8, true, 2));
}

TEST_CASE("nchwc: a sum, an activation and a bias, as in FusedConv", "[relay][onnx][nchwc]") {
    made_model m;
    m.input("x", {1, 3, 2, 2}).input("w", {8, 3, 1, 1}).input("b", {8}).input("z", {1, 8, 2, 2});
    blocked(m, "Conv", {"x", "w", "b", "z"}, {text_attribute("activation", "Relu")});
    CHECK(imported_body(m, {.nchwc_block = 8}) == R"(%0 = reshape(%w, newshape=[1, 3, 1, 1, 8]);
%1 = transpose(%0, axes=[0, 4, 1, 2, 3]);
%2 = reshape(%1, newshape=[8, 3, 1, 1]);
%3 = nn.conv2d(%x, %2, padding=[0, 0, 0, 0], channels=8, kernel_size=[1, 1]);
%4 = nn.bias_add(%3, %b);
%5 = add(%4, %z);
nn.relu(%5))");
}

TEST_CASE("nchwc: data is padded to whole blocks, and cut", "[relay][onnx][nchwc]") {
    made_model in;
    in.input("x", {1, 2, 3, 20});
    blocked(in, "ReorderInput", {"x"}, {integer_attribute("channels_last", 1)});
    CHECK(imported_body(in, {.nchwc_block = 16}) == R"(%0 = transpose(%x, axes=[0, 3, 1, 2]);
nn.pad(%0, 0f, pad_width=[[0, 0], [0, 12], [0, 0], [0, 0]]))");
    made_model whole;
    whole.input("x", {1, 32, 2, 3});
    blocked(whole, "ReorderInput", {"x"});
    CHECK(imported_body(whole, {.nchwc_block = 8}) == "%x");
    made_model out;
    out.input("x", {1, 24, 2, 3});
    blocked(out, "ReorderOutput", {"x"}, {integer_attribute("channels", 20), integer_attribute("channels_last", 1)});
    CHECK(imported_body(out) == R"(%0 = strided_slice(%x, begin=[0], end=[20], strides=[1], axes=[1]);
transpose(%0, axes=[0, 2, 3, 1]))");
}

TEST_CASE("nchwc: nearest elements", "[relay][onnx][nchwc]") {
    made_model m;
    m.input("x", {1, 8, 1, 2});
    blocked(m, "Upsample", {"x"}, {integers_attribute("scales", {1, 1, 2, 3})});
    CHECK(imported_body(m) == "%0 = repeat(%x, repeats=2, axis=2);\nrepeat(%0, repeats=3, axis=3)");
    made_model linear;
    linear.input("x", {1, 8, 1, 2});
    blocked(linear, "Upsample", {"x"}, {integers_attribute("scales", {1, 1, 2, 2}), text_attribute("mode", "linear")});
    CHECK_THAT(import_refused(linear), Contains("mode `linear`; expected nearest"));
}

TEST_CASE("nchwc: weights that fit both sizes, or none, are refused", "[relay][onnx][nchwc]") {
    const auto said = [](std::int64_t outputs, std::int64_t inputs, std::int64_t block) {
        made_model m;
        m.input("x", {1, inputs, 2, 2}).input("w", {outputs, inputs, 1, 1});
        blocked(m, "Conv", {"x", "w"});
        return import_refused(m, {.nchwc_block = block});
    };
    CHECK_THAT(said(16, 16, 0), Contains("blocks of 8 or 16 channels") && Contains("import_options::nchwc_block"));
    CHECK_THAT(said(12, 16, 8), Contains("12 x 16 channels; expected whole blocks of 8"));
    CHECK_THAT(said(16, 12, 8), Contains("16 x 12 channels; expected whole blocks of 8"));
    CHECK_THAT(said(16, 16, 4), Contains("blocks of 8 or 16 channels"));
    made_model out;
    out.input("x", {1, 24, 2, 3});
    blocked(out, "ReorderOutput", {"x"}, {integer_attribute("channels", 25)});
    CHECK_THAT(import_refused(out), Contains("25 channels; expected 1 to 24"));
}
