#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/module_inference.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>

#include <cstddef>

namespace tutti::relay::inline TUTTI_FORM {

TUTTI_CONSTEXPR void infer_type::apply(ir_module& m) { infer_types(m); }

TUTTI_CONSTEXPR void infer_type::apply(ir_module& m, module_context&& ctx) {
    infer_types_at_once(m, [&](auto&& each) {
        ctx.for_each_part(m.size(), [&](std::size_t i, const pass_notes&) {
            each(i);
            return unchanged;
        });
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
