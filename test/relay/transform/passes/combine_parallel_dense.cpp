#include <tutti/relay/transform/passes/combine_parallel_dense.hpp>

#include "relay/transform/combine_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

constexpr relay::combine_parallel_dense flat{.min_num_branches = 2, .to_batch = false};
constexpr relay::combine_parallel_dense batch{.min_num_branches = 2, .to_batch = true};

std::string program(std::string_view units, std::string_view bias) {
    return "def @main(%x: Tensor[(3, 4), float32], %v: Tensor[(5, 4), float32], %w: Tensor[(" + std::string(units) +
           ", 4), float32], %a: Tensor[(1), float32], %b: Tensor[" + std::string(bias) +
           ", float32]) {\n  %0 = nn.dense(%x, %v, units=None);\n  %1 = nn.dense(%x, %w, units=None);\n"
           "  %2 = add(%0, %a);\n  %3 = add(%1, %b);\n  %4 = (%2, %3);\n  concatenate(%4, axis=1)\n}\n";
}

/// Returns a program with layers of 16 and 8 units on a tensor of shape (3, 4), each followed by these lines.
std::string unequal(std::string_view more, std::initializer_list<std::array<std::string_view, 2>> followed) {
    return test::two_branches("%x: Tensor[(3, 4), float32], %v: Tensor[(16, 4), float32], %w: Tensor[(8, 4), float32]" +
                                  std::string(more),
                              {"nn.dense(%x, %v, units=None)", "nn.dense(%x, %w, units=None)"}, followed);
}
/// Returns a program with two layers of 5 units on a tensor of shape (3, 4), each followed by these lines.
std::string equal(std::string_view more, std::initializer_list<std::array<std::string_view, 2>> followed) {
    return test::two_branches("%x: Tensor[(3, 4), float32], %v: Tensor[(5, 4), float32], %w: Tensor[(5, 4), float32]" +
                                  std::string(more),
                              {"nn.dense(%x, %v, units=None)", "nn.dense(%x, %w, units=None)"}, followed);
}

/// Runs a pass over a program. Returns the number of calls of an operator that are left. Checks that one layer is left,
/// and that the pass preserves the result.
template <class Pass>
std::size_t calls_left(const std::string& text, const Pass& pass, std::string_view op) {
    const std::string after = test::body_after(text, pass);
    CHECK(test::calls_in(after, "nn.dense") + test::calls_in(after, "nn.batch_matmul") == 1);
    CHECK(test::difference_after(text, pass) < 1e-5);
    return test::calls_in(after, op);
}

} // namespace

TEST_CASE("combine_parallel_dense: layers with the same data become one wider layer", "[relay][transform][combine]") {
    CHECK(test::body_after(program("6", "(6)"), flat) ==
          "  %0 = (%v, %w);\n"
          "  %1 = concatenate(%0);\n"
          "  %2 = repeat(%a, repeats=5, axis=0);\n"
          "  %3 = (%2, %b);\n"
          "  %4 = nn.dense(%x, %1, units=11);\n"
          "  %5 = concatenate(%3);\n"
          "  %6 = add(%4, %5);\n"
          "  %7 = strided_slice(%6, begin=[0, 0], end=[-1, 5], strides=[1, 1], slice_mode=\"size\", "
          "axes=None);\n"
          "  %8 = strided_slice(%6, begin=[0, 5], end=[-1, 6], strides=[1, 1], slice_mode=\"size\", "
          "axes=None);\n"
          "  %9 = (%7, %8);\n"
          "  concatenate(%9, axis=1)\n"
          "}\n");
    CHECK(test::difference_after(program("6", "(6)"), flat) < 1e-5);
}

TEST_CASE("combine_parallel_dense: layers of the same size become a batch product", "[relay][transform][combine]") {
    const std::string text = test::body_after(program("5", "(1)"), batch);
    CHECK(test::calls_in(text, "nn.batch_matmul") == 1);
    CHECK(test::calls_in(text, "nn.dense") == 0);
    CHECK(test::calls_in(text, "add") == 1);
    CHECK(test::difference_after(program("5", "(1)"), batch) < 1e-5);
    CHECK(test::calls_in(test::body_after(program("6", "(6)"), batch), "nn.dense") == 2);
}

TEST_CASE("combine_parallel_dense: later operators stay separate if the shapes of their arguments differ",
          "[relay][transform][combine]") {
    const std::string text = test::body_after(program("5", "(5)"), batch);
    CHECK(test::calls_in(text, "nn.batch_matmul") == 1);
    CHECK(test::calls_in(text, "add") == 2);
    CHECK(test::difference_after(program("5", "(5)"), batch) < 1e-5);
    CHECK(test::calls_in(test::body_after(program("5", "(5)"), relay::combine_parallel_dense{}), "nn.dense") == 2);
}

