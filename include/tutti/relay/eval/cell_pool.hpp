#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/eval/memory_plan.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// A reference-counted run-time value: a tensor, or a function with its captures.
struct cell {
    kernel::tensor value{};
    plain_vector<cell*> captured{}; ///< captures of a function
    std::uint32_t code = no_code;   ///< code of a function
    std::uint32_t users = 0;
    std::size_t capacity = 0;               ///< bytes of the tensor's own memory; 0 if none
    std::size_t needed = 0;                 ///< bytes used by the live value
    cell* owner = nullptr;                  ///< the cell whose memory the tensor shares; null if it has its own
    bool borrows = false;                   ///< the cell is reserved for tensors that share memory
    bool shares = false;                    ///< the call returned a tensor that shares memory
    std::uint32_t placed_in = buffer::none; ///< the buffer in the plan; none for a cell of the pool
    cell* previous = nullptr;               ///< link in the pool's list of free cells
    cell* next = nullptr;

    static constexpr std::uint32_t no_code = 0xFFFFFFFFU;
};

/// A pool of cells. The memory of free cells is reused for later values.
///
/// `take` returns a free cell with well-fitting memory. The sequence of takes is recorded. After `rewind`, the same
/// takes and releases in the same order return the same cells, so nothing is allocated. If a tensor shares the memory
/// of another cell, the tensor's cell keeps the other cell alive. Memory never moves between cells.
///
/// Cost:   constant per take and release.
/// Throws: `tutti::error` from a take if `most_cells` cells exist.
class cell_pool {
public:
    /// Limit on the number of cells. A cell with a scalar takes about 480 bytes, so the limit is about half a GiB.
    static constexpr std::size_t most_cells = std::size_t{1} << 20;

    static constexpr std::uint32_t nobody = buffer::none;

    /// Returns a cell with one user. The cell has at least `bytes` bytes of memory, or no memory yet. If `bytes` is 0,
    /// which means unknown, the memory may have any size. The tensor's elements are unspecified.
    ///
    /// `result` identifies the value for `keep_turns`.
    cell* take(std::size_t bytes, std::uint32_t result = nobody) {
        cell* found = turn_ < turns_.size() ? turns_[turn_].taken : nullptr;
        if (found == nullptr || found->users != 0 || found->borrows || found->capacity < bytes) found = fitting(bytes);
        return taken(found, result);
    }

    /// Returns a cell with one user, for a tensor that will share the memory of another tensor.
    cell* take_borrowing(std::uint32_t result = nobody) {
        cell* found = turn_ < turns_.size() ? turns_[turn_].taken : nullptr;
        if (found == nullptr || found->users != 0 || !found->borrows) found = borrowing();
        return taken(found, result);
    }

    /// Returns a cell with a function, which becomes a user of each captured cell. Cost: linear in `captured`.
    cell* take_closure(std::uint32_t code, std::span<cell* const> captured) {
        if (free_closures_.size() <= code) free_closures_.resize(code + std::size_t{1}, nullptr);
        cell* c = free_closures_[code];
        if (c == nullptr) {
            c = added();
            c->code = code;
            free_closures_[code] = c;
        }
        c->captured.clear();
        c->captured.append(captured); // may throw: the cell is still free then
        free_closures_[code] = c->next;
        c->users = 1;
        for (cell* each : captured) ++each->users;
        return c;
    }

    /// Removes a user. Allocates nothing.
    void release(cell* c) noexcept {
        drop(c);
        while (dying_ != nullptr) {
            cell* dead = std::exchange(dying_, dying_->next);
            if (dead->code != cell::no_code) {
                for (cell* each : dead->captured) drop(each);
                dead->captured.clear();
                dead->next = std::exchange(free_closures_[dead->code], dead);
                continue;
            }
            if (dead->owner != nullptr) {
                forget(*dead);
                drop(std::exchange(dead->owner, nullptr));
            }
            alive_ -= std::exchange(dead->needed, 0);
            if (dead->placed_in == buffer::none) link(dead);
        }
    }

