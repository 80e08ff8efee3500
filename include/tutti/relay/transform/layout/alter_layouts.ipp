#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/layout/alter_layouts.hpp>
#include <tutti/relay/transform/layout/layout_rewriter.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

TUTTI_CONSTEXPR void alter_layouts(ir_module& m, module_context& ctx, const pass_info& pass, layout_rule_finder find,
                                   call_alteration& alter) {
    transform_functions(m, ctx, pass, [&](const function& f, const pass_notes& notes) {
        rewriter r(f);
        return r.rewrite(layout_rewriter(r, find, alter, notes));
    });
}

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM
