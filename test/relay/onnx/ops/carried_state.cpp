#include <tutti/relay/onnx/ops/carried_state.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("carried_state: a convolution with the past, whose end is the next state", "[relay][onnx][carried_state]") {
    made_model m;
    m.opset = 27;
    m.input("x", {1, 2, 5}).input("w", {2, 1, 3}).input("s", {1, 2, 2});
    m.node("CausalConvWithState", {"x", "w", "", "s"}, {"y", "t"}, {text_attribute("activation", "silu")});
    m.output("y").output("t");
    CHECK(imported_body(m) == R"(%0 = (%s, %x);
%1 = concatenate(%0, axis=2);
%2 = nn.conv1d(%1, %w, groups=2, channels=2, kernel_size=[3]);
%3 = sigmoid(%2);
%4 = multiply(%2, %3);
%5 = strided_slice(%1, begin=[5], end=[7], strides=[1], axes=[2]);
(%4, %5))");
    made_model wrong;
    wrong.opset = 27;
    wrong.input("x", {1, 2, 5}).input("w", {2, 1, 3});
    wrong.node("CausalConvWithState", {"x", "w"}, {"y"}, {text_attribute("activation", "relu")}, "c").output("y");
    CHECK(import_refused(wrong) ==
          "m.onnx, node `c` (CausalConvWithState): activation `relu`; expected none, silu or swish");
}

TEST_CASE("carried_state: a sequence written into a cache, around its end", "[relay][onnx][carried_state]") {
    made_model m;
    m.opset = 24;
    m.input("c", {2, 4, 3}).input("u", {2, 2, 3}).input("i", {2}, 7);
    m.node("TensorScatter", {"c", "u", "i"}, {"y"}, {text_attribute("mode", "circular")}).output("y");
    CHECK(imported_body(m) == R"(%0 = reshape(meta[relay.Constant][0], newshape=[1, -1, 1]);
%1 = reshape(%i, newshape=[-1, 1, 1]);
%2 = add(%0, %1);
%3 = floor_mod(%2, 4i64);
%4 = broadcast_to(%3, shape=[2, 2, 3]);
scatter(%c, %4, %u, axis=1))");
}

TEST_CASE("carried_state: a recurrence without steps, or of an unknown rule", "[relay][onnx][carried_state]") {
    const auto refused = [](std::int64_t steps, std::string_view rule) {
        made_model m;
        m.opset = 27;
        m.input("q", {1, steps, 4}).input("k", {1, steps, 4}).input("v", {1, steps, 4});
        m.node("LinearAttention", {"q", "k", "v"}, {"y"},
               {integer_attribute("q_num_heads", 2), integer_attribute("kv_num_heads", 2),
                text_attribute("update_rule", rule)},
               "l");
        return import_refused(m.output("y"));
    };
    CHECK(refused(0, "linear") ==
          "m.onnx, node `l` (LinearAttention): a sequence without steps; expected one step or more");
    CHECK(refused(2, "square") ==
          "m.onnx, node `l` (LinearAttention): update_rule `square`; expected linear, gated, delta or gated_delta");
}
