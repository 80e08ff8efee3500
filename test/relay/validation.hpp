#pragma once

#include <tutti/base/error.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include "golden/numeric.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tutti::test {

/// The results of a program for synthetic inputs, which passes must not change.
class computation {
public:
    /// Throws: `tutti::error` if the program cannot be evaluated.
    explicit computation(relay::ir_module m) {
        relay::evaluator e(std::move(m));
        inputs_ = synthetic_inputs(e);
        const auto results = e.run(std::span<const kernel::tensor>(inputs_));
        results_.assign(results.begin(), results.end());
    }

    /// Evaluates another program with the same inputs. Returns the largest error of its outputs; infinite if the number
    /// or a type of the outputs differs.
    ///
    /// Throws: `tutti::error` if the program cannot be evaluated.
    double distance(relay::ir_module m) const {
        relay::evaluator e(std::move(m));
        const auto results = e.run(std::span<const kernel::tensor>(inputs_));
        double largest = results.size() == results_.size() ? 0 : std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < results_.size() && i < results.size(); ++i) {
            if (type_line(results[i]) != type_line(results_[i])) return std::numeric_limits<double>::infinity();
            const auto bytes = static_cast<std::size_t>(results[i].size()) * kernel::bytes(results[i].type());
            if (bytes == 0 || std::memcmp(results[i].memory(), results_[i].memory(), bytes) == 0) continue;
            largest = std::max(largest, largest_error(elements_of(results[i]), elements_of(results_[i])));
        }
        return largest;
    }

    /// Returns the total number of elements of the inputs.
    std::int64_t size() const {
        std::int64_t all = 0;
        for (const kernel::tensor& t : inputs_) all += t.size();
        return all;
    }

    /// True if all results are finite.
    bool is_finite() const {
        for (const kernel::tensor& t : results_)
            for (const double x : elements_of(t))
                if (!std::isfinite(x)) return false;
        return true;
    }

private:
    std::vector<kernel::tensor> inputs_;
    std::vector<kernel::tensor> results_;
};

} // namespace tutti::test