TEST_CASE("combine_parallel_dense: a bias_add follows along its own axis only", "[relay][transform][combine]") {
    const auto biased = [](const std::string& axis) {
        return "def @main(%x: Tensor[(5, 4), float32], %v: Tensor[(5, 4), float32], %w: Tensor[(5, 4), float32], %a: "
               "Tensor[(5), float32], %b: Tensor[(5), float32]) {\n  %0 = nn.dense(%x, %v, units=5);\n  %1 = nn.dense(%x, %w, "
               "units=5);\n  %2 = nn.bias_add(%0, %a, axis=" +
               axis + ");\n  %3 = nn.bias_add(%1, %b, axis=" + axis + ");\n  (%2, %3)\n}\n";
    };
    CHECK(test::calls_in(test::body_after(biased("-1"), flat), "nn.bias_add") == 1);
    for (const std::string axis : {"0", "-2"}) {
        const std::string text = test::body_after(biased(axis), flat);
        CHECK(test::calls_in(text, "nn.dense") == 1);
        CHECK(test::calls_in(text, "nn.bias_add") == 2);
    }
    for (const std::string axis : {"0", "1", "-1"}) {
        const std::string text = test::body_after(biased(axis), batch);
        CHECK(test::calls_in(text, "nn.batch_matmul") == 1);
        CHECK(test::calls_in(text, "nn.bias_add") == 2);
    }
}

// The program is from the reference's test of expand_dims.
TEST_CASE("combine_parallel_dense: slices along the units' later axis", "[relay][transform][combine]") {
    CHECK(test::body_after("def @main(%x: Tensor[(2, 32), float32], %v: Tensor[(16, 32), float32], %w: Tensor[(8, 32), "
                           "float32]) {\n  %0 = nn.dense(%x, %v, units=16);\n  %1 = nn.dense(%x, %w, units=8);\n  %2 = "
                           "expand_dims(%0, axis=2);\n  %3 = expand_dims(%1, axis=2);\n  (%2, %3)\n}\n",
                           flat) ==
          "  %0 = (%v, %w);\n"
          "  %1 = concatenate(%0);\n"
          "  %2 = nn.dense(%x, %1, units=24);\n"
          "  %3 = expand_dims(%2, axis=2);\n"
          "  %4 = strided_slice(%3, begin=[0, 0, 0], end=[-1, 16, -1], strides=[1, 1, 1], slice_mode=\"size\", "
          "axes=None);\n"
          "  %5 = strided_slice(%3, begin=[0, 16, 0], end=[-1, 8, -1], strides=[1, 1, 1], slice_mode=\"size\", "
          "axes=None);\n"
          "  (%4, %5)\n"
          "}\n");
    for (const std::string_view axis : {"0", "1", "2", "-1", "-2", "-3"}) {
        INFO(axis);
        const std::string expanded = "expand_dims($, axis=" + std::string(axis) + ", num_newaxis=2)";
        CHECK(calls_left(unequal("", {{expanded, expanded}, {"exp($)", "exp($)"}}), flat, "exp") == 1);
    }
    // The branches have the shapes (3, 16, 1) and (3, 8, 1). The other argument has the axis of the units, is broadcast
    // along it, or lacks it.
    for (const auto& [a, b] : {std::array{"16, 1", "8, 1"}, std::array{"16, 2", "8, 2"}, std::array{"1, 2", "1, 2"},
                               std::array{"2", "2"}, std::array{"", ""}, std::array{"3, 16, 1", "3, 8, 1"}}) {
        INFO(a);
        const std::string more = ", %a: Tensor[(" + std::string(a) + "), float32], %b: Tensor[(" + b + "), float32]";
        CHECK(calls_left(
                  unequal(more, {{"expand_dims($, axis=2)", "expand_dims($, axis=2)"}, {"add($, %a)", "add(%b, $)"}}),
                  flat, "add") == 2);
        CHECK(calls_left(
                  unequal(more, {{"expand_dims($, axis=2)", "expand_dims($, axis=2)"}, {"add($, %a)", "add($, %b)"}}),
                  flat, "add") == 1);
    }
}

