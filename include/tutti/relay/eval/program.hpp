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

/// The location of a step's operand: a slot of the frame, a constant of the program, or nowhere.
///
/// A slot holds a tensor or a function, and a tuple is flattened to several slots. In a program with data types,
/// references or type parameters, a tuple occupies one slot.
using operand_id = std::uint32_t;

/// Marks an operand as a constant; the other bits are the index of the constant.
inline constexpr operand_id constant_bit = 0x80000000U;
/// The location of an unused result.
inline constexpr operand_id nowhere = 0xFFFFFFFFU;

constexpr bool is_constant(operand_id o) { return (o & constant_bit) != 0; }

/// The operation of a step. The comments end with the meaning of `target`.
enum class opcode : std::uint8_t {
    call_op,      ///< calls an operator: index of the call
    call_chain,   ///< calls several operators as one: index of the chain
    fork,         ///< starts branches that may run concurrently: index of the fork
    call_code,    ///< calls a function without captures: index of its code
    call_closure, ///< calls the first input with the other inputs
    make_closure, ///< creates a function from a code object and captured values; operand: index of the code
    move,         ///< copies inputs to outputs
    jump,         ///< jumps: index of the next step
    jump_unless,  ///< jumps if the input is false: index of the next step
    release,      ///< only releases slots
    leave,        ///< returns the inputs to the caller
    field,        ///< returns a field of the input: index of the field
    matches,      ///< tests the input against a pattern: index of the pattern
    unpack,       ///< assigns a pattern's variables to the outputs: index of the pattern
    ref_write,    ///< makes the first input refer to the second
    fail,         ///< fails because no clause matches
};

/// A part of a pattern. The parts for its fields follow. `what` is the code of a constructor, `anything` or `bound`.
struct pattern_part {
    static constexpr std::uint32_t anything = 0xFFFFFFFFU;
    static constexpr std::uint32_t bound = 0xFFFFFFFEU; ///< binds a variable

    std::uint32_t what;
    std::uint32_t fields;
};

/// A step of a code. `code::operands` holds the step's inputs, followed by its outputs. `code::released` holds the
/// slots that the step is the last to use and releases.
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

    std::uint32_t call = 0; ///< the index of the operator call
    kernel::epilogue_step how{};
    kernel::block_source source{};
    std::uint32_t input = no_input;
};

/// A chain of operator calls. Each call is the only user of the result of the call before it. One step runs the whole
/// chain as a kernel with an epilogue, or as elementwise operations alone.
///
/// The step's inputs are the inputs of the first call, followed by the other operands of the links.
struct op_chain {
    std::uint32_t first_call = 0;
    std::uint32_t first_inputs = 0; ///< number of inputs of the first call
    bool kernel_first = false;      ///< a kernel runs the first call, which is not a link
    kernel::block_source source{};  ///< the access pattern of the first input, if `kernel_first` is false
    plain_vector<chain_link> links{};
};

/// Adjacent steps that form independent branches. The branches may run concurrently and then join. All the steps call
/// operators, and the memory plan has a buffer for each result.
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
    std::uint32_t params = 0;            ///< the parameters are in the first slots
    plain_vector<operand_id> captured{}; ///< the slots of a closure's captures
    operand_id self = nowhere;           ///< the slot of the function itself, if it is recursive
    operand_id as_constant = nowhere;    ///< the constant for this function, if it captures nothing
    plain_vector<step> steps{};
    plain_vector<step> single{}; ///< the steps for runs with observers: one call per step, no forks
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

/// Replaces the steps of a code and retargets the jumps of the new steps. `moved` is indexed by old step and holds the
/// new indices; its last element is for the end of the code.
inline void replace_steps(code& c, plain_vector<step> steps, std::span<const std::uint32_t> moved) {
    for (step& s : steps)
        if (s.what == opcode::jump || s.what == opcode::jump_unless) s.target = moved[s.target];
    c.steps = std::move(steps);
}

/// Returns a nonzero value for each jump target, indexed by step. The last value is for the end of the code.
inline plain_vector<char> jump_targets(const code& c) {
    plain_vector<char> targets(c.steps.size() + 1, 0);
    for (const step& s : c.steps)
        if (s.what == opcode::jump || s.what == opcode::jump_unless) targets[s.target] = 1;
    return targets;
}

/// An operator call in a program.
struct op_call {
    const op_def* op = nullptr;
    std::uint32_t kernels = 0; ///< index in `program::kernels`
    const graph* in = nullptr;
    expr_id call = expr_id::none;
};

/// A constant of a program: a tensor or, if `value` is null, a function without captures.
struct program_constant {
    const tensor* value = nullptr;
    std::uint32_t code = 0;
};

/// A lowered module with the kernels for its calls. It refers to the module's graphs.
struct program {
    vector<code> codes;
    std::uint32_t entry = 0;
    plain_vector<op_call> calls;
    vector<op_kernels> kernels; ///< one element for each operator that is called
    plain_vector<program_constant> constants;
    vector<op_chain> chains;
    vector<fork> forks;

    // A value of a data type, a tuple or a reference is a function that captures the value's fields and is never
    // called. Its code identifies the constructor, `tuple` or `reference`. A constructor's code is also the code of the
    // function that creates such values.
    bool boxed = false;                  ///< a tuple occupies one slot
    std::uint32_t first_constructor = 0; ///< the first constructor's code; others follow, then `tuple` and `reference`
    std::uint32_t tuple = 0;
    std::uint32_t reference = 0;
    plain_vector<pattern_part> patterns;

    memory_plan memory; ///< for the entry's values

    /// Returns the kernels of a call.
    const op_kernels& kernels_of(const op_call& called) const { return kernels[called.kernels]; }
    /// True if a step calls operators.
    static bool calls_ops(const step& s) { return s.what == opcode::call_op || s.what == opcode::call_chain; }
    /// Returns the index of a step's first call. Requires: `calls_ops(s)`.
    std::uint32_t first_call(const step& s) const {
        return s.what == opcode::call_chain ? chains[s.target].first_call : s.target;
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
