#pragma once

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

namespace tutti::relay {

/// Attributes of nn.pad: for each axis, the elements added before and after; pad_mode "constant", "edge" or "reflect".
struct pad_attributes {
    required<vector<dims>> pad_width{};
    std::string_view pad_mode = "constant";

    static constexpr option_list<&pad_attributes::pad_width, &pad_attributes::pad_mode> options{"pad_width",
                                                                                                "pad_mode"};
};

/// Attributes of nn.mirror_pad: mode "SYMMETRIC", which repeats the edge, or "REFLECT", which does not; for each axis,
/// the elements added before and after.
struct mirror_pad_attributes {
    std::string_view mode = "SYMMETRIC";
    required<vector<dims>> pad_width{};

    static constexpr option_list<&mirror_pad_attributes::mode, &mirror_pad_attributes::pad_width> options{"mode",
                                                                                                          "pad_width"};
};

/// Attributes of nn.batch_to_space_nd: for each axis after the first, the block size, and the elements cut off before
/// and after.
struct batch_to_space_nd_attributes {
    dims block_shape{1, 1};
    required<vector<dims>> crops{};

    static constexpr option_list<&batch_to_space_nd_attributes::block_shape, &batch_to_space_nd_attributes::crops>
        options{"block_shape", "crops"};
};

/// Attributes of nn.space_to_batch_nd: for each axis after the first, the block size, and the elements added before and
/// after.
struct space_to_batch_nd_attributes {
    dims block_shape{1, 1};
    required<vector<dims>> paddings{};
    double pad_value = 0;

    static constexpr option_list<&space_to_batch_nd_attributes::block_shape, &space_to_batch_nd_attributes::paddings,
                                 &space_to_batch_nd_attributes::pad_value>
        options{"block_shape", "paddings", "pad_value"};
};

namespace layout_rules {

/// The widths of nn.pad move with their axes. A padded axis cannot be blocked.
constexpr bool pad(layout_query& q) {
    if (!q.old_in[0]) return false;
    const layout& old = *q.old_in[0];
    layout all = old;
    attribute_edit edit = q.edit();
    const std::span<const attr_value> widths = edit.values("pad_width");
    if (widths.size() != 1 + 3 * old.rank()) return false; // lists of two
    const auto is_padded = [&](std::size_t i) {
        return !widths[3 * i + 2].number().same_number(0) || !widths[3 * i + 3].number().same_number(0);
    };
    for (std::size_t i = 0; i < old.rank(); ++i)
        if (old.axes()[i].block != 0 && is_padded(i)) return false; // another block size
    if (q.altered && q.new_in[0]) {
        plain_vector<attr_value> moved{attr_value::list(q.new_in[0]->rank())};
        bool fits = true;
        for (const layout::axis& a : q.new_in[0]->axes()) {
            const auto at = old.find(a.letter);
            if (!at) return false;
            const auto width = widths.subspan(1 + 3 * *at, 3);
            moved.append(width);
        }
        for (std::size_t i = 0; i < old.rank(); ++i) {
            const char letter = old.axes()[i].letter;
            const bool in_blocks = old.find(letter, true) || q.new_in[0]->find(letter, true);
            fits = fits && !(in_blocks && is_padded(i));
        }
        if (fits) {
            edit.set("pad_width", moved.all());
            q.attributes = edit.commit();
            all = *q.new_in[0];
        }
    }
    q.in.assign(1, all);
    q.rest_in({});
    q.out.assign(1, all);
    return true;
}

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

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (r.knows(1)) r.expect_scalar(1);
        return padded(r, a.pad_width);
    }

    /// Returns the type of the known first argument with elements added around it.
    static constexpr type_id padded(relation& r, const vector<dims>& width) {
        dims shape = r.shape(0);
        if (width.size() != shape.size()) r.refuse(0, "as many dimensions as the attribute `pad_width` has pairs");
        for (std::size_t i = 0; i < shape.size(); ++i) {
            spatial::check_rank(r, "pad_width", width[i], 2);
            shape[i] = plus(plus(shape[i], width[i][0]), width[i][1]);
            if (!shape[i].is_any() && shape[i].value() < 0) r.refuse(0, "at least as many elements as are cropped");
        }
        return r.tensor(shape, r.element(0));
    }
};

