#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/transform/layout/call_alteration.hpp>
#include <tutti/relay/transform/module_context.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Runs a pass that alters calls, propagates the new layouts through operators that support them, and converts tensors
/// back for the other users. `find` finds the operators' layout rules.
TUTTI_CONSTEXPR void alter_layouts(ir_module& m, module_context& ctx, const pass_info& pass, layout_rule_finder find,
                                   call_alteration& alter);

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/layout/alter_layouts.ipp>
#endif