    /// Records that a kernel let a cell's tensor share the memory of `owner`, instead of writing to the cell's memory.
    /// If `owner` is null, the memory belongs to no cell. Returns the tensor's cell. If `c` is not reserved for
    /// sharing, this is another cell, and `c` becomes free with memory of its own.
    ///
    /// `back` is the number of takes since the cell was taken, including that take.
    cell* shared(cell* c, cell* owner, std::size_t back) {
        if (!c->borrows && c->placed_in == buffer::none) {
            cell* instead = borrowing();
            unlink(instead);
            instead->users = c->users;
            instead->value.share(c->value, c->value.shape());
            if (c->capacity != 0) {
                const std::int64_t shape[]{static_cast<std::int64_t>(c->capacity)};
                c->value.reset(kernel::dtype::uint8, shape);
            } else {
                forget(*c);
            }
            c->users = 0;
            link(c);
            if (turn_ - back < turns_.size()) turns_[turn_ - back].taken = instead;
            c = instead;
        }
        c->capacity = 0;
        c->owner = owner == nullptr ? &nobody_ : owner->owner != nullptr ? owner->owner : owner;
        ++c->owner->users;
        return c;
    }

    /// Returns a cell for values that outlive a run. The cell is never free, and the take is not recorded.
    cell* permanent() {
        cell* c = all_.emplace_back(std::make_unique<cell>()).get();
        c->users = 1;
        return c;
    }

    /// Releases the memory of free cells.
    void forget_free() {
        for (std::size_t bin = 1; bin < bin_count; ++bin)
            while (cell* c = bins_[bin]) {
                unlink(c);
                forget(*c);
                link(c);
            }
    }

    /// Drops the recorded takes of values that no longer use the pool, and releases surplus memory of cells.
    ///
    /// `size_of(result)` returns `elsewhere` for such a value. Otherwise it returns the bytes needed, or 0 if unknown.
    ///
    /// Requires: cells that are not permanent have no users.
    /// Cost:     linear in the number of takes and cells.
    template <class F>
    void keep_turns(F size_of) {
        std::size_t kept = 0;
        for (const turn& t : turns_) {
            const std::uint64_t bytes = t.result == nobody ? 0 : size_of(t.result);
            if (bytes == elsewhere) continue;
            t.taken->needed =
                std::max(t.taken->needed, bytes == 0 ? t.taken->capacity : static_cast<std::size_t>(bytes));
            turns_[kept++] = t;
        }
        turns_.shorten(kept);
        for (const auto& c : all_) {
            const std::size_t needed = std::exchange(c->needed, 0);
            if (c->users != 0 || c->code != cell::no_code || c->borrows || c->capacity <= needed) continue;
            unlink(c.get());
            forget(*c);
            if (needed != 0) {
                c->value.reset(kernel::dtype::uint8, std::array{static_cast<std::int64_t>(needed)});
                c->capacity = c->value.capacity();
            }
            link(c.get());
        }
        most_alive_ = 0;
    }
    static constexpr std::uint64_t elsewhere = ~std::uint64_t{0};

    /// Restarts the sequence of takes.
    void rewind() { turn_ = 0; }

    /// Records the bytes of a value in a cell's own memory.
    void note_alive(cell& c, std::size_t bytes) {
        alive_ += bytes - std::exchange(c.needed, bytes);
        most_alive_ = std::max(most_alive_, alive_);
    }
    /// Returns the peak of the bytes recorded by `note_alive`.
    std::uint64_t most_alive() const { return most_alive_; }

    /// Returns the bytes of all cells' memory.
    std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        for (const auto& c : all_) sum += c->capacity;
        return sum;
    }

    /// Returns the number of cells, free or used.
    std::size_t size() const { return all_.size(); }

