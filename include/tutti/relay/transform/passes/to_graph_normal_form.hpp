#pragma once

#include <tutti/base/form.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Removes lets. Each use of a let's variable becomes the variable's value, which all uses share.
///
/// A recursive function keeps a let. Functions with references are skipped, because lets order reads and writes.
///
/// Cost:   linear in the graph.
/// Throws: the exceptions of InferType; the module is unchanged.
struct to_graph_normal_form {
    static constexpr pass_info info{.name = "ToGraphNormalForm", .opt_level = 1};
    static constexpr bool is_partwise() { return true; }
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

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
#include <tutti/relay/transform/passes/to_graph_normal_form.ipp>
#endif
