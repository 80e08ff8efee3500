#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/copy.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <cstdint>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Inlines functions at their calls, the inverse of FuseOps.
///
/// A function literal is inlined at each call, whatever its body. If it has several calls, it is copied. Functions
/// bound to variables and functions of the module stay.
///
/// Requires: inferred types.
/// Cost:     linear in the graph and in the copies, which are limited to `max_nodes` more than the module's size.
/// Throws:   `tutti::error` if types are missing or that limit is exceeded; the module is unchanged.
struct defuse_ops {
    static constexpr pass_info info{.name = "DefuseOps", .opt_level = 3};
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    std::uint32_t max_nodes =
        most_copies; ///< limit on copied expressions in all functions, in addition to the size of the module

    static constexpr option_list<&defuse_ops::max_nodes> options{"max_nodes"};

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
#include <tutti/relay/transform/passes/defuse_ops.ipp>
#endif