private:
    struct turn {
        cell* taken = nullptr;
        std::uint32_t result = nobody;
    };

    static constexpr std::size_t most_turns = std::size_t{1} << 22;
    static constexpr int steps = 8; // the search for the best fit examines at most this many cells of a list

    // Free cells are in lists by memory size. The position of the leading bit and the next two bits of the size select
    // the list. The first list contains the cells without memory.
    static constexpr std::size_t bin_count = 1 + 64 * 4;

    static std::size_t bin_of(std::size_t bytes) {
        if (bytes == 0) return 0;
        const std::size_t width = static_cast<unsigned>(std::bit_width(bytes));
        const std::size_t more = width < 3 ? 0 : bytes >> (width - 3) & 3;
        return 1 + (width - 1) * 4 + more;
    }

    static void forget(cell& c) {
        c.value.clear();
        c.capacity = 0;
    }

    void drop(cell* c) {
        if (--c->users != 0) return;
        c->next = dying_;
        dying_ = c;
    }

    cell* added() {
        constexpr limit most{"evaluation", "values at the same time", {}, most_cells};
        most.check(all_.size() + 1);
        return all_.emplace_back(std::make_unique<cell>()).get();
    }

    cell* make(bool borrows) {
        cell* c = added();
        c->borrows = borrows;
        link(c);
        return c;
    }

    cell* borrowing() { return borrowing_ != nullptr ? borrowing_ : make(true); }

    cell* taken(cell* c, std::uint32_t result) {
        if (turn_ < turns_.size())
            turns_[turn_] = {c, result};
        else if (turns_.size() < most_turns)
            turns_.push_back({c, result}); // may throw: the cell is still free then
        unlink(c);
        c->users = 1;
        ++turn_;
        return c;
    }

    cell* fitting(std::size_t bytes) {
        if (bytes == 0) { // the size is unknown, and the largest cell may suffice
            for (std::size_t bin = bin_count; bin-- > 0;)
                if (bins_[bin] != nullptr) return bins_[bin];
            return make(false);
        }
        const std::size_t first = bin_of(bytes);
        const std::size_t most = bytes * 4 + 256; // cells with more memory are left for larger values
        for (std::size_t bin = first; bin < bin_count && bin <= bin_of(most); ++bin) {
            cell* best = nullptr;
            int step = 0;
            for (cell* c = bins_[bin]; c != nullptr && step < steps; c = c->next, ++step)
                if (c->capacity >= bytes && c->capacity <= most && (best == nullptr || c->capacity < best->capacity))
                    best = c;
            if (best != nullptr) return best;
        }
        // Replaces the memory of the largest cell that is too small.
        for (std::size_t bin = first; bin > 0; --bin) {
            cell* c = bins_[bin];
            if (c == nullptr || c->capacity >= bytes) continue;
            unlink(c);
            forget(*c);
            link(c);
            return c;
        }
        return bins_[0] != nullptr ? bins_[0] : make(false);
    }

    cell*& head_of(const cell& c) { return c.borrows ? borrowing_ : bins_[bin_of(c.capacity)]; }

    void link(cell* c) {
        cell*& head = head_of(*c);
        c->previous = nullptr;
        c->next = head;
        if (head != nullptr) head->previous = c;
        head = c;
    }

    void unlink(cell* c) {
        (c->previous != nullptr ? c->previous->next : head_of(*c)) = c->next;
        if (c->next != nullptr) c->next->previous = c->previous;
        c->previous = c->next = nullptr;
    }

    vector<std::unique_ptr<cell>> all_;
    std::array<cell*, bin_count> bins_{};
    cell* borrowing_ = nullptr;         // free cells for tensors that share memory
    plain_vector<cell*> free_closures_; // indexed by code
    plain_vector<turn> turns_;          // the takes in order
    std::size_t turn_ = 0;
    std::uint64_t alive_ = 0; // bytes
    std::uint64_t most_alive_ = 0;
    cell* dying_ = nullptr;   // cells without users that are yet to be released, linked by `next`
    cell nobody_{.users = 1}; // the owner of foreign memory
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
