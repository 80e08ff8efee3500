#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/transform/layout/alter_layouts.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// A target of AlterOpLayout: a function object called with each call, which alters the call or leaves it unchanged.
///
/// A target may change attributes, select another operator with a layout rule, and replace arguments, but must keep the
/// number of arguments.
template <class T>
concept layout_target = std::copy_constructible<T> && requires(const T& target, layout_change& call) { target(call); };

/// A target that alters nothing.
struct any_target {
    constexpr void operator()(layout_change&) const {}
};

namespace detail {

// Alters calls with a target.
template <class Target>
class alteration_by final : public call_alteration {
public:
    constexpr explicit alteration_by(const Target& target) : target_(&target) {}
    constexpr void operator()(layout_change& change, const pass_notes&) override { (*target_)(change); }

private:
    const Target* target_;
};

} // namespace detail

/// Alters operators for a target, for example to blocked layouts. New layouts propagate through operators that support
/// them. A layout_transform converts values for the other users.
///
/// Requires: inferred types; the target's calls compute the same values.
/// Ensures:  the same values are computed.
/// Cost:     linear in the graph for a bounded number of layouts.
/// Throws:   `tutti::error` if types are missing, and the target's exceptions; the module is unchanged.
/// Example:
///     constexpr auto blocked = [](relay::layout_change& c) {
///         if (c.op->name != "nn.conv2d") return;
///         relay::attribute_edit edit = c.edit();
///         edit.set("data_layout", "NCHW16c");
///         c.attributes = edit.commit();
///     };
///     scope.run(relay::alter_op_layout_for(blocked), m);
template <layout_target Target = any_target, layout_rule_set Rules = layout_rules::standard>
struct basic_alter_op_layout {
    static constexpr pass_info info{.name = "AlterOpLayout", .opt_level = 3};
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    [[no_unique_address]] Target target{};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        auto&& any = as_module_context<infer_type>(ctx);
        detail::alteration_by<Target> alter(target);
        constexpr layout_rule_finder rule_of = [](const op_def& op) { return Rules::find(op); };
        detail::alter_layouts(m, any, info, rule_of, alter);
    }
};

/// A named layout target, for pipelines in text.
struct named_layout_target {
    std::string_view name; ///< must outlive the pass
    void (*alter)(layout_change&) = nullptr;
};

/// AlterOpLayout with a target that is selected by name: `AlterOpLayout{target=mine}`. Alters nothing without a target.
///
/// Throws:   `tutti::error` for an unknown target; the module is unchanged.
/// Example:  `auto known = relay::registered_passes(print, {{"mine", [](relay::layout_change& c) { … }}});`
struct alter_op_layout {
    static constexpr pass_info info{.name = "AlterOpLayout", .opt_level = 3};
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    std::string target{};                  ///< one of `targets`; empty for none
    vector<named_layout_target> targets{}; ///< the known targets

    static constexpr option_list<&alter_op_layout::target> options{"target"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        apply(m, as_module_context<infer_type>(ctx));
    }

private:
    TUTTI_CONSTEXPR void apply(ir_module& m, module_context&& ctx) const;
};

/// Returns AlterOpLayout for a target.
template <layout_target Target>
constexpr basic_alter_op_layout<Target> alter_op_layout_for(Target target) {
    return {std::move(target)};
}

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/alter_op_layout.ipp>
#endif
