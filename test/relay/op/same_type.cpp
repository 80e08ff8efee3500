#include <tutti/relay/op/same_type.hpp>

#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;

namespace {

/// True if the two fields of the program's result provably have the same type.
bool same(std::string_view params, std::string_view body) {
    relay::ir_module m = relay::parse("def @main(" + std::string(params) + ") {\n" + std::string(body) + "\n}\n");
    relay::infer_types(m);
    const relay::function& f = *m.find("main");
    relay::expr_id tuple = f.graph.body(f.root);
    while (f.graph.kind(tuple) == relay::expr_kind::let) tuple = f.graph.operand(tuple, 2);
    return relay::provably_same_type(f.graph, f.graph.operand(tuple, 0), f.graph.operand(tuple, 1));
}

constexpr std::string_view two_open = "%x: Tensor[(?, 3), float32], %y: Tensor[(?, 3), float32]";

} // namespace

TEST_CASE("provably_same_type: sizes that two types leave open are not the same", "[relay][op]") {
    CHECK(same(two_open, "(%x, %x)"));
    CHECK_FALSE(same(two_open, "(%x, %y)"));
    CHECK_FALSE(same("%x: Tensor[(?, ?), float32]", "%0 = transpose(%x, axes=None); (%x, %0)"));
    CHECK(same("%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]", "(%x, %y)"));
    CHECK_FALSE(same("%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), int32]", "(%x, %y)"));
    CHECK_FALSE(same("%x: Tensor[(2, 3), float32], %y: Tensor[(?, 3), float32]", "(%x, %y)"));
}

TEST_CASE("provably_same_type: elementwise operators keep the sizes of their argument", "[relay][op]") {
    CHECK(same(two_open, "%0 = nn.relu(%x); %1 = cast(%0, dtype=\"float32\"); (%x, %1)"));
    CHECK(same(two_open, "%0 = zeros_like(%x); %1 = exp(%x); (%0, %1)"));
    CHECK_FALSE(same(two_open, "%0 = zeros_like(%x); (%0, %y)"));
    CHECK(same(two_open, "%0 = nn.prelu(%x, ones(shape=[3], dtype=\"float32\")); (%x, %0)"));
    CHECK(same(two_open, "%0 = collapse_sum_like(%x, %y); (%0, %y)"));
    CHECK_FALSE(same(two_open, "%0 = reverse(%x, axis=0); (%x, %0)")); // reverse is not known to keep the shape
}

TEST_CASE("provably_same_type: broadcasting keeps a size if no other argument has an unknown size there",
          "[relay][op]") {
    CHECK(same(two_open, "%0 = add(%x, 1f); (%x, %0)"));
    CHECK(same(two_open, "%0 = add(ones(shape=[3], dtype=\"float32\"), %x); (%x, %0)"));
    CHECK(same(two_open, "%0 = multiply(%x, %x); %1 = negative(%x); %2 = add(%0, %1); (%x, %2)"));
    CHECK_FALSE(same(two_open, "%0 = add(%x, %y); (%x, %0)")); // %x or %y may have a single row
    CHECK_FALSE(same(two_open, "%0 = add(%x, %y); (%y, %0)"));
    CHECK(same(two_open, "%0 = add(%x, %y); %1 = exp(%0); (%0, %1)"));
}

TEST_CASE("provably_same_type: a long chain is followed for a fixed number of calls", "[relay][op]") {
    const auto chain = [](int length) {
        std::string text = "%0 = negative(%x);\n";
        for (int i = 1; i < length; ++i)
            text += "%" + std::to_string(i) + " = negative(%" + std::to_string(i - 1) + ");\n";
        return text + "(%x, %" + std::to_string(length - 1) + ")";
    };
    CHECK(same(two_open, chain(50)));
    CHECK_FALSE(same(two_open, chain(500)));
}

TEST_CASE("provably_same_type: values that are no tensors are the same if they are one expression", "[relay][op]") {
    CHECK_FALSE(same(two_open, "%0 = (%x, 1f); %1 = (%x, 1f); (%0, %1)"));
    CHECK(same(two_open, "%0 = (%x, 1f); (%0, %0)"));
}
