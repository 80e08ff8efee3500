#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/transform/passes/alter_op_layout.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// Returns the function of the named target. For an empty name, returns a function that alters nothing. Throws:
// `tutti::error` for an unknown name.
constexpr auto named_target(std::string_view target, const vector<named_layout_target>& targets)
    -> void (*)(layout_change&) {
    if (target.empty()) return [](layout_change&) {};
    tutti::internal::nearest_name meant(target);
    std::string all;
    for (const named_layout_target& each : targets) {
        if (each.name == target) return each.alter;
        meant.offer(each.name);
        (all += all.empty() ? "" : ", ") += each.name;
    }
    std::string problem = "there is no layout target `" + std::string(target) + '`';
    if (!meant.found().empty()) problem += "; did you mean `" + std::string(meant.found()) + "`?";
    throw error("AlterOpLayout", std::move(problem),
                all.empty() ? "no target, since none is registered" : "one of " + all);
}

} // namespace detail

TUTTI_CONSTEXPR void alter_op_layout::apply(ir_module& m, module_context&& ctx) const {
    using alteration = void (*)(layout_change&);
    const alteration named = detail::named_target(target, targets);
    detail::alteration_by<alteration> alter(named);
    detail::alter_layouts(m, ctx, info, &layout_rules::standard::find, alter);
}

} // namespace tutti::relay::inline TUTTI_FORM
