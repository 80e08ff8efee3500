#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of fixed_point_multiply: the factor is multiplier · 2^(shift - 31).
struct fixed_point_multiply_attributes {
    required<std::int64_t> multiplier{};
    required<std::int64_t> shift{};

    static constexpr option_list<&fixed_point_multiply_attributes::multiplier, &fixed_point_multiply_attributes::shift>
        options{"multiplier", "shift"};
};

/// Attributes of fixed_point_multiply_per_axis: whether the left and the right shifts apply, and the axes along which
/// the factors vary.
struct fixed_point_multiply_per_axis_attributes {
    bool is_lshift_required = false;
    bool is_rshift_required = false;
    dims axes{};

    static constexpr option_list<&fixed_point_multiply_per_axis_attributes::is_lshift_required,
                                 &fixed_point_multiply_per_axis_attributes::is_rshift_required,
                                 &fixed_point_multiply_per_axis_attributes::axes>
        options{"is_lshift_required", "is_rshift_required", "axes"};
};

namespace op {

/// Multiplies integers by a fixed-point number. Halves round up.
struct fixed_point_multiply {
    static constexpr std::string_view name = "fixed_point_multiply";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = fixed_point_multiply_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto layout = &layout_rules::elementwise;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Multiplies integers by fixed-point numbers that vary along axes: multiplier · 2^(left shift - right shift - 31).
struct fixed_point_multiply_per_axis {
    static constexpr std::string_view name = "fixed_point_multiply_per_axis";
    static constexpr std::array<std::string_view, 4> arguments{"data", "multiplier", "left_shift", "right_shift"};
    using attributes = fixed_point_multiply_per_axis_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op

/// Fixed-point arithmetic.
using fixed_point_ops = op_list<op::fixed_point_multiply, op::fixed_point_multiply_per_axis>;

TUTTI_CONSTEXPR expr fixed_point_multiply(expr data, const fixed_point_multiply_attributes& attributes);
TUTTI_CONSTEXPR expr fixed_point_multiply_per_axis(expr data, expr multiplier, expr left_shift, expr right_shift,
                                                   const fixed_point_multiply_per_axis_attributes& attributes);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/fixed_point.ipp>
#endif
