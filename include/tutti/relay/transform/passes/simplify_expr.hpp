#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <concepts>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// Returns the rules of SimplifyExpr. The rules compute constants with these kernels.
TUTTI_CONSTEXPR pattern_rules simplification(const kernel_set& kernels);

// Runs SimplifyExpr with its options.
TUTTI_CONSTEXPR void simplify(ir_module& m, module_context&& ctx, bool as_reference, const kernel_set& kernels);

} // namespace detail

/// Simplifies expressions by rules: arithmetic with neutral operands or several constants; casts, clips, reshapes and
/// transposes in sequence; operators such as reshape_like if the type of the other tensor is known.
///
/// Requires: inferred types.
/// Ensures:  results are the same up to rounding, unless `as_reference` is set.
/// Cost:     see `apply_rules`.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct simplify_expr {
    static constexpr pass_info info{.name = "SimplifyExpr", .opt_level = 0};
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    /// Returns the rules of the pass, so that each can be tested.
    template <std::same_as<void> T = void>
    static constexpr auto rules() {
        return detail::simplification(kernels::reference<T>());
    }

    bool as_reference = false; ///< apply all rewrites of the reference; docs/differences.md lists the effects
    /// The kernels that compute with constants; null for `kernels::reference()`.
    const kernel_set* kernels = nullptr;

    constexpr bool is_partwise() const { return kernels == nullptr; } // a text does not name kernels

    static constexpr option_list<&simplify_expr::as_reference> options{"as_reference"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        detail::simplify(m, as_module_context<infer_type>(ctx), as_reference,
                         kernels != nullptr ? *kernels : kernels::reference());
    }
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/simplify_expr.ipp>
#endif
