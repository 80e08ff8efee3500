#pragma once

#include <tutti/base/described.hpp>
#include <tutti/base/form.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <cstdint>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// The options of FoldConstant.
struct fold_limits {
    bool fold_qnn;
    std::uint64_t max_bytes;
    std::uint64_t max_work;
};

TUTTI_CONSTEXPR void fold_constants(ir_module& m, module_context&& ctx, const fold_limits& limits,
                                    const kernel_set& kernels);

} // namespace detail

/// Evaluates operator calls with constant arguments, and shapes known from inferred types. Resolves known
/// tuple fields, if branches and let values.
///
/// Skips: operators without a kernel, stateful ones, and results whose shape depends on values; calls without
/// arguments; bodies of primitive functions; calls beyond `max_bytes` or `max_work`; and calls whose kernel refuses the
/// operands, for example an index out of range. Such a call must fail only when it is run.
///
/// Cost:   linear in the graph, plus the kernels.
/// Throws: `tutti::error` if a call's arguments do not fit its operator; the module is unchanged.
struct fold_constant {
    static constexpr pass_info info{.name = "FoldConstant", .opt_level = 2};
    using gives = tutti::properties<typed>;
    using breaks = tutti::properties<in_a_normal_form>;

    bool fold_qnn = false; ///< also fold operators on quantised numbers (`qnn.…`); later passes may match these

    /// Limit on the bytes of new constants in all functions, in addition to those of the existing constants.
    std::uint64_t max_bytes = std::uint64_t{1} << 28;
    /// Limit on multiplications and window cells computed for one constant.
    std::uint64_t max_work = std::uint64_t{1} << 30;
    /// The kernels that evaluate the calls; null for `kernels::reference()`.
    const kernel_set* kernels = nullptr;

    constexpr bool is_partwise() const { return kernels == nullptr; } // a text does not name kernels

    static constexpr option_list<&fold_constant::fold_qnn, &fold_constant::max_bytes, &fold_constant::max_work> options{
        "fold_qnn", "max_bytes", "max_work"};

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        detail::fold_constants(m, as_module_context<infer_type>(ctx), {fold_qnn, max_bytes, max_work},
                               kernels != nullptr ? *kernels : kernels::reference());
    }
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/passes/fold_constant.ipp>
#endif
