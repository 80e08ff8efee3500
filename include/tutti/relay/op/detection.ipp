#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/detection.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op::vision {

TUTTI_CONSTEXPR bool detection::knows_all(const relation& r, std::initializer_list<std::size_t> ranks,
                                          std::size_t arguments) {
    for (std::size_t i = 0; i < arguments; ++i)
        if (!r.knows(i)) return false;
    for (std::size_t i = 0; i < arguments; ++i) {
        if (i >= ranks.size()) {
            for (const dim d : r.shape(i))
                if (!may_equal(d, 1)) r.refuse(i, "one number");
        } else if (r.shape(i).size() != ranks.begin()[i]) {
            std::string expected = "a tensor of rank ";
            append_number(expected, static_cast<std::int64_t>(ranks.begin()[i]));
            r.refuse(i, std::move(expected));
        }
    }
    return true;
}

TUTTI_CONSTEXPR type_id get_valid_counts::infer(relation& r, const attributes&) {
    if (!knows_all(r, {3}, arguments.size())) return type_id::none;
    const dims data = r.shape(0);
    const type_id fields[]{r.tensor(dims{data[0]}, dtype::int32), r.tensor(data, r.element(0)),
                           r.tensor(dims{data[0], data[1]}, dtype::int32)};
    return r.types().tuple(fields);
}

TUTTI_CONSTEXPR type_id non_max_suppression::infer(relation& r, const attributes& a) {
    // Checks the argument `indices` only if indices are returned. Otherwise, it is a placeholder of any rank.
    if (!knows_all(r, {3, 1, a.return_indices ? std::size_t{2} : r.knows(2) ? r.shape(2).size() : 0}, arguments.size()))
        return type_id::none;
    const dims data = r.shape(0);
    if (!may_equal(r.shape(1)[0], data[0])) r.refuse(1, "a count for each image");
    if (!a.return_indices) return r.tensor(data, r.element(0));
    const dims indices = r.shape(2);
    if (!may_equal(indices[0], data[0]) || !may_equal(indices[1], data[1])) r.refuse(2, "an index for each box");
    const type_id fields[]{r.tensor(dims{data[0], data[1]}, dtype::int32), r.tensor(dims{data[0], 1}, dtype::int32)};
    return r.types().tuple(fields);
}

TUTTI_CONSTEXPR type_id all_class_non_max_suppression::infer(relation& r, const attributes& a) {
    if (!knows_all(r, {3, 3}, arguments.size())) return type_id::none;
    const dims boxes = r.shape(0);
    const dims scores = r.shape(1);
    if (!may_equal(boxes[2], 4)) r.refuse(0, "four coordinates for each box");
    if (!may_equal(boxes[0], scores[0]) || !may_equal(boxes[1], scores[2]))
        r.refuse(1, "a score for each class and box");
    const dim each = times(scores[1], boxes[1]);
    if (a.output_format == "onnx") {
        const type_id fields[]{r.tensor(dims{times(boxes[0], each), 3}, dtype::int64), r.tensor(dims{1}, dtype::int64)};
        return r.types().tuple(fields);
    }
    if (a.output_format != "tensorflow")
        r.refuse_attribute("output_format", "\"" + std::string(a.output_format) + "\"", "\"onnx\" or \"tensorflow\"");
    const type_id fields[]{r.tensor(dims{boxes[0], each, 2}, dtype::int64),
                           r.tensor(dims{boxes[0], each}, dtype::float32), r.tensor(dims{boxes[0]}, dtype::int64)};
    return r.types().tuple(fields);
}

} // namespace op::vision

namespace vision {

TUTTI_CONSTEXPR expr all_class_non_max_suppression(expr boxes, expr scores, expr max_output_boxes_per_class,
                                                   expr iou_threshold, expr score_threshold,
                                                   const all_class_non_max_suppression_attributes& attributes) {
    return call_op<op::vision::all_class_non_max_suppression>(attributes, boxes, scores, max_output_boxes_per_class,
                                                              iou_threshold, score_threshold);
}
TUTTI_CONSTEXPR expr get_valid_counts(expr data, expr score_threshold, const get_valid_counts_attributes& attributes) {
    return call_op<op::vision::get_valid_counts>(attributes, data, score_threshold);
}
TUTTI_CONSTEXPR expr non_max_suppression(expr data, expr valid_count, expr indices, expr max_output_size,
                                         expr iou_threshold, const non_max_suppression_attributes& attributes) {
    return call_op<op::vision::non_max_suppression>(attributes, data, valid_count, indices, max_output_size,
                                                    iou_threshold);
}

} // namespace vision

} // namespace tutti::relay::inline TUTTI_FORM
