#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/relay/eval/memory_plan.hpp>
#include <tutti/relay/eval/op_kernels.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// The location of a step's operand: a slot of the frame by number, a constant of the program, or nowhere.
///
/// A slot holds a tensor or a function; tuples are flattened to several slots. In a program with data types, references
/// or type parameters, a tuple is a value in one slot.
using operand_id = std::uint32_t;

/// Marks an operand as the number of a constant of the program.
inline constexpr operand_id constant_bit = 0x80000000U;
/// The location of an unused result.
inline constexpr operand_id nowhere = 0xFFFFFFFFU;

constexpr bool is_constant(operand_id o) { return (o & constant_bit) != 0; }

/// The operation of a step. The comments end with the meaning of `target`.
enum class opcode : std::uint8_t {
    call_op,      ///< calls an operator: number of the call
    call_chain,   ///< calls several operators as one: number of the chain
    fork,         ///< the next steps are in branches, which may run concurrently: number of the fork
    call_code,    ///< calls a function without captures: its code
    call_closure, ///< calls the first input with the others
    make_closure, ///< makes a function from a code and captures: the code
    move,         ///< copies inputs to outputs
    jump,         ///< jumps: the index of the next step
    jump_unless,  ///< jumps if the input is false: the index of the next step
    release,      ///< only releases slots
    leave,        ///< returns the inputs to the caller
    field,        ///< takes a field of the input: number of the field
    matches,      ///< tests the input against a pattern: number of the pattern
    unpack,       ///< assigns a pattern's variables to the outputs: number of the pattern
    ref_write,    ///< makes the first input refer to the second
    fail,         ///< fails because no clause matches
};

/// A part of a pattern, followed by its fields. `what` is the code of the constructor, `anything` or `bound`.
struct pattern_part {
    static constexpr std::uint32_t anything = 0xFFFFFFFFU;
    static constexpr std::uint32_t bound = 0xFFFFFFFEU; ///< binds a variable

    std::uint32_t what;
    std::uint32_t fields;
};

/// A step of a code. Its inputs, then its outputs, are in the code's list of operands. Another list contains the slots
/// that the step uses last and releases.
struct step {
    opcode what = opcode::release;
    std::uint32_t target = 0;
    std::uint32_t first = 0;
    std::uint32_t inputs = 0;
    std::uint32_t outputs = 0;
    std::uint32_t first_released = 0;
    std::uint32_t released = 0;
};

/// An elementwise operation of a chain. Its other operand, if any, is an input of the step.
struct chain_link {
    static constexpr std::uint32_t no_input = 0xFFFFFFFFU;

    std::uint32_t call = 0; ///< the number of the operator call
    kernel::epilogue_step how{};
    kernel::block_source source{};
    std::uint32_t input = no_input;
};

/// Operator calls, each using the result of the previous one as its only user. They compute one result in one step: a
/// kernel with an epilogue, or elementwise operations alone.
///
/// The step's inputs are those of the first call, then the other operands of the links.
struct op_chain {
    std::uint32_t first_call = 0;
    std::uint32_t first_inputs = 0; ///< how many inputs the first call has
    bool kernel_first = false;      ///< the first call is not a link
    kernel::block_source source{};  ///< without a kernel: the access pattern of the first input
    plain_vector<chain_link> links{};
};

/// Adjacent steps in independent branches that may run concurrently and then join. All the steps call operators, and
/// each result has a place in the plan.
struct fork {
    plain_vector<std::uint32_t> branches{}; ///< the index of each branch's first step
    std::uint32_t join = 0;                 ///< the index after the last branch

    /// The index after the last step of a branch.
    std::uint32_t end(std::size_t branch) const { return branch + 1 == branches.size() ? join : branches[branch + 1]; }
};

/// A lowered function: steps over the slots of a frame, with forward jumps only.
struct code {
    std::string name; ///< the module's function that is or contains this code
    std::uint32_t slots = 0;
    std::uint32_t params = 0;            ///< the first slots are the parameters
    plain_vector<operand_id> captured{}; ///< the slots of a closure's captures
    operand_id self = nowhere;           ///< the slot of the function itself, if it is recursive
    operand_id as_constant = nowhere;    ///< the constant for this function, if it captures nothing
    plain_vector<step> steps{};
    plain_vector<step> single{}; ///< the steps with one call each and without forks, for observers
    plain_vector<operand_id> operands{};
    plain_vector<operand_id> released{};

    std::span<const operand_id> inputs(const step& s) const { return {operands.data() + s.first, s.inputs}; }
    std::span<const operand_id> outputs(const step& s) const {
        return {operands.data() + s.first + s.inputs, s.outputs};
    }
    std::span<const operand_id> released_by(const step& s) const {
        return {released.data() + s.first_released, s.released};
    }
};

/// Replaces the steps of a code and retargets their jumps. `moved` holds the new index of each step, and of the end.
inline void replace_steps(code& c, plain_vector<step> steps, std::span<const std::uint32_t> moved) {
    for (step& s : steps)
        if (s.what == opcode::jump || s.what == opcode::jump_unless) s.target = moved[s.target];
    c.steps = std::move(steps);
}

/// Marks jump targets: returns a nonzero value for each step of a code, or for its end, to which a jump leads.
inline plain_vector<char> jump_targets(const code& c) {
    plain_vector<char> targets(c.steps.size() + 1, 0);
    for (const step& s : c.steps)
        if (s.what == opcode::jump || s.what == opcode::jump_unless) targets[s.target] = 1;
    return targets;
}

/// An operator call in a program.
struct op_call {
    const op_def* op = nullptr;
    std::uint32_t kernels = 0; ///< in `program::kernels`
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
    vector<op_kernels> kernels; ///< one for each operator that is called
    plain_vector<program_constant> constants;
    vector<op_chain> chains;
    vector<fork> forks;

    // A value of a data type, tuple or reference is a function that captures its fields and is never called; its code
    // identifies it. A constructor's code is also the code of the function that makes such values.
    bool boxed = false;                  ///< tuples are one slot
    std::uint32_t first_constructor = 0; ///< the first constructor's code; others follow, then `tuple` and `reference`
    std::uint32_t tuple = 0;
    std::uint32_t reference = 0;
    plain_vector<pattern_part> patterns;

    memory_plan memory; ///< of the entry's values

    /// The kernels of a call.
    const op_kernels& kernels_of(const op_call& called) const { return kernels[called.kernels]; }
    /// True if a step calls operators.
    static bool calls_ops(const step& s) { return s.what == opcode::call_op || s.what == opcode::call_chain; }
    /// The number of the first call of a step that calls operators.
    std::uint32_t first_call(const step& s) const {
        return s.what == opcode::call_chain ? chains[s.target].first_call : s.target;
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
