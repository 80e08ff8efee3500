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

/// Replaces nn.space_to_batch_nd, nn.conv2d or qnn.conv2d, and nn.batch_to_space_nd in sequence by one dilated
/// convolution if the results are equal. The data must be NHWC, and padded with zeros so that the result has the size
/// of the data. If quantised data is padded, its zero point must be 0.
///
/// Requires: inferred types; finite weights, because 0 times infinity is NaN.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` if types are missing; the module is unchanged.
struct flatten_atrous_conv {
    static constexpr pass_info info{.name = "FlattenAtrousConv", .opt_level = 0};
    static constexpr bool is_partwise() { return true; }
    using required = tutti::passes<infer_type>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    bool as_reference = false; ///< ignore the zero point; docs/differences.md lists the effects

    static constexpr option_list<&flatten_atrous_conv::as_reference> options{"as_reference"};

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
#include <tutti/relay/transform/passes/flatten_atrous_conv.ipp>
#endif
