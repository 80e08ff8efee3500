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
/// A slot of the frame is `%3`, a constant `c3`, a buffer `b3`. A step has the number of its first instruction, which
/// jumps refer to. Pieces of memory are as in `memory_plan`: the arena, and others that hold a result in the end.
class program_writer {
public:
    program_writer(const program& p, const memory_plan& plan)
        : p_(&p), plan_(&plan), buffer_of_(p.codes[p.entry].slots, storage::none) {}

    std::string text() && {
        for (std::uint32_t n = 0; n < p_->codes.size(); ++n)
            if (!p_->codes[n].instructions.empty()) write_code(n);
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
        const branch_group* group = nullptr; // the step is in it
        for (std::uint32_t at = 0; at < c.instructions.size();) {
            if (const std::uint32_t begins = c.instructions[at].branches; begins != 0) {
                group = &p_->branch_groups[begins - 1];
                text_ += "  fork, ";
                number(group->parts);
                text_ += " branches\n";
            }
            if (group != nullptr && begins_part(*group, at)) text_ += "  branch\n";
            at = write_step(c, at);
            if (group != nullptr && at == group->end) {
                text_ += "  join\n";
                group = nullptr;
            }
        }
    }

    bool begins_part(const branch_group& group, std::uint32_t at) const {
        const std::span<const std::uint32_t> parts(p_->branch_parts.data() + group.first_part, group.parts);
        return std::ranges::find(parts, at) != parts.end();
    }

    // Returns the index after the step.
    std::uint32_t write_step(const code& c, std::uint32_t at) {
        const std::uint32_t chain = c.instructions[at].chain;
        const std::uint32_t end = at + p_->step_length(c.instructions[at]);
        std::string index;
        append_number(index, at);
        text_.append("  ").append(index.size() < 4 ? 4 - index.size() : 0, ' ').append(index).append("  ");
        if (chain != 0) text_ += p_->chains[chain - 1].kernel_first ? "kernel with epilogue: " : "chain: ";
        for (std::uint32_t n = at; n < end; ++n) {
            if (n > at) text_ += "; ";
            write_instruction(c, c.instructions[n]);
        }
        if (c.instructions[at].what == opcode::call_op) write_places(c, c.instructions[at], c.instructions[end - 1]);
        bool frees = false;
        for (std::uint32_t n = at; n < end; ++n)
            for (const operand_id o : c.released_by(c.instructions[n])) {
                text_ += frees ? ", " : "  frees ";
                operand(o);
                frees = true;
            }
        text_ += '\n';
        return end;
    }

    void write_instruction(const code& c, const instruction& i) {
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
            numbered("jump to ");
            break;
        case opcode::jump_unless:
            numbered("jump to ");
            text_ += " unless ";
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
        if (i.outputs == 0) return;
        text_ += " -> ";
        operands(c.outputs(i));
    }

    // The buffers of a step's results. `head` is its first instruction, `last` its last.
    void write_places(const code& c, const instruction& head, const instruction& last) {
        if (plan_->storages.empty()) return;
        for (std::size_t n = 0; n < last.outputs; ++n) {
            const std::uint32_t result = plan_->result(head.target, n);
            if (result == storage::none) return;
            text_ += n == 0 ? "  in " : ", ";
            const std::uint32_t buffer = plan_->storage_of[result];
            if (buffer == storage::none) {
                text_ += "new memory";
                continue;
            }
            text_ += 'b';
            number(buffer);
            if (plan_->shares[result] != 0)
                text_ += ", shared with its operand";
            else
                write_overwritten(c, head, last, buffer);
            if (c.outputs(last)[n] != nowhere) buffer_of_[c.outputs(last)[n]] = buffer;
        }
    }

    // The operand whose buffer the step's result takes, if any.
    void write_overwritten(const code& c, const instruction& head, const instruction& last, std::uint32_t buffer) {
        for (const instruction* i = &head; i <= &last; ++i)
            for (const operand_id o : c.inputs(*i))
                if (!is_constant(o) && buffer_of_[o] == buffer) {
                    text_ += " over ";
                    return operand(o);
                }
    }

    void write_buffers() {
        for (std::size_t n = 0; n < plan_->storages.size(); ++n) {
            const storage& s = plan_->storages[n];
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

/// Returns the steps of a program, and the places and live ranges of its buffers, as text.
///
/// Cost: linear in the program.
inline std::string to_text(const program& p, const memory_plan& plan) { return program_writer(p, plan).text(); }

} // namespace tutti::relay::inline TUTTI_FORM::detail
