#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Walks a code backwards and finds the last use of each slot.
class last_uses {
public:
    explicit last_uses(code& c) : c_(&c), live_(c.slots, 0), mark_(c.slots, 0), original_(c.slots, 0) {
        for (std::uint32_t at = static_cast<std::uint32_t>(c.steps.size()); at-- > 0;) {
            open_branches(at + 1);
            look_at(at);
        }
        // Unused values in the initial frame are released by the first step, which uses nothing.
        step& first = c.steps[0];
        plain_vector<operand_id> unused;
        const auto bring = [&](operand_id slot) {
            if (slot != nowhere && live_[slot] == 0) unused.push_back(slot);
        };
        for (operand_id slot = 0; slot < c.params; ++slot) bring(slot);
        for (const operand_id slot : c.captured) bring(slot);
        bring(c.self);
        release(first, unused);
    }

private:
    // An if whose branches are being visited. The else branch is visited first.
    struct branching {
        std::uint32_t test; // the index of the jump_unless
        std::size_t first_change;
        std::size_t then_change = 0;
        std::uint32_t else_place = 0;
        plain_vector<operand_id> else_live{};
        plain_vector<operand_id> else_dead{};
    };
    struct change {
        operand_id slot;
        char before;
    };

    void set(operand_id slot, char live) {
        if (live_[slot] == live) return;
        if (!open_.empty()) changes_.push_back({slot, live_[slot]});
        live_[slot] = live;
    }

    // Opens the ifs that end at step `end`. The end of an if is the target of the jump that ends its then branch.
    // Several ifs may have the same end, and the jumps of outer ifs are visited later, so all ends are collected
    // beforehand.
    void open_branches(std::uint32_t end) {
        if (ends_.empty() && !noted_) note_ends();
        while (!ends_.empty() && ends_.back() >> 32 == end) {
            open_.push_back({.test = ~static_cast<std::uint32_t>(ends_.back()), .first_change = changes_.size()});
            ends_.pop_back();
        }
    }

    void note_ends() {
        noted_ = true;
        const auto& all = c_->steps;
        for (std::uint32_t at = 0; at < all.size(); ++at) {
            if (all[at].what != opcode::jump_unless) continue;
            ends_.push_back(std::uint64_t{all[all[at].target - 1].target} << 32 | ~at);
        }
        plain_vector<std::uint64_t> sorted;
        const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return ends_[a] < ends_[b]; };
        for (const std::uint32_t next : sorted_places(ends_.size(), earlier)) sorted.push_back(ends_[next]);
        ends_ = std::move(sorted);
    }

    void look_at(std::uint32_t at) {
        step& i = c_->steps[at];
        if (i.what == opcode::jump) return leave_else(at);
        if (i.what == opcode::jump_unless) join_branches(at);
        operand_id* const outputs = c_->operands.data() + i.first + i.inputs;
        for (operand_id* o = outputs; o != outputs + i.outputs; ++o) {
            if (live_[*o] == 0)
                *o = nowhere;
            else
                set(*o, 0);
        }
        plain_vector<operand_id>& dying = dying_;
        dying.clear();
        for (const operand_id o : c_->inputs(i)) {
            if (is_constant(o) || live_[o] != 0) continue;
            set(o, 1);
            dying.push_back(o);
        }
        release(i, dying);
    }

    // At the jump that ends a then branch, sets aside the effects of the else branch, which has been visited.
    void leave_else(std::uint32_t at) {
        branching& b = open_.back();
        b.else_place = at + 1;
        for (std::size_t n = b.first_change; n < changes_.size(); ++n) {
            const operand_id slot = changes_[n].slot;
            if (std::exchange(mark_[slot], 1) != 0) continue;
            (live_[slot] != 0 ? b.else_live : b.else_dead).push_back(slot);
        }
        for (const operand_id slot : b.else_live) mark_[slot] = 0;
        for (const operand_id slot : b.else_dead) mark_[slot] = 0;
        for (std::size_t n = changes_.size(); n-- > b.first_change;) live_[changes_[n].slot] = changes_[n].before;
        b.then_change = changes_.size();
    }

    // At the test of an if, combines the effects of both branches, which have been visited. Values that only one branch
    // uses are released at the beginning of the other branch.
    void join_branches(std::uint32_t at) {
        const branching b = std::move(open_.back());
        plain_vector<operand_id> only_then;
        plain_vector<operand_id> only_else;
        for (const operand_id slot : b.else_live) mark_[slot] = 2;
        for (const operand_id slot : b.else_dead) mark_[slot] = 1;
        plain_vector<operand_id> changed; // slots that changed in the then branch
        for (std::size_t n = b.then_change; n < changes_.size(); ++n) {
            const operand_id slot = changes_[n].slot;
            if ((mark_[slot] & 4) != 0) continue;
            original_[slot] = changes_[n].before;
            mark_[slot] = static_cast<char>(mark_[slot] | 4);
            changed.push_back(slot);
        }
        for (const operand_id slot : changed) {
            const char other = mark_[slot] & 3;
            const bool in_else = other == 0 ? original_[slot] != 0 : other == 2;
            if (live_[slot] != 0 && !in_else) only_then.push_back(slot);
        }
        for (const operand_id slot : b.else_live)
            if (live_[slot] == 0) only_else.push_back(slot);
        for (const operand_id slot : changed) mark_[slot] = 0;
        for (const operand_id slot : b.else_live) mark_[slot] = 0;
        for (const operand_id slot : b.else_dead) mark_[slot] = 0;
        release(c_->steps[at + 1], only_else);
        release(c_->steps[b.else_place], only_then);

        open_.pop_back();
        // The enclosing if inherits the changes of both branches.
        if (open_.empty()) changes_.resize(b.first_change);
        for (const operand_id slot : only_else) set(slot, 1);
    }

    void release(step& i, const plain_vector<operand_id>& slots) {
        if (slots.empty()) return;
        i.first_released = static_cast<std::uint32_t>(c_->released.size());
        i.released = static_cast<std::uint32_t>(slots.size());
        c_->released.append(slots.all());
    }

    code* c_;
    plain_vector<char> live_;     // indexed by slot: nonzero if a later step uses the slot
    plain_vector<char> mark_;     // indexed by slot, zero between the steps
    plain_vector<char> original_; // indexed by slot, for marked slots: the liveness after the if
    vector<branching> open_;
    plain_vector<change> changes_; // changes since the outermost open if
    // The upper half is the end of an if, and the lower half is the complement of the index of its test. Sorted, so
    // that the outermost of several ifs with a common end is last.
    plain_vector<std::uint64_t> ends_;
    bool noted_ = false;
    plain_vector<operand_id> dying_;
};

/// Records in each step the slots whose last use is that step, and marks results that are never used.
///
/// Requires: the first step of the code, and of each branch of an if, is a `release`. An if is a `jump_unless` to the
///           step after the `jump` that ends its first branch. That jump leads past the second branch.
/// Cost:     linear in the code, times the depth of nested ifs for values that are used across them; no recursion.
inline void note_last_uses(code& c) { last_uses{c}; }

} // namespace tutti::relay::inline TUTTI_FORM::detail