TEST_CASE("combine_parallel_dense: operators that do not work along the units stay separate",
          "[relay][transform][combine]") {
    // Slicing does not commute with tile, but it commutes with repeat along an axis.
    CHECK(calls_left(unequal("", {{"tile($, reps=[1, 2])", "tile($, reps=[1, 2])"}}), flat, "tile") == 2);
    CHECK(calls_left(unequal("", {{"repeat($, repeats=2)", "repeat($, repeats=2)"}}), flat, "repeat") == 2);
    CHECK(calls_left(unequal("", {{"repeat($, repeats=2, axis=1)", "repeat($, repeats=2, axis=1)"}}), flat, "repeat") ==
          1);
    CHECK(calls_left(unequal("", {{"repeat($, repeats=2, axis=0)", "repeat($, repeats=2, axis=0)"}}), flat, "repeat") ==
          1);
    CHECK(calls_left(equal("", {{"broadcast_to($, shape=[2, 3, 5])", "broadcast_to($, shape=[2, 3, 5])"}}), flat,
                     "broadcast_to") == 2);
    CHECK(calls_left(equal("", {{"full_like($, 2f)", "full_like($, 3f)"}}), flat, "full_like") == 2);
    CHECK(calls_left(unequal("", {{"zeros_like($)", "zeros_like($)"}}), flat, "zeros_like") == 1);
    const std::string_view wide = ", %a: Tensor[(2, 3, 5), float32], %b: Tensor[(2, 3, 5), float32]";
    CHECK(calls_left(equal(wide, {{"add($, %a)", "add($, %b)"}}), flat, "add") == 1);
    CHECK(calls_left(equal(wide, {{"broadcast_to_like($, %a)", "broadcast_to_like($, %b)"}}), flat,
                     "broadcast_to_like") == 1);
    CHECK(calls_left(equal(wide, {{"where($, %a, %a)", "where($, %b, %b)"}}), flat, "where") == 1);
    const std::string_view row = ", %a: Tensor[(5), float32], %b: Tensor[(5), float32]";
    CHECK(calls_left(equal(row, {{"cast_like(%a, $)", "cast_like(%b, $)"}}), flat, "cast_like") == 1);
    // The layers have one unit, and add broadcasts them along the units.
    CHECK(calls_left(test::two_branches("%x: Tensor[(3, 4), float32], %v: Tensor[(1, 4), float32], %w: Tensor[(1, 4), "
                                        "float32], %a: Tensor[(3, 6), float32], %b: Tensor[(3, 6), float32]",
                                        {"nn.dense(%x, %v, units=None)", "nn.dense(%x, %w, units=None)"},
                                        {{"add($, %a)", "add($, %b)"}}),
                     flat, "add") == 2);
    CHECK(calls_left(equal("", {{"qnn.quantize($, 0.1f, 3, out_dtype=\"int8\", axis=0)",
                                 "qnn.quantize($, 0.1f, 3, out_dtype=\"int8\", axis=0)"}}),
                     flat, "qnn.quantize") == 2);
}

TEST_CASE("combine_parallel_dense: operators after stacked layers count their axes from the end",
          "[relay][transform][combine]") {
    for (const std::string_view axis : {"-1", "-2", "-3"}) {
        INFO(axis);
        const std::string expanded = "expand_dims($, axis=" + std::string(axis) + ")";
        CHECK(calls_left(equal("", {{expanded, expanded}, {"exp($)", "exp($)"}}), batch, "exp") == 1);
    }
    for (const std::string_view axis : {"0", "1", "2"}) {
        INFO(axis);
        const std::string expanded = "expand_dims($, axis=" + std::string(axis) + ")";
        CHECK(calls_left(equal("", {{expanded, expanded}, {"exp($)", "exp($)"}}), batch, "exp") == 2);
    }
    for (const std::string_view shape : {"", "1", "5", "3, 1", "3, 5"}) {
        INFO(shape);
        const std::string more =
            ", %a: Tensor[(" + std::string(shape) + "), float32], %b: Tensor[(" + std::string(shape) + "), float32]";
        CHECK(calls_left(equal(more, {{"add($, %a)", "add($, %b)"}}), batch, "add") == 1);
        CHECK(calls_left(
                  equal(more, {{"expand_dims($, axis=-3)", "expand_dims($, axis=-3)"}, {"add($, %a)", "add($, %b)"}}),
                  batch, "add") == 1);
    }
    const std::string_view wide = ", %a: Tensor[(2, 3, 5), float32], %b: Tensor[(2, 3, 5), float32]";
    CHECK(calls_left(equal(wide, {{"add($, %a)", "add($, %b)"}}), batch, "add") == 2);
    CHECK(calls_left(equal("", {{"repeat($, repeats=2, axis=-1)", "repeat($, repeats=2, axis=-1)"}}), batch,
                     "repeat") == 1);
    CHECK(calls_left(equal("", {{"repeat($, repeats=2, axis=1)", "repeat($, repeats=2, axis=1)"}}), batch, "repeat") ==
          2);
    CHECK(calls_left(equal("", {{"tile($, reps=[2, 2])", "tile($, reps=[2, 2])"}}), batch, "tile") == 2);
}
