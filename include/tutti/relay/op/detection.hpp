#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay {

/// Attributes of vision.get_valid_counts: the columns of the class (none if negative) and of the score. The threshold
/// is ignored, because an argument replaces it.
struct get_valid_counts_attributes {
    std::optional<double> score_threshold{};
    std::int64_t id_index = 0;
    std::int64_t score_index = 1;

    static constexpr option_list<&get_valid_counts_attributes::score_threshold, &get_valid_counts_attributes::id_index,
                                 &get_valid_counts_attributes::score_index>
        options{"score_threshold", "id_index", "score_index"};
};

/// Attributes of vision.non_max_suppression: see `kernel::suppression_options`. With `return_indices` the result has
/// the positions and number of the boxes instead of the boxes.
struct non_max_suppression_attributes {
    bool force_suppress = false;
    std::int64_t top_k = -1;
    std::int64_t coord_start = 2;
    std::int64_t score_index = 1;
    std::int64_t id_index = 0;
    bool return_indices = true;
    bool invalid_to_bottom = false;

    static constexpr option_list<
        &non_max_suppression_attributes::force_suppress, &non_max_suppression_attributes::top_k,
        &non_max_suppression_attributes::coord_start, &non_max_suppression_attributes::score_index,
        &non_max_suppression_attributes::id_index, &non_max_suppression_attributes::return_indices,
        &non_max_suppression_attributes::invalid_to_bottom>
        options{"force_suppress", "top_k",          "coord_start",      "score_index",
                "id_index",       "return_indices", "invalid_to_bottom"};
};

/// Attributes of vision.all_class_non_max_suppression: the format of the result, "onnx" or "tensorflow".
struct all_class_non_max_suppression_attributes {
    std::string_view output_format = "onnx";

    static constexpr option_list<&all_class_non_max_suppression_attributes::output_format> options{"output_format"};
};

namespace op::vision {

/// Base of operators that select boxes in images.
struct detection {
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    /// True if all arguments are known. The first `ranked` must have the given ranks, the others must be scalars.
    [[gnu::noinline]] static constexpr bool knows_all(const relation& r, std::initializer_list<std::size_t> ranks,
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
};

/// Moves the boxes of each image with a score above the threshold to the front. Returns their number, all boxes, and
/// their old positions.
struct get_valid_counts : detection, named<"vision.get_valid_counts"> {
    static constexpr std::array<std::string_view, 2> arguments{"data", "score_threshold"};
    using attributes = get_valid_counts_attributes;
    static constexpr std::string_view kept_as = "relay.attrs.GetValidCountsAttrs";

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!knows_all(r, {3}, arguments.size())) return type_id::none;
        const dims data = r.shape(0);
        const type_id fields[]{r.tensor(dims{data[0]}, dtype::int32), r.tensor(data, r.element(0)),
                               r.tensor(dims{data[0], data[1]}, dtype::int32)};
        return r.types().tuple(fields);
    }
};

/// Keeps only the box with the greatest score among boxes that overlap.
struct non_max_suppression : detection, named<"vision.non_max_suppression"> {
    static constexpr std::array<std::string_view, 5> arguments{"data", "valid_count", "indices", "max_output_size",
                                                               "iou_threshold"};
    using attributes = non_max_suppression_attributes;
    static constexpr std::string_view kept_as = "relay.attrs.NonMaximumSuppressionAttrs";

    static constexpr type_id infer(relation& r, const attributes& a) {
        // Checks the indices only if they are to be returned; otherwise that argument is a placeholder of any rank.
        if (!knows_all(r,
                       {3, 1,
                        a.return_indices ? std::size_t{2}
                        : r.knows(2)     ? r.shape(2).size()
                                         : 0},
                       arguments.size()))
            return type_id::none;
        const dims data = r.shape(0);
        if (!may_equal(r.shape(1)[0], data[0])) r.refuse(1, "a count for each image");
        if (!a.return_indices) return r.tensor(data, r.element(0));
        const dims indices = r.shape(2);
        if (!may_equal(indices[0], data[0]) || !may_equal(indices[1], data[1])) r.refuse(2, "an index for each box");
        const type_id fields[]{r.tensor(dims{data[0], data[1]}, dtype::int32),
                               r.tensor(dims{data[0], 1}, dtype::int32)};
        return r.types().tuple(fields);
    }
};

/// As non_max_suppression, for each class. Returns the image, class and index of each box kept, and their number.
struct all_class_non_max_suppression : detection, named<"vision.all_class_non_max_suppression"> {
    static constexpr std::array<std::string_view, 5> arguments{"boxes", "scores", "max_output_boxes_per_class",
                                                               "iou_threshold", "score_threshold"};
    using attributes = all_class_non_max_suppression_attributes;
    static constexpr std::string_view kept_as = "relay.attrs.AllClassNonMaximumSuppressionAttrs";

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!knows_all(r, {3, 3}, arguments.size())) return type_id::none;
        const dims boxes = r.shape(0);
        const dims scores = r.shape(1);
        if (!may_equal(boxes[2], 4)) r.refuse(0, "four coordinates for each box");
        if (!may_equal(boxes[0], scores[0]) || !may_equal(boxes[1], scores[2]))
            r.refuse(1, "a score for each class and box");
        const dim each = times(scores[1], boxes[1]);
        if (a.output_format == "onnx") {
            const type_id fields[]{r.tensor(dims{times(boxes[0], each), 3}, dtype::int64),
                                   r.tensor(dims{1}, dtype::int64)};
            return r.types().tuple(fields);
        }
        if (a.output_format != "tensorflow")
            r.refuse_attribute("output_format", "\"" + std::string(a.output_format) + "\"",
                               "\"onnx\" or \"tensorflow\"");
        const type_id fields[]{r.tensor(dims{boxes[0], each, 2}, dtype::int64),
                               r.tensor(dims{boxes[0], each}, dtype::float32), r.tensor(dims{boxes[0]}, dtype::int64)};
        return r.types().tuple(fields);
    }
};

} // namespace op::vision

/// Operators that select boxes in images.
using detection_ops =
    op_list<op::vision::all_class_non_max_suppression, op::vision::get_valid_counts, op::vision::non_max_suppression>;

namespace vision {
constexpr expr all_class_non_max_suppression(expr boxes, expr scores, expr max_output_boxes_per_class,
                                             expr iou_threshold, expr score_threshold,
                                             const all_class_non_max_suppression_attributes& attributes = {}) {
    return call_op<op::vision::all_class_non_max_suppression>(attributes, boxes, scores, max_output_boxes_per_class,
                                                              iou_threshold, score_threshold);
}
constexpr expr get_valid_counts(expr data, expr score_threshold, const get_valid_counts_attributes& attributes = {}) {
    return call_op<op::vision::get_valid_counts>(attributes, data, score_threshold);
}
constexpr expr non_max_suppression(expr data, expr valid_count, expr indices, expr max_output_size, expr iou_threshold,
                                   const non_max_suppression_attributes& attributes = {}) {
    return call_op<op::vision::non_max_suppression>(attributes, data, valid_count, indices, max_output_size,
                                                    iou_threshold);
}
} // namespace vision

} // namespace tutti::relay
