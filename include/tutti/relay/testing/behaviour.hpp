#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/testing/noisy_evaluation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::testing {

/// Numbers of result elements that are compared exactly, compared within rounding, or skipped because rounding may
/// change them arbitrarily.
struct compared_elements {
    std::uint64_t exact = 0;
    std::uint64_t within = 0;
    std::uint64_t skipped = 0;
};

/// The results of a program on some inputs, and the effect of rounding on equivalent programs.
class behaviour {
public:
    /// Evaluates the program. `tolerance` allows additional floating-point differences, relative to the largest of 1
    /// and the magnitudes of the two elements.
    ///
    /// Throws: `tutti::error` if the program cannot be evaluated.
    behaviour(relay::ir_module m, tensors inputs, double tolerance = 0)
        : program_(std::move(m))
        , inputs_(std::move(inputs))
        , results_(evaluated(program_, inputs_))
        , tolerance_(tolerance) {
        for (const kernel::tensor& t : results_) limits_.emplace_back(static_cast<std::size_t>(t.size()), 0.0);
        disturb(6);
    }

    /// Describes the first difference between these results and the results of another program on the same inputs.
    /// Returns an empty string if there is no difference.
    ///
    /// Throws: `tutti::error` if the other program cannot be evaluated.
    std::string difference(const relay::ir_module& m) {
        const tensors others = evaluated(m, inputs_);
        std::string found = compare(others);
        // Rare events, such as a comparison whose outcome hardly ever changes, need more rounds.
        for (int rounds = 0; !found.empty() && rounds < 4; ++rounds) {
            disturb(16);
            found = compare(others);
        }
        return found;
    }

    /// Checks a program that intentionally computes something else. It must evaluate to the same number of results.
    /// Returns a description of the failure, or an empty string.
    std::string failure(const relay::ir_module& m) const {
        return evaluated(m, inputs_).size() == results_.size() ? "" : "a different number of results";
    }

    compared_elements count() const {
        compared_elements n;
        for (const vector<double>& limit : limits_)
            for (const double l : limit) (l == 0 ? n.exact : std::isfinite(l) ? n.within : n.skipped) += 1;
        return n;
    }

private:
    // Returns the elements of a floating-point tensor, or an empty list for other types.
    static vector<double> numbers(const kernel::tensor& t) {
        vector<double> all;
        if (!kernel::is_floating(t.type())) return all;
        for (std::int64_t i = 0; i < t.size(); ++i) all.push_back(kernel::number::at(t, i).real());
        return all;
    }

    // Allowed difference, as a multiple of the effect of noise.
    static constexpr double slack = 4;

    // Evaluates the program `times` times with noise, and widens the limits by the differences. An integer or bool
    // element that varies is no longer compared.
    void disturb(int times) {
        for (const tensors& results : evaluated_with_noise(program_, inputs_, times, seed_++)) {
            for (std::size_t r = 0; r < results_.size(); ++r) {
                const vector<double> was = numbers(results_[r]);
                const vector<double> is = numbers(results[r]);
                for (std::size_t i = 0; i < was.size(); ++i) widen(limits_[r][i], was[i], is[i]);
                if (was.empty())
                    for (std::size_t i = 0; i < limits_[r].size(); ++i)
                        if (!same_bytes(results_[r], results[r], i)) limits_[r][i] = unlimited;
            }
        }
    }

    static void widen(double& limit, double was, double is) {
        if (was == is || (std::isnan(was) && std::isnan(is))) return;
        const double d = std::abs(was - is);
        limit = !std::isfinite(d) || slack * d > std::abs(was) + 1 ? unlimited : std::max(limit, slack * d);
    }

    static bool same_bytes(const kernel::tensor& a, const kernel::tensor& b, std::size_t i) {
        const std::size_t size = kernel::bytes(a.type());
        const auto* const first = static_cast<const unsigned char*>(a.memory()) + i * size;
        const auto* const second = static_cast<const unsigned char*>(b.memory()) + i * size;
        return std::equal(first, first + size, second);
    }

    std::string compare(std::span<const kernel::tensor> others) const {
        if (others.size() != results_.size()) return std::to_string(others.size()) + " results";
        for (std::size_t r = 0; r < results_.size(); ++r) {
            const kernel::tensor& a = results_[r];
            const kernel::tensor& b = others[r];
            const std::string where = "result " + std::to_string(r);
            if (a.type() != b.type() || !std::ranges::equal(a.shape(), b.shape())) return where + " has another type";
            const vector<double> was = numbers(a);
            const vector<double> is = numbers(b);
            for (std::size_t i = 0; i < limits_[r].size(); ++i) {
                const double limit = limits_[r][i];
                bool good = limit == unlimited;
                if (was.empty())
                    good = good || same_bytes(a, b, i);
                else
                    good = good || was[i] == is[i] || (std::isnan(was[i]) && std::isnan(is[i])) ||
                           std::abs(was[i] - is[i]) <= limit || within(was[i], is[i]);
                if (good) continue;
                std::string said = where + ", element " + std::to_string(i) + ": ";
                const kernel::tensor* const both[]{&a, &b};
                for (const kernel::tensor* t : both) {
                    const kernel::number n = kernel::number::at(*t, static_cast<std::int64_t>(i));
                    char text[40];
                    std::snprintf(text, sizeof text, "%.17g", n.real());
                    said += std::string(t == &a ? "" : " became ") + text;
                }
                return said + "; rounding may cause " + std::to_string(limit);
            }
        }
        return {};
    }

    bool within(double a, double b) const {
        return std::abs(a - b) <= tolerance_ * std::max({1.0, std::abs(a), std::abs(b)}) && std::isfinite(a) &&
               std::isfinite(b);
    }

    static constexpr double unlimited = std::numeric_limits<double>::infinity();

    relay::ir_module program_;
    tensors inputs_;
    tensors results_;
    vector<vector<double>> limits_; // allowed differences, indexed by result and element
    double tolerance_;
    std::uint64_t seed_ = 1;
};

} // namespace tutti::relay::inline TUTTI_FORM::testing
