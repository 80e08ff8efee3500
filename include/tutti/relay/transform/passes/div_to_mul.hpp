#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <span>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Replaces division by a floating-point constant with multiplication by its reciprocal.
///
/// Skips integers, and divisors with a zero or with an element whose reciprocal is infinite or subnormal.
///
/// Requires: inferred types.
/// Cost:     linear in the graph and in the divisors.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct div_to_mul {
    static constexpr pass_info info{.name = "DivToMul", .opt_level = 0};
    static constexpr bool is_partwise() { return true; }
    using required = tutti::passes<infer_type, fold_constant>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    bool as_reference = false; ///< check divisors only for zeros; docs/differences.md lists the effects

    static constexpr option_list<&div_to_mul::as_reference> options{"as_reference"};

    /// Returns the rules of the pass, so that each can be tested.
    static TUTTI_CONSTEXPR std::span<const call_rule> rules();

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        apply(m, as_module_context<infer_type>(ctx));
    }

private:
    TUTTI_CONSTEXPR void apply(ir_module& m, module_context&& ctx) const;
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/div_to_mul.ipp>
#endif
