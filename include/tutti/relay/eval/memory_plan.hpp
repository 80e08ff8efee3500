#pragma once

#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tutti::relay::detail {

/// A part of a group of branches, or none.
struct branch_place {
    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    static constexpr std::uint32_t several = 0xFFFFFFFEU; ///< more than one part of the group

    std::uint32_t group = none;
    std::uint32_t part = none;

    bool operator==(const branch_place&) const = default;
};

/// Memory that one value after the other has, or several share: from the instruction that first writes to it to the last that uses
/// it.
struct storage {
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    std::uint64_t bytes = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    branch_place begins{}; ///< where the first instruction is
    branch_place ends{};   ///< where the last one is, with all others of that group that use it
    bool leaves =
        false; ///< what is in it at the end is a result, which others may keep: it has a piece of memory of its own

    // Where it is.
    std::uint32_t piece = 0;
    std::uint64_t offset = 0;
};

/// Whether there are moments at which both are in use: not if one is done with before the other begins, unless that is in another part
/// of the same group of branches, which may be earlier.
inline bool meet(const storage& a, const storage& b) {
    if (a.first <= b.last && b.first <= a.last) return true;
    const storage& earlier = a.last < b.first ? a : b;
    const storage& later = a.last < b.first ? b : a;
    return earlier.ends.group != branch_place::none && earlier.ends.group == later.begins.group &&
           earlier.ends.part != later.begins.part;
}

/// Where the values of a code are while it runs. Piece 0 of the memory is for what does not leave, each other one for a result, and
/// before that for what is no longer used when it is made.
struct memory_plan {
    plain_vector<storage> storages{};
    plain_vector<std::uint64_t> pieces{}; ///< their bytes; none if nothing is planned

    // By result of an operator's call.
    plain_vector<std::uint32_t> first_result{}; ///< by call: the number of its first one; those of others are together
    plain_vector<std::uint32_t> storage_of{};   ///< or `none`: it gets memory when it is made
    plain_vector<char> shares{};                ///< it is given an operand's memory by its kernel
    plain_vector<std::uint64_t> sizes{};        ///< its bytes; 0 if the types do not say, and no run has shown it yet

    std::uint64_t largest =
        0; ///< the bytes of the largest set of values that are alive at once, whatever memory they have

    /// The number of a call's result; `none` if nothing is planned of what calls it.
    std::uint32_t result(std::uint32_t call, std::size_t n) const {
        const std::uint32_t first = first_result.empty() ? storage::none : first_result[call];
        return first == storage::none ? first : first + static_cast<std::uint32_t>(n);
    }

    std::uint64_t bytes() const {
        std::uint64_t all = 0;
        for (const std::uint64_t piece : pieces) all += piece;
        return all;
    }
};

/// Finds places for a plan's storages: one after the other, each in the smallest gap between those that are there at the same time;
/// those first that are there when the most is, of these the largest; then, as long as that may help, again with the one on top before
/// all others.
///
/// Ensures: places are aligned to 64 bytes, and those of storages that are there at the same time do not overlap.
/// Cost:    quadratic in the storages, some hundred times if they are few.
class storage_placer {
public:
    static constexpr std::uint64_t alignment = 64;

    explicit storage_placer(memory_plan& plan) : plan_(&plan) {
        const auto& all = plan.storages;
        const plain_vector<std::uint64_t> alive = bytes_alive();
        plain_vector<std::uint64_t> most_around(all.size(), 0);
        for (std::size_t s = 0; s < all.size(); ++s)
            for (std::uint32_t at = all[s].first; at <= all[s].last; ++at)
                most_around[s] = std::max(most_around[s], alive[at]);
        leaving_ =
            sorted_places(all.size(), [&](std::uint32_t a, std::uint32_t b) { return all[a].bytes > all[b].bytes; });
        order_ = sorted_places(all.size(), [&](std::uint32_t a, std::uint32_t b) {
            if (most_around[a] != most_around[b]) return most_around[a] > most_around[b];
            return all[a].bytes != all[b].bytes ? all[a].bytes > all[b].bytes : all[a].first < all[b].first;
        });
        std::uint64_t leaving = 0;
        std::size_t results = 0;
        for (const std::uint32_t s : leaving_) {
            if (!all[s].leaves) continue;
            leaving_[results++] = s;
            leaving += rounded(all[s].bytes);
        }
        leaving_.shorten(results);
        place_all();
        const std::uint64_t least = std::max(*std::max_element(alive.begin(), alive.end()), leaving);
        const std::size_t square = all.size() * all.size() + 1;
        constexpr std::size_t most_rounds = 200;
        constexpr std::size_t most_steps = std::size_t{1} << 24;
        memory_plan best = plan;
        for (std::size_t round = 0; round < most_rounds && round * square < most_steps && best.bytes() > least;
             ++round) {
            raise_top();
            place_all();
            if (plan.bytes() < best.bytes()) best = plan;
        }
        plan = std::move(best);
    }

private:
    static constexpr std::uint64_t rounded(std::uint64_t bytes) {
        return (bytes + alignment - 1) / alignment * alignment;
    }

