#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/eval/arena.hpp>
#include <tutti/relay/eval/call_space.hpp>
#include <tutti/relay/eval/cell_pool.hpp>
#include <tutti/relay/eval/memory_plan.hpp>
#include <tutti/relay/eval/tensor_types.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// The memory of calls' results. Planned results have cells in the arena, other results have cells of a pool, and some
/// results share an operand's memory.
///
/// Later runs use facts recorded for each call: the results that share an operand's memory and need no memory of their
/// own, the results that must be copied because they must not share, and the bytes of results of unknown size.
class call_results {
public:
    call_results(memory_plan plan, std::size_t calls)
        : arena_(std::move(plan)), seen_(arena_.plan().sizes), facts_(calls) {}

    /// Prepares the planned memory for a run without an observer.
    void begin() { arena_.begin(); }
    const memory_plan& plan() const { return arena_.plan(); }
    /// True if values are in planned memory in this run.
    bool is_planned() const { return arena_.is_there(); }

    /// Returns the cell of a planned result, with one user, or null if the result is not planned.
    cell* planned(std::uint32_t call, std::size_t n) { return arena_.at(call, n); }
    /// True if a result shared an operand's memory in an earlier run.
    bool shares(std::uint32_t call, std::size_t n) const { return (facts_[call].shares & bit_of(n)) != 0; }

    /// Swaps the tensors in a call's result cells with the tensors in the working memory. Called before and after the
    /// kernel writes to the latter. Cells of results that are copied keep their tensors.
    void exchange(call_space& space, std::uint32_t call) const {
        space.several.resize(std::max(space.several.size(), space.made.size()));
        for (std::size_t n = 0; n < space.made.size(); ++n)
            if ((facts_[call].copies & bit_of(n)) == 0) std::swap(space.several[n], space.made[n]->value);
    }

    /// Copies a result if it shares planned memory whose value may die earlier. Later runs copy this result, too.
    void settle(call_space& space, std::uint32_t call, std::size_t n, const operand_values& inputs) {
        cell* const made = space.made[n];
        bool apart = (facts_[call].copies & bit_of(n)) != 0;
        if (!apart && made->value.is_shared()) {
            const cell* owner = owner_of(made->value, inputs);
            apart = owner != nullptr && owner->placed_in != buffer::none && !arena_.outlasts(*owner, *made);
            if (apart) {
                facts_[call].copies |= bit_of(n);
                space.several.resize(std::max(space.several.size(), n + 1));
                std::swap(space.several[n], made->value);
            }
        }
        if (apart) copy(space.several[n], made->value);
        made->shares = made->value.is_shared(); // read now, because other tensors may share the memory later
    }

    /// Records the size of a call's result, or the operand whose memory the result shares. Returns the result's cell,
    /// which is a new cell if `made` cannot share. Parallel calls are recorded after all of them are done.
    cell* note(cell_pool& pool, std::uint32_t call, std::size_t result, std::size_t results,
               const operand_values& inputs, cell* made) {
        see_size(plan().result(call, result), made->value);
        if (!made->shares) {
            made->capacity = made->value.capacity();
            if (made->placed_in == buffer::none)
                pool.note_alive(*made, static_cast<std::size_t>(made->value.size()) * bytes(made->value.type()));
            return made;
        }
        facts_[call].shares |= bit_of(result);
        return pool.shared(made, owner_of(made->value, inputs), results - result);
    }

    /// Releases the results of a failed call.
    void give_back(call_space& space, cell_pool& pool, std::uint32_t call, const operand_values& inputs) {
        for (cell* each : space.made) each->shares = each->value.is_shared();
        for (std::size_t n = 0; n < space.made.size(); ++n)
            pool.release(note(pool, call, n, space.made.size(), inputs, space.made[n]));
    }

    /// Returns the greatest size so far of each result, in bytes, indexed as in the plan. `has_outgrown` is true if a
    /// result was larger than its size in the plan.
    std::span<const std::uint64_t> seen() const { return seen_.all(); }
    bool has_outgrown() const { return outgrown_; }
    /// Sets the plan and memory for the next runs.
    ///
    /// Requires: the cells of the previous plan are unused.
    void replace(memory_plan plan) {
        arena_ = arena(std::move(plan));
        arena_.begin();
        outgrown_ = false;
    }

private:
    // Bit masks of a call's results.
    struct sharing {
        std::uint64_t shares = 0; // results that shared an operand's memory
        std::uint64_t copies = 0; // results that are copied because they must not share
    };

    static std::uint64_t bit_of(std::size_t result) { return std::uint64_t{1} << std::min<std::size_t>(result, 63); }

    void see_size(std::uint32_t result, const tensor& made) {
        if (result == buffer::none) return;
        const std::uint64_t size = static_cast<std::uint64_t>(made.size()) * kernel::bytes(made.type());
        if (size <= seen_[result]) return;
        seen_[result] = size;
        outgrown_ = true;
    }

    static cell* owner_of(const tensor& shared, const operand_values& inputs) {
        cell* owner = nullptr;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (inputs[i]->value.same_elements(shared)) owner = inputs[i];
        return owner;
    }

    static void copy(tensor& from, tensor& to) {
        if (!from.empty()) {
            to.reset(from.type(), from.shape());
            std::memcpy(to.mutable_memory(), from.memory(), static_cast<std::size_t>(from.size()) * bytes(from.type()));
        }
        from.clear();
    }

    arena arena_;
    plain_vector<std::uint64_t> seen_; // indexed as the results in the plan
    bool outgrown_ = false;
    plain_vector<sharing> facts_; // indexed by call
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
