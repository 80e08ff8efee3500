#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <cstdint>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Splits the concatenation of many tensors into concatenations of fewer tensors, for targets that limit the arguments
/// of a function.
///
/// The result counts as one argument, so a concatenation takes up to `max_function_args - 1` tensors, in order. The
/// parts are then concatenated, and are not fused further. Shorter concatenations, and those whose operand is not a
/// tuple expression, are unchanged.
///
/// A second run splits nothing.
///
/// Requires: inferred types.
/// Ensures:  the same values are computed.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` if types are missing, or if no argument is left for a tensor; the module is unchanged.
struct split_args {
    static constexpr pass_info info{.name = "SplitArgs", .opt_level = 1};
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    std::int64_t max_function_args =
        -1; ///< limit on the arguments of a function, including its result; negative: no limit

    static constexpr option_list<&split_args::max_function_args> options{"max_function_args"};

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
#include <tutti/relay/transform/passes/split_args.ipp>
#endif
