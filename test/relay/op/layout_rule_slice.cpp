#include <tutti/relay/op/layout_rule_slice.hpp>

#include "catch.hpp"
#include "layout_question.hpp"

using namespace tutti;

namespace {

test::layout_question asked(std::string_view call) {
    return test::layout_question(
        "def @main(%x: Tensor[(1, 4, 6, 32), float32], %y: Tensor[(1, 4, 6, 32), float32]) { " + std::string(call) +
        " }");
}

} // namespace

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
