#include <tutti/relay/transform/passes/combine_parallel_conv2d.hpp>

#include "relay/transform/combine_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

constexpr relay::combine_parallel_conv2d pass{.min_num_branches = 2};

// Two convolutions with biases and relu. One result also passes through sigmoid.
constexpr std::string_view branches = R"(
def @main(%x: Tensor[(1, 3, 6, 6), float32], %v: Tensor[(4, 3, 3, 3), float32], %w: Tensor[(2, 3, 3, 3), float32],
          %a: Tensor[(4, 1, 1), float32], %b: Tensor[(2, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %v, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]);
  %1 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=2, kernel_size=[3, 3]);
  %2 = add(%0, %a);
  %3 = add(%1, %b);
  %4 = nn.relu(%2);
  %5 = nn.relu(%3);
  %6 = sigmoid(%5);
  %7 = (%4, %6);
  concatenate(%7, axis=1)
}
)";

std::string replaced(std::string text, std::string_view what, std::string_view by) {
    return text.replace(text.find(what), what.size(), by);
}

} // namespace

TEST_CASE("combine_parallel_conv2d: convolutions of the same data become one, with the operators after them",
          "[relay][transform][combine]") {
    CHECK(test::body_after(branches, pass) ==
          "  %0 = (%v, %w);\n"
          "  %1 = concatenate(%0);\n"
          "  %2 = (%a, %b);\n"
          "  %3 = nn.conv2d(%x, %1, padding=[1, 1, 1, 1], channels=6, kernel_size=[3, 3]);\n"
          "  %4 = concatenate(%2);\n"
          "  %5 = add(%3, %4);\n"
          "  %6 = nn.relu(%5);\n"
          "  %7 = strided_slice(%6, begin=[0, 4], end=[-1, 2], strides=[1, 1], slice_mode=\"size\", "
          "axes=None);\n"
          "  %8 = strided_slice(%6, begin=[0, 0], end=[-1, 4], strides=[1, 1], slice_mode=\"size\", "
          "axes=None);\n"
          "  %9 = sigmoid(%7);\n"
          "  %10 = (%8, %9);\n"
          "  concatenate(%10, axis=1)\n"
          "}\n");
    CHECK(test::difference_after(branches, pass) < 1e-5);
}

TEST_CASE("combine_parallel_conv2d: skips too few branches, different attributes and groups",
          "[relay][transform][combine]") {
    const auto count = [](std::string_view text, const relay::combine_parallel_conv2d& p) {
        return test::calls_in(test::body_after(text, p), "nn.conv2d");
    };
    CHECK(count(branches, pass) == 1);
    CHECK(count(branches, {}) == 2);
    const std::string other = replaced(std::string(branches), "%w, padding=[1, 1, 1, 1]", "%w, padding=[0, 1, 2, 1]");
    CHECK(count(other, pass) == 2);
}

TEST_CASE("combine_parallel_conv2d: a branch that depends on another one is not combined with it",
          "[relay][transform][combine]") {
    constexpr std::string_view chained = R"(
def @main(%x: Tensor[(1, 4, 6, 6), float32], %v: Tensor[(4, 4, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %v, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1]);
  %1 = mean(%0, axis=[0, 2, 3]);
  %2 = reshape(%1, newshape=[4, 1, 1, 1]);
  %3 = multiply(%v, %2);
  %4 = nn.conv2d(%x, %3, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1]);
  add(%0, %4)
}
)";
    CHECK(test::calls_in(test::body_after(chained, pass), "nn.conv2d") == 2);
    CHECK(test::difference_after(chained, pass) == 0);
}

TEST_CASE("combine_parallel_conv2d: combines a branch that leads to another group", "[relay][transform][combine]") {
    constexpr std::string_view blocks = R"(
def @main(%x: Tensor[(1, 4, 6, 6), float32], %v: Tensor[(4, 4, 1, 1), float32], %w: Tensor[(4, 4, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %v, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1]);
  %1 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1]);
  %2 = add(%0, %1);
  %3 = nn.conv2d(%2, %v, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1]);
  %4 = nn.conv2d(%2, %w, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1]);
  subtract(%3, %4)
}
)";
    CHECK(test::calls_in(test::body_after(blocks, pass), "nn.conv2d") == 2);
    CHECK(test::difference_after(blocks, pass) < 1e-5);
}

TEST_CASE("combine_parallel_conv2d: refuses a module without types", "[relay][transform][combine]") {
    relay::ir_module m = relay::parse(branches);
    CHECK(test::refusal(m, [](relay::ir_module& it) {
              with(pass_context{}, [&](auto& scope) { scope.run(pass, it); });
          }) == "CombineParallelConv2D: a function has no types; expected InferType to have run before");
}

