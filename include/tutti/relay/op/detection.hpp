#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of vision.get_valid_counts: the index of the class column (negative if there is none) and of the score
/// column. `score_threshold` is ignored, because the threshold is an argument.
struct get_valid_counts_attributes {
    std::optional<double> score_threshold{};
    std::int64_t id_index = 0;
    std::int64_t score_index = 1;

    static constexpr option_list<&get_valid_counts_attributes::score_threshold, &get_valid_counts_attributes::id_index,
                                 &get_valid_counts_attributes::score_index>
        options{"score_threshold", "id_index", "score_index"};
};

/// Attributes of vision.non_max_suppression: see `kernel::suppression_options`. With `return_indices`, the result
/// contains the positions and the number of the boxes instead of the boxes.
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

    /// True if the types of all arguments are known. The first arguments must have the ranks `ranks`, and the others
    /// must hold one number each.
    static TUTTI_CONSTEXPR bool knows_all(const relation& r, std::initializer_list<std::size_t> ranks,
                                          std::size_t arguments);
};

/// Moves the boxes whose score exceeds the threshold to the front of their image. Returns the number of these boxes,
/// all boxes, and the previous position of each box.
struct get_valid_counts : detection, named<"vision.get_valid_counts"> {
    static constexpr std::array<std::string_view, 2> arguments{"data", "score_threshold"};
    using attributes = get_valid_counts_attributes;
    static constexpr std::string_view kept_as = "relay.attrs.GetValidCountsAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Keeps only the box with the greatest score among boxes that overlap.
struct non_max_suppression : detection, named<"vision.non_max_suppression"> {
    static constexpr std::array<std::string_view, 5> arguments{"data", "valid_count", "indices", "max_output_size",
                                                               "iou_threshold"};
    using attributes = non_max_suppression_attributes;
    static constexpr std::string_view kept_as = "relay.attrs.NonMaximumSuppressionAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Like non_max_suppression, but separately for each class. Returns the image, class and index of each box that is
/// kept, and the number of these boxes.
struct all_class_non_max_suppression : detection, named<"vision.all_class_non_max_suppression"> {
    static constexpr std::array<std::string_view, 5> arguments{"boxes", "scores", "max_output_boxes_per_class",
                                                               "iou_threshold", "score_threshold"};
    using attributes = all_class_non_max_suppression_attributes;
    static constexpr std::string_view kept_as = "relay.attrs.AllClassNonMaximumSuppressionAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op::vision

/// Operators that select boxes in images.
using detection_ops =
    op_list<op::vision::all_class_non_max_suppression, op::vision::get_valid_counts, op::vision::non_max_suppression>;

namespace vision {
TUTTI_CONSTEXPR expr all_class_non_max_suppression(expr boxes, expr scores, expr max_output_boxes_per_class,
                                                   expr iou_threshold, expr score_threshold,
                                                   const all_class_non_max_suppression_attributes& attributes = {});
TUTTI_CONSTEXPR expr get_valid_counts(expr data, expr score_threshold,
                                      const get_valid_counts_attributes& attributes = {});
TUTTI_CONSTEXPR expr non_max_suppression(expr data, expr valid_count, expr indices, expr max_output_size,
                                         expr iou_threshold, const non_max_suppression_attributes& attributes = {});
} // namespace vision

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/detection.ipp>
#endif
