#pragma once

#include <tutti/kernel/epilogue.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/memory_plan.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/vector.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tutti::relay::detail {

/// Where an instruction finds or puts a value: a slot of the frame, by number; a constant of the program; or
/// nowhere.
///
/// A slot holds a tensor or a function: tuples are taken apart, they are several slots. But in a program with data types, references
/// or type parameters, a tuple is a value like those: one slot.
using operand_id = std::uint32_t;

/// With this bit, an operand is the number of a constant of the program.
inline constexpr operand_id constant_bit = 0x80000000U;
/// A result that nothing uses.
inline constexpr operand_id nowhere = 0xFFFFFFFFU;

constexpr bool is_constant(operand_id o) { return (o & constant_bit) != 0; }

/// What an instruction does with its inputs and outputs; `target` is said behind it.
enum class opcode : std::uint8_t {
    call_op,      ///< calls an operator: the number of the operator's call
    call_code,    ///< calls a function that captures nothing: its code
    call_closure, ///< calls the first input, with the others
    make_closure, ///< makes a function of a code and of what it captures: the code
    move,         ///< puts the inputs into the outputs
    jump,         ///< goes on elsewhere: the place
    jump_unless,  ///< goes on elsewhere if the input is false: the place
    release,      ///< only releases
    leave,        ///< returns the inputs to the caller
    field,        ///< takes a field of the input: its number
    matches,      ///< says whether the input fits a pattern: its number
    unpack,       ///< puts what a pattern's variables are bound to into the outputs: its number
    ref_write,    ///< makes the first input refer to the second
    fail,         ///< there is no clause for the value of a match
};

/// A part of a pattern, its fields behind it: the code of the constructor that it must be made by, or one of these.
struct pattern_part {
    static constexpr std::uint32_t anything = 0xFFFFFFFFU;
    static constexpr std::uint32_t bound = 0xFFFFFFFEU; ///< to a variable

    std::uint32_t what;
    std::uint32_t fields;
};

/// One step of a code. Its operands are in the code's list: inputs, then outputs; the slots that it uses
/// last, and that are released with it, in another.
struct instruction {
    opcode what = opcode::release;
    std::uint32_t target = 0;
    std::uint32_t first = 0;
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
    std::uint32_t first_released = 0;
    std::uint32_t released = 0;
    std::uint32_t chain = 0;    ///< the number of the chain that begins here, from 1; 0 if there is none
    std::uint32_t branches = 0; ///< the same of groups of branches
};

/// A step of a chain but for the operand's elements, which are those of an input of the instruction.
struct chain_step {
    static constexpr std::uint32_t no_input = 0xFFFFFFFFU;

    kernel::epilogue_step how{};
    kernel::block_source source{};
    std::uint32_t input = no_input;
    std::uint32_t instruction = 0; ///< how far behind the chain's first
};

/// Neighbouring instructions that call operators, each with the result of the one before, which nothing else uses. They make one
/// result: a kernel's, with an epilogue, or one of steps alone.
struct op_chain {
    std::uint32_t length = 0; ///< in instructions
    bool kernel_first = false;
    dtype type = dtype::float32; ///< of all results, or int32
    std::uint32_t main = 0;      ///< else: which input of the first instruction the first step is done to
    kernel::block_source main_source{};
    std::uint32_t last_call = 0; ///< the number of the last operator's call
    std::uint32_t first_step = 0;
    std::uint32_t steps = 0;
};

/// Neighbouring instructions that fall into parts none of which uses what another makes: these may run at once. They call operators,
/// and there is a place for each result.
struct branch_group {
    std::uint32_t first_part = 0; ///< where the parts begin is in the program's list
    std::uint32_t parts = 0;
    std::uint32_t end = 0; ///< behind the last instruction
};

/// A function made flat: steps over the slots of a frame, that jump only forward.
struct code {
    std::string name; ///< of the module's function that it is, or is in
    std::uint32_t slots = 0;
    std::uint32_t params = 0;            ///< the first slots are the parameters
    plain_vector<operand_id> captured{}; ///< the slots of what a closure brings
    operand_id self = nowhere;           ///< the slot of the function itself, if it uses itself
    operand_id as_constant = nowhere;    ///< the constant that is this function, if it captures nothing
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

/// A call of an operator in a program.
struct op_call {
    const op_def* op = nullptr;
    kernel_function kernel = nullptr;
    const graph* in = nullptr;
    expr_id call = expr_id::none;
};

/// A constant of a program: a tensor, or, if that is null, a function that captures nothing.
struct program_constant {
    const tensor* value = nullptr;
    std::uint32_t code = 0;
};

/// A module made flat, with kernels for its calls; it refers to the module's graphs.
struct program {
    vector<code> codes;
    std::uint32_t entry = 0;
    plain_vector<op_call> calls;
    plain_vector<program_constant> constants;
    plain_vector<op_chain> chains;
    plain_vector<chain_step> chain_steps;
    plain_vector<branch_group> branch_groups;
    plain_vector<std::uint32_t> branch_parts; ///< by part: its first instruction

    // A value of a data type, a tuple, a reference is a function that captured its fields and is never called; its code says which.
    // A constructor's code is also that of the function which makes such values.
    bool boxed = false;                  ///< tuples are one slot
    std::uint32_t first_constructor = 0; ///< the codes of the module's constructors, in their order; then these two
    std::uint32_t tuple = 0;
    std::uint32_t reference = 0;
    plain_vector<pattern_part> patterns;

    memory_plan memory;                         ///< of the entry's values
    result_memory_finder find_memory = nullptr; ///< what it was made with
};

} // namespace tutti::relay::detail
