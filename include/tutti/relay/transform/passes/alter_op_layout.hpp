#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/error.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/layout/layout_rewriter.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay {

/// A target of AlterOpLayout: a function object called with each call, which alters the call or leaves it unchanged.
///
/// It may change attributes, select another operator with a layout rule, and replace arguments, but not their number.
template <class T>
concept layout_target = std::copy_constructible<T> && requires(const T& target, layout_change& call) { target(call); };

/// A target that alters nothing.
struct any_target {
    constexpr void operator()(layout_change&) const {}
};

/// Alters operators for a target, for example to blocked layouts. New layouts propagate through operators that support
/// them; a layout_transform converts values for the other users.
///
/// Requires: inferred types; the target's calls compute the same values.
/// Ensures:  the same values are computed.
/// Cost:     linear in the graph for a bounded number of layouts.
/// Throws:   `tutti::error` without types, and the target's exceptions; the module is unchanged.
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

    [[no_unique_address]] Target target{};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        transform_functions(m, ctx, info, [this](const function& f, const pass_notes& notes) {
            rewriter r(f);
            const auto alter = [this](layout_change& c) { target(c); };
            return r.rewrite(detail::layout_rewriter<Rules, decltype(alter)>(r, alter, notes));
        });
    }
};

/// A named layout target, for pipelines in text.
struct named_layout_target {
    std::string_view name; ///< must outlive the pass
    void (*alter)(layout_change&) = nullptr;
};

/// AlterOpLayout with a target by name: `AlterOpLayout{target=mine}`. Alters nothing without a target.
///
/// Throws:   `tutti::error` for an unknown target, with the module unchanged.
/// Example:  `auto known = relay::registered_passes(print, {{"mine", [](relay::layout_change& c) { … }}});`
struct alter_op_layout {
    static constexpr pass_info info{.name = "AlterOpLayout", .opt_level = 3};
    using required = tutti::passes<infer_type>;

    std::string target{};                  ///< one of `targets`; empty for none
    vector<named_layout_target> targets{}; ///< the known targets

    static constexpr option_list<&alter_op_layout::target> options{"target"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        basic_alter_op_layout<void (*)(layout_change&)>{named()}(m, ctx);
    }

private:
    constexpr auto named() const -> void (*)(layout_change&) {
        if (target.empty()) return [](layout_change&) {};
        nearest_name meant(target);
        std::string all;
        for (const named_layout_target& each : targets) {
            if (each.name == target) return each.alter;
            meant.offer(each.name);
            (all += all.empty() ? "" : ", ") += each.name;
        }
        std::string problem = "there is no layout target `" + target + '`';
        if (!meant.found().empty()) problem += "; did you mean `" + std::string(meant.found()) + "`?";
        throw error("AlterOpLayout", std::move(problem),
                    all.empty() ? "none: no targets are registered" : "one of " + all);
    }
};

/// Returns AlterOpLayout for a target.
template <layout_target Target>
constexpr basic_alter_op_layout<Target> alter_op_layout_for(Target target) {
    return {std::move(target)};
}

} // namespace tutti::relay