/// Extends a tensor by its own elements, mirrored at the edges.
struct mirror_pad {
    static constexpr std::string_view name = "nn.mirror_pad";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = mirror_pad_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (a.mode != "SYMMETRIC" && a.mode != "REFLECT")
            r.refuse_attribute("mode", "no such mode", "\"SYMMETRIC\" or \"REFLECT\"");
        return pad::padded(r, a.pad_width);
    }
};

/// Base of operators that move blocks between the first axis and the following ones.
struct block_moving {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static constexpr void check(const relation& r, const dims& block, std::string_view attribute,
                                const vector<dims>& pairs) {
        for (const dim d : block)
            if (d.is_any() || d.value() < 1)
                r.refuse_attribute("block_shape", "a block without elements", "positive sizes");
        if (pairs.size() != block.size())
            r.refuse_attribute(attribute, "not a pair for each axis of a block", "two numbers for each");
        for (const dims& pair : pairs) spatial::check_rank(r, attribute, pair, 2);
        if (r.shape(0).size() <= block.size()) r.refuse(0, "more dimensions than a block has");
    }
};

/// Rearranges blocks of the batch along the axes after the first.
struct batch_to_space_nd : block_moving {
    static constexpr std::string_view name = "nn.batch_to_space_nd";
    using attributes = batch_to_space_nd_attributes;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const vector<dims>& crops = a.crops;
        check(r, a.block_shape, "crops", crops);
        dims shape = r.shape(0);
        const auto cropped = [&](std::size_t i) { return plus(crops[i][0], crops[i][1]); };
        if (kernel::move_blocks_from_batch(shape, a.block_shape, cropped) != 0)
            r.refuse(0, "at least as many elements as are cropped");
        return r.tensor(shape, r.element(0));
    }
};

/// Rearranges blocks along the axes after the first to the batch.
struct space_to_batch_nd : block_moving {
    static constexpr std::string_view name = "nn.space_to_batch_nd";
    using attributes = space_to_batch_nd_attributes;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const vector<dims>& paddings = a.paddings;
        check(r, a.block_shape, "paddings", paddings);
        dims shape = r.shape(0);
        const auto padding = [&](std::size_t i) { return plus(paddings[i][0], paddings[i][1]); };
        if (kernel::move_blocks_to_batch(shape, a.block_shape, padding) != 0)
            r.refuse(0, "padded sizes that the blocks divide");
        return r.tensor(shape, r.element(0));
    }
};

/// Inserts a value between elements.
struct dilate {
    static constexpr std::string_view name = "nn.dilate";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = dilate_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr std::string_view kept_as = "relay.attrs.DilateAttrs";

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        dims shape = r.shape(0);
        const dims& strides = a.strides.value;
        bool good = strides.size() == shape.size();
        for (const dim s : strides) good = good && !s.is_any() && s.value() >= 1;
        if (!good) r.refuse_attribute("strides", "not a stride for each axis", "1 or more for each");
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (!shape[d].same_number(0)) shape[d] = plus(times(minus(shape[d], 1), strides[d]), 1);
        return r.tensor(shape, r.element(0));
    }
};

} // namespace op::nn

/// Operators that add elements around or between those of a tensor, and operators that move blocks.
using pad_ops =
    op_list<op::nn::batch_to_space_nd, op::nn::dilate, op::nn::mirror_pad, op::nn::pad, op::nn::space_to_batch_nd>;

namespace nn {

constexpr expr pad(expr data, expr pad_val, const pad_attributes& attributes) {
    return call_op<op::nn::pad>(attributes, data, pad_val);
}
constexpr expr dilate(expr data, const dilate_attributes& attributes) {
    return call_op<op::nn::dilate>(attributes, data);
}
constexpr expr mirror_pad(expr data, const mirror_pad_attributes& attributes) {
    return call_op<op::nn::mirror_pad>(attributes, data);
}
constexpr expr batch_to_space_nd(expr data, const batch_to_space_nd_attributes& attributes) {
    return call_op<op::nn::batch_to_space_nd>(attributes, data);
}
constexpr expr space_to_batch_nd(expr data, const space_to_batch_nd_attributes& attributes) {
    return call_op<op::nn::space_to_batch_nd>(attributes, data);
}

} // namespace nn

} // namespace tutti::relay
