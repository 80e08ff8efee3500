#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <vector>

namespace tutti::internal {

/// Matches equal elements of two sequences with Myers' algorithm. Divides the sequences at the middle of the shortest
/// path (E. Myers, An O(ND) Difference Algorithm and Its Variations, 1986, section 4b).
///
/// `same(i, j)` is true if element `i` of the first sequence equals element `j` of the second.
///
/// Cost:    memory for a few numbers per element; time proportional to the number of elements times the number of
///          differing elements, up to a bound. Beyond the bound, the result may contain more differences than
///          necessary.
/// Example: `const sequence_matcher found{old.size(), now.size(), [&](std::size_t i, std::size_t j) { return old[i] ==
///          now[j]; }};`
template <class Same>
class sequence_matcher {
    struct point {
        long x, y;
    };
    // Limit on half the path length. Longer searches stop at the farthest point so far, to keep the time linear.
    static constexpr long longest = 512;
    static constexpr long nowhere = -1;

    Same same_;
    std::vector<char> gone_, added_;       // indexed by element
    std::vector<long> forward_, backward_; // the farthest points of paths, indexed by diagonal
    long zero_ = 0;                        // the index of diagonal 0 in `forward_` and `backward_`

    bool same(long x, long y) const { return same_(static_cast<std::size_t>(x), static_cast<std::size_t>(y)); }
    static long& at(std::vector<long>& reached, long diagonal) { return reached[static_cast<std::size_t>(diagonal)]; }

    // Returns the farthest x on diagonal `k` after one more step from an adjacent diagonal, or `nowhere`. The grid is
    // `wide` by `high`.
    static long step(std::vector<long>& reached, long zero, long k, long wide, long high) {
        const long left = at(reached, zero + k - 1), above = at(reached, zero + k + 1);
        const long x = left != nowhere && left < wide ? left + 1 : nowhere;
        const long same_x = above != nowhere && above - k <= high ? above : nowhere;
        return x > same_x ? x : same_x;
    }

    // Returns a point on a shortest path, relative to the corner (x0, y0). Beyond the limit, returns the farthest
    // point.
    point middle(long x0, long x1, long y0, long y1) {
        const long wide = x1 - x0, high = y1 - y0, delta = wide - high;
        point farthest{0, 0};
        const long most = longest < wide + high ? longest : wide + high;
        for (long k = -most - 2; k <= most + 2; ++k) at(forward_, zero_ + k) = at(backward_, zero_ + k) = nowhere;
        at(forward_, zero_ + 1) = at(backward_, zero_ + 1) = 0; // from here, the first step leads to (0, 0)
        for (long d = 0; d <= most; ++d) {
            for (long k = -d; k <= d; k += 2) {
                long x = d == 0 ? 0 : step(forward_, zero_, k, wide, high);
                if (x != nowhere)
                    while (x < wide && x - k < high && same(x0 + x, y0 + x - k)) ++x;
                at(forward_, zero_ + k) = x;
                if (x == nowhere) continue;
                if (x + x - k > farthest.x + farthest.y) farthest = {x, x - k};
                const long other = delta - k;
                if (delta % 2 != 0 && -d < other && other < d && at(backward_, zero_ + other) != nowhere &&
                    x + at(backward_, zero_ + other) >= wide)
                    return {x, x - k};
            }
            for (long k = -d; k <= d; k += 2) {
                long x = d == 0 ? 0 : step(backward_, zero_, k, wide, high);
                if (x != nowhere)
                    while (x < wide && x - k < high && same(x1 - 1 - x, y1 - 1 - x + k)) ++x;
                at(backward_, zero_ + k) = x;
                if (x == nowhere) continue;
                const long other = delta - k;
                if (delta % 2 == 0 && -d <= other && other <= d && at(forward_, zero_ + other) != nowhere &&
                    x + at(forward_, zero_ + other) >= wide)
                    return {wide - x, high - x + k};
            }
        }
        return farthest;
    }

    // Marks the differences. Uses a work list instead of recursion, because sequences may be long.
    void match() {
        struct part {
            long x0, x1, y0, y1;
        };
        std::vector<part> open{{0, static_cast<long>(gone_.size()), 0, static_cast<long>(added_.size())}};
        while (!open.empty()) {
            auto [x0, x1, y0, y1] = open.back();
            open.pop_back();
            while (x0 < x1 && y0 < y1 && same(x0, y0)) ++x0, ++y0;
            while (x0 < x1 && y0 < y1 && same(x1 - 1, y1 - 1)) --x1, --y1;
            if (x0 == x1 || y0 == y1) {
                for (; x0 < x1; ++x0) gone_[static_cast<std::size_t>(x0)] = 1;
                for (; y0 < y1; ++y0) added_[static_cast<std::size_t>(y0)] = 1;
                continue;
            }
            const point cut = middle(x0, x1, y0, y1);
            open.push_back({x0, x0 + cut.x, y0, y0 + cut.y});
            open.push_back({x0 + cut.x, x1, y0 + cut.y, y1});
        }
    }

public:
    sequence_matcher(std::size_t before, std::size_t after, Same same)
        : same_(static_cast<Same&&>(same)), gone_(before), added_(after) {
        const std::size_t both = before + after;
        const std::size_t most = both < static_cast<std::size_t>(longest) ? both : static_cast<std::size_t>(longest);
        zero_ = static_cast<long>(most) + 2;
        forward_.resize(2 * most + 5);
        backward_.resize(2 * most + 5);
        match();
    }

    /// True if element `i` of the first sequence has no match in the second; false out of range.
    bool gone(std::size_t i) const { return i < gone_.size() && gone_[i] != 0; }
    /// True if element `j` of the second sequence has no match in the first.
    bool added(std::size_t j) const { return j < added_.size() && added_[j] != 0; }

    /// Calls `f(first, count, other_first, other_count)` for each difference, in order: `other_count` elements of the
    /// second sequence replace `count` elements of the first.
    template <class F>
    void each_difference(F&& f) const {
        for (std::size_t x = 0, y = 0; x < gone_.size() || y < added_.size();) {
            if (!gone(x) && !added(y)) {
                ++x, ++y;
                continue;
            }
            const std::size_t x0 = x, y0 = y;
            while (gone(x) || added(y)) gone(x) ? ++x : ++y;
            f(x0, x - x0, y0, y - y0);
        }
    }
};

} // namespace tutti::internal
