#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of strided_slice: begin, end and stride for the leading axes, or for the axes in `axes`. With slice_mode
/// "size", `end` holds sizes (-1 for all remaining elements), and strides are 1. Negative positions count from the end.
struct strided_slice_attributes {
    required<std::optional<dims>> begin{};
    required<std::optional<dims>> end{};
    required<std::optional<dims>> strides{};
    std::string_view slice_mode = "end";
    required<std::optional<dims>> axes{};

    static constexpr option_list<&strided_slice_attributes::begin, &strided_slice_attributes::end,
                                 &strided_slice_attributes::strides, &strided_slice_attributes::slice_mode,
                                 &strided_slice_attributes::axes>
        options{"begin", "end", "strides", "slice_mode", "axes"};
};

/// Attributes of slice_like: the axes to cut to the size of the other tensor. None stands for all axes of that tensor.
struct slice_like_attributes {
    required<std::optional<dims>> axes{};

    static constexpr option_list<&slice_like_attributes::axes> options{"axes"};
};

namespace detail {

/// Returns `value` as a dimension that is an int64 literal if `model` is one.
constexpr dim as_wide_as(dim model, std::int64_t value) { return model.is_wide() ? dim::wide(value) : dim(value); }

/// The attributes of a strided_slice that depend on the layout.
struct slice_places {
    dims begin;
    dims end;
    dims strides;
    dims axes;
};

/// True if a strided_slice cuts through blocks. The result then has another block size.
constexpr bool cuts_blocks(const attribute_edit& edit, const layout& l) {
    if (l.primal_rank() == l.rank()) return false;
    if (edit.is_none("begin") || edit.is_none("end") || edit.is_none("strides")) return true;
    const slice_places s{edit.numbers("begin"), edit.numbers("end"), edit.numbers("strides"), edit.numbers("axes")};
    const bool sizes = edit.text("slice_mode") == "size";
    for (std::size_t i = 0; i < std::max(s.begin.size(), s.end.size()); ++i) {
        const bool named = !edit.is_none("axes");
        if (named && i >= s.axes.size()) return true;
        const auto axis = axis_at(l, named ? s.axes[i].value() : static_cast<std::int64_t>(i));
        if (!axis) return true;
        if (axis->block == 0) continue;
        const bool to_end = i >= s.end.size() || s.end[i].value() >= axis->block || (sizes && s.end[i].value() < 0);
        const bool all = (i >= s.begin.size() || s.begin[i].same_number(0)) && to_end &&
                         (sizes || i >= s.strides.size() || s.strides[i].same_number(1));
        if (!all) return true;
    }
    return false;
}

/// Permutes the positions from layout `old` to layout `to`. False if an axis is missing, or if a size that is needed is
/// unknown.
constexpr bool permute(slice_places& s, bool has_axes, const layout& old, const layout& to,
                       std::span<const dim> shape) {
    if (has_axes) {
        for (dim& axis : s.axes) {
            const auto moved = moved_axis(old, to, axis.value());
            if (!moved) return false;
            axis = *moved;
        }
        return true;
    }
    if (s.begin.empty() || s.end.empty() || s.strides.empty()) return false;
    slice_places moved;
    for (const layout::axis& a : to.axes()) {
        const auto at = old.find(a.letter, a.block != 0);
        if (!at || *at >= shape.size() || (*at >= s.end.size() && shape[*at].is_any())) return false;
        const std::int64_t begin = *at < s.begin.size() ? s.begin[*at].value() : 0;
        const std::int64_t end = *at < s.end.size() ? s.end[*at].value() : shape[*at].value();
        moved.begin.push_back(as_wide_as(s.begin[0], begin));
        moved.end.push_back(as_wide_as(s.end[0], end));
        moved.strides.push_back(as_wide_as(s.strides[0], *at < s.strides.size() ? s.strides[*at].value() : 1));
    }
    s = std::move(moved);
    return true;
}

/// Converts positions from elements to blocks along the axes that have blocks in layout `to`. False unless the slice
/// consists of whole, consecutive blocks.
constexpr bool count_blocks(slice_places& s, bool has_axes, bool sizes, const layout& old, const layout& to,
                            std::span<const dim> shape) {
    for (std::size_t i = 0; i < s.begin.size(); ++i) {
        const auto axis = axis_at(old, has_axes ? s.axes[i].value() : static_cast<std::int64_t>(i));
        if (!axis || i >= s.end.size()) return false;
        if (has_axes) s.axes[i] = *moved_axis(old, to, s.axes[i].value());
        const std::int64_t block = factor(to, axis->letter);
        if (block == 0) continue;
        if (i < s.strides.size() && s.strides[i].value() != 1) return false;
        const std::int64_t begin = s.begin[i].value();
        std::int64_t end = s.end[i].value();
        if (sizes && !has_axes) {
            if (end < 0 && (i >= shape.size() || shape[i].is_any())) return false;
            end = end < 0 ? shape[i].value() : begin + end;
        }
        if (begin % block != 0 || end % block != 0) return false;
        s.begin[i] = as_wide_as(s.begin[0], begin / block);
        s.end[i] = as_wide_as(s.end[0], end / block);
    }
    return true;
}

} // namespace detail

namespace layout_rules {

/// Moves the positions of strided_slice with the axes of the layout. Converts the positions from elements to blocks if
/// possible.
TUTTI_CONSTEXPR bool strided_slice(layout_query& q);

/// Moves the axes of slice_like with the layout if both arguments have the same layout.
TUTTI_CONSTEXPR bool slice_like(layout_query& q);

} // namespace layout_rules

namespace op {

/// Takes every n-th element between two positions along each axis.
struct strided_slice {
    static constexpr std::string_view name = "strided_slice";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = strided_slice_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto layout = &layout_rules::strided_slice;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);

private:
    // Returns the sliced size of an axis.
    static TUTTI_CONSTEXPR std::int64_t sliced(const relation& r, const attributes& a, std::size_t i,
                                               std::int64_t size);
};

/// Replaces a slice of a tensor. The positions of the slice are arguments.
struct strided_set {
    static constexpr std::string_view name = "strided_set";
    static constexpr std::array<std::string_view, 5> arguments{"data", "v", "begin", "end", "strides"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Cuts a tensor to the sizes of another along some axes.
struct slice_like {
    static constexpr std::string_view name = "slice_like";
    static constexpr std::array<std::string_view, 2> arguments{"data", "shape_like"};
    using attributes = slice_like_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto layout = &layout_rules::slice_like;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op

/// Operators that cut out or replace slices of tensors.
using slice_ops = op_list<op::slice_like, op::strided_set, op::strided_slice>;

TUTTI_CONSTEXPR expr strided_slice(expr data, const strided_slice_attributes& attributes);
TUTTI_CONSTEXPR expr strided_set(expr data, expr v, expr begin, expr end, expr strides);
TUTTI_CONSTEXPR expr slice_like(expr data, expr shape_like, const slice_like_attributes& attributes = {});

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/slice.ipp>
#endif
