#pragma once

#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <string>
#include <string_view>

namespace tutti::relay {

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

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (a.dtype.value == dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"float32\"");
        return r.tensor(r.shape(0), a.dtype);
    }
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

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        return r.tensor(r.shape(0), r.element(1));
    }
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

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (kernel::bytes(a.dtype) != kernel::bytes(r.element(0)))
            r.refuse(0, "elements of the size of " + std::string(kernel::name(a.dtype)));
        return r.tensor(r.shape(0), a.dtype);
    }
};

} // namespace op

/// Operators that change the element type.
using cast_ops = op_list<op::cast, op::cast_like, op::reinterpret>;

constexpr expr cast(expr data, const cast_attributes& attributes) { return call_op<op::cast>(attributes, data); }
constexpr expr cast_like(expr data, expr dtype_like) { return call_op<op::cast_like>({}, data, dtype_like); }
constexpr expr reinterpret(expr data, const cast_attributes& attributes) {
    return call_op<op::reinterpret>(attributes, data);
}

} // namespace tutti::relay
