#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/debug/agreement.hpp>
#include <tutti/relay/debug/call_matching.hpp>
#include <tutti/relay/debug/computed_values.hpp>
#include <tutti/relay/debug/numeric_difference.hpp>
#include <tutti/relay/debug/rounding.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/result_names.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// The tolerance of one result.
struct result_tolerance {
    std::string result; ///< the name of the result, or its index: "0"
    double relative = 0;
};

/// Options of `compare_programs`.
struct compare_options {
    /// Tolerance for floating-point elements, relative to the greater of the element's magnitude and the tensor's root
    /// mean square. The default is 84 units in the last place of the least precise type in either program, which is
    /// 1e-5 for float32. Integers must be equal.
    std::optional<double> tolerance{};
    /// Tolerances of single results, in place of `tolerance`. It is an error if no result has the name.
    vector<result_tolerance> of_results{};
    /// True if passes derived one program from the other, so that calls at the same position in the text correspond.
    bool same_text = false;
    /// Limit on the bytes of the first program's intermediate values that are kept. Values that do not fit are not
    /// compared.
    std::uint64_t max_bytes = std::uint64_t{1} << 28;
};

/// The results of comparing two programs on the same inputs.
struct comparison {
    struct difference {
        std::string place{}; ///< in the first program: "result 0, logits", "@main 3:8 %y, exp"
        std::string other{}; ///< the place in the second program, if different
        numeric_difference what{};
    };

    /// The agreement of a result of the second program with the corresponding result of the first.
    struct closeness_of_result {
        std::string place{}; ///< as in `difference`
        agreement what{};
    };

    vector<closeness_of_result> agreements{}; ///< for each result with the same type and shape in both programs
    vector<difference> results{};             ///< results that differ
    vector<difference> inside{};              ///< intermediate values that differ, in the order of the second program
    std::size_t compared_results = 0;
    std::size_t compared_inside = 0;
    std::size_t unmatched = 0; ///< number of the second program's values without a counterpart
    std::size_t not_kept = 0;  ///< number of the first program's values that did not fit in `max_bytes`

    bool same() const { return results.empty(); }
};

namespace detail {

/// Keeps those values of the first program that have counterparts in the second.
class kept_values {
    struct kept {
        tensor value{};
        std::string place;
        std::string type;
    };

    const call_matching* matching_;
    vector<kept> all_;
    vector<vector<std::uint32_t>> by_call_; // indexed by call of the first program: indices in `all_`, in order
    vector<std::size_t> found_;             // indexed by call of the second program: number of values found
    std::uint64_t left_;
    std::size_t not_kept_ = 0;

public:
    kept_values(const call_matching& matching, std::uint64_t max_bytes)
        : matching_(&matching)
        , by_call_(matching.calls_in_first())
        , found_(matching.calls_in_second(), 0)
        , left_(max_bytes) {}

    std::size_t not_kept() const { return not_kept_; }

    void keep(const computed_value& v) {
        const std::uint32_t call = matching_->number_in_first(v.call->program, v.call->expression);
        if (call == call_matching::none || matching_->in_second(call) == call_matching::none) return;
        const auto bytes = static_cast<std::uint64_t>(v.value->size()) * kernel::bytes(v.value->type());
        kept made{.place = place_of(v), .type = kernel::text(*v.value)};
        if (bytes <= left_) {
            left_ -= bytes;
            made.value.reset(v.value->type(), v.value->shape());
            std::copy_n(static_cast<const unsigned char*>(v.value->memory()), bytes,
                        static_cast<unsigned char*>(made.value.mutable_memory()));
        } else {
            ++not_kept_;
        }
        by_call_[call].push_back(static_cast<std::uint32_t>(all_.size()));
        all_.push_back(std::move(made));
    }

