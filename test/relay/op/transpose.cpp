#include <tutti/relay/op/transpose.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("transpose: the axes in the order that is given, or reversed", "[relay][transpose]") {
    CHECK(type_of({2, dim::any(), 4}, [](expr x) { return relay::transpose(x); }) == "Tensor[(4, ?, 2), float32]");
    CHECK(type_of({2, 3, 4}, [](expr x) { return relay::transpose(x, {.axes = {0, -1, 1}}); }) ==
          "Tensor[(2, 4, 3), float32]");
    CHECK_THAT(refusal_of({2, 3, 4}, [](expr x) { return relay::transpose(x, {.axes = {0, 1}}); }),
               Contains("attribute `axes`: 2 numbers; expected 3"));
    CHECK_THAT(refusal_of({2, 3, 4}, [](expr x) { return relay::transpose(x, {.axes = {0, 1, -2}}); }),
               Contains("an axis twice"));
}

TEST_CASE("transpose: from one layout to another", "[relay][transpose]") {
    const auto moved = [](std::string_view from, std::string_view to) {
        return [=](expr x) { return relay::layout_transform(x, {.src_layout = from, .dst_layout = to}); };
    };
    CHECK(type_of({1, 64, 5, 6}, moved("NCHW", "NHWC")) == "Tensor[(1, 5, 6, 64), float32]");
    CHECK(type_of({1, 64, 5, 6}, moved("NCHW", "NCHW16c")) == "Tensor[(1, 4, 5, 6, 16), float32]");
    CHECK(type_of({1, 4, 5, 6, 16}, moved("NCHW16c", "NHWC")) == "Tensor[(1, 5, 6, 64), float32]");
    CHECK(type_of({128, 64, 3, 3}, moved("OIHW", "OHWI16i64o2i")) == "Tensor[(2, 3, 3, 2, 16, 64, 2), float32]");
    CHECK_THAT(refusal_of({1, 63, 5, 6}, moved("NCHW", "NCHW16c")), Contains("attribute `dst_layout`"));
    CHECK_THAT(refusal_of({1, 64, 5, 6}, moved("NCHW", "NCDHW")), Contains("an axis D; expected the axes of NCHW"));
    CHECK_THAT(refusal_of({1, 64, 5, 6}, moved("NCHW", "NCH")), Contains("attribute `src_layout`"));
    CHECK_THAT(refusal_of({1, 64, 5}, moved("NCHW", "NHWC")), Contains("a tensor of layout NCHW"));
    CHECK_THAT(refusal_of({1, 64, 5, 6}, moved("NCHW", "nchw")), Contains("\"nchw\" is not a layout"));
}
