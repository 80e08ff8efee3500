#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM::detail {

// Shape rules of SimplifyExpr. Source: the corresponding rules of the reference.

/// True if a shape can be an attribute: it is known and contains no 0. In reshape, 0 has another meaning.
constexpr bool can_be_given(std::span<const dim> shape) {
    for (const dim d : shape)
        if (d.is_any() || d.value() == 0) return false;
    return true;
}

constexpr dims result_shape(const rule_match& m) { return dims(shape_of(m.from, m.root)); }

/// Replaces zeros_like and ones_like of a known type by zeros and ones.
template <class Like, class Op>
struct filled_like {
    static constexpr std::string_view name = std::is_same_v<Op, op::zeros> ? "zeros_like_another" : "ones_like_another";
    static constexpr auto pattern = patterns::call<Like>(patterns::_);
    static constexpr bool holds(const rule_match& m) { return is_static(shape_of(m.from, m.root)); }
    static constexpr expr_id replace(rule_site& s) {
        return s.call<Op>({}, {.shape = result_shape(s.old()), .dtype = s.element()});
    }
};

struct full_like_another {
    static constexpr std::string_view name = "full_like_another";
    static constexpr auto pattern = patterns::call<op::full_like>(patterns::_, patterns::_c);
    static constexpr bool holds(const rule_match& m) { return is_static(shape_of(m.from, m.root)); }
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::full>({s[patterns::_c]}, {.shape = result_shape(s.old()), .dtype = s.element()});
    }
};

struct sum_to_another {
    static constexpr std::string_view name = "sum_to_another";
    static constexpr auto pattern = patterns::call<op::collapse_sum_like>(patterns::_x, patterns::_);
    static constexpr bool holds(const rule_match& m) { return is_static(shape_of(m.from, m.root)); }
    static constexpr expr_id replace(rule_site& s) {
        const dims shape = result_shape(s.old());
        tensor sizes(dtype::int32, {static_cast<std::int64_t>(shape.size())});
        std::int32_t* to = sizes.mutable_data<std::int32_t>();
        for (const dim d : shape) *to++ = static_cast<std::int32_t>(d.value());
        return s.call<op::collapse_sum_to>({s[patterns::_x], s.constant(std::move(sizes))}, {.shape = shape});
    }
};

struct broadcast_to_another {
    static constexpr std::string_view name = "broadcast_to_another";
    static constexpr auto pattern = patterns::call<op::broadcast_to_like>(patterns::_x, patterns::_);
    static constexpr bool holds(const rule_match& m) { return is_static(shape_of(m.from, m.root)); }
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::broadcast_to>({s[patterns::_x]}, {.shape = result_shape(s.old())});
    }
};

/// Replaces reshape_like of a known type, or two reshapes in sequence, by one reshape.
template <class Op>
struct to_reshape {
    static constexpr std::string_view name =
        std::is_same_v<Op, op::reshape_like> ? "reshape_like_another" : "two_reshapes";
    static constexpr auto reshapes = [](auto part) {
        return patterns::call_any<op::reshape, op::contrib_reverse_reshape>(part);
    };
    static constexpr auto like = patterns::call<op::reshape_like>(patterns::_x, patterns::_);
    static constexpr auto twice = reshapes(reshapes(patterns::_x));
    static constexpr auto pattern = [] {
        if constexpr (std::is_same_v<Op, op::reshape_like>)
            return like;
        else
            return twice;
    }();
    static constexpr bool holds(const rule_match& m) { return can_be_given(shape_of(m.from, m.root)); }
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::reshape>({s[patterns::_x]}, {.newshape = result_shape(s.old())});
    }
};

