#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/config.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <cstdint>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Groups operators that can be computed together into functions with the attribute `Primitive=1`, and calls them.
///
/// Every operator call ends up in such a function, alone if necessary. Fusion does not cross lets, ifs and functions.
/// Small constants join their users. An expression with several users is fused into the call where all paths from
/// it meet. Primitive functions and functions for other compilers are unchanged.
///
/// Requires: inferred types.
/// Ensures:  the same values are computed.
/// Cost:     linear in the graph for bounded `max_depth`.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct fuse_ops {
    static constexpr pass_info info{.name = "FuseOps", .opt_level = 0};
    static constexpr bool is_partwise() { return true; }
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    /// Default limit on the nodes of a function.
    static constexpr config_key<std::int64_t> max_depth_key{"relay.FuseOps.max_depth", 256};
    /// Keeps constants of any size in the functions that use them, rather than passing them as arguments.
    static constexpr config_key<bool> link_params_key{"relay.FuseOps.link_params", false};
    using config = tutti::config_list<max_depth_key, link_params_key>;

    int fuse_opt_level = -1;     ///< 0: no fusion; otherwise: full fusion; −1: the context's opt_level
    std::int64_t max_depth = -1; ///< limit on the nodes of a function; −1: the context's `relay.FuseOps.max_depth`

    static constexpr option_list<&fuse_ops::fuse_opt_level, &fuse_ops::max_depth> options{"fuse_opt_level",
                                                                                          "max_depth"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        apply(m, as_module_context<infer_type>(ctx),
              {.level = fuse_opt_level < 0 ? ctx.opt_level() : fuse_opt_level,
               .max_depth = max_depth < 0 ? tutti::config(ctx, max_depth_key) : max_depth,
               .link_params = tutti::config(ctx, link_params_key)});
    }

private:
    // The options, with unset ones taken from the context.
    struct settings {
        int level;
        std::int64_t max_depth;
        bool link_params;
    };

    static TUTTI_CONSTEXPR void apply(ir_module& m, module_context&& ctx, const settings& given);
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/fuse_ops.ipp>
#endif
