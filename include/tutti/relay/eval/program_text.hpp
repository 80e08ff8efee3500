#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/memory_plan.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Writes a program with its memory plan: the steps of each function, and the buffers of the entry's values.
///
/// `%3` is a slot of the frame, `c3` a constant, `b3` a buffer, and `^` the result of the previous call in a chain. A
/// jump is written with the index of the next step. The pieces of memory are those of `memory_plan`: the arena, and
/// pieces that finally hold a result.
class program_writer {
public:
    program_writer(const program& p, const memory_plan& plan)
        : p_(&p), plan_(&plan), buffer_of_(p.codes[p.entry].slots, buffer::none) {}

    std::string text() && {
        for (std::uint32_t n = 0; n < p_->codes.size(); ++n)
            if (!p_->codes[n].steps.empty()) write_code(n);
        write_buffers();
        return std::move(text_);
    }

private:
    void number(std::uint64_t n) { append_number(text_, static_cast<std::int64_t>(n)); }

    void operand(operand_id o) {
        if (o == nowhere) return void(text_ += '_');
        text_ += is_constant(o) ? 'c' : '%';
        number(o & ~constant_bit);
    }

    void operands(std::span<const operand_id> all) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i > 0) text_ += ", ";
            operand(all[i]);
        }
    }

    void write_code(std::uint32_t n) {
        const code& c = p_->codes[n];
        text_ += n == p_->entry ? "entry " : "function ";
        number(n);
        text_.append(", @").append(c.name).append(": ");
        number(c.slots);
        text_ += " slots, ";
        number(c.params);
        text_ += " of them parameters\n";
        const fork* open = nullptr; // the fork whose branches contain the step
        for (std::uint32_t at = 0; at < c.steps.size(); ++at) {
            if (open != nullptr && std::ranges::find(open->branches, at) != open->branches.end()) text_ += "  branch\n";
            write_step(c, at);
            if (c.steps[at].what == opcode::fork) open = &p_->forks[c.steps[at].target];
            if (open != nullptr && at + 1 == open->join) {
                text_ += "  join\n";
                open = nullptr;
            }
        }
    }

    void write_step(const code& c, std::uint32_t at) {
        const step& s = c.steps[at];
        std::string index;
        append_number(index, at);
        text_.append("  ").append(index.size() < 4 ? 4 - index.size() : 0, ' ').append(index).append("  ");
        write_operation(c, s);
        if (s.outputs != 0) {
            text_ += " -> ";
            operands(c.outputs(s));
        }
        if (program::calls_ops(s)) write_places(c, s);
        const auto released = c.released_by(s);
        if (!released.empty()) {
            text_ += "  frees ";
            operands(released);
        }
        text_ += '\n';
    }

    void write_chain(const code& c, const step& s) {
        const op_chain& chain = p_->chains[s.target];
        const auto inputs = c.inputs(s);
        text_ += chain.kernel_first ? "kernel with epilogue: " : "chain: ";
        if (chain.kernel_first) {
            text_.append(p_->calls[chain.first_call].op->name) += '(';
            operands(inputs.first(chain.first_inputs));
            text_ += ')';
        }
        for (std::size_t n = 0; n < chain.links.size(); ++n) {
            const chain_link& link = chain.links[n];
            if (n > 0 || chain.kernel_first) text_ += "; ";
            text_.append(p_->calls[link.call].op->name) += '(';
            const bool other = link.input != chain_link::no_input;
            if (other && link.how.other_first) {
                operand(inputs[link.input]);
                text_ += ", ";
            }
            if (n == 0 && !chain.kernel_first)
                operand(inputs[0]);
            else
                text_ += '^';
            if (other && !link.how.other_first) {
                text_ += ", ";
                operand(inputs[link.input]);
            }
            text_ += ')';
        }
    }

    void write_operation(const code& c, const step& i) {
        const auto inputs = c.inputs(i);
        const auto rest = [&] { return inputs.empty() ? inputs : inputs.subspan(1); };
        const auto called = [&](std::span<const operand_id> arguments) {
            text_ += '(';
            operands(arguments);
            text_ += ')';
        };
        const auto numbered = [&](const char* what) {
            text_ += what;
            number(i.target);
        };
        switch (i.what) {
        case opcode::call_op:
            text_ += p_->calls[i.target].op->name;
            called(inputs);
            break;
        case opcode::call_chain:
            write_chain(c, i);
            break;
        case opcode::fork:
            text_ += "fork, ";
            number(p_->forks[i.target].branches.size());
            text_ += " branches";
            break;
        case opcode::call_code:
            numbered("call function ");
            called(inputs);
            break;
        case opcode::call_closure:
            text_ += "call ";
            operands(inputs.first(inputs.empty() ? 0 : 1));
            called(rest());
            break;
        case opcode::make_closure:
            numbered("closure of function ");
            called(inputs);
            break;
        case opcode::move:
            text_ += "move ";
            operands(inputs);
            break;
        case opcode::jump:
        case opcode::jump_unless:
            numbered("jump to ");
            if (i.what == opcode::jump_unless) text_ += " unless ";
            operands(inputs);
            break;
        case opcode::release:
            text_ += "release";
            break;
        case opcode::leave:
            text_ += "return ";
            operands(inputs);
            break;
        case opcode::field:
            numbered("field ");
            text_ += " of ";
            operands(inputs);
            break;
        case opcode::matches:
            numbered("match pattern ");
            text_ += " with ";
            operands(inputs);
            break;
        case opcode::unpack:
            numbered("unpack pattern ");
            text_ += " from ";
            operands(inputs);
            break;
        case opcode::ref_write:
            text_ += "write ";
            operands(inputs);
            break;
        case opcode::fail:
            text_ += "fail: no clause matches";
            break;
        }
    }

    // Writes the buffers of a step's results.
    void write_places(const code& c, const step& s) {
        if (plan_->buffers.empty()) return;
        for (std::size_t n = 0; n < s.outputs; ++n) {
            const std::uint32_t result = plan_->result(p_->first_call(s), n);
            if (result == buffer::none) return;
            text_ += n == 0 ? "  in " : ", ";
            const std::uint32_t place = plan_->buffer_of[result];
            if (place == buffer::none) {
                text_ += "new memory";
                continue;
            }
            text_ += 'b';
            number(place);
            if (plan_->shares[result] != 0)
                text_ += ", shared with its operand";
            else
                write_overwritten(c, s, place);
            if (c.outputs(s)[n] != nowhere) buffer_of_[c.outputs(s)[n]] = place;
        }
    }

    // Writes the operand whose buffer is reused for the step's result, if there is one.
    void write_overwritten(const code& c, const step& s, std::uint32_t place) {
        for (const operand_id o : c.inputs(s))
            if (!is_constant(o) && buffer_of_[o] == place) {
                text_ += " over ";
                return operand(o);
            }
    }

    void write_buffers() {
        for (std::size_t n = 0; n < plan_->buffers.size(); ++n) {
            const buffer& s = plan_->buffers[n];
            text_ += "buffer b";
            number(n);
            text_ += ": ";
            number(s.bytes);
            text_ += " bytes, live from ";
            number(s.first);
            text_ += " to ";
            number(s.last);
            text_ += ", at ";
            number(s.offset);
            text_ += s.piece == 0 ? " in the arena" : " in piece ";
            if (s.piece != 0) number(s.piece);
            text_ += '\n';
        }
        if (plan_->pieces.empty()) return void(text_ += "memory: allocated at run time\n");
        text_ += "memory: ";
        number(plan_->pieces[0]);
        text_ += " bytes in the arena, ";
        number(plan_->bytes() - plan_->pieces[0]);
        text_ += " in pieces for results; at most ";
        number(plan_->largest);
        text_ += " are live\n";
    }

    const program* p_;
    const memory_plan* plan_;
    std::string text_;
    plain_vector<std::uint32_t> buffer_of_; // indexed by slot of the entry
};

/// Returns a program's printed form: its steps, and the offsets and live ranges of its buffers.
///
/// Cost: linear in the program.
inline std::string to_text(const program& p, const memory_plan& plan) { return program_writer(p, plan).text(); }

} // namespace tutti::relay::inline TUTTI_FORM::detail
