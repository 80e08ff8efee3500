#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/copy.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/div_to_mul.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <cstdint>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Computes in integers between qnn.dequantize and qnn.quantize, for networks trained or converted with such pairs.
///
/// Unless every operator in between has an integer form, all of them stay. Results may differ by quantisation steps.
///
/// Requires: inferred types.
/// Cost:     linear in the graph and in the new expressions, which are limited to `max_nodes` more than the module's
///           size.
/// Throws:   `tutti::error` if types are missing, if that limit is exceeded, or, with `hard_fail`, if an operator has
///           no integer form; the module is unchanged.
struct fake_quantization_to_integer {
    static constexpr pass_info info{.name = "FakeQuantizationToInteger", .opt_level = 0};
    using required = tutti::passes<infer_type, div_to_mul>;
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    bool hard_fail = false;    ///< fail if an operator has no integer form
    bool use_qat = false;      ///< convert single operators where a whole region cannot be converted
    bool conv2d = false;       ///< convert nn.conv2d, which is unchanged in the reference's recorded outputs
    bool as_reference = false; ///< allow changed values; docs/differences.md lists the effects
    std::uint32_t max_nodes =
        most_copies; ///< limit on new expressions in all functions, in addition to the size of the module

    static constexpr option_list<&fake_quantization_to_integer::hard_fail, &fake_quantization_to_integer::use_qat,
                                 &fake_quantization_to_integer::conv2d, &fake_quantization_to_integer::as_reference,
                                 &fake_quantization_to_integer::max_nodes>
        options{"hard_fail", "use_qat", "conv2d", "as_reference", "max_nodes"};

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
#include <tutti/relay/transform/passes/fake_quantization_to_integer.ipp>
#endif
