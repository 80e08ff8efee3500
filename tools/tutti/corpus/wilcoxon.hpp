#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace program::corpus {

/// The result of a Wilcoxon signed-rank test of paired times.
struct paired_test {
    std::size_t pairs = 0;
    double ratio = 1; ///< geometric mean of after/before
    double p = 1;     ///< two-sided, by the normal approximation with a correction for ties
};

/// Compares pairs of positive times (before, after). Ranks the logarithms of their ratios. With fewer
/// than 10 pairs that differ, the approximation is not valid, and p is 1.
inline paired_test compare_times(const std::vector<std::pair<double, double>>& times) {
    paired_test result;
    std::vector<double> logs;
    double sum = 0;
    for (const auto& [before, after] : times) {
        if (before <= 0 || after <= 0) continue;
        ++result.pairs;
        const double d = std::log(after / before);
        sum += d;
        if (d != 0) logs.push_back(d);
    }
    if (result.pairs != 0) result.ratio = std::exp(sum / static_cast<double>(result.pairs));
    constexpr std::size_t least = 10;
    if (logs.size() < least) return result;
    std::ranges::sort(logs, {}, [](double d) { return std::abs(d); });
    const auto n = static_cast<double>(logs.size());
    double positive = 0, ties = 0;
    for (std::size_t i = 0; i < logs.size();) {
        std::size_t end = i;
        while (end < logs.size() && std::abs(logs[end]) == std::abs(logs[i])) ++end;
        const double rank = static_cast<double>(i + end + 1) / 2, size = static_cast<double>(end - i);
        for (; i < end; ++i)
            if (logs[i] > 0) positive += rank;
        ties += size * size * size - size;
    }
    const double mean = n * (n + 1) / 4;
    const double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48);
    if (deviation > 0) result.p = std::erfc(std::abs(positive - mean) / deviation / std::sqrt(2.0));
    return result;
}

} // namespace program::corpus
