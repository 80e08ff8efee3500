#include <tutti/relay/eval/kernels/anchor.hpp>

#include "support.hpp"

#include <vector>

namespace kernel = tutti::kernel;
using test::first_of;
using test::same;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::anchor_kernels<>;

} // namespace

TEST_CASE("kernels/anchor: multibox_prior takes its attributes", "[relay][eval]") {
    const double sizes[]{0.5, 1};
    const double ratios[]{1, 2};
    tensor expected;
    kernel::multibox_prior(2, 3, {.sizes = sizes, .ratios = ratios, .steps = {0.5, 2}, .offsets = {0, 1}, .clip = true},
                           test::dtype::float32, expected);
    CHECK(same(first_of(kernels,
                        "vision.multibox_prior(%a, sizes=[0.5, 1.0], ratios=[1.0, 2.0], steps=[0.5, 2.0], "
                        "offsets=[0.0, 1.0], clip=True)",
                        {tensor(test::dtype::float32, {2, 1, 2, 3})}),
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
    const std::vector<tensor> got = test::computed(kernels,
                                                   "vision.multibox_transform_loc(%a, %b, %c, clip=False, "
                                                   "threshold=0.5, variances=[1.0, 2.0, 3.0, 4.0])",
                                                   {scores, moves, anchors});
    CHECK(same(got[0], expected));
    CHECK(same(got[1], counts));
}

TEST_CASE("kernels/anchor: proposal takes its attributes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const double scales[]{1, 2};
    const double ratios[]{0.5};
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
    CHECK(same(first_of(kernels,
                        "vision.proposal(%a, %b, %c, scales=[1.0, 2.0], ratios=[0.5], feature_stride=8, threshold=0.6, "
                        "rpn_pre_nms_top_n=9, rpn_post_nms_top_n=5, rpn_min_size=4, iou_loss=True)",
                        {scores, moves, infos}),
               expected));
}
