#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/config.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pipeline/decimal_options.hpp>
#include <tutti/pipeline/option_type.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The names of element types that ToMixedPrecision may compute with.
template <>
inline constexpr std::array tutti::option_words<tutti::kernel::dtype>{
    tutti::option_word<tutti::kernel::dtype>{"float16", tutti::kernel::dtype::float16},
    tutti::option_word<tutti::kernel::dtype>{"bfloat16", tutti::kernel::dtype::bfloat16},
    tutti::option_word<tutti::kernel::dtype>{"float32", tutti::kernel::dtype::float32},
    tutti::option_word<tutti::kernel::dtype>{"float64", tutti::kernel::dtype::float64}};

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

struct to_mixed_precision;

namespace internal {

/// Selects calls that stay in float32, in addition to those that the pass's options name.
class float32_calls {
public:
    virtual constexpr bool operator()(std::size_t function, expr_id call) const = 0;

protected:
    constexpr ~float32_calls() = default;
};

/// True if a call's operator or source has this name. Requires: `call` calls an operator.
constexpr bool is_named(const graph& g, expr_id call, std::string_view name) {
    return name == g.called_op(call)->name || name == g.source_name(call);
}

/// Runs the pass. `others` selects further calls that stay in float32, and may be null.
TUTTI_CONSTEXPR void mix_precision(ir_module& m, module_context& ctx, const to_mixed_precision& options,
                                   bool keep_results, const float32_calls* others = nullptr);

} // namespace internal

/// Computes in a lower floating-point precision where that saves much (convolutions, matrix products) and where the
/// arguments already have that precision. Sums and fast-growing functions stay in float32.
///
/// Parameters keep their types. Results may change types, except those of functions that are called by name, bound to
/// variables, passed or returned, because other code depends on these types. Arguments of functions are cast to the
/// parameter types, and branches of an if that would differ are cast to their former types. With the context's
/// `relay.ToMixedPrecision.keep_orig_output_dtype`, the result of a function whose body is a call or tuple is cast
/// back, as in the reference. A call is cast back only if it is computed in the lower precision.
///
/// `keep` lists calls that stay in float32. The name of an operator ("nn.softmax") selects all calls of the operator.
/// The name of a model's node ("/layer4/conv2") selects the calls created for the node. Unknown names cause remarks.
/// `find_mixed_precision` (relay/debug) finds such a list for a tolerance.
///
/// Functions with values of data types, references or type parameters are skipped.
///
/// Requires: typed parameters; inferred types where expressions keep their types.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` for an unknown element type, and for operators of unknown precision if `missing_op_mode` is
///           0; the module is unchanged.
struct to_mixed_precision {
    static constexpr pass_info info{.name = "ToMixedPrecision", .opt_level = 0};
    using needs = tutti::properties<typed>;
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    /// Keeps the element types of results.
    static constexpr config_key<bool> keep_results_key{"relay.ToMixedPrecision.keep_orig_output_dtype", false};
    using config = tutti::config_list<keep_results_key>;

    dtype mixed_precision_type = dtype::float16;
    int missing_op_mode =
        1; ///< for operators without a precision rule: 0 fails, 1 and 2 treat them like operators that follow their arguments

    std::vector<std::string> keep{}; ///< operators, and nodes of a model, that are computed in float32

    static constexpr option_list<&to_mixed_precision::mixed_precision_type, &to_mixed_precision::missing_op_mode,
                                 &to_mixed_precision::keep>
        options{"mixed_precision_type", "missing_op_mode", "keep"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        auto context = as_module_context<infer_type>(ctx);
        internal::mix_precision(m, context, *this, tutti::config(ctx, keep_results_key));
    }
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/to_mixed_precision.ipp>
#endif
