#include <tutti/relay/op/layout_rule_broadcast.hpp>

#include "layout_question.hpp"
#include "support/catch.hpp"

using namespace tutti;
using relay::layout;

namespace {

std::string changed(std::string_view l, std::string_view from, std::string_view to) {
    const auto made = relay::layout_rules::changed_alike(*layout::parse(l), *layout::parse(from), *layout::parse(to));
    return made ? made->text() : "none";
}

tutti::test::layout_question addition(std::string_view lhs, std::string_view rhs) {
    return tutti::test::layout_question("def @main(%x: Tensor[" + std::string(lhs) + ", float32], %y: Tensor[" +
                                        std::string(rhs) + ", float32]) { add(%x, %y) }");
}

} // namespace

TEST_CASE("changed_alike: a layout follows another, letter for letter from the end", "[relay][layout]") {
    CHECK(changed("NHWC", "NHWC", "NCHW") == "NCHW");
    CHECK(changed("C", "NHWC", "NCHW") == "NCHW");
    CHECK(changed("HWC", "NHWC", "NCHW16c") == "NCHW16c");
    CHECK(changed("ABCD", "NHWC", "NCHW") == "ADBC");
    CHECK(changed("NHWC", "NHWC", "NHW") == "NHW");
    CHECK(changed("N", "NHWC", "NCHW") == "ANHW"); // N stands for C here, so the N of NHWC gets an unused letter
    CHECK(changed("NHWC", "NCHW16c", "NCHW") == "none");
    CHECK(changed("C", "NCHW16c", "NCHW") == "none");
}

TEST_CASE("elementwise: takes the layout that it is given", "[relay][layout]") {
    tutti::test::layout_question relu("def @main(%x: Tensor[(1, 8, 4, 4), float32]) { nn.relu(%x) }");
    CHECK(relu("?") == "none");
    CHECK(relu("NCHW") == "NCHW -> NCHW");
    CHECK(relu("NCHW", "NHWC") == "NHWC -> NHWC");
    tutti::test::layout_question dropout("def @main(%x: Tensor[(1, 8, 4, 4), float32]) { nn.dropout(%x) }");
    CHECK(dropout("NCHW") == "NCHW -> NCHW NCHW");
}

TEST_CASE("broadcast: the smaller tensor follows the larger", "[relay][layout]") {
    auto vector = addition("(1, 4, 4, 32)", "(32)");
    CHECK(vector("? ?") == "none");
    CHECK(vector("? C") == "none");
    CHECK(vector("NHWC ?") == "NHWC C -> NHWC");
    CHECK(vector("NHWC C", "NCHW C") == "NCHW NCHW -> NCHW");
    CHECK(vector("NHWC C", "NCHW16c C") == "NCHW16c NCHW16c -> NCHW16c");
    auto scalar = addition("()", "(1, 4, 4, 32)");
    CHECK(scalar("? NHWC") == "1 NHWC -> NHWC");
    CHECK(scalar("1 NHWC", "1 NCHW") == "1 NCHW -> NCHW");
}

TEST_CASE("broadcast: an axis of one element goes into blocks of one", "[relay][layout]") {
    auto one_channel = addition("(1, 4, 4, 32)", "(1, 4, 4, 1)");
    CHECK(one_channel("NHWC NHWC", "NCHW16c NHWC") == "NCHW16c NCHW1c -> NCHW16c");
    auto equal = addition("(1, 4, 4, 32)", "(1, 4, 4, 32)");
    CHECK(equal("NHWC NHWC", "NHWC NCHW16c") == "NHWC NHWC -> NHWC");
    CHECK(equal("NHWC NHWC", "NCHW16c NHWC") == "NCHW16c NCHW16c -> NCHW16c");
}

TEST_CASE("broadcast: keeps existing blocks", "[relay][layout]") {
    auto one_block = addition("(1, 4, 6, 6, 16)", "(1, 1, 1, 16)");
    CHECK(one_block("NCHW16c ?") == "NCHW16c CHW16c -> NCHW16c");
    CHECK(one_block("NCHW16c CHW16c", "NCHW16c CHW16c") == "NCHW16c NCHW16c -> NCHW16c");
    auto block = addition("(1, 4, 6, 6, 16)", "(16)");
    const std::string said = block("NCHW16c ?");
    CHECK(said == "NCHW16c 16c -> NCHW16c");
}
