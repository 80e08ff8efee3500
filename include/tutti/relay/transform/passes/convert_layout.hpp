#pragma once

#include <tutti/described.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/layout/layout_rewriter.hpp>
#include <tutti/relay/transform/passes/canonicalize_ops.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <boost/hana/tuple.hpp>

namespace tutti::relay {

/// Brings operators into the layouts that are desired for them: `nn.conv2d=[NHWC,HWIO]`; `default` as the weight's
/// layout stands for the one that goes with the data's. What lets a layout pass follows; where something needs the
/// layout that was, a layout_transform is put in. Operators without a conversion stay as they are.
///
/// `Rules` say how layouts go through operators, `Conversions` which operators can be converted.
///
/// Requires: inferred types.
/// Ensures:  the same values are computed.
/// Cost:     linear in the graph for a given number of different layouts.
/// Throws:   `tutti::error` without types, or if an operator cannot have a layout; the module is as it was.
/// Example:  `relay::convert_layout{.desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}}}`
template <layout_rule_set Rules = layout_rules::standard,
          layout_conversion_set Conversions = layout_conversions::standard>
struct basic_convert_layout {
    static constexpr pass_info info{.name = "ConvertLayout", .opt_level = 3};
    using required = tutti::passes<infer_type, canonicalize_ops>;

    /// By the operators' names.
    std::vector<std::pair<std::string, std::vector<std::string>>> desired_layouts{};

    static constexpr auto options =
        boost::hana::make_tuple(tutti::option{"desired_layouts", &basic_convert_layout::desired_layouts});

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        transform_functions(m, ctx, info, [this](const function& f) {
            rewriter r(f);
            const auto convert = [this](layout_change& c) {
                for (const auto& [op, desired] : desired_layouts) {
                    const layout_conversion to = op == c.op->name ? Conversions::find(*c.op) : nullptr;
                    if (to != nullptr) to(c, desired);
                }
            };
            return r.rewrite(detail::layout_rewriter<Rules, decltype(convert)>(r, convert));
        });
    }
};

/// ConvertLayout for the built-in operators.
using convert_layout = basic_convert_layout<>;

} // namespace tutti::relay
