#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/anchor.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/detection.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/anchor.hpp>

#include <algorithm>
#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators on anchor boxes.
template <class = void>
inline constexpr std::array anchor_kernels{
    kernel_for<op::vision::multibox_prior>([](const invocation& c, const multibox_prior_attributes& a) {
        const tensor& data = c.input(0);
        kernel::workspace own;
        kernel::multibox_prior(data.shape()[2], data.shape()[3],
                               {.sizes = a.sizes,
                                .ratios = a.ratios,
                                .steps = {a.steps[0], a.steps[1]},
                                .offsets = {a.offsets[0], a.offsets[1]},
                                .clip = a.clip},
                               data.type(), c.result(), detail::kept_or(c, own));
    }),
    kernel_for<op::vision::multibox_transform_loc>([](const invocation& c, const multibox_transform_loc_attributes& a) {
        kernel::transform_loc_options o{.clip = a.clip, .threshold = a.threshold};
        std::copy_n(a.variances.begin(), o.variances.size(), o.variances.begin());
        kernel::workspace own;
        kernel::multibox_transform_loc(c.input(0), c.input(1), c.input(2), o, c.result(), c.result(1),
                                       detail::kept_or(c, own));
    }),
    kernel_for<op::vision::proposal>([](const invocation& c, const proposal_attributes& a) {
        detail::sorting_space own;
        detail::sorting_space& room = detail::kept_or(c, own);
        kernel::proposal(c.input(0), c.input(1), c.input(2),
                         {.scales = a.scales,
                          .ratios = a.ratios,
                          .feature_stride = a.feature_stride,
                          .threshold = a.threshold,
                          .pre_nms = a.rpn_pre_nms_top_n,
                          .post_nms = a.rpn_post_nms_top_n,
                          .min_size = a.rpn_min_size,
                          .iou_loss = a.iou_loss},
                         c.result(), room.sorted, room.space);
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
