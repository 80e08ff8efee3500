#include <tutti/relay/op/layout_rule_shape.hpp>

#include "catch.hpp"
#include "layout_question.hpp"

using namespace tutti;

namespace {

test::layout_question asked(std::string_view call) {
    return test::layout_question(
        "def @main(%x: Tensor[(1, 4, 6, 32), float32], %y: Tensor[(1, 4, 6, 32), float32], %c: Tensor[(32), "
        "float32]) { " +
        std::string(call) + " }");
}

} // namespace

TEST_CASE("transpose: its axes move, its result keeps its own order", "[relay][layout]") {
    auto q = asked("transpose(%x, axes=[0, -1, 1, 2])");
    CHECK(q("?") == "none");
    CHECK(q("NHWC") == "NHWC -> NCHW");
    CHECK(q("NHWC", "NCHW") == "NCHW -> NCHW");
    CHECK(q.call() == "transpose(%x, axes=[0, 1, 2, 3])");
    CHECK(q("NHWC", "NCHW16c") == "NHWC -> NCHW"); // no order of blocks is known
    auto reversed = asked("transpose(%x, axes=None)");
    CHECK(reversed("NHWC", "NCHW") == "NCHW -> CWHN");
}

TEST_CASE("squeeze: what is removed is gone from the layout", "[relay][layout]") {
    auto q = asked("squeeze(%x, axis=[0])");
    CHECK(q("NHWC") == "NHWC -> HWC");
    CHECK(q("NHWC", "HWNC") == "HWNC -> HWC");
    CHECK(q.call() == "squeeze(%x, axis=[2])");
    auto all = asked("squeeze(%x)");
    CHECK(all("NHWC", "CHWN") == "CHWN -> CHW");
    CHECK(all.call() == "squeeze(%x, axis=[3])");
}

TEST_CASE("concatenate: goes along if all arguments come in one layout", "[relay][layout]") {
    auto q = asked("%0 = (%x, %y); concatenate(%0, axis=-1)");
    CHECK(q("? NHWC") == "NHWC NHWC -> NHWC");
    CHECK(q("? ?") == "none");
    CHECK(q("NHWC NHWC", "NCHW NCHW") == "NCHW NCHW -> NCHW");
    CHECK(q.call() == "concatenate(%0, axis=1)");
    CHECK(q("NHWC NHWC", "NCHW NHWC") == "NHWC NHWC -> NHWC");
    CHECK(q.call() == "concatenate(%0, axis=-1)");
}

TEST_CASE("split: places are counted in blocks where they can be", "[relay][layout]") {
    auto parts = asked("split(%x, indices_or_sections=2, axis=-1)");
    CHECK(parts("NHWC", "NCHW") == "NCHW -> NCHW NCHW");
    CHECK(parts.call() == "split(%x, indices_or_sections=2, axis=1)");
    auto places = asked("split(%x, indices_or_sections=[16], axis=3)");
    CHECK(places("NHWC", "NCHW8c") == "NCHW8c -> NCHW8c NCHW8c");
    CHECK(places.call() == "split(%x, indices_or_sections=[2], axis=1)");
    CHECK(places("NHWC", "NCHW32c") == "NHWC -> NHWC NHWC");
    CHECK(places.call() == "split(%x, indices_or_sections=[16], axis=3)");
}

