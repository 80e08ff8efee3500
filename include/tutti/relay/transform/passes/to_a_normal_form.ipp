#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/passes/normal_form.hpp>
#include <tutti/relay/transform/passes/to_a_normal_form.hpp>

namespace tutti::relay::inline TUTTI_FORM {

TUTTI_CONSTEXPR void to_a_normal_form::apply(ir_module& m, module_context&& ctx) {
    detail::bind_with_lets(m, let_binding::everything, ctx);
}

} // namespace tutti::relay::inline TUTTI_FORM
