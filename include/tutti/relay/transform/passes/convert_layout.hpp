#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/canonicalize_ops.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// An operator's name and the desired layouts of its arguments.
using desired_layout = std::pair<std::string, vector<std::string>>;

// Runs ConvertLayout. `rule_of` and `conversion_of` find an operator's layout rule and conversion.
TUTTI_CONSTEXPR void convert_layouts(ir_module& m, module_context&& ctx, std::span<const desired_layout> desired,
                                     layout_rule_finder rule_of, layout_conversion_finder conversion_of);

} // namespace detail

/// Converts operators to the desired layouts, such as `nn.conv2d=[NHWC,HWIO]`. `default` selects the weight layout that
/// matches the data layout. New layouts propagate through operators that support them. A layout_transform converts
/// values for the other users. Operators without a conversion are unchanged.
///
/// `Rules` describes how layouts pass through operators, and `Conversions` how operators are converted.
///
/// Remarks: `missed` for each operator with desired layouts and no calls, for each call that keeps its layout, and for
/// each convertible call of an operator without desired layouts.
///
/// Requires: inferred types.
/// Ensures:  the same values are computed.
/// Cost:     linear in the graph for a bounded number of layouts.
/// Throws:   `tutti::error` if types are missing or an operator does not support a layout; the module is unchanged.
/// Example:  `relay::convert_layout{.desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}}}`
template <layout_rule_set Rules = layout_rules::standard,
          layout_conversion_set Conversions = layout_conversions::standard>
struct basic_convert_layout {
    static constexpr pass_info info{.name = "ConvertLayout", .opt_level = 3};
    using required = tutti::passes<infer_type, canonicalize_ops>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    /// The remark about an operator with desired layouts and no calls.
    static constexpr std::string_view no_call = "there is no call of this operator";

    /// The remark about a convertible call of an operator without desired layouts.
    static constexpr std::string_view none_desired = "keeps its layout: no layout is desired for this operator";

    /// The desired layouts of operators, by operator name.
    vector<std::pair<std::string, vector<std::string>>> desired_layouts{};

    static constexpr option_list<&basic_convert_layout::desired_layouts> options{"desired_layouts"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        constexpr layout_rule_finder rule_of = [](const op_def& op) { return Rules::find(op); };
        constexpr layout_conversion_finder conversion_of = [](const op_def& op) { return Conversions::find(op); };
        detail::convert_layouts(m, as_module_context<infer_type>(ctx), desired_layouts, rule_of, conversion_of);
    }
};

/// ConvertLayout for the built-in operators.
using convert_layout = basic_convert_layout<>;

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/convert_layout.ipp>
#endif
