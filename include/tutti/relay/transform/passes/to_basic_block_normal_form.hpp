#pragma once

#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/passes/normal_form.hpp>

namespace tutti::relay {

/// Binds what several branches or functions share to a variable ahead of them, so that each scope only uses what is computed in it
/// or bound around it. Variables are named `x_0`, `x_1` and so on. Primitive functions stay as they are.
///
/// Ensures: the same values are computed. What is made anew has no types.
/// Cost:    linear in the graph, times the logarithm of the depth where scopes share; no recursion.
struct to_basic_block_normal_form {
    static constexpr pass_info info{.name = "ToBasicBlockNormalForm", .opt_level = 1};

    /// With notes in place of a context one function after another.
    template <class Context = const pass_notes>
    constexpr void operator()(ir_module& m, Context& ctx = {}) const {
        detail::bind_with_lets(m, let_binding::shared, ctx);
    }
};

} // namespace tutti::relay
