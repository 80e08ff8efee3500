#include <tutti/relay/transform/passes/combine_parallel_dense.hpp>

#include "catch.hpp"
#include "relay/transform/combine_programs.hpp"

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

} // namespace

TEST_CASE("combine_parallel_dense: layers with the same data become one that is wider", "[relay][transform][combine]") {
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

TEST_CASE("combine_parallel_dense: layers of one size become a product of a batch", "[relay][transform][combine]") {
    const std::string text = test::body_after(program("5", "(1)"), batch);
    CHECK(test::calls_in(text, "nn.batch_matmul") == 1);
    CHECK(test::calls_in(text, "nn.dense") == 0);
    CHECK(test::calls_in(text, "add") == 1);
    CHECK(test::difference_after(program("5", "(1)"), batch) < 1e-5);
    CHECK(test::calls_in(test::body_after(program("6", "(6)"), batch), "nn.dense") == 2);
}

TEST_CASE("combine_parallel_dense: what follows stays apart where its arguments differ in shape",
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