/// Returns the permutation of axes of a transpose or layout_transform, or nothing if the call does more than permute.
constexpr std::optional<dims> permutation_of(const graph& g, expr_id e) {
    const std::size_t rank = shape_of(g, e).size();
    dims axes;
    if (calls<op::transpose>(g, e)) {
        const auto a = get_attributes<transpose_attributes>(g, g.call_attributes(e));
        for (std::size_t i = 0; i < rank; ++i) {
            std::int64_t axis = a.axes.value ? (*a.axes.value)[i].value() : static_cast<std::int64_t>(rank - 1 - i);
            if (axis < 0) axis += static_cast<std::int64_t>(rank);
            axes.push_back(axis);
        }
        return axes;
    }
    const auto a = get_attributes<layout_transform_attributes>(g, g.call_attributes(e));
    const auto from = layout::parse(a.src_layout);
    const auto to = layout::parse(a.dst_layout);
    if (!from || !to || from->rank() != to->rank()) return std::nullopt;
    for (const layout::axis& axis : to->axes()) {
        std::size_t i = 0;
        while (i < from->rank() && !(from->axes()[i] == axis)) ++i;
        if (i == from->rank()) return std::nullopt;
        axes.push_back(static_cast<std::int64_t>(i));
    }
    return axes;
}

/// Merges two permutations of axes, or removes both if the second undoes the first.
struct two_transposes {
    static constexpr std::string_view name = "two_transposes";
    static constexpr auto changes = [](auto part) {
        return patterns::call_any<op::transpose, op::layout_transform>(part);
    };
    static constexpr auto pattern = changes(patterns::_y(changes(patterns::_x)));

    static constexpr expr_id replace(rule_site& s) {
        const graph& g = s.from();
        const expr_id outer = s.root();
        const expr_id inner = s.old()[patterns::_y];
        const auto second = permutation_of(g, outer);
        const auto first = permutation_of(g, inner);
        if (first && second) {
            dims axes;
            for (const dim axis : *second) axes.push_back((*first)[static_cast<std::size_t>(axis.value())]);
            return leaves_order(axes) ? s[patterns::_x] : s.call<op::transpose>({s[patterns::_x]}, {.axes = axes});
        }
        if (calls<op::layout_transform>(g, outer) && calls<op::layout_transform>(g, inner)) {
            const auto before = layouts(g, inner);
            const auto after = layouts(g, outer);
            if (before.dst_layout.value != after.src_layout.value) return expr_id::none;
            return transform(s, before.src_layout.value, after.dst_layout.value);
        }
        if (first && calls<op::layout_transform>(g, outer)) {
            const auto a = layouts(g, outer);
            std::string names(a.src_layout.value);
            if (names.size() != first->size()) return expr_id::none; // blocked axes have longer names
            for (std::size_t i = 0; i < names.size(); ++i)
                names[static_cast<std::size_t>((*first)[i].value())] = a.src_layout.value[i];
            return transform(s, names, a.dst_layout.value);
        }
        if (second && calls<op::layout_transform>(g, inner)) {
            const auto a = layouts(g, inner);
            std::string names(a.dst_layout.value);
            if (names.size() != second->size()) return expr_id::none;
            for (std::size_t i = 0; i < names.size(); ++i)
                names[i] = a.dst_layout.value[static_cast<std::size_t>((*second)[i].value())];
            return transform(s, a.src_layout.value, names);
        }
        return expr_id::none;
    }

private:
    static constexpr bool leaves_order(const dims& axes) {
        for (std::size_t i = 0; i < axes.size(); ++i)
            if (!axes[i].same_number(static_cast<std::int64_t>(i))) return false;
        return true;
    }
    static constexpr layout_transform_attributes layouts(const graph& g, expr_id e) {
        return get_attributes<layout_transform_attributes>(g, g.call_attributes(e));
    }
    static constexpr expr_id transform(rule_site& s, std::string_view from, std::string_view to) {
        if (from == to) return s[patterns::_x];
        return s.call<op::layout_transform>({s[patterns::_x]}, {.src_layout = from, .dst_layout = to});
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
TUTTI_SHARED_END
