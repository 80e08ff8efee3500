#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/memory_plan.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// The location of a value for an instruction: a slot of the frame by number, a constant of the program, or nowhere.
///
/// A slot holds a tensor or a function; tuples are flattened to several slots. In a program with data types, references
/// or type parameters, a tuple is a value in one slot.
using operand_id = std::uint32_t;

/// Marks an operand as the number of a constant of the program.
inline constexpr operand_id constant_bit = 0x80000000U;
/// An unused result.
inline constexpr operand_id nowhere = 0xFFFFFFFFU;

constexpr bool is_constant(operand_id o) { return (o & constant_bit) != 0; }

/// The operation of an instruction; the meaning of `target` follows.
enum class opcode : std::uint8_t {
    call_op,      ///< calls an operator: number of the call
    call_code,    ///< calls a function without captures: its code
    call_closure, ///< calls the first input with the others
    make_closure, ///< makes a function from a code and captures: the code
    move,         ///< copies inputs to outputs
    jump,         ///< jumps: the index
    jump_unless,  ///< jumps if the input is false: the index
    release,      ///< only releases
    leave,        ///< returns the inputs to the caller
    field,        ///< takes a field of the input: its number
    matches,      ///< tests the input against a pattern: its number
    unpack,       ///< assigns a pattern's variables to the outputs: its number
    ref_write,    ///< makes the first input refer to the second
    fail,         ///< fails because no clause matches
};

/// A part of a pattern, followed by its fields: the code of the constructor, or one of these.
struct pattern_part {
    static constexpr std::uint32_t anything = 0xFFFFFFFFU;
    static constexpr std::uint32_t bound = 0xFFFFFFFEU; ///< to a variable

    std::uint32_t what;
    std::uint32_t fields;
};

/// A step of a code. Its operands are in the code's list: inputs, then outputs; another list has the slots that it uses
/// last and releases.
struct instruction {
    opcode what = opcode::release;
    std::uint32_t target = 0;
    std::uint32_t first = 0;
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
    std::uint32_t first_released = 0;
    std::uint32_t released = 0;
    std::uint32_t chain = 0;    ///< the chain that begins here, from 1; 0 if none
    std::uint32_t branches = 0; ///< the group of branches that begins here, from 1; 0 if none
};

/// A step of a chain without the operand's elements, which are an input of the instruction.
struct chain_step {
    static constexpr std::uint32_t no_input = 0xFFFFFFFFU;

    kernel::epilogue_step how{};
    kernel::block_source source{};
    std::uint32_t input = no_input;
    std::uint32_t instruction = 0; ///< offset from the chain's first instruction
};

/// Adjacent operator calls, each using the result of the previous one as its only user. They compute one result: a
/// kernel with an epilogue, or steps alone.
struct op_chain {
    std::uint32_t length = 0; ///< number of instructions
    bool kernel_first = false;
    dtype type = dtype::float32; ///< of all results: float32 or int32
    std::uint32_t main = 0;      ///< without a kernel: the first instruction's input for the first step
    kernel::block_source main_source{};
    std::uint32_t last_call = 0; ///< the number of the last call
    std::uint32_t first_step = 0;
    std::uint32_t steps = 0;
};

/// Adjacent instructions in independent parts, which may run in parallel. They call operators, and each result has a
/// place in the plan.
struct branch_group {
    std::uint32_t first_part = 0; ///< the index of the parts' begins in the program's list
    std::uint32_t parts = 0;
    std::uint32_t end = 0; ///< past the last instruction
};

/// A lowered function: steps over the slots of a frame, with forward jumps only.
struct code {
    std::string name; ///< of the module's function that is or contains it
    std::uint32_t slots = 0;
    std::uint32_t params = 0;            ///< the first slots are the parameters
    plain_vector<operand_id> captured{}; ///< the slots of a closure's captures
    operand_id self = nowhere;           ///< the slot of the function itself, if it is recursive
    operand_id as_constant = nowhere;    ///< the constant for this function, if it captures nothing
    plain_vector<instruction> instructions{};
    plain_vector<operand_id> operands{};
    plain_vector<operand_id> released{};

    std::span<const operand_id> inputs(const instruction& i) const { return {operands.data() + i.first, i.inputs}; }
    std::span<const operand_id> outputs(const instruction& i) const {
        return {operands.data() + i.first + i.inputs, i.outputs};
    }
    std::span<const operand_id> released_by(const instruction& i) const {
        return {released.data() + i.first_released, i.released};
    }
};

/// An operator call in a program.
struct op_call {
    const op_def* op = nullptr;
    kernel_function kernel = nullptr;
    const graph* in = nullptr;
    expr_id call = expr_id::none;
};

/// A constant of a program: a tensor or, if null, a function without captures.
struct program_constant {
    const tensor* value = nullptr;
    std::uint32_t code = 0;
};

/// A lowered module with kernels for its calls; refers to the module's graphs.
struct program {
    vector<code> codes;
    std::uint32_t entry = 0;
    plain_vector<op_call> calls;
    plain_vector<program_constant> constants;
    plain_vector<op_chain> chains;
    plain_vector<chain_step> chain_steps;
    plain_vector<branch_group> branch_groups;
    plain_vector<std::uint32_t> branch_parts; ///< indexed by part: its first instruction

    // A value of a data type, tuple or reference is a function that captures its fields and is never called; its code
    // identifies it. A constructor's code is also the code of the function that makes such values.
    bool boxed = false;                  ///< tuples are one slot
    std::uint32_t first_constructor = 0; ///< the codes of the module's constructors in order, then these two
    std::uint32_t tuple = 0;
    std::uint32_t reference = 0;
    plain_vector<pattern_part> patterns;

    memory_plan memory;                         ///< of the entry's values
    result_memory_finder find_memory = nullptr; ///< used to make it

    /// The number of instructions that run as one step: those of the chain that begins here, or one.
    std::uint32_t step_length(const instruction& first) const {
        return first.chain == 0 ? 1 : chains[first.chain - 1].length;
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
