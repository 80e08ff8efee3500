#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/broadcast.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/relay/eval/block_step.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Finds chains in a code: sequences of instructions, each using the result of the previous one as its only user, that
/// apply elementwise operations.
///
/// A chain has tensors of one known shape, all float32 or all int32. Other operands are broadcast to it.
class chain_finder {
public:
    chain_finder(program& p, block_step_finder find) : p_(&p), find_(find) {}

    /// Requires: the last uses of the code's slots are known.
    /// Cost:     linear in the code.
    void note(code& c) {
        plain_vector<char> joined(c.instructions.size() + 1, 0); // targets of jumps
        for (const instruction& i : c.instructions)
            if (i.what == opcode::jump || i.what == opcode::jump_unless) joined[i.target] = 1;
        for (std::size_t at = 0; at < c.instructions.size();) at = note_from(c, at, joined);
    }

private:
    /// Reads the shape of a tensor of the chain's element type with known nonzero sizes; false for other types.
    bool read_shape(const type_table& types, type_id type, kernel::extents& shape) const {
        if (!types.is_tensor(type) || types.element(type) != element_) return false;
        if (types.shape(type).size() > kernel::max_rank) return false;
        shape = {};
        for (const dim d : types.shape(type)) {
            if (d.is_any() || d.value() == 0) return false;
            shape.push_back(d.value());
        }
        return true;
    }

    /// The type of a chain that begins with this call.
    static dtype element_of(const op_call& called) {
        const type_table& types = called.in->types();
        const type_id type = called.in->type(called.call);
        return types.is_tensor(type) && types.element(type) == dtype::int32 ? dtype::int32 : dtype::float32;
    }

    const op_call& call_of(const instruction& i) const { return p_->calls[i.target]; }

    const block_step_entry* entry_of(const op_call& called) const {
        return called.kernel == nullptr ? nullptr : find_(*called.op);
    }

    bool argument_shape(const op_call& called, std::uint32_t input, kernel::extents& shape) const {
        const graph& g = *called.in;
        return read_shape(g.types(), g.type(g.arguments(called.call)[input]), shape);
    }
    bool result_shape(const op_call& called, kernel::extents& shape) const {
        return read_shape(called.in->types(), called.in->type(called.call), shape);
    }

    /// The access pattern of an operand broadcast to the result's shape.
    static kernel::block_source source_of(const kernel::extents& operand, const kernel::extents& result) {
        return {result, kernel::broadcast_strides(operand, result)};
    }

    /// Adds the operation of a call on its input `main`; false if it is not a step.
    bool add_step(const instruction& i, std::uint32_t main, std::uint32_t place, const kernel::extents& result) {
        const op_call& called = call_of(i);
        const block_step_entry* entry = entry_of(called);
        if (entry == nullptr) return false;
        block_step read{.type = element_, .what = entry->of(element_)};
        if (entry->read != nullptr) entry->read(*called.in, called.in->call_attributes(called.call), read);
        const bool one = read.what.one != nullptr;
        if ((!one && read.what.two == nullptr) || i.inputs != (one ? 1U : 2U)) return false;
        chain_step made{.instruction = place};
        made.how.what = read.what;
        made.how.parameters[0] = read.parameters[0];
        made.how.parameters[1] = read.parameters[1];
        if (i.inputs == 2) {
            made.input = 1 - main;
            made.how.other_first = main == 1;
            kernel::extents other;
            if (!argument_shape(called, made.input, other)) return false;
            if (read.along_axis) {
                const std::int64_t axis =
                    read.axis < 0 ? read.axis + static_cast<std::int64_t>(result.size()) : read.axis;
                if (main != 0) return false;
                kernel::extents strides(result.size(), 0);
                strides[static_cast<std::size_t>(axis)] = 1;
                made.source = {result, strides};
            } else {
                made.source = source_of(other, result);
            }
            if (!made.source.fits()) return false;
        }
        p_->chain_steps.push_back(made);
        return true;
    }

    /// Returns the input of an instruction that is the only use of the slot; an invalid index otherwise.
    static std::uint32_t only_use(const code& c, const instruction& i, operand_id slot) {
        std::uint32_t found = i.inputs;
        const auto inputs = c.inputs(i);
        for (std::uint32_t n = 0; n < i.inputs; ++n) {
            if (inputs[n] != slot) continue;
            if (found != i.inputs) return i.inputs;
            found = n;
        }
        for (const operand_id o : c.released_by(i))
            if (o == slot) return found;
        return i.inputs;
    }

    /// Records the chain that begins at an instruction, if any. Returns where to continue the search.
    std::size_t note_from(code& c, std::size_t first, const plain_vector<char>& joined) {
        instruction& head = c.instructions[first];
        kernel::extents shape;
        if (head.what != opcode::call_op || head.outputs != 1) return first + 1;
        element_ = element_of(call_of(head));
        if (!result_shape(call_of(head), shape)) return first + 1;
        op_chain made{.length = 1, .type = element_, .last_call = head.target};
        made.first_step = static_cast<std::uint32_t>(p_->chain_steps.size());
        kernel::extents main;
        if (entry_of(call_of(head)) != nullptr && argument_shape(call_of(head), 0, main) &&
            source_of(main, shape).fits() && add_step(head, 0, 0, shape)) {
            made.main_source = source_of(main, shape);
        } else {
            made.kernel_first = call_of(head).op->pattern == fusion_pattern::out_elementwise_fusable;
            if (!made.kernel_first || call_of(head).kernel == nullptr) return first + 1;
        }
        for (std::size_t at = first + 1; at < c.instructions.size() && joined[at] == 0; ++at) {
            const instruction& next = c.instructions[at];
            kernel::extents result;
            if (next.what != opcode::call_op || next.outputs != 1 || !result_shape(call_of(next), result)) break;
            const std::uint32_t use = only_use(c, next, c.outputs(c.instructions[at - 1])[0]);
            if (use == next.inputs || !kernel::same_shape(result, shape)) break;
            if (!add_step(next, use, static_cast<std::uint32_t>(at - first), shape)) break;
            ++made.length;
            made.last_call = next.target;
        }
        made.steps = static_cast<std::uint32_t>(p_->chain_steps.size()) - made.first_step;
        if (made.length == 1) {
            p_->chain_steps.shorten(made.first_step);
            return first + 1;
        }
        p_->chains.push_back(made);
        head.chain = static_cast<std::uint32_t>(p_->chains.size());
        return first + made.length;
    }

    program* p_;
    block_step_finder find_;
    dtype element_ = dtype::float32; // of the chain
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