TEST_CASE("combine_parallel_conv2d: a branch that depends on another leaves other branches alone",
          "[relay][transform][combine]") {
    const std::string after = test::body_after(R"(
def @main(%x: Tensor[(1, 2, 4, 4), float32], %y: Tensor[(1, 2, 4, 4), float32], %w: Tensor[(2, 2, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  %1 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  %2 = nn.conv2d(%y, %w, padding=[0, 0, 0, 0]);
  %3 = exp(%2);
  %4 = mean(%3);
  %5 = multiply(%w, %4);
  %6 = nn.conv2d(%y, %5, padding=[0, 0, 0, 0]);
  (%0, %1, %3, %6)
}
)",
                                               pass);
    CHECK(test::calls_in(after, "nn.conv2d") == 3); // %0 and %1 are combined
    CHECK(after.find("nn.conv2d(%x") != std::string::npos);
}

TEST_CASE("combine_parallel_conv2d: branches that lead to one long chain cost no more than the chain",
          "[relay][transform][combine]") {
    constexpr int count = 20'000;
    std::string text = "def @main(%x: Tensor[(1, 2, 2, 2), float32], %w: Tensor[(2, 2, 1, 1), float32]) {\n"
                       "  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);\n";
    for (int i = 1; i < count; i += 2) {
        const std::string n = std::to_string(i);
        text += "  %" + n + " = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);\n  %" + std::to_string(i + 1) + " = add(%" +
                std::to_string(i - 1) + ", %" + n + ");\n";
    }
    const std::string after = test::body_after(text + "  %" + std::to_string(count) + "\n}\n", pass);
    CHECK(test::calls_in(after, "nn.conv2d") == 1);
    CHECK(test::calls_in(after, "add") == count / 2);
}

TEST_CASE("combine_parallel_conv2d: a bias_add follows along its own axis only", "[relay][transform][combine]") {
    const auto biased = [](const std::string& axis) {
        const std::string attributes = ", padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1], data_layout=\"NHWC\", "
                                       "kernel_layout=\"HWIO\");\n";
        return "def @main(%x: Tensor[(1, 4, 4, 4), float32], %v: Tensor[(1, 1, 4, 4), float32], %w: Tensor[(1, 1, 4, 4), "
               "float32], %a: Tensor[(4), float32], %b: Tensor[(4), float32]) {\n  %0 = nn.conv2d(%x, %v" +
               attributes + "  %1 = nn.conv2d(%x, %w" + attributes + "  %2 = nn.bias_add(%0, %a, axis=" + axis +
               ");\n  %3 = nn.bias_add(%1, %b, axis=" + axis + ");\n  (%2, %3)\n}\n";
    };
    const relay::combine_parallel_conv2d two{.min_num_branches = 2};
    CHECK(test::calls_in(test::body_after(biased("3"), two), "nn.bias_add") == 1);
    CHECK(test::calls_in(test::body_after(biased("2"), two), "nn.bias_add") == 2);
    CHECK(test::calls_in(test::body_after(biased("2"), two), "nn.conv2d") == 1);
}

TEST_CASE("combine_parallel_conv2d: follows the channels to their later axis", "[relay][transform][combine]") {
    const auto behind = [](std::string_view more, std::initializer_list<std::array<std::string_view, 2>> followed) {
        return test::two_branches(
            "%x: Tensor[(1, 3, 4, 4), float32], %v: Tensor[(4, 3, 1, 1), float32], %w: Tensor[(2, 3, "
            "1, 1), float32]" +
                std::string(more),
            {"nn.conv2d(%x, %v, padding=[0, 0, 0, 0])", "nn.conv2d(%x, %w, padding=[0, 0, 0, 0])"}, followed);
    };
    const auto left = [](const std::string& text, std::string_view op) {
        const std::string after = test::body_after(text, pass);
        CHECK(test::calls_in(after, "nn.conv2d") == 1);
        CHECK(test::difference_after(text, pass) < 1e-5);
        return test::calls_in(after, op);
    };
    for (const std::string_view axis : {"0", "1", "2", "-1", "-5"}) {
        INFO(axis);
        const std::string expanded = "expand_dims($, axis=" + std::string(axis) + ")";
        CHECK(left(behind("", {{expanded, expanded}, {"exp($)", "exp($)"}}), "exp") == 1);
    }
    // The sum with a higher-rank tensor moves the channels to a later axis.
    CHECK(left(behind(", %a: Tensor[(2, 1, 4, 4, 4), float32], %b: Tensor[(2, 1, 2, 4, 4), float32]",
                      {{"add($, %a)", "add($, %b)"}, {"exp($)", "exp($)"}}),
               "exp") == 1);
    CHECK(left(behind("", {{"tile($, reps=[1, 2, 1, 1])", "tile($, reps=[1, 2, 1, 1])"}}), "tile") == 2);
    CHECK(left(behind("", {{"repeat($, repeats=2, axis=1)", "repeat($, repeats=2, axis=1)"}}), "repeat") == 1);
    CHECK(left(behind("", {{"repeat($, repeats=2)", "repeat($, repeats=2)"}}), "repeat") == 2);
}
