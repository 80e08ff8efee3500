#include <tutti/relay/op/layout_rule_axes.hpp>

#include "layout_question.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

tutti::test::layout_question asked(std::string_view call) {
    return tutti::test::layout_question(
        "def @main(%x: Tensor[(1, 4, 6, 32), float32], %y: Tensor[(1, 4, 6, 32), float32], %c: Tensor[(32), "
        "float32]) { " +
        std::string(call) + " }");
}

} // namespace

TEST_CASE("normalisations: the axis moves, vectors stay along the channels", "[relay][layout]") {
    auto batch = asked("nn.batch_norm(%x, %c, %c, %c, %c, axis=3)");
    CHECK(batch("NHWC ? ? ? ?", "NCHW C C C C") == "NCHW C C C C -> NCHW C C");
    CHECK(batch.call() == "nn.batch_norm(%x, %c, %c, %c, %c)");
    auto layer = asked("nn.layer_norm(%x, %c, %c)");
    CHECK(layer("NHWC ? ?", "NCHW C C") == "NCHW C C -> NCHW");
    CHECK(layer.call() == "nn.layer_norm(%x, %c, %c, axis=1)");
    auto length = asked("nn.l2_normalize(%x, eps=1f, axis=[-1, 1])");
    CHECK(length("NHWC", "NCHW") == "NCHW -> NCHW");
    CHECK(length.call() == "nn.l2_normalize(%x, eps=1f, axis=[1, 2])");
    CHECK(length("?") == "none");
    auto top = asked("topk(%x, k=2, axis=1, dtype=\"int32\")");
    CHECK(top("NHWC", "NCHW") == "NCHW -> NCHW NCHW");
    auto values = asked("topk(%x, k=2, axis=1, ret_type=\"values\", dtype=\"int32\")");
    CHECK(values("NHWC", "NCHW") == "NCHW -> NCHW");
    CHECK(values.call() == "topk(%x, k=2, axis=2, ret_type=\"values\", dtype=\"int32\")");
}

TEST_CASE("instance_norm: the batch stays the first axis", "[relay][layout]") {
    auto q = asked("nn.instance_norm(%x, %c, %c, axis=3)");
    CHECK(q("NHWC ? ?") == "NHWC C C -> NHWC");
    CHECK(q("NHWC C C", "NCHW C C") == "NCHW C C -> NCHW");
    CHECK(q.call() == "nn.instance_norm(%x, %c, %c)");
    CHECK(q("NHWC C C", "HWNC C C") == "none");
}

TEST_CASE("normalisations and split: blocks must respect the axis of the operation", "[relay][layout]") {
    auto batch = asked("nn.batch_norm(%x, %c, %c, %c, %c, axis=3)");
    CHECK(batch("NHWC ? ? ? ?", "NCHW4c C C C C") == "none");
    CHECK(batch("NHWC ? ? ? ?", "NCHW2h C C C C") == "NCHW2h C C C C -> NCHW2h C C");
    auto parts = asked("split(%x, indices_or_sections=4, axis=-1)");
    CHECK(parts("NHWC", "NCHW8c") == "NCHW8c -> NCHW8c NCHW8c NCHW8c NCHW8c");
    CHECK(parts("NHWC", "NCHW16c") == "NHWC -> NHWC NHWC NHWC NHWC");
}
