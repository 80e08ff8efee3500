#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/anchor.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op::vision {

TUTTI_CONSTEXPR type_id multibox_prior::infer(relation& r, const attributes& a) {
    if (!knows_all(r, {4}, 1)) return type_id::none;
    if (a.sizes.empty()) r.refuse_attribute("sizes", "no size", "one or more");
    if (a.ratios.empty()) r.refuse_attribute("ratios", "no ratio", "one or more");
    if (a.steps.size() != 2) r.refuse_attribute("steps", "not a step for rows and one for columns", "two numbers");
    if (a.offsets.size() != 2) r.refuse_attribute("offsets", "not a row and a column", "two numbers");
    const dims data = r.shape(0);
    const auto each = static_cast<std::int64_t>(a.sizes.size() + a.ratios.size() - 1);
    return r.tensor(dims{1, times(times(data[2], data[3]), each), 4}, r.element(0));
}

TUTTI_CONSTEXPR type_id multibox_transform_loc::infer(relation& r, const attributes& a) {
    if (!knows_all(r, {3, 2, 3}, 3)) return type_id::none;
    const dims scores = r.shape(0);
    const dims moves = r.shape(1);
    const dims anchors = r.shape(2);
    if (!may_equal(moves[1], times(scores[2], 4)) || !may_equal(moves[0], scores[0]))
        r.refuse(1, "four numbers for each anchor");
    if (!may_equal(anchors[1], scores[2]) || !may_equal(anchors[2], 4) || kernel::is_number(anchors[1], 0))
        r.refuse(2, "four coordinates for each anchor");
    if (a.variances.size() != 4) r.refuse_attribute("variances", "not a number for each coordinate", "four numbers");
    const type_id fields[]{r.tensor(dims{scores[0], anchors[1], 6}, r.element(0)),
                           r.tensor(dims{scores[0]}, dtype::int32)};
    return r.types().tuple(fields);
}

TUTTI_CONSTEXPR type_id proposal::infer(relation& r, const attributes& a) {
    if (!knows_all(r, {4, 4, 2}, 3)) return type_id::none;
    if (!may_equal(r.shape(2)[1], 3)) r.refuse(2, "height, width and scale of each image");
    if (a.rpn_post_nms_top_n < 0) r.refuse_attribute("rpn_post_nms_top_n", "a negative number", "how many regions");
    return r.tensor(dims{times(r.shape(0)[0], a.rpn_post_nms_top_n), 5}, r.element(0));
}

} // namespace op::vision

namespace vision {

TUTTI_CONSTEXPR expr multibox_prior(expr data, const multibox_prior_attributes& attributes) {
    return call_op<op::vision::multibox_prior>(attributes, data);
}
TUTTI_CONSTEXPR expr multibox_transform_loc(expr cls_prob, expr loc_pred, expr anchor,
                                            const multibox_transform_loc_attributes& attributes) {
    return call_op<op::vision::multibox_transform_loc>(attributes, cls_prob, loc_pred, anchor);
}
TUTTI_CONSTEXPR expr proposal(expr cls_prob, expr bbox_pred, expr im_info, const proposal_attributes& attributes) {
    return call_op<op::vision::proposal>(attributes, cls_prob, bbox_pred, im_info);
}

} // namespace vision

} // namespace tutti::relay::inline TUTTI_FORM
