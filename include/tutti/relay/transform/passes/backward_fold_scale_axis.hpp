#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Folds a multiplication by a vector along the channels into the weight of the preceding convolution or dense layer.
///
/// The scale passes through additions, subtractions, bias_add (with an axis counted from the front) and, if it is a
/// constant without negative elements, operators with f(s·x) = s·f(x) such as relu, as long as these have no other use.
/// Convolutions may be grouped. Nothing is folded inside the expression of a scale. Skips integers, and constant scales
/// with an infinity or a NaN.
///
/// Requires: inferred types; finite scales.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct backward_fold_scale_axis {
    static constexpr pass_info info{.name = "BackwardFoldScaleAxis", .opt_level = 3};
    static constexpr bool is_partwise() { return true; }
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    bool as_reference = false; ///< fold like the reference; docs/differences.md lists the effects

    static constexpr option_list<&backward_fold_scale_axis::as_reference> options{"as_reference"};

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
#include <tutti/relay/transform/passes/backward_fold_scale_axis.ipp>
#endif