    /// Returns the first program's value that corresponds to a value of the second program: the result of the matching
    /// call. If the calls run several times, their n-th results correspond. Null if no value of this type was kept.
    const kept* find(const computed_value& v) {
        const std::uint32_t call = matching_->number_in_second(v.call->program, v.call->expression);
        if (call == call_matching::none || matching_->in_first(call) == call_matching::none) return nullptr;
        const auto& values = by_call_[matching_->in_first(call)];
        const std::size_t turn = found_[call]++;
        if (turn >= values.size()) return nullptr;
        const kept& before = all_[values[turn]];
        if (before.type != kernel::text(*v.value) || before.value.shape().size() != v.value->shape().size())
            return nullptr;
        return before.value.type() == v.value->type() ? &before : nullptr;
    }
};

/// The descriptions of a program's results: "result 0, logits", or "result 0" for a result without a name.
class result_places {
    vector<std::string> names_;

public:
    result_places(const ir_module& m, std::size_t count) {
        if (const function* const f = m.find("main")) names_ = result_names(*f);
        if (names_.size() != count) names_.clear();
    }
    bool is_called(std::size_t r, const std::string& name) const {
        return name == std::to_string(r) || (!names_.empty() && names_[r] == name);
    }
    std::string operator[](std::size_t r) const {
        return "result " + std::to_string(r) + (names_.empty() ? "" : ", " + names_[r]);
    }
};

/// Returns the tolerance of each result.
///
/// Throws: `tutti::error` if a tolerance names no result.
inline vector<double> tolerances(const compare_options& options, double usual, const result_places& places,
                                 std::size_t count) {
    vector<double> all(count, usual);
    for (const result_tolerance& each : options.of_results) {
        bool known = false;
        for (std::size_t r = 0; r < count; ++r)
            if (places.is_called(r, each.result)) all[r] = each.relative, known = true;
        if (known) continue;
        std::string names;
        for (std::size_t r = 0; r < count; ++r) names += (r == 0 ? "" : "; ") + places[r];
        throw error("tolerance of " + each.result, "there is no such result", names);
    }
    return all;
}

} // namespace detail

/// Evaluates two programs on the same inputs, and compares their results and intermediate values.
///
/// Intermediate values are compared for the calls that `call_matching` matches. They may differ legitimately: a pass
/// may move a factor from one operator to another.
///
/// Requires: inputs for both programs, in the order of their parameters.
/// Throws:   `tutti::error` like `evaluator::run`, if the numbers of results differ, or if a tolerance names no result.
/// Cost:     one evaluation of each program, and `max_bytes` of memory.
inline comparison compare_programs(evaluator& first, std::span<const tensor* const> inputs, evaluator& second,
                                   std::span<const tensor* const> second_inputs, const compare_options& options = {}) {
    const double usual = 84 * std::max(coarsest_spacing(first.module()), coarsest_spacing(second.module()));
    const double relative = options.tolerance.value_or(usual);
    comparison found;
    const call_matching matching(first.module(), second.module(), options.same_text);
    detail::kept_values kept(matching, options.max_bytes);
    computed_values keep(first.module(), [&](const computed_value& v) { kept.keep(v); });
    vector<tensor> results;
    for (const tensor& t : first.run(inputs, keep)) results.push_back(t);
    computed_values look(second.module(), [&](const computed_value& v) {
        const auto* const before = kept.find(v);
        if (before == nullptr) return void(++found.unmatched);
        ++found.compared_inside;
        auto what = differ(before->value, *v.value, relative);
        if (!what) return;
        const std::string place = place_of(v);
        found.inside.push_back({before->place, place == before->place ? "" : place, std::move(*what)});
    });
    const auto others = second.run(second_inputs, look);
    found.not_kept = kept.not_kept();
    if (others.size() != results.size())
        throw error("the second program", "has " + std::to_string(others.size()) + " results",
                    std::to_string(results.size()));
    const detail::result_places places(first.module(), results.size());
    const detail::result_places second_places(second.module(), results.size());
    const vector<double> allowed = detail::tolerances(options, relative, places, results.size());
    for (std::size_t r = 0; r < results.size(); ++r) {
        ++found.compared_results;
        if (results[r].type() == others[r].type() && std::ranges::equal(results[r].shape(), others[r].shape()))
            found.agreements.push_back({places[r], agreement_of(others[r], results[r])});
        auto what = differ(results[r], others[r], allowed[r]);
        if (!what) continue;
        std::string other = second_places[r];
        if (other == places[r]) other.clear();
        found.results.push_back({places[r], std::move(other), std::move(*what)});
    }
    return found;
}

} // namespace tutti::relay::inline TUTTI_FORM
