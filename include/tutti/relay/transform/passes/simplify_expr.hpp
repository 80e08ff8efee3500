#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// The rules of SimplifyExpr, which compute with the kernels that `find` finds.
TUTTI_CONSTEXPR pattern_rules simplification(kernel_finder find);

// SimplifyExpr with its options.
TUTTI_CONSTEXPR void simplify(ir_module& m, module_context&& ctx, bool as_reference, kernel_finder find);

} // namespace detail

/// Simplifies expressions by rules: arithmetic with neutral operands or several constants; casts, clips, reshapes and
/// transposes in sequence; operators "like" another tensor of known type.
///
/// `Kernels` computes with constants.
///
/// Requires: inferred types.
/// Ensures:  results are the same up to rounding, unless `as_reference` is set.
/// Cost:     see `apply_rules`.
/// Throws:   `tutti::error` without types; the module is unchanged.
template <kernel_set Kernels = kernels::reference>
struct basic_simplify_expr {
    static constexpr pass_info info{.name = "SimplifyExpr", .opt_level = 0};
    using required = tutti::passes<infer_type>;

    /// Its rules, for tests of each.
    static constexpr auto rules() { return detail::simplification(kernels_of<Kernels>()); }

    bool as_reference = false; ///< apply all rewrites of the reference; docs/differences.md lists the effects

    static constexpr option_list<&basic_simplify_expr::as_reference> options{"as_reference"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        detail::simplify(m, as_module_context<infer_type>(ctx), as_reference, kernels_of<Kernels>());
    }
};

/// SimplifyExpr with the reference kernels.
using simplify_expr = basic_simplify_expr<>;

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/simplify_expr.ipp>
#endif
