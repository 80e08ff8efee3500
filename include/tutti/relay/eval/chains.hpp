#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/broadcast.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/relay/eval/block_step.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Finds chains in a code. In a chain, each step applies an elementwise operation to the result of the previous step,
/// and is the only user of that result.
///
/// The first step may also call a kernel of another kind. The results in a chain have the same known shape, and are all
/// float32 or all int32. Other operands are broadcast to this shape.
class chain_finder {
public:
    explicit chain_finder(program& p) : p_(&p) {}

    /// Replaces the steps of each chain by one step.
    ///
    /// Requires: the last uses of the code's slots are known.
    /// Cost:     linear in the code.
    void join(code& c) {
        const plain_vector<char> targets = jump_targets(c);
        plain_vector<step> joined;
        plain_vector<std::uint32_t> moved;
        for (std::uint32_t at = 0; at < c.steps.size();) {
            const std::uint32_t length = chain_from(c, at, targets);
            const auto place = static_cast<std::uint32_t>(joined.size());
            for (std::uint32_t n = 0; n < length; ++n) moved.push_back(place);
            joined.push_back(length == 1 ? c.steps[at] : as_one(c, at, length));
            at += length;
        }
        moved.push_back(static_cast<std::uint32_t>(joined.size()));
        if (joined.size() != c.steps.size()) replace_steps(c, std::move(joined), moved.all());
    }

private:
    /// Reads the shape of a tensor type. False unless the type has the chain's element type and known nonzero sizes.
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

    /// Returns the element type of a chain that begins with this call.
    static dtype element_of(const op_call& called) {
        const type_table& types = called.in->types();
        const type_id type = called.in->type(called.call);
        return types.is_tensor(type) && types.element(type) == dtype::int32 ? dtype::int32 : dtype::float32;
    }

    const op_call& call_of(const step& s) const { return p_->calls[s.target]; }

    const block_step_entry* entry_of(const op_call& called) const { return p_->kernels_of(called).on_blocks; }

    bool argument_shape(const op_call& called, std::uint32_t input, kernel::extents& shape) const {
        const graph& g = *called.in;
        return read_shape(g.types(), g.type(g.arguments(called.call)[input]), shape);
    }
    bool result_shape(const op_call& called, kernel::extents& shape) const {
        return read_shape(called.in->types(), called.in->type(called.call), shape);
    }

    /// Returns the access pattern of an operand that is broadcast to the result's shape.
    static kernel::block_source source_of(const kernel::extents& operand, const kernel::extents& result) {
        return {result, kernel::broadcast_strides(operand, result)};
    }

    /// Adds a call to a chain. The call's input `main` is the chain's previous result. False if the call cannot be a
    /// link.
    bool add_link(op_chain& chain, const code& c, const step& s, std::uint32_t main, const kernel::extents& result) {
        const op_call& called = call_of(s);
        const block_step_entry* entry = entry_of(called);
        if (entry == nullptr) return false;
        block_step read{.type = element_, .what = entry->of(element_)};
        if (entry->read != nullptr) entry->read(*called.in, called.in->call_attributes(called.call), read);
        const bool one = read.what.one != nullptr;
        if ((!one && read.what.two == nullptr) || s.inputs != (one ? 1U : 2U)) return false;
        chain_link made{.call = s.target};
        made.how.what = read.what;
        made.how.parameters[0] = read.parameters[0];
        made.how.parameters[1] = read.parameters[1];
        if (s.inputs == 2) {
            made.how.other_first = main == 1;
            kernel::extents other;
            if (!argument_shape(called, 1 - main, other)) return false;
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
            made.input = static_cast<std::uint32_t>(inputs_.size());
            inputs_.push_back(c.inputs(s)[1 - main]);
        }
        chain.links.push_back(made);
        return true;
    }

    /// Returns the index of the step's input that is the only use of the slot. If there are other uses, returns the
    /// number of inputs.
    static std::uint32_t only_use(const code& c, const step& s, operand_id slot) {
        std::uint32_t found = s.inputs;
        const auto inputs = c.inputs(s);
        for (std::uint32_t n = 0; n < s.inputs; ++n) {
            if (inputs[n] != slot) continue;
            if (found != s.inputs) return s.inputs;
            found = n;
        }
        for (const operand_id o : c.released_by(s))
            if (o == slot) return found;
        return s.inputs;
    }

    /// Adds the chain that begins at a step to the program, and the chain's operands to `inputs_`. Returns the number
    /// of calls in the chain, or 1 if no chain begins at the step.
    std::uint32_t chain_from(const code& c, std::uint32_t first, const plain_vector<char>& targets) {
        const step& head = c.steps[first];
        if (head.what != opcode::call_op || head.outputs != 1) return 1;
        const op_call& called = call_of(head);
        element_ = element_of(called);
        kernel::extents shape;
        if (!result_shape(called, shape)) return 1;
        op_chain made{.first_call = head.target};
        inputs_.clear();
        kernel::extents main;
        if (entry_of(called) != nullptr && argument_shape(called, 0, main) && source_of(main, shape).fits()) {
            inputs_.push_back(c.inputs(head)[0]);
            if (add_link(made, c, head, 0, shape)) made.source = source_of(main, shape);
        }
        if (made.links.empty()) {
            made.kernel_first = called.op->pattern == fusion_pattern::out_elementwise_fusable;
            if (!made.kernel_first || p_->kernels_of(called).rows.empty()) return 1;
            inputs_.clear();
            inputs_.append(c.inputs(head));
        }
        made.first_inputs = head.inputs;
        std::uint32_t length = 1;
        for (; first + length < c.steps.size() && targets[first + length] == 0; ++length) {
            const step& next = c.steps[first + length];
            kernel::extents result;
            if (next.what != opcode::call_op || next.outputs != 1 || !result_shape(call_of(next), result)) break;
            const std::uint32_t use = only_use(c, next, c.outputs(c.steps[first + length - 1])[0]);
            if (use == next.inputs || !kernel::same_shape(result, shape)) break;
            if (!add_link(made, c, next, use, shape)) break;
        }
        if (length > 1) p_->chains.push_back(std::move(made));
        return length;
    }

    /// Returns a step for the chain that was added last.
    step as_one(code& c, std::uint32_t first, std::uint32_t length) {
        step made{.what = opcode::call_chain,
                  .target = static_cast<std::uint32_t>(p_->chains.size() - 1),
                  .first = static_cast<std::uint32_t>(c.operands.size()),
                  .inputs = static_cast<std::uint32_t>(inputs_.size()),
                  .outputs = 1,
                  .first_released = static_cast<std::uint32_t>(c.released.size())};
        c.operands.append(inputs_.all());
        c.operands.push_back(c.outputs(c.steps[first + length - 1])[0]);
        for (std::uint32_t n = 0; n < length; ++n) {
            const step each = c.steps[first + n];
            const operand_id between = n == 0 ? nowhere : c.outputs(c.steps[first + n - 1])[0];
            for (std::uint32_t r = 0; r < each.released; ++r) {
                const operand_id o = c.released[each.first_released + r];
                if (o != between) c.released.push_back(o);
            }
        }
        made.released = static_cast<std::uint32_t>(c.released.size()) - made.first_released;
        return made;
    }

    program* p_;
    // The element type and the inputs of the chain under construction.
    dtype element_ = dtype::float32;
    plain_vector<operand_id> inputs_;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
