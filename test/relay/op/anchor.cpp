#include <tutti/relay/op/anchor.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::builder;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("anchor: multibox_prior gives boxes over each pixel", "[relay][anchor]") {
    const auto prior = [](const relay::multibox_prior_attributes& a) {
        return [=](expr x) { return relay::vision::multibox_prior(x, a); };
    };
    CHECK(type_of({1, 3, 32, 32}, prior({})) == "Tensor[(1, 1024, 4), float32]");
    CHECK(type_of({1, 3, 56, 56}, prior({.sizes = {0.3, 1.5, 0.7}, .ratios = {1.3, 2.4}}), dtype::float16) ==
          "Tensor[(1, 12544, 4), float16]");
    CHECK(type_of({1, 3, dim::any(), 56}, prior({})) == "Tensor[(1, ?, 4), float32]");
    CHECK_THAT(refusal_of({1, 3, 56}, prior({})), Contains("vision.multibox_prior, argument `data`"));
    CHECK_THAT(refusal_of({1, 3, 5, 5}, prior({.sizes = {}})), Contains("attribute `sizes`"));
    CHECK_THAT(refusal_of({1, 3, 5, 5}, prior({.ratios = {}})), Contains("attribute `ratios`"));
    CHECK_THAT(refusal_of({1, 3, 5, 5}, prior({.steps = {1}})), Contains("attribute `steps`"));
    CHECK_THAT(refusal_of({1, 3, 5, 5}, prior({.offsets = {1, 2, 3}})), Contains("attribute `offsets`"));
}

TEST_CASE("anchor: defaults that are lists are not printed", "[relay][anchor]") {
    const auto text = [](const relay::multibox_prior_attributes& a) {
        builder b;
        const expr e = relay::vision::multibox_prior(b.variable("x", dims{1, 3, 2, 2}), a);
        return bare_text(relay::ir_module(closed(b, e)));
    };
    CHECK_THAT(text({}), Contains("vision.multibox_prior(%x)"));
    CHECK_THAT(text({.sizes = {0.5}, .clip = true}), Contains("vision.multibox_prior(%x, sizes=[0.5f], clip=True)"));
    CHECK(relay::attribute_fields<relay::proposal_attributes>[0].standard_values().size() == 5);
}

TEST_CASE("anchor: multibox_transform_loc gives rows and counts", "[relay][anchor]") {
    const auto moved = [](const dims& scores, const dims& moves, const dims& anchors,
                          const relay::multibox_transform_loc_attributes& a = {}) {
        return [=](builder& b) {
            return relay::vision::multibox_transform_loc(b.variable("s", scores), b.variable("m", moves),
                                                         b.variable("a", anchors), a);
        };
    };
    CHECK(type_of(moved({2, 3, 5}, {2, 20}, {1, 5, 4})) == "(Tensor[(2, 5, 6), float32], Tensor[(2), int32])");
    CHECK_THAT(refusal_of(moved({2, 3, 5}, {2, 19}, {1, 5, 4})), Contains("four numbers for each anchor"));
    CHECK_THAT(refusal_of(moved({2, 3, 5}, {2, 20}, {1, 6, 4})), Contains("four coordinates for each anchor"));
    CHECK_THAT(refusal_of(moved({2, 3, 0}, {2, 0}, {1, 0, 4})), Contains("four coordinates for each anchor"));
    CHECK_THAT(refusal_of(moved({2, 3, 5}, {2, 20}, {1, 5, 4}, {.variances = {1}})), Contains("attribute `variances`"));
}

TEST_CASE("anchor: proposal returns the requested number of regions", "[relay][anchor]") {
    const auto proposed = [](const dims& info, const relay::proposal_attributes& a) {
        return [=](builder& b) {
            return relay::vision::proposal(b.variable("s", dims{2, 24, 3, 3}), b.variable("m", dims{2, 48, 3, 3}),
                                           b.variable("i", info), a);
        };
    };
    CHECK(type_of(proposed({2, 3}, {})) == "Tensor[(600, 5), float32]");
    CHECK(type_of(proposed({2, 3}, {.rpn_post_nms_top_n = 4})) == "Tensor[(8, 5), float32]");
    CHECK_THAT(refusal_of(proposed({2, 4}, {})), Contains("height, width and scale"));
    CHECK_THAT(refusal_of(proposed({2, 3}, {.rpn_post_nms_top_n = -4})), Contains("a negative number"));
}
