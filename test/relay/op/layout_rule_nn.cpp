#include <tutti/relay/op/layout_rule_nn.hpp>

#include "layout_question.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

tutti::test::layout_question asked(std::string_view call) {
    return tutti::test::layout_question(
        "def @main(%x: Tensor[(1, 8, 6, 6), float32], %w: Tensor[(8, 8, 1, 1), float32], %m: Tensor[(3, 8), "
        "float32], %q: Tensor[(1, 8, 6, 6), int32]) { " +
        std::string(call) + " }");
}

} // namespace

TEST_CASE("convolution: has its layouts from its attributes", "[relay][layout]") {
    auto q = asked("nn.conv2d(%x, %w, padding=[0, 0, 0, 0])");
    CHECK(q("? ?") == "NCHW OIHW -> NCHW");
    CHECK(q("NHWC HWIO", "NHWC HWIO") == "NCHW OIHW -> NCHW");
    auto out = asked("nn.conv2d(%x, %w, padding=[0, 0, 0, 0], out_layout=\"NHWC\")");
    CHECK(out("? ?") == "NCHW OIHW -> NHWC");
}

TEST_CASE("pooling: follows its argument unless a layout is requested", "[relay][layout]") {
    auto q = asked("nn.max_pool2d(%x, pool_size=[2, 2], padding=[0, 0, 0, 0])");
    CHECK(q("?") == "NCHW -> NCHW");
    CHECK(q("NCHW", "NCHW4c") == "NCHW4c -> NCHW4c");
    CHECK(q.call() == "nn.max_pool2d(%x, pool_size=[2, 2], padding=[0, 0, 0, 0], layout=\"NCHW4c\")");
    auto asked_for = asked("nn.max_pool2d(%x, pool_size=[2, 2], padding=[0, 0, 0, 0], out_layout=\"NCHW\")");
    CHECK(asked_for("NCHW", "NCHW4c") == "NCHW -> NCHW");
}

TEST_CASE("upsampling: follows where the spatial axes stay", "[relay][layout]") {
    auto q = asked("nn.upsampling(%x, scale_h=2f, scale_w=2f)");
    CHECK(q("NCHW", "NCHW4c") == "NCHW4c -> NCHW4c");
    CHECK(q("NCHW", "NHWC") == "NCHW -> NCHW");
}

TEST_CASE("resize: follows an argument of the same rank that was in its layout", "[relay][layout]") {
    auto q = asked("image.resize2d(%x, size=[2, 2], roi=[0f, 0f, 0f, 0f])");
    CHECK(q("?") == "NCHW -> NCHW");
    CHECK(q("NCHW", "NHWC") == "NHWC -> NHWC");
    CHECK(q("NCHW", "NCHW4c") == "NCHW -> NCHW");
    CHECK(q("CNHW", "NHWC") == "NCHW -> NCHW");
}

TEST_CASE("dense and requantize: matrices as they are, an axis that moves", "[relay][layout]") {
    auto dense = asked("nn.dense(%m, %m, units=None)");
    CHECK(dense("? ?") == "NC NC -> NC");
    auto q = asked("qnn.requantize(%q, 1f, 0, 1f, 0, axis=1, out_dtype=\"int8\")");
    CHECK(q("? ? ? ? ?") == "none");
    CHECK(q("NCHW ? ? ? ?", "NHWC C C C C") == "NHWC C C C C -> NHWC");
    CHECK(q("NCHW ? ? ? ?", "NCHW4c C C C C") == "NCHW C C C C -> NCHW");
}
