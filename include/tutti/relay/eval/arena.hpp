#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/lasting.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/eval/cell_pool.hpp>
#include <tutti/relay/eval/memory_plan.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// The memory of a plan's buffers, and a cell for each planned value. Every run uses the same memory and cells.
class arena {
public:
    explicit arena(memory_plan plan) : plan_(std::move(plan)) {}

    const memory_plan& plan() const { return plan_; }

    /// Prepares the memory for a run. The first call allocates the memory. Later calls replace the pieces with results
    /// that the caller still holds.
    ///
    /// Requires: called before each run. Only results that callers hold still use the memory.
    /// Ensures:  if the allowance is too small, `at` returns null.
    void begin() {
        if (plan_.pieces.empty() || refused_) return;
        try {
            if (cells_ == nullptr) make();
            for (std::uint32_t piece = 1; piece < pieces_.size(); ++piece)
                if (is_kept(piece)) fill(piece);
        } catch (const kernel::beyond_allowance&) {
            refused_ = true;
            drop();
        } catch (...) { // out of memory: the next run cannot use a partial allocation
            drop();
            throw;
        }
    }

    /// True if the memory is allocated.
    bool is_there() const { return cells_ != nullptr; }

    /// Returns the cell of a call's result, with one user; null if the result is not planned.
    ///
    /// Requires: the cell is unused.
    cell* at(std::uint32_t call, std::size_t result) {
        if (cells_ == nullptr) return nullptr;
        const std::uint32_t number = plan_.result(call, result);
        if (number == buffer::none || plan_.buffer_of[number] == buffer::none) return nullptr;
        cell* found = &cells_[number];
        found->users = 1;
        return found;
    }

    /// True if the buffer of `owner` stays intact as long as the value in `shared` is live.
    bool outlasts(const cell& owner, const cell& shared) const {
        if (owner.placed_in == shared.placed_in) return true;
        if (shared.placed_in == buffer::none) return false;
        const buffer& owned = plan_.buffers[owner.placed_in];
        const buffer& lent = plan_.buffers[shared.placed_in];
        const bool at_once = owned.ends.fork != branch_place::none && owned.ends.fork == lent.ends.fork &&
                             (owned.ends != lent.ends || owned.ends.branch == branch_place::several);
        return owned.last >= lent.last && !at_once;
    }

private:
    void drop() noexcept {
        cells_.reset();
        pieces_.clear();
        in_piece_.clear();
    }

    void make() {
        vector<kernel::tensor> pieces(plan_.pieces.size());
        std::unique_ptr<cell[]> cells(new cell[plan_.buffer_of.size()]);
        constexpr std::int64_t of_rank_8[8]{}; // reserves memory for shapes, so that runs allocate none
        for (std::size_t n = 0; n < plan_.buffer_of.size(); ++n) {
            cells[n].placed_in = plan_.buffer_of[n];
            cells[n].value.share(kernel::tensor{}, of_rank_8);
        }
        pieces_ = std::move(pieces);
        cells_ = std::move(cells);
        in_piece_.resize(pieces_.size());
        for (std::size_t n = 0; n < plan_.buffer_of.size(); ++n)
            if (const std::uint32_t s = plan_.buffer_of[n]; s != buffer::none && plan_.shares[n] == 0)
                in_piece_[plan_.buffers[s].piece].push_back(static_cast<std::uint32_t>(n));
        for (std::uint32_t piece = 0; piece < pieces_.size(); ++piece) fill(piece);
    }

    bool is_kept(std::uint32_t piece) const {
        bool kept = false;
        for (const std::uint32_t n : in_piece_[piece]) kept = kept || cells_[n].value.is_shared();
        return kept;
    }

    void fill(std::uint32_t piece) {
        kernel::tensor memory;
        kernel::reset_lasting(memory, kernel::dtype::uint8, std::array{static_cast<std::int64_t>(plan_.pieces[piece])});
        for (const std::uint32_t n : in_piece_[piece]) {
            const buffer& s = plan_.buffers[plan_.buffer_of[n]];
            cells_[n].value = kernel::tensor::within(memory, s.offset, s.bytes);
        }
        pieces_[piece] = std::move(memory);
    }

    memory_plan plan_;
    vector<kernel::tensor> pieces_;
    vector<plain_vector<std::uint32_t>> in_piece_; // indexed by piece: results with memory of their own
    std::unique_ptr<cell[]> cells_;                // indexed by result
    bool refused_ = false;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
