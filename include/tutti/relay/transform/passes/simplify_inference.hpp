#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <span>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Replaces normalisations by arithmetic for inference: nn.batch_norm (if only the normalised data is used),
/// nn.group_norm, nn.instance_norm, nn.l2_normalize and nn.layer_norm. Removes nn.dropout.
///
/// Requires: inferred types.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct simplify_inference {
    static constexpr pass_info info{.name = "SimplifyInference", .opt_level = 0};
    static constexpr bool is_partwise() { return true; }
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    bool batch_norm_only = false; ///< keep other normalisations, for targets and formats that support them

    static constexpr option_list<&simplify_inference::batch_norm_only> options{"batch_norm_only"};

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
#include <tutti/relay/transform/passes/simplify_inference.ipp>
#endif
