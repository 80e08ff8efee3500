#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/detection.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of vision.multibox_prior: see `kernel::prior_options`.
struct multibox_prior_attributes {
    vector<double> sizes{1};
    vector<double> ratios{1};
    vector<double> steps{-1, -1};
    vector<double> offsets{0.5, 0.5};
    bool clip = false;

    static constexpr option_list<&multibox_prior_attributes::sizes, &multibox_prior_attributes::ratios,
                                 &multibox_prior_attributes::steps, &multibox_prior_attributes::offsets,
                                 &multibox_prior_attributes::clip>
        options{"sizes", "ratios", "steps", "offsets", "clip"};
};

/// Attributes of vision.multibox_transform_loc: see `kernel::transform_loc_options`.
struct multibox_transform_loc_attributes {
    bool clip = true;
    double threshold = 0.01;
    vector<double> variances{0.1F, 0.1F, 0.2F, 0.2F};

    static constexpr option_list<&multibox_transform_loc_attributes::clip,
                                 &multibox_transform_loc_attributes::threshold,
                                 &multibox_transform_loc_attributes::variances>
        options{"clip", "threshold", "variances"};
};

/// Attributes of vision.proposal: see `kernel::proposal_options`.
struct proposal_attributes {
    vector<double> scales{4, 8, 16, 32};
    vector<double> ratios{0.5, 1, 2};
    std::int64_t feature_stride = 16;
    double threshold = 0.7;
    std::int64_t rpn_pre_nms_top_n = 6000;
    std::int64_t rpn_post_nms_top_n = 300;
    std::int64_t rpn_min_size = 16;
    bool iou_loss = false;

    static constexpr option_list<&proposal_attributes::scales, &proposal_attributes::ratios,
                                 &proposal_attributes::feature_stride, &proposal_attributes::threshold,
                                 &proposal_attributes::rpn_pre_nms_top_n, &proposal_attributes::rpn_post_nms_top_n,
                                 &proposal_attributes::rpn_min_size, &proposal_attributes::iou_loss>
        options{"scales",       "ratios",  "feature_stride", "threshold", "rpn_pre_nms_top_n", "rpn_post_nms_top_n",
                "rpn_min_size", "iou_loss"};
};

namespace op::vision {

/// Boxes of several sizes and aspect ratios around each pixel.
struct multibox_prior : detection, named<"vision.multibox_prior"> {
    static constexpr bool rounds = true;
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = multibox_prior_attributes;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Applies predicted offsets to anchors. Returns boxes with class and score, and the number of boxes per image.
struct multibox_transform_loc : detection, named<"vision.multibox_transform_loc"> {
    static constexpr bool rounds = true;
    static constexpr std::array<std::string_view, 3> arguments{"cls_prob", "loc_pred", "anchor"};
    using attributes = multibox_transform_loc_attributes;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Proposes regions of images that may contain objects.
struct proposal : detection, named<"vision.proposal"> {
    static constexpr bool rounds = true;
    static constexpr std::array<std::string_view, 3> arguments{"cls_prob", "bbox_pred", "im_info"};
    using attributes = proposal_attributes;
    static constexpr std::string_view kept_as = "relay.attrs.ProposalAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op::vision

/// Operators on anchor boxes.
using anchor_ops = op_list<op::vision::multibox_prior, op::vision::multibox_transform_loc, op::vision::proposal>;

namespace vision {
TUTTI_CONSTEXPR expr multibox_prior(expr data, const multibox_prior_attributes& attributes = {});
TUTTI_CONSTEXPR expr multibox_transform_loc(expr cls_prob, expr loc_pred, expr anchor,
                                            const multibox_transform_loc_attributes& attributes = {});
TUTTI_CONSTEXPR expr proposal(expr cls_prob, expr bbox_pred, expr im_info, const proposal_attributes& attributes = {});
} // namespace vision

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/anchor.ipp>
#endif
