#pragma once

#include <tutti/instrument/run_totals.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace program::profiles {

/// Returns the probability that two samples of times from the same distribution differ as much as these, two-sided.
///
/// This is the Mann-Whitney test (H. B. Mann, D. R. Whitney, 1947) by the normal approximation, with a correction for
/// ties; times in a bucket are ties. Returns 1 if a sample has fewer than 8 times, as the approximation is then not
/// valid.
inline double rank_sum_p(const tutti::instrument::time_histogram& a, const tutti::instrument::time_histogram& b) {
    constexpr std::uint64_t least = 8;
    if (a.count() < least || b.count() < least) return 1;
    const auto n = static_cast<double>(a.count()), m = static_cast<double>(b.count()), all = n + m;
    double below = 0, u = 0, ties = 0; // u: pairs in which the time of `a` is larger, ties counted half
    std::size_t i = 0, j = 0;
    const auto &x = a.buckets(), &y = b.buckets();
    while (i < x.size() || j < y.size()) {
        const bool of_a = j == y.size() || (i < x.size() && x[i].number <= y[j].number);
        const bool of_b = i == x.size() || (j < y.size() && y[j].number <= x[i].number);
        const double in_a = of_a ? static_cast<double>(x[i++].count) : 0,
                     in_b = of_b ? static_cast<double>(y[j++].count) : 0;
        u += in_a * (below + in_b / 2);
        below += in_b;
        const double tied = in_a + in_b;
        ties += tied * tied * tied - tied;
    }
    const double deviation = std::sqrt(n * m / 12 * (all + 1 - ties / (all * (all - 1))));
    return deviation > 0 ? std::erfc(std::abs(u - n * m / 2) / deviation / std::sqrt(2.0)) : 1;
}

} // namespace program::profiles
