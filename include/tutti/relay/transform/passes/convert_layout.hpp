#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/remark.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/layout/layout_rewriter.hpp>
#include <tutti/relay/transform/passes/canonicalize_ops.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay {

/// Converts operators to the requested layouts: `nn.conv2d=[NHWC,HWIO]`; `default` selects the weight layout that goes
/// with the data's. New layouts propagate through operators that support them; a layout_transform converts values for
/// the other users. Operators without a conversion are unchanged.
///
/// `Rules` describes how layouts pass through operators, `Conversions` how operators are converted.
///
/// Remarks: `missed` for each operator with desired layouts and no calls, for each call that keeps its layout, and for
/// each convertible call of an operator without desired layouts.
///
/// Requires: inferred types.
/// Ensures:  the same values are computed.
/// Cost:     linear in the graph for a bounded number of layouts.
/// Throws:   `tutti::error` without types, or if an operator does not support a layout; the module is unchanged.
/// Example:  `relay::convert_layout{.desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}}}`
template <layout_rule_set Rules = layout_rules::standard,
          layout_conversion_set Conversions = layout_conversions::standard>
struct basic_convert_layout {
    static constexpr pass_info info{.name = "ConvertLayout", .opt_level = 3};
    using required = tutti::passes<infer_type, canonicalize_ops>;

    /// The remark about an operator with desired layouts and no calls.
    static constexpr std::string_view no_call = "there is no call of this operator";

    /// The remark about a convertible call of an operator without desired layouts.
    static constexpr std::string_view none_desired = "keeps its layout: no layout is desired for this operator";

    /// Indexed by operator name.
    vector<std::pair<std::string, vector<std::string>>> desired_layouts{};

    static constexpr option_list<&basic_convert_layout::desired_layouts> options{"desired_layouts"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        plain_vector<char> met(desired_layouts.size(), 0); // the operator has a call
        transform_functions(m, ctx, info, [this, &met](const function& f, const pass_notes& notes) {
            rewriter r(f);
            const auto convert = [this, &met, &notes](layout_change& c) {
                bool named = false;
                for (std::size_t i = 0; i < desired_layouts.size(); ++i) {
                    if (desired_layouts[i].first != c.op->name) continue;
                    named = true;
                    note_met(met[i]);
                    const layout_conversion to = Conversions::find(*c.op);
                    if (to != nullptr) to(c, desired_layouts[i].second);
                    if (notes.misses_heard()) note_left(c, to != nullptr, desired_layouts[i].second, notes);
                }
                if (!named && notes.misses_heard() && Conversions::find(*c.op) != nullptr)
                    notes.missed(*c.from, c.call, none_desired);
            };
            return r.rewrite(detail::layout_rewriter<Rules, decltype(convert)>(r, convert, notes));
        });
        for (std::size_t i = 0; i < met.size(); ++i)
            if (met[i] == 0) ctx.remark(remark_kind::missed, desired_layouts[i].first, no_call);
    }

private:
    // Functions may run in parallel.
    static constexpr void note_met(char& met) {
        if (__builtin_is_constant_evaluated())
            met = 1;
        else
            __atomic_store_n(&met, 1, __ATOMIC_RELAXED);
    }

    // Emits a remark about a call that was not converted, unless its data has the desired layout.
    static constexpr void note_left(layout_change& c, bool converts, std::span<const std::string> desired,
                                    const pass_notes& notes) {
        if (!converts)
            return notes.missed(*c.from, c.call,
                                "there is no conversion for this operator: it takes the layout that it is given");
        if (c.attributes != c.from->call_attributes(c.call)) return;
        const attribute_edit now = c.edit();
        if (now.has("data_layout") && !desired.empty() && now.text("data_layout") != desired[0])
            notes.missed(*c.from, c.call, "keeps its layout: its channels or its padding do not allow the other one");
    }
};

/// ConvertLayout for the built-in operators.
using convert_layout = basic_convert_layout<>;

} // namespace tutti::relay
