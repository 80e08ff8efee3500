#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <concepts>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM {

struct block_step_entry; // relay/eval/block_step.hpp
struct invocation;       // relay/op/invocation.hpp
struct kernel_entry;     // relay/eval/kernel_entry.hpp
struct prepared_call;    // relay/eval/kernel_entry.hpp

/// Kernels for operators, as a type: `find` returns the kernel for an operator, or null. A custom set can delegate to
/// another:
///     struct my_kernels {
///         static constexpr kernel_function find(const op_def& op) {
///             if (op.name == "nn.conv2d") return my_conv2d;
///             return kernels::reference::find(op);
///         }
///     };
template <class Set>
concept kernel_set = requires(const op_def& op) {
    { Set::find(op) } -> std::same_as<kernel_function>;
};

/// Returns the kernel for an operator, or null.
using kernel_finder = kernel_function (*)(const op_def&);

/// The finder of a set: `Set::find`.
template <kernel_set Set>
constexpr kernel_finder kernels_of() {
    return [](const op_def& op) { return Set::find(op); };
}

/// Returns the operation of an operator on a block, or null to call its kernel.
using block_step_finder = const block_step_entry* (*)(const op_def&);

/// The finder of a set: `Set::find_block_step`, or null. The operation must equal the set's kernel for the operator.
template <kernel_set Set>
constexpr block_step_finder block_steps_of() {
    if constexpr (requires(const op_def& op) {
                      { Set::find_block_step(op) } -> std::same_as<const block_step_entry*>;
                  })
        return [](const op_def& op) { return Set::find_block_step(op); };
    else
        return nullptr;
}

/// Prepares a call when an evaluator is made, for example by packing its weights: once, for all runs and threads.
///
/// The invocation has no results and no kept state. Inputs with `is_constant` have the same values in every run; for
/// others only type and shape may be read, and they are `empty()` if these are unknown. The elements of constants
/// belong to the program; prepared data is separate.
///
/// If it throws, the call is unchanged, and its kernel reports the error when it is run.
using prepare_function = prepared_call (*)(const invocation&);

/// Returns the preparation for calls of an operator, or null.
using prepare_finder = prepare_function (*)(const op_def&);

/// The finder of a set: `Set::find_prepare`, or null. The kernel from `Set::find` must accept the prepared data.
template <kernel_set Set>
constexpr prepare_finder prepares_of() {
    if constexpr (requires(const op_def& op) {
                      { Set::find_prepare(op) } -> std::same_as<prepare_function>;
                  })
        return [](const op_def& op) { return Set::find_prepare(op); };
    else
        return nullptr;
}

/// The memory of a kernel's first result.
enum class result_memory : std::uint8_t {
    own,        ///< separate from its operands
    overwrites, ///< may overwrite an operand of the same type and shape: reads an element before writing it
    shares,     ///< shares the first operand's memory, if that has the result's element type
};

/// Returns the memory of the result of an operator's kernel.
using result_memory_finder = result_memory (*)(const op_def&);

/// The finder of a set: `Set::find_result_memory`, or null; then each result has separate memory.
template <kernel_set Set>
constexpr result_memory_finder result_memory_of() {
    if constexpr (requires(const op_def& op) {
                      { Set::find_result_memory(op) } -> std::same_as<result_memory>;
                  })
        return [](const op_def& op) { return Set::find_result_memory(op); };
    else
        return nullptr;
}

/// True if the operator's kernel may run concurrently with others: it writes only to its result and its own state, and
/// its loops run on the given executor.
using concurrent_finder = bool (*)(const op_def&);

/// The finder of a set: `Set::is_concurrent`, or null; then its kernels run in sequence.
template <kernel_set Set>
constexpr concurrent_finder concurrent_of() {
    if constexpr (requires(const op_def& op) {
                      { Set::is_concurrent(op) } -> std::same_as<bool>;
                  })
        return [](const op_def& op) { return Set::is_concurrent(op); };
    else
        return nullptr;
}

/// A kernel set as a value: the functions of a set, null where it has none.
struct kernel_functions {
    kernel_finder find = nullptr;
    block_step_finder find_block_step = nullptr;
    prepare_finder find_prepare = nullptr;
    result_memory_finder find_result_memory = nullptr;
    concurrent_finder is_concurrent = nullptr;
};

/// The functions of a set.
template <kernel_set Set>
constexpr kernel_functions functions_of() {
    return {kernels_of<Set>(), block_steps_of<Set>(), prepares_of<Set>(), result_memory_of<Set>(),
            concurrent_of<Set>()};
}

} // namespace tutti::relay::inline TUTTI_FORM