    // At each instruction. The greatest of these can be done with at least.
    plain_vector<std::uint64_t> bytes_alive() const {
        std::uint32_t end = 0;
        for (const storage& s : plan_->storages) end = std::max(end, s.last);
        plain_vector<std::uint64_t> alive(end + std::size_t{2}, 0); // at first the changes, modulo 2^64
        for (const storage& s : plan_->storages) {
            alive[s.first] += rounded(s.bytes);
            alive[s.last + 1] -= rounded(s.bytes);
        }
        for (std::size_t at = 1; at < alive.size(); ++at) alive[at] += alive[at - 1];
        return alive;
    }

    void place_all() {
        plan_->pieces.assign(1, 0);
        in_order_.clear();
        for (const std::uint32_t s : leaving_) {
            plan_->storages[s].piece = static_cast<std::uint32_t>(plan_->pieces.size());
            plan_->pieces.push_back(rounded(plan_->storages[s].bytes));
        }
        for (const std::uint32_t s : order_)
            if (!plan_->storages[s].leaves) place(s);
    }

    // The one that ends where piece 0 does comes first.
    void raise_top() {
        std::size_t top = 0;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const storage& s = plan_->storages[order_[i]];
            if (s.piece == 0 && s.offset + rounded(s.bytes) == plan_->pieces[0]) top = i;
        }
        for (std::size_t i = top; i > 0; --i) std::swap(order_[i], order_[i - 1]);
    }

    struct gap {
        std::uint64_t offset = 0;
        bool bounded = false; // by what is behind it
    };

    void place(std::uint32_t s) {
        storage& placed = plan_->storages[s];
        const std::uint64_t bytes = rounded(placed.bytes);
        for (const std::uint32_t r : leaving_) {
            const storage& result = plan_->storages[r];
            if (result.bytes < placed.bytes) break;
            if (result.first <= placed.last || meet(result, placed)) continue;
            const gap found = smallest_gap(placed, result.piece, bytes);
            if (found.offset + bytes > plan_->pieces[result.piece]) continue;
            put(s, result.piece, found.offset);
            return;
        }
        const gap found = smallest_gap(placed, 0, bytes);
        put(s, 0, found.offset);
        plan_->pieces[0] = std::max(plan_->pieces[0], found.offset + bytes);
    }

    // Among what is placed in a piece and is there at the same time; behind all of it if there is none.
    gap smallest_gap(const storage& s, std::uint32_t piece, std::uint64_t bytes) const {
        gap best;
        std::uint64_t best_size = ~std::uint64_t{0};
        std::uint64_t end = 0;
        for (const std::uint32_t other : in_order_) {
            const storage& o = plan_->storages[other];
            if (o.piece != piece || !meet(o, s)) continue;
            if (o.offset >= end + bytes && o.offset - end < best_size) {
                best = {end, true};
                best_size = o.offset - end;
            }
            end = std::max(end, o.offset + rounded(o.bytes));
        }
        return best.bounded ? best : gap{end, false};
    }

    void put(std::uint32_t s, std::uint32_t piece, std::uint64_t offset) {
        plan_->storages[s].piece = piece;
        plan_->storages[s].offset = offset;
        in_order_.push_back(s);
        for (std::size_t i = in_order_.size() - 1; i > 0 && plan_->storages[in_order_[i - 1]].offset > offset; --i)
            std::swap(in_order_[i - 1], in_order_[i]);
    }

    memory_plan* plan_;
    plain_vector<std::uint32_t> order_;
    plain_vector<std::uint32_t> leaving_;  // the largest first
    plain_vector<std::uint32_t> in_order_; // of their offsets, those that do not leave
};

} // namespace tutti::relay::detail
