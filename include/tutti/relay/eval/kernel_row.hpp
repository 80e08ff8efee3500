#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <concepts>
#include <cstdint>
#include <memory>

namespace tutti::relay::inline TUTTI_FORM {

struct block_step_entry; // relay/eval/block_step.hpp

/// Prepares a call, for example by packing weights, when an evaluator is constructed. The result serves all runs and
/// threads. Returns the value of `invocation::prepared`, or null if there is nothing to prepare.
///
/// The invocation has no results and no kept state. Inputs with `is_constant` have the same values in every run. Of
/// other inputs, only the type and shape may be read. If these are unknown, the input is `empty()`. The program owns
/// the elements of constants. Prepared data is stored separately.
///
/// If the preparation throws, the call stays unprepared, and its kernel reports the error when the call runs.
using prepare_function = std::shared_ptr<void> (*)(const invocation&);

/// The memory of a kernel's first result.
enum class result_memory : std::uint8_t {
    own,        ///< separate from the operands' memory
    overwrites, ///< may be that of an operand of equal type and shape: each element is read before it is written
    shares,     ///< the first operand's memory, if that operand has the result's element type
};

/// A kernel of an operator, and its properties for an evaluator.
struct kernel_row {
    const op_def* op = nullptr;
    /// The kernel. If it returns false, the operator's next kernel computes the call.
    kernel_function run = nullptr;
    /// Prepares calls; null if there is nothing to prepare.
    prepare_function prepare = nullptr;
    result_memory memory = result_memory::own;
    /// Decodes the attributes once per call site; null if the kernel reads them itself.
    attribute_decoder decode = nullptr;
    /// True if calls may run concurrently with other calls. The kernel must write only to its results and its own
    /// state, and run its loops on the invocation's executor.
    bool concurrent = false;
    /// The operator as an operation on blocks, for chains of elementwise calls, or null if it has no such form. The
    /// operation must compute the same results as the kernel.
    const block_step_entry* on_blocks = nullptr;
};

namespace detail {

template <class Attributes, class P>
std::shared_ptr<void> run_preparation(const invocation& call) {
    if (call.decoded != nullptr) return P{}(call, *static_cast<const Attributes*>(call.decoded));
    return P{}(call, get_attributes<Attributes>(*call.program, call.attributes));
}

} // namespace detail

/// Returns a kernel that calls `F`, a stateless function object, with an invocation and the attributes of `Op`.
///
/// `F` returns void or bool. If it does not support the call, it must return false and have no effect.
template <class Op, class F>
constexpr kernel_row kernel_for(F, result_memory memory = result_memory::own) {
    return {.op = &definition<Op>,
            .run = &detail::run_kernel<typename Op::attributes, F>,
            .memory = memory,
            .decode = detail::decoder_of<typename Op::attributes>};
}

/// Returns a kernel with a preparation `P`, a stateless function object. `P` is called like `F`, and returns a
/// `std::shared_ptr<void>` (see `prepare_function`).
template <class Op, class F, class P>
    requires(!std::same_as<P, result_memory>)
constexpr kernel_row kernel_for(F f, P) {
    kernel_row made = kernel_for<Op>(f);
    made.prepare = &detail::run_preparation<typename Op::attributes, P>;
    return made;
}

} // namespace tutti::relay::inline TUTTI_FORM
