#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/suppress.hpp>
#include <tutti/kernel/topk.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/detection.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Working memory of box kernels, kept between calls.
struct sorting_space {
    kernel::workspace space;
    vector<kernel::sort_key> sorted;
};

} // namespace detail

/// Operators that select boxes in images.
template <class = void>
inline constexpr std::array detection_kernels{
    kernel_for<op::vision::all_class_non_max_suppression>(
        [](const invocation& c, const all_class_non_max_suppression_attributes& a) {
            constexpr std::string_view kernel = "all_class_non_max_suppression";
            detail::sorting_space own;
            detail::sorting_space& room = detail::kept_or(c, own);
            const bool scored = a.output_format == "tensorflow";
            kernel::all_class_non_max_suppression(
                c.input(0), c.input(1), kernel::integer(kernel, "max_output_boxes_per_class", c.input(2)),
                kernel::scalar(kernel, "iou_threshold", c.input(3)).real(),
                kernel::scalar(kernel, "score_threshold", c.input(4)).real(), c.result(),
                scored ? &c.result(1) : nullptr, c.result(scored ? 2 : 1), room.sorted, room.space);
        }),
    kernel_for<op::vision::get_valid_counts>([](const invocation& c, const get_valid_counts_attributes& a) {
        kernel::workspace own;
        kernel::get_valid_counts(c.input(0), kernel::scalar("get_valid_counts", "score_threshold", c.input(1)).real(),
                                 a.id_index, a.score_index, c.result(), c.result(1), c.result(2),
                                 detail::kept_or(c, own));
    }),
    kernel_for<op::vision::non_max_suppression>([](const invocation& c, const non_max_suppression_attributes& a) {
        constexpr std::string_view kernel = "non_max_suppression";
        const kernel::suppression_options o{
            .most = kernel::integer(kernel, "max_output_size", c.input(3)),
            .overlap = kernel::scalar(kernel, "iou_threshold", c.input(4)).real(),
            .force_suppress = a.force_suppress,
            .top_k = a.top_k,
            .coord_start = a.coord_start,
            .score_index = a.score_index,
            .id_index = a.id_index,
        };
        detail::sorting_space own;
        detail::sorting_space& room = detail::kept_or(c, own);
        if (a.return_indices)
            kernel::non_max_suppression_indices(c.input(0), c.input(1), c.input(2), o, c.result(), c.result(1),
                                                room.sorted, room.space);
        else
            kernel::non_max_suppression(c.input(0), c.input(1), o, a.invalid_to_bottom, c.result(), room.sorted,
                                        room.space);
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
