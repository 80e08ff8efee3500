#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of transpose: the argument's axes in the result's order. None reverses the axes.
struct transpose_attributes {
    required<std::optional<dims>> axes{};

    static constexpr option_list<&transpose_attributes::axes> options{"axes"};
};

/// Attributes of layout_transform: the layouts of the argument and of the result.
struct layout_transform_attributes {
    required<std::string_view> src_layout{};
    required<std::string_view> dst_layout{};

    static constexpr option_list<&layout_transform_attributes::src_layout, &layout_transform_attributes::dst_layout>
        options{"src_layout", "dst_layout"};
};

namespace layout_rules {

/// Adjusts the attribute `axes` of transpose to the argument's layout. The result has a permutation of that layout.
TUTTI_CONSTEXPR bool transpose(layout_query& q);

} // namespace layout_rules

namespace op {

/// Permutes the axes.
struct transpose {
    static constexpr std::string_view name = "transpose";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = transpose_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto layout = &layout_rules::transpose;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Converts a tensor to another layout.
struct layout_transform {
    static constexpr std::string_view name = "layout_transform";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = layout_transform_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);

private:
    static TUTTI_CONSTEXPR layout parse(const relation& r, std::string_view attribute, std::string_view text);
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse_axis(const relation& r, std::string_view attribute,
                                                                   char letter, std::string_view other) {
        r.refuse_attribute(attribute, "an axis " + std::string(1, letter), "the axes of " + std::string(other));
    }
};

} // namespace op

/// Operators that change the order of axes.
using transpose_ops = op_list<op::layout_transform, op::transpose>;

/// Calls transpose, which reverses the axes if no attributes are given.
TUTTI_CONSTEXPR expr transpose(expr data, const transpose_attributes& attributes = {});
TUTTI_CONSTEXPR expr layout_transform(expr data, const layout_transform_attributes& attributes);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/transpose.ipp>
#endif
