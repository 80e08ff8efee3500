#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of cast and reinterpret: the result's element type.
struct cast_attributes {
    required<kernel::dtype> dtype{};

    static constexpr option_list<&cast_attributes::dtype> options{"dtype"};
};

namespace op {

/// Converts the elements to another type.
struct cast {
    static constexpr std::string_view name = "cast";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = cast_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto layout = &layout_rules::elementwise;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Converts the elements to the element type of another tensor.
struct cast_like {
    static constexpr std::string_view name = "cast_like";
    static constexpr std::array<std::string_view, 2> arguments{"data", "dtype_like"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto layout = &layout_rules::elementwise;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Reinterprets the elements' bytes as another type of the same size.
struct reinterpret {
    static constexpr std::string_view name = "reinterpret";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = cast_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto layout = &layout_rules::elementwise;
    static constexpr auto precision = precision_rule::as_it_is;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op

/// Operators that change the element type.
using cast_ops = op_list<op::cast, op::cast_like, op::reinterpret>;

TUTTI_CONSTEXPR expr cast(expr data, const cast_attributes& attributes);
TUTTI_CONSTEXPR expr cast_like(expr data, expr dtype_like);
TUTTI_CONSTEXPR expr reinterpret(expr data, const cast_attributes& attributes);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/cast.ipp>
#endif
