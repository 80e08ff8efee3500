#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tutti::internal {

/// Matches equal elements of two sequences with Myers' algorithm. Divides the sequences at the middle of the shortest
/// path (E. Myers, An O(ND) Difference Algorithm and Its Variations, 1986, section 4b).
///
/// Elements are numbers, such as hashes of lines. The sequences must outlive the matcher's constructor only.
///
/// Cost:    memory for a few numbers per element; time proportional to the number of elements times the number of
///          differing elements, up to a bound. Beyond the bound, the result may contain more differences than
///          necessary.
/// Example: `const sequence_matcher found{old.data(), old.size(), now.data(), now.size()};`
class sequence_matcher {
    struct point {
        long x, y;
    };
    // Limit on half the path length. Longer searches stop at the farthest point so far, to keep the time linear.
    static constexpr long longest = 512;
    static constexpr long nowhere = -1;

    const std::uint64_t *before_, *after_;
    // The farthest points of paths, indexed by diagonal: numbers of type long. All vectors are of one type, since each
    // type costs the compiler more than this class.
    std::vector<std::uint64_t> forward_, backward_;
    std::vector<std::uint64_t> gone_, added_; // 1 for differing elements, otherwise 0
    long zero_ = 0;                           // the index of diagonal 0 in `forward_` and `backward_`

    bool same(long x, long y) const { return before_[x] == after_[y]; }
    static long at(const std::vector<std::uint64_t>& reached, long diagonal) {
        return static_cast<long>(reached[static_cast<std::size_t>(diagonal)]);
    }
    static void set(std::vector<std::uint64_t>& reached, long diagonal, long x) {
        reached[static_cast<std::size_t>(diagonal)] = static_cast<std::uint64_t>(x);
    }

    // Returns the farthest x on diagonal `k` after one more step from an adjacent diagonal, or `nowhere`. The grid is
    // `wide` by `high`.
    static long step(const std::vector<std::uint64_t>& reached, long zero, long k, long wide, long high) {
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
        for (long k = -most - 2; k <= most + 2; ++k) {
            // from diagonal 1, the first step leads to (0, 0)
            set(forward_, zero_ + k, k == 1 ? 0 : nowhere);
            set(backward_, zero_ + k, k == 1 ? 0 : nowhere);
        }
        for (long d = 0; d <= most; ++d) {
            for (long k = -d; k <= d; k += 2) {
                long x = d == 0 ? 0 : step(forward_, zero_, k, wide, high);
                if (x != nowhere)
                    while (x < wide && x - k < high && same(x0 + x, y0 + x - k)) ++x;
                set(forward_, zero_ + k, x);
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
                set(backward_, zero_ + k, x);
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
        std::vector<std::uint64_t> open{0, gone_.size(), 0, added_.size()}; // x0, x1, y0, y1 of each part
        const auto take = [&] {
            const std::uint64_t last = open.back();
            open.pop_back();
            return static_cast<long>(last);
        };
        while (!open.empty()) {
            long y1 = take(), y0 = take(), x1 = take(), x0 = take();
            while (x0 < x1 && y0 < y1 && same(x0, y0)) ++x0, ++y0;
            while (x0 < x1 && y0 < y1 && same(x1 - 1, y1 - 1)) --x1, --y1;
            if (x0 == x1 || y0 == y1) {
                for (; x0 < x1; ++x0) gone_[static_cast<std::size_t>(x0)] = 1;
                for (; y0 < y1; ++y0) added_[static_cast<std::size_t>(y0)] = 1;
                continue;
            }
            const point cut = middle(x0, x1, y0, y1);
            for (const long each : {x0, x0 + cut.x, y0, y0 + cut.y, x0 + cut.x, x1, y0 + cut.y, y1})
                open.push_back(static_cast<std::uint64_t>(each));
        }
    }

public:
    [[gnu::cold]] sequence_matcher(const std::uint64_t* before, std::size_t count, const std::uint64_t* after,
                                   std::size_t other_count)
        : before_(before), after_(after), gone_(count), added_(other_count) {
        const std::size_t both = count + other_count;
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
