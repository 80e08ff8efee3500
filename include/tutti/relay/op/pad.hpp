#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of nn.pad: the numbers of elements added at the start and at the end of each axis, and the mode,
/// "constant", "edge" or "reflect".
struct pad_attributes {
    required<vector<dims>> pad_width{};
    std::string_view pad_mode = "constant";

    static constexpr option_list<&pad_attributes::pad_width, &pad_attributes::pad_mode> options{"pad_width",
                                                                                                "pad_mode"};
};

/// Attributes of nn.mirror_pad: the numbers of elements added at the start and at the end of each axis, and the mode,
/// "SYMMETRIC" (repeats the edge) or "REFLECT" (does not repeat the edge).
struct mirror_pad_attributes {
    std::string_view mode = "SYMMETRIC";
    required<vector<dims>> pad_width{};

    static constexpr option_list<&mirror_pad_attributes::mode, &mirror_pad_attributes::pad_width> options{"mode",
                                                                                                          "pad_width"};
};

/// Attributes of nn.batch_to_space_nd: the block size along each axis after the first, and the numbers of elements
/// removed at the start and at the end of these axes.
struct batch_to_space_nd_attributes {
    dims block_shape{1, 1};
    required<vector<dims>> crops{};

    static constexpr option_list<&batch_to_space_nd_attributes::block_shape, &batch_to_space_nd_attributes::crops>
        options{"block_shape", "crops"};
};

/// Attributes of nn.space_to_batch_nd: the block size along each axis after the first, the numbers of elements added at
/// the start and at the end of these axes, and the value of the added elements.
struct space_to_batch_nd_attributes {
    dims block_shape{1, 1};
    required<vector<dims>> paddings{};
    double pad_value = 0;

    static constexpr option_list<&space_to_batch_nd_attributes::block_shape, &space_to_batch_nd_attributes::paddings,
                                 &space_to_batch_nd_attributes::pad_value>
        options{"block_shape", "paddings", "pad_value"};
};

namespace layout_rules {

/// Moves the padding widths of nn.pad with the axes of the layout. A padded axis cannot be blocked.
TUTTI_CONSTEXPR bool pad(layout_query& q);

} // namespace layout_rules

/// Attributes of nn.dilate: the distance between elements along each axis, and the value to insert.
struct dilate_attributes {
    required<dims> strides{};
    double dilation_value = 0;

    static constexpr option_list<&dilate_attributes::strides, &dilate_attributes::dilation_value> options{
        "strides", "dilation_value"};
};

namespace op::nn {

/// Adds elements around a tensor.
struct pad {
    static constexpr std::string_view name = "nn.pad";
    static constexpr std::array<std::string_view, 2> arguments{"data", "pad_val"};
    using attributes = pad_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto layout = &layout_rules::pad;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);

    /// Returns the type of the first argument with elements added around it. Requires: that type is known.
    static TUTTI_CONSTEXPR type_id padded(relation& r, const vector<dims>& width);
};

/// Extends a tensor with its own elements, mirrored at the edges.
struct mirror_pad {
    static constexpr std::string_view name = "nn.mirror_pad";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = mirror_pad_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Base of operators that move blocks between the batch, which is the first axis, and the axes after it.
struct block_moving {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR void check(const relation& r, const dims& block, std::string_view attribute,
                                      const vector<dims>& pairs);
};

/// Moves blocks from the batch to the axes after it.
struct batch_to_space_nd : block_moving {
    static constexpr std::string_view name = "nn.batch_to_space_nd";
    using attributes = batch_to_space_nd_attributes;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Moves blocks from the axes after the batch to the batch.
struct space_to_batch_nd : block_moving {
    static constexpr std::string_view name = "nn.space_to_batch_nd";
    using attributes = space_to_batch_nd_attributes;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Inserts a value between elements.
struct dilate {
    static constexpr std::string_view name = "nn.dilate";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = dilate_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr std::string_view kept_as = "relay.attrs.DilateAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op::nn

/// Operators that add elements around a tensor or between its elements, and operators that move blocks.
using pad_ops =
    op_list<op::nn::batch_to_space_nd, op::nn::dilate, op::nn::mirror_pad, op::nn::pad, op::nn::space_to_batch_nd>;

namespace nn {

TUTTI_CONSTEXPR expr pad(expr data, expr pad_val, const pad_attributes& attributes);
TUTTI_CONSTEXPR expr dilate(expr data, const dilate_attributes& attributes);
TUTTI_CONSTEXPR expr mirror_pad(expr data, const mirror_pad_attributes& attributes);
TUTTI_CONSTEXPR expr batch_to_space_nd(expr data, const batch_to_space_nd_attributes& attributes);
TUTTI_CONSTEXPR expr space_to_batch_nd(expr data, const space_to_batch_nd_attributes& attributes);

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/pad.ipp>
#endif
