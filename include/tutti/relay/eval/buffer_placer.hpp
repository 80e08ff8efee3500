#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/memory_plan.hpp>
#include <tutti/relay/ir/order.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Places each buffer of a plan in the smallest sufficient gap between buffers with overlapping live ranges.
///
/// Buffers live at the peak are placed first, largest first. As long as memory might be saved, this is repeated with
/// the buffer at the highest offset placed first.
///
/// Ensures: offsets are aligned to 64 bytes, and buffers with overlapping live ranges do not overlap in memory.
/// Cost:    quadratic in the number of buffers; up to 200 rounds if there are few buffers.
class buffer_placer {
public:
    static constexpr std::uint64_t alignment = 64;

    explicit buffer_placer(memory_plan& plan) : plan_(&plan) {
        const auto& all = plan.buffers;
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

    // Returns the number of live bytes at each step. The maximum is a lower bound for the memory.
    plain_vector<std::uint64_t> bytes_alive() const {
        std::uint32_t end = 0;
        for (const buffer& s : plan_->buffers) end = std::max(end, s.last);
        plain_vector<std::uint64_t> alive(end + std::size_t{2}, 0); // initially differences, modulo 2^64
        for (const buffer& s : plan_->buffers) {
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
            plan_->buffers[s].piece = static_cast<std::uint32_t>(plan_->pieces.size());
            plan_->pieces.push_back(rounded(plan_->buffers[s].bytes));
        }
        for (const std::uint32_t s : order_)
            if (!plan_->buffers[s].leaves) place(s);
    }

    // Moves the buffer at the end of piece 0 to the front of the order, so that it is placed first.
    void raise_top() {
        std::size_t top = 0;
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const buffer& s = plan_->buffers[order_[i]];
            if (s.piece == 0 && s.offset + rounded(s.bytes) == plan_->pieces[0]) top = i;
        }
        for (std::size_t i = top; i > 0; --i) std::swap(order_[i], order_[i - 1]);
    }

    struct gap {
        std::uint64_t offset = 0;
        bool bounded = false; // the gap ends at another buffer
    };

    void place(std::uint32_t s) {
        buffer& placed = plan_->buffers[s];
        const std::uint64_t bytes = rounded(placed.bytes);
        for (const std::uint32_t r : leaving_) {
            const buffer& result = plan_->buffers[r];
            if (result.bytes < placed.bytes) break;
            if (result.first <= placed.last || overlap(result, placed)) continue;
            const gap found = smallest_gap(placed, result.piece, bytes);
            if (found.offset + bytes > plan_->pieces[result.piece]) continue;
            put(s, result.piece, found.offset);
            return;
        }
        const gap found = smallest_gap(placed, 0, bytes);
        put(s, 0, found.offset);
        plan_->pieces[0] = std::max(plan_->pieces[0], found.offset + bytes);
    }

    // Returns the smallest sufficient gap between placed buffers that are live at the same time as `s`. If no gap
    // suffices, returns the end of the last of these buffers.
    gap smallest_gap(const buffer& s, std::uint32_t piece, std::uint64_t bytes) const {
        gap best;
        std::uint64_t best_size = ~std::uint64_t{0};
        std::uint64_t end = 0;
        for (const std::uint32_t other : in_order_) {
            const buffer& o = plan_->buffers[other];
            if (o.piece != piece || !overlap(o, s)) continue;
            if (o.offset >= end + bytes && o.offset - end < best_size) {
                best = {end, true};
                best_size = o.offset - end;
            }
            end = std::max(end, o.offset + rounded(o.bytes));
        }
        return best.bounded ? best : gap{end, false};
    }

    void put(std::uint32_t s, std::uint32_t piece, std::uint64_t offset) {
        plan_->buffers[s].piece = piece;
        plan_->buffers[s].offset = offset;
        in_order_.push_back(s);
        for (std::size_t i = in_order_.size() - 1; i > 0 && plan_->buffers[in_order_[i - 1]].offset > offset; --i)
            std::swap(in_order_[i - 1], in_order_[i]);
    }

    memory_plan* plan_;
    plain_vector<std::uint32_t> order_;
    plain_vector<std::uint32_t> leaving_;  // buffers with values that leave the code, largest first
    plain_vector<std::uint32_t> in_order_; // other placed buffers, sorted by offset
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
