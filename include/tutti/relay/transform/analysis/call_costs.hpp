#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// The cost of a call of an operator, derived from the call's types.
struct call_cost {
    std::string_view function; ///< name of the function that contains the call
    expr_id call = expr_id::none;
    const op_def* op = nullptr;
    /// Multiplications whose products are summed, in convolutions, matrix products and einsum; 0 for other operators.
    /// A convolution counts the whole window at each position, including parts in the padding.
    std::uint64_t multiply_accumulates = 0;
    std::uint64_t parameters = 0;      ///< elements of fixed operands that no earlier call uses, except scalars
    std::uint64_t parameter_bytes = 0; ///< bytes of these elements
    std::uint64_t result_bytes = 0;
    bool is_known = true; ///< false if a size that matters is `?`, or a product exceeds 64 bits
};

/// Returns the costs of all calls of operators in the functions that `main` reaches, in the order of evaluation. The
/// calls in a function count once, even if the function is called several times or is recursive.
///
/// A value is fixed if it depends on constants only, so that FoldConstant could compute it. Calls with fixed results
/// are omitted: their results are operands, like trained weights.
///
/// Requires: inferred types.
/// Cost:     linear in the module.
TUTTI_INLINE vector<call_cost> call_costs(const ir_module& m);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/analysis/call_costs.ipp>
#endif
