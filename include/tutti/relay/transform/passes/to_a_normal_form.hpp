#pragma once

#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/passes/normal_form.hpp>

namespace tutti::relay {

/// Binds the result of every call, tuple, projection, if, function and constant to a variable of its own: in the order in which they
/// would be computed, what is used in one branch or function only in there. Variables are named `x_0`, `x_1` and so on. Primitive
/// functions stay as they are.
///
/// Ensures: the same values are computed. What is made anew has no types.
/// Cost:    linear in the graph, times the logarithm of the depth where scopes share; no recursion.
struct to_a_normal_form {
    static constexpr pass_info info{.name = "ToANormalForm", .opt_level = 1};

    /// With notes in place of a context one function after another.
    template <class Context = const pass_notes>
    constexpr void operator()(ir_module& m, Context& ctx = {}) const {
        detail::bind_with_lets(m, let_binding::everything, ctx);
    }
};

} // namespace tutti::relay
