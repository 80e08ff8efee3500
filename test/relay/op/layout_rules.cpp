// Tests the layout rules of families of operators.

#include <tutti/relay/op/standard_ops.hpp>

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

static_assert(relay::layout_rule_set<relay::layout_rules::standard>);

TEST_CASE("layout rules: are the operators' own", "[relay][layout]") {
    using relay::layout_rules::standard;
    CHECK(standard::find(relay::definition<relay::op::subtract>) == &relay::layout_rules::broadcast);
    CHECK(standard::find(relay::definition<relay::op::nn::conv3d>) == &relay::layout_rules::convolution);
    CHECK(standard::find(relay::definition<relay::op::reshape>) == nullptr);
}

TEST_CASE("transpose: its axes move, its result keeps its own order", "[relay][layout]") {
    auto q = asked("transpose(%x, axes=[0, -1, 1, 2])");
    CHECK(q("?") == "none");
    CHECK(q("NHWC") == "NHWC -> NCHW");
    CHECK(q("NHWC", "NCHW") == "NCHW -> NCHW");
    CHECK(q.call() == "transpose(%x, axes=[0, 1, 2, 3])");
    CHECK(q("NHWC", "NCHW16c") == "NHWC -> NCHW"); // transpose does not follow a blocked layout
    auto reversed = asked("transpose(%x, axes=None)");
    CHECK(reversed("NHWC", "NCHW") == "NCHW -> CWHN");
}

TEST_CASE("squeeze: removed axes leave the layout", "[relay][layout]") {
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
    // 16 channels in blocks of 16 make an axis of size 1, but there is more than one channel.
    tutti::test::layout_question one_block(
        "def @main(%x: Tensor[(1, 1, 4, 6, 16), float32]) { variance(%x, %x, axis=[1, 4], "
        "exclude=True) }");
    CHECK(one_block("NCHW16c NCHW16c") == "NCHW16c NCHW16c -> C16c");
    CHECK(one_block("NCHW16c NCHW16c", "NHWC NHWC") == "NHWC NHWC -> C");
    tutti::test::layout_question one_channel(
        "def @main(%x: Tensor[(1, 1, 4, 6, 16), float32], %m: Tensor[(1, 1, 1, 1, 1), "
        "float32]) { variance(%x, %m, axis=[1, 4]) }");
    CHECK(one_channel("NCHW16c NCHW16c") == "NCHW16c NCHW1c -> NHW");
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

TEST_CASE("strided_slice: places go with their axes", "[relay][layout]") {
    auto q = asked("strided_slice(%x, begin=[0, 1], end=[1, 3], strides=[1, 1], axes=None)");
    CHECK(q("?") == "none");
    CHECK(q("NHWC") == "NHWC -> NHWC");
    CHECK(q("NHWC", "NCHW") == "NCHW -> NCHW");
    CHECK(q.call() == "strided_slice(%x, begin=[0, 0, 1, 0], end=[1, 32, 3, 6], strides=[1, 1, 1, 1], axes=None)");
    auto axes = asked("strided_slice(%x, begin=[16], end=[32], strides=[1], axes=[3])");
    CHECK(axes("NHWC", "NCHW") == "NCHW -> NCHW");
    CHECK(axes.call() == "strided_slice(%x, begin=[16], end=[32], strides=[1], axes=[1])");
    CHECK(axes("NHWC", "NCHW4c") == "none");
    auto sizes = asked("strided_slice(%x, begin=[0i64], end=[16i64], strides=[2i64], slice_mode=\"size\", axes=[3])");
    CHECK(sizes("NHWC", "NCHW") == "NCHW -> NCHW");
    CHECK(sizes.call() ==
          "strided_slice(%x, begin=[0i64], end=[16i64], strides=[1i64], slice_mode=\"size\", axes=[1])");
}

TEST_CASE("strided_slice: places are counted in blocks where the axes keep their order", "[relay][layout]") {
    auto q = asked("strided_slice(%x, begin=[0, 0, 0, 16], end=[1, 4, 6, 32], strides=[1], axes=None)");
    CHECK(q("NHWC", "NHWC8c") == "NHWC8c -> NHWC8c");
    CHECK(q.call() == "strided_slice(%x, begin=[0, 0, 0, 2], end=[1, 4, 6, 4], strides=[1], axes=None)");
    CHECK(q("NHWC", "NHWC32c") == "none");
    CHECK(q("NHWC8c", "NHWC") == "NHWC8c -> NHWC8c");
    auto steps = asked("strided_slice(%x, begin=[16], end=[32], strides=[2], axes=[3])");
    CHECK(steps("NHWC", "NHWC8c") == "none");
    auto sizes = asked(
        "strided_slice(%x, begin=[0, 0, 0, 16], end=[-1, -1, -1, 8], strides=[1], slice_mode=\"size\", axes=None)");
    CHECK(sizes("NHWC", "NHWC8c") == "NHWC8c -> NHWC8c");
}

TEST_CASE("slice_like: both arguments must come in one layout", "[relay][layout]") {
    auto q = asked("slice_like(%x, %y, axes=[1, 3])");
    CHECK(q("? NHWC") == "none");
    CHECK(q("NHWC NHWC", "NCHW NCHW") == "NCHW NCHW -> NCHW");
    CHECK(q.call() == "slice_like(%x, %y, axes=[2, 1])");
    CHECK(q("NHWC NHWC", "NCHW NHWC") == "NHWC NHWC -> NHWC");
    CHECK(q.call() == "slice_like(%x, %y, axes=[1, 3])");
}

TEST_CASE("pad: widths go with their axes, and blocks cannot be padded", "[relay][layout]") {
    auto q = asked("nn.pad(%x, 0f, pad_width=[[0, 0], [1, 2], [0, 0], [0, 0]])");
    CHECK(q("NHWC ?") == "NHWC 1 -> NHWC");
    CHECK(q("NHWC 1", "NCHW 1") == "NCHW 1 -> NCHW");
    CHECK(q.call() == "nn.pad(%x, 0f, pad_width=[[0, 0], [0, 0], [1, 2], [0, 0]])");
    CHECK(q("NHWC 1", "NCHW8c 1") == "NCHW8c 1 -> NCHW8c");
    auto channels = asked("nn.pad(%x, 0f, pad_width=[[0, 0], [0, 0], [0, 0], [4, 4]])");
    CHECK(channels("NHWC 1", "NCHW8c 1") == "NHWC 1 -> NHWC");
}
