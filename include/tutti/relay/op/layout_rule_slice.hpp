#pragma once

#include <tutti/relay/op/layout_rule.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tutti::relay {

namespace detail {

/// A number as wide as another.
constexpr dim as_wide_as(dim model, std::int64_t value) { return model.is_wide() ? dim::wide(value) : dim(value); }

/// The places of a strided_slice, in another layout.
struct slice_places {
    dims begin;
    dims end;
    dims strides;
    dims axes;
};

/// The axes in another order. Nothing if an axis is gone, or a size is not known that is needed.
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

/// The same axes, some with blocks now: the places must be whole blocks, one behind the other.
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

/// The places of strided_slice go with their axes, counted in blocks where that is possible.
constexpr bool strided_slice(layout_query& q) {
    if (!q.old_in[0]) return false;
    const layout& old = *q.old_in[0];
    if (!q.altered) return q.all_in(old);
    if (!q.new_in[0]) return false;
    const layout& to = *q.new_in[0];
    attribute_edit edit = q.edit();
    if (edit.is_none("begin") || edit.is_none("end") || edit.is_none("strides")) return false;
    relay::detail::slice_places s{edit.numbers("begin"), edit.numbers("end"), edit.numbers("strides"),
                                  edit.numbers("axes")};
    const bool has_axes = !edit.is_none("axes");
    if (has_axes && s.axes.size() != s.begin.size()) return false;
    const bool sizes = edit.text("slice_mode") == "size";
    const std::string was = old.text();
    const std::string is = to.text();
    if (!was.starts_with(is) && !is.starts_with(was)) {
        if (was.size() != is.size()) return false;
        if (sizes)
            for (dim& stride : s.strides) stride = relay::detail::as_wide_as(stride, 1);
        if (!relay::detail::permute(s, has_axes, old, to, q.shape(0))) return false;
        edit.set("strides", s.strides);
    } else if (was.size() < is.size()) {
        if (!relay::detail::count_blocks(s, has_axes, sizes, old, to, q.shape(0))) return false;
    } else {
        return q.all_in(old);
    }
    edit.set("begin", s.begin);
    edit.set("end", s.end);
    if (has_axes) edit.set("axes", s.axes);
    q.attributes = edit.commit();
    return q.all_in(to);
}

/// The axes of slice_like move along if both arguments come in one layout.
constexpr bool slice_like(layout_query& q) {
    if (!q.old_in[0] || !q.old_in[1]) return false;
    if (q.altered && q.new_in[0] && q.new_in[0] == q.new_in[1] && q.old_in[0] == q.old_in[1]) {
        attribute_edit edit = q.edit();
        dims moved;
        bool all = true;
        for (const dim axis : edit.numbers("axes")) {
            const auto to = relay::detail::moved_axis(*q.old_in[0], *q.new_in[0], axis.value());
            all = all && to;
            if (to) moved.push_back(*to);
        }
        if (all && !moved.empty()) {
            edit.set("axes", moved);
            q.attributes = edit.commit();
            return q.all_in(q.new_in[0]);
        }
    }
    q.in.assign(q.old_in.begin(), q.old_in.end());
    q.out.assign(1, q.old_in[1]);
    return true;
}

/// The widths of nn.pad go with their axes. An axis that is padded cannot be cut into blocks.
constexpr bool pad(layout_query& q) {
    if (!q.old_in[0]) return false;
    const layout& old = *q.old_in[0];
    layout all = old;
    if (q.altered && q.new_in[0]) {
        attribute_edit edit = q.edit();
        const std::vector<attr_value> widths(edit.values("pad_width").begin(), edit.values("pad_width").end());
        if (widths.size() != 1 + 3 * old.rank()) return false; // lists of two
        std::vector<attr_value> moved{attr_value::list(q.new_in[0]->rank())};
        bool fits = true;
        for (const layout::axis& a : q.new_in[0]->axes()) {
            const auto at = old.find(a.letter);
            if (!at) return false;
            const auto first = widths.begin() + 1 + static_cast<std::ptrdiff_t>(3 * *at);
            moved.insert(moved.end(), first, first + 3);
            if (a.block != 0) fits = fits && first[1].number().same_number(0) && first[2].number().same_number(0);
        }
        if (fits) {
            edit.set("pad_width", moved);
            q.attributes = edit.commit();
            all = *q.new_in[0];
        }
    }
    q.in.assign(1, all);
    q.in.resize(q.arguments.size(), layout{});
    q.out.assign(1, all);
    return true;
}

} // namespace layout_rules

} // namespace tutti::relay
