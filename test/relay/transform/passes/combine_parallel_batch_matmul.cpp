#include <tutti/relay/transform/passes/combine_parallel_batch_matmul.hpp>

#include "relay/transform/combine_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

constexpr relay::combine_parallel_batch_matmul pass{.min_num_branches = 2};

std::string program(std::string_view weights, std::string_view transposed, std::string_view bias) {
    return "def @main(%x: Tensor[(2, 3, 4), float32], %v: Tensor[" + std::string(weights) + ", float32], %w: Tensor[" +
           std::string(weights) + ", float32], %a: Tensor[" + std::string(bias) + ", float32], %b: Tensor[" +
           std::string(bias) + ", float32]) {\n  %0 = nn.batch_matmul(%x, %v, transpose_b=" + std::string(transposed) +
           ");\n  %1 = nn.batch_matmul(%x, %w, transpose_b=" + std::string(transposed) +
           ");\n  %2 = add(%0, %a);\n  %3 = add(%1, %b);\n  subtract(%2, %3)\n}\n";
}

} // namespace

TEST_CASE("combine_parallel_batch_matmul: products with the same first factor become one",
          "[relay][transform][combine]") {
    CHECK(test::body_after(program("(2, 5, 4)", "True", "(5)"), pass) ==
          "  %0 = (%v, %w);\n"
          "  %1 = concatenate(%0, axis=1);\n"
          "  %2 = (%a, %b);\n"
          "  %3 = nn.batch_matmul(%x, %1, transpose_b=True);\n"
          "  %4 = concatenate(%2, axis=-1);\n"
          "  %5 = add(%3, %4);\n"
          "  %6 = strided_slice(%5, begin=[0, 0, 0], end=[-1, -1, 5], strides=[1, 1, 1], "
          "slice_mode=\"size\", axes=None);\n"
          "  %7 = strided_slice(%5, begin=[0, 0, 5], end=[-1, -1, 5], strides=[1, 1, 1], "
          "slice_mode=\"size\", axes=None);\n"
          "  subtract(%6, %7)\n"
          "}\n");
}

TEST_CASE("combine_parallel_batch_matmul: keeps results", "[relay][transform][combine]") {
    for (const std::string& text : {program("(2, 5, 4)", "True", "(5)"), program("(2, 5, 4)", "True", "(3, 1)"),
                                    program("(2, 5, 4)", "True", "(2, 3, 5)")}) {
        CHECK(test::calls_in(test::body_after(text, pass), "nn.batch_matmul") == 1);
        CHECK(test::difference_after(text, pass) < 1e-5);
    }
    CHECK(test::calls_in(test::body_after(program("(2, 5, 4)", "True", "(5)"), relay::combine_parallel_batch_matmul{}),
                         "nn.batch_matmul") == 2);
}

// The reference combines products only if the second factor is transposed and the first is not.
TEST_CASE("combine_parallel_batch_matmul: skips products with other transpositions", "[relay][transform][combine]") {
    CHECK(test::calls_in(test::body_after(program("(2, 4, 5)", "False", "(5)"), pass), "nn.batch_matmul") == 2);
}

TEST_CASE("combine_parallel_batch_matmul: a bias_add follows along its own axis only", "[relay][transform][combine]") {
    const auto biased = [](const std::string& axis) {
        return "def @main(%x: Tensor[(2, 4, 4), float32], %v: Tensor[(2, 4, 4), float32], %w: Tensor[(2, 4, 4), float32], %a: "
               "Tensor[(4), float32], %b: Tensor[(4), float32]) {\n  %0 = nn.batch_matmul(%x, %v, transpose_b=True);\n  %1 = "
               "nn.batch_matmul(%x, %w, transpose_b=True);\n  %2 = nn.bias_add(%0, %a, axis=" +
               axis + ");\n  %3 = nn.bias_add(%1, %b, axis=" + axis + ");\n  (%2, %3)\n}\n";
    };
    const relay::combine_parallel_batch_matmul two{.min_num_branches = 2};
    CHECK(test::calls_in(test::body_after(biased("2"), two), "nn.bias_add") == 1);
    CHECK(test::calls_in(test::body_after(biased("1"), two), "nn.bias_add") == 2);
    CHECK(test::calls_in(test::body_after(biased("1"), two), "nn.batch_matmul") == 1);
}

TEST_CASE("combine_parallel_batch_matmul: follows the columns to their later axis", "[relay][transform][combine]") {
    const auto behind = [](std::string_view more, std::initializer_list<std::array<std::string_view, 2>> followed) {
        return test::two_branches(
            "%x: Tensor[(2, 3, 4), float32], %v: Tensor[(2, 5, 4), float32], %w: Tensor[(2, 6, 4), "
            "float32]" +
                std::string(more),
            {"nn.batch_matmul(%x, %v, transpose_b=True)", "nn.batch_matmul(%x, %w, transpose_b=True)"}, followed);
    };
    const auto left = [](const std::string& text, std::string_view op) {
        const std::string after = test::body_after(text, pass);
        CHECK(test::calls_in(after, "nn.batch_matmul") == 1);
        CHECK(test::difference_after(text, pass) < 1e-5);
        return test::calls_in(after, op);
    };
    for (const std::string_view axis : {"0", "1", "2", "3", "-1", "-4"}) {
        INFO(axis);
        const std::string expanded = "expand_dims($, axis=" + std::string(axis) + ")";
        CHECK(left(behind("", {{expanded, expanded}, {"exp($)", "exp($)"}}), "exp") == 1);
    }
    CHECK(left(behind(", %a: Tensor[(5, 2), float32], %b: Tensor[(6, 2), float32]",
                      {{"expand_dims($, axis=3)", "expand_dims($, axis=3)"}, {"add($, %a)", "add($, %b)"}}),
               "add") == 1);
    CHECK(left(behind("", {{"tile($, reps=[2])", "tile($, reps=[2])"}}), "tile") == 2);
    CHECK(left(behind("", {{"repeat($, repeats=2)", "repeat($, repeats=2)"}}), "repeat") == 2);
}
