#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/pad.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool pad(layout_query& q) {
    if (!q.old_in[0]) return false;
    const layout& old = *q.old_in[0];
    layout all = old;
    attribute_edit edit = q.edit();
    const std::span<const attr_value> widths = edit.values("pad_width");
    if (widths.size() != 1 + 3 * old.rank()) return false; // each axis has a list of two widths
    const auto is_padded = [&](std::size_t i) {
        return !widths[3 * i + 2].number().same_number(0) || !widths[3 * i + 3].number().same_number(0);
    };
    for (std::size_t i = 0; i < old.rank(); ++i)
        if (old.axes()[i].block != 0 && is_padded(i)) return false; // padding would change the block size
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

namespace op::nn {

TUTTI_CONSTEXPR type_id pad::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (r.knows(1)) r.expect_scalar(1);
    return padded(r, a.pad_width);
}

TUTTI_CONSTEXPR type_id pad::padded(relation& r, const vector<dims>& width) {
    dims shape = r.shape(0);
    if (width.size() != shape.size()) r.refuse(0, "as many dimensions as the attribute `pad_width` has pairs");
    for (std::size_t i = 0; i < shape.size(); ++i) {
        spatial::check_rank(r, "pad_width", width[i], 2);
        shape[i] = plus(plus(shape[i], width[i][0]), width[i][1]);
        if (!shape[i].is_any() && shape[i].value() < 0) r.refuse(0, "at least as many elements as are cropped");
    }
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR type_id mirror_pad::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (a.mode != "SYMMETRIC" && a.mode != "REFLECT")
        r.refuse_attribute("mode", "no such mode", "\"SYMMETRIC\" or \"REFLECT\"");
    return pad::padded(r, a.pad_width);
}

TUTTI_CONSTEXPR void block_moving::check(const relation& r, const dims& block, std::string_view attribute,
                                         const vector<dims>& pairs) {
    for (const dim d : block)
        if (d.is_any() || d.value() < 1)
            r.refuse_attribute("block_shape", "a block without elements", "positive sizes");
    if (pairs.size() != block.size())
        r.refuse_attribute(attribute, "not a pair for each axis of a block", "two numbers for each");
    for (const dims& pair : pairs) spatial::check_rank(r, attribute, pair, 2);
    if (r.shape(0).size() <= block.size()) r.refuse(0, "more dimensions than a block has");
}

TUTTI_CONSTEXPR type_id batch_to_space_nd::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const vector<dims>& crops = a.crops;
    check(r, a.block_shape, "crops", crops);
    dims shape = r.shape(0);
    const auto cropped = [&](std::size_t i) { return plus(crops[i][0], crops[i][1]); };
    if (kernel::move_blocks_from_batch(shape, a.block_shape, cropped) != 0)
        r.refuse(0, "at least as many elements as are cropped");
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR type_id space_to_batch_nd::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const vector<dims>& paddings = a.paddings;
    check(r, a.block_shape, "paddings", paddings);
    dims shape = r.shape(0);
    const auto padding = [&](std::size_t i) { return plus(paddings[i][0], paddings[i][1]); };
    if (kernel::move_blocks_to_batch(shape, a.block_shape, padding) != 0)
        r.refuse(0, "padded sizes that the blocks divide");
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR type_id dilate::infer(relation& r, const attributes& a) {
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

} // namespace op::nn

namespace nn {

TUTTI_CONSTEXPR expr pad(expr data, expr pad_val, const pad_attributes& attributes) {
    return call_op<op::nn::pad>(attributes, data, pad_val);
}
TUTTI_CONSTEXPR expr dilate(expr data, const dilate_attributes& attributes) {
    return call_op<op::nn::dilate>(attributes, data);
}
TUTTI_CONSTEXPR expr mirror_pad(expr data, const mirror_pad_attributes& attributes) {
    return call_op<op::nn::mirror_pad>(attributes, data);
}
TUTTI_CONSTEXPR expr batch_to_space_nd(expr data, const batch_to_space_nd_attributes& attributes) {
    return call_op<op::nn::batch_to_space_nd>(attributes, data);
}
TUTTI_CONSTEXPR expr space_to_batch_nd(expr data, const space_to_batch_nd_attributes& attributes) {
    return call_op<op::nn::space_to_batch_nd>(attributes, data);
}

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
