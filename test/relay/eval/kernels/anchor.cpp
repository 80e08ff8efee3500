#include <tutti/relay/eval/kernels/anchor.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using relay::builder;
using relay::expr;
using test::dtype;
using test::same;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
std::vector<tensor> results(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::anchor_kernels<>, inputs, build);
}

} // namespace

TEST_CASE("kernels/anchor: multibox_prior takes its attributes", "[relay][eval]") {
    const std::vector<double> sizes{0.5, 1};
    const std::vector<double> ratios{1, 2};
    tensor expected;
    kernel::multibox_prior(2, 3, {.sizes = sizes, .ratios = ratios, .steps = {0.5, 2}, .offsets = {0, 1}, .clip = true},
                           dtype::float32, expected);
    CHECK(same(results({tensor(dtype::float32, {2, 1, 2, 3})},
                       [&](builder&, arguments e) {
                           return relay::vision::multibox_prior(
                               e[0],
                               {.sizes = sizes, .ratios = ratios, .steps = {0.5, 2}, .offsets = {0, 1}, .clip = true});
                       })[0],
               expected));
}

TEST_CASE("kernels/anchor: multibox_transform_loc takes its attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor scores = random.filled<float>({2, 3, 4}, 0, 1);
    const tensor moves = random.filled<float>({2, 16});
    const tensor anchors = random.filled<float>({1, 4, 4}, 0, 1);
    tensor expected;
    tensor counts;
    kernel::multibox_transform_loc(scores, moves, anchors, {.clip = false, .threshold = 0.5, .variances = {1, 2, 3, 4}},
                                   expected, counts);
    const auto got = results({scores, moves, anchors}, [&](builder&, arguments e) {
        return relay::vision::multibox_transform_loc(e[0], e[1], e[2],
                                                     {.clip = false, .threshold = 0.5, .variances = {1, 2, 3, 4}});
    });
    CHECK(same(got[0], expected));
    CHECK(same(got[1], counts));
}

TEST_CASE("kernels/anchor: proposal takes its attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<double> scales{1, 2};
    const std::vector<double> ratios{0.5};
    const tensor scores = random.filled<float>({1, 4, 3, 3}, 0, 1);
    const tensor moves = random.filled<float>({1, 8, 3, 3});
    const tensor infos({1, 3}, {40.F, 48.F, 1.F});
    tensor expected;
    tutti::vector<kernel::sort_key> room;
    kernel::proposal(scores, moves, infos,
                     {.scales = scales,
                      .ratios = ratios,
                      .feature_stride = 8,
                      .threshold = 0.6,
                      .pre_nms = 9,
                      .post_nms = 5,
                      .min_size = 4,
                      .iou_loss = true},
                     expected, room);
    CHECK(same(results({scores, moves, infos},
                       [&](builder&, arguments e) {
                           return relay::vision::proposal(e[0], e[1], e[2],
                                                          {.scales = scales,
                                                           .ratios = ratios,
                                                           .feature_stride = 8,
                                                           .threshold = 0.6,
                                                           .rpn_pre_nms_top_n = 9,
                                                           .rpn_post_nms_top_n = 5,
                                                           .rpn_min_size = 4,
                                                           .iou_loss = true});
                       })[0],
               expected));
}
