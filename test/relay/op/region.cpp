#include <tutti/relay/op/region.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::builder;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("region: pooling gives an image for each region", "[relay][region]") {
    const auto aligned = [](const dims& regions, const relay::roi_align_attributes& a) {
        return [=](builder& b) {
            return relay::vision::roi_align(b.variable("x", dims{1, 4, 16, 12}), b.variable("r", regions), a);
        };
    };
    const relay::roi_align_attributes size{.pooled_size = {7, 6}, .spatial_scale = 1.0};
    CHECK(type_of(aligned({32, 5}, size)) == "Tensor[(32, 4, 7, 6), float32]");
    CHECK(type_of(aligned({dim::any(), 5}, {.pooled_size = {7, 6}, .spatial_scale = 1.0, .layout = "NHWC"})) ==
          "Tensor[(?, 7, 6, 12), float32]");
    CHECK_THAT(refusal_of(aligned({32, 4}, size)), Contains("four corners for each region"));
    CHECK_THAT(refusal_of(aligned({32, 5}, {.pooled_size = {7}, .spatial_scale = 1.0})),
               Contains("attribute `pooled_size`"));
    CHECK_THAT(refusal_of(aligned({32, 5}, {.pooled_size = {7, -1}, .spatial_scale = 1.0})),
               Contains("a negative size"));
    CHECK_THAT(refusal_of(aligned({32, 5}, {.pooled_size = {7, 7}, .spatial_scale = 1.0, .mode = "sum"})),
               Contains("\"avg\" or \"max\""));
    CHECK_THAT(refusal_of(aligned({32, 5}, {.pooled_size = {7, 7}, .spatial_scale = 1.0, .layout = "NCW"})),
               Contains("attribute `layout`"));
    CHECK(type_of([](builder& b) {
              return relay::vision::roi_pool(b.variable("x", dims{1, 4, 16, 12}), b.variable("r", dims{3, 5}),
                                             {.pooled_size = {2, 3}, .spatial_scale = 0.5});
          }) == "Tensor[(3, 4, 2, 3), float32]");
}

TEST_CASE("region: layouts go through the pooling of regions", "[relay][region]") {
    builder b;
    const expr call = relay::vision::roi_pool(b.variable("x", dims{1, 4, 16, 12}), b.variable("r", dims{3, 5}),
                                              {.pooled_size = {2, 3}, .spatial_scale = 0.5});
    const relay::op_def& op = relay::definition<relay::op::vision::roi_pool>;
    const relay::attrs_id attributes = b.graph().call_attributes(call.id);
    const relay::type_id types[2]{};
    const relay::maybe_layout unknown[2];
    relay::layout_query q{&b.graph(), &op, attributes, types, unknown};
    REQUIRE(op.layout(q));
    CHECK(q.in[0] == relay::layout::parse("NCHW"));
    CHECK(q.in[1] == relay::layout::parse("NC"));
    CHECK(q.out[0] == relay::layout::parse("NCHW"));

    relay::layout_change c{&b.graph(), &b.graph(), call.id, &op, attributes, {}};
    op.convert(c, std::vector<std::string>{"NHWC", "default"});
    CHECK(c.edit().text("layout") == "NHWC");
    CHECK_THROWS_WITH(op.convert(c, std::vector<std::string>{"NHWC"}), Contains("\"default\" for the regions"));
    CHECK_THROWS_WITH(op.convert(c, std::vector<std::string>{"CNHW", "default"}), Contains("NCHW or NHWC"));
}

TEST_CASE("region: yolo_reorg multiplies channels", "[relay][region]") {
    const auto reorganised = [](std::int64_t stride) {
        return [=](expr x) { return relay::vision::yolo_reorg(x, {.stride = stride}); };
    };
    CHECK(type_of({1, 100, 20, dim::any()}, reorganised(10), dtype::int8) == "Tensor[(1, 10000, 2, ?), int8]");
    CHECK_THAT(refusal_of({1, 100, 20}, reorganised(10)), Contains("a tensor of rank 4"));
    CHECK_THAT(refusal_of({1, 100, 20, 20}, reorganised(0)), Contains("attribute `stride`"));
}