TEST_CASE("normalisations: the axis moves, vectors stay along the channels", "[relay][layout]") {
    auto batch = asked("nn.batch_norm(%x, %c, %c, %c, %c, axis=3)");
    CHECK(batch("NHWC ? ? ? ?", "NCHW C C C C") == "NCHW C C C C -> NCHW C C");
    CHECK(batch.call() == "nn.batch_norm(%x, %c, %c, %c, %c)");
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

TEST_CASE("reduction: the axes move, and are gone from the result unless they are kept", "[relay][layout]") {
    auto sum = asked("sum(%x, axis=[-1])");
    CHECK(sum("NHWC") == "NHWC -> NHW");
    CHECK(sum("NHWC", "NCHW") == "NCHW -> NHW");
    CHECK(sum.call() == "sum(%x, axis=[1])");
    CHECK(sum("NHWC", "NCHW16c") == "NCHW16c -> NHW");
    CHECK(sum.call() == "sum(%x, axis=[1, 4])");
    auto kept_blocks = asked("sum(%x, axis=[-1], keepdims=True)");
    CHECK(kept_blocks("NHWC", "NCHW16c") == "NCHW16c -> NCHW1c");
    auto kept = asked("mean(%x, axis=[1, 2], keepdims=True)");
    CHECK(kept("NHWC", "NCHW16c") == "NCHW16c -> NCHW16c");
    CHECK(kept.call() == "mean(%x, axis=[2, 3], keepdims=True)");
    auto but = asked("max(%x, axis=[3], exclude=True)");
    CHECK(but("NHWC", "NCHW") == "NCHW -> C");
    CHECK(but.call() == "max(%x, axis=[1], exclude=True)");
    CHECK(but("NHWC", "NCHW16c") == "NCHW16c -> C16c");
    CHECK(but.call() == "max(%x, axis=[1, 4], exclude=True)");
    auto ones = asked("max(%x, axis=[1], keepdims=True, exclude=True)");
    CHECK(ones("NHWC", "NCHW16c") == "NCHW16c -> NCHW1c");
    CHECK(ones.call() == "max(%x, axis=[2], keepdims=True, exclude=True)");
    for (const char* text : {"min(%x)", "min(%x, axis=[])", "min(%x, axis=[], exclude=True)"}) {
        auto all = asked(text);
        CHECK(all("NHWC", "NCHW") == "none");
    }
    auto variance = asked("variance(%x, %y, axis=[1])");
    CHECK(variance("NHWC NHWC", "NCHW NHWC") == "NCHW NCHW -> NCW");
    auto reduced = asked("%0 = mean(%x, axis=[3], keepdims=True); variance(%x, %0, axis=[3])");
    CHECK(reduced("NHWC NHWC", "NCHW16c NCHW1c") == "NCHW16c NCHW1c -> NHW");
}

TEST_CASE("reduction: a place keeps its number", "[relay][layout]") {
    auto one = asked("argmax(%x, axis=[3])");
    CHECK(one("NHWC", "NCHW") == "NCHW -> NHW");
    CHECK(one.call() == "argmax(%x, axis=[1])");
    auto in_order = asked("argmax(%x, axis=[1, -2])");
    CHECK(in_order("NHWC", "NCHW") == "NCHW -> NC");
    auto turned = asked("argmax(%x, axis=[2, 3])");
    CHECK(turned("NHWC", "NCHW") == "none");
    CHECK(turned("NHWC", "HNWC") == "HNWC -> HN");
    auto all_but = asked("argmax(%x, axis=[0], exclude=True)");
    CHECK(all_but("NHWC", "NCHW") == "none");
    CHECK(all_but("NHWC", "HNWC") == "HNWC -> N");
}

TEST_CASE("instance_norm: the batch stays the first axis", "[relay][layout]") {
    auto q = asked("nn.instance_norm(%x, %c, %c, axis=3)");
    CHECK(q("NHWC ? ?") == "NHWC C C -> NHWC");
    CHECK(q("NHWC C C", "NCHW C C") == "NCHW C C -> NCHW");
    CHECK(q.call() == "nn.instance_norm(%x, %c, %c)");
    CHECK(q("NHWC C C", "HWNC C C") == "none");
}

TEST_CASE("normalisations and split: what an operator works along cannot be cut into blocks", "[relay][layout]") {
    auto batch = asked("nn.batch_norm(%x, %c, %c, %c, %c, axis=3)");
    CHECK(batch("NHWC ? ? ? ?", "NCHW4c C C C C") == "none");
    CHECK(batch("NHWC ? ? ? ?", "NCHW2h C C C C") == "NCHW2h C C C C -> NCHW2h C C");
    auto parts = asked("split(%x, indices_or_sections=4, axis=-1)");
    CHECK(parts("NHWC", "NCHW8c") == "NCHW8c -> NCHW8c NCHW8c NCHW8c NCHW8c");
    CHECK(parts("NHWC", "NCHW16c") == "NHWC -> NHWC NHWC NHWC NHWC");
}
