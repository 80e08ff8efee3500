#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/relay/debug/numeric_difference.hpp>
#include <tutti/relay/debug/rounding.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/infer.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Describes the first NaN or infinity in results: "result 0: element [0, 3] is nan"; empty if all are finite.
inline std::string not_finite(const vector<tensor>& results) {
    for (std::size_t r = 0; r < results.size(); ++r) {
        const tensor& t = results[r];
        if (!kernel::is_floating(t.type())) continue;
        const real_elements elements(t);
        for (std::size_t i = 0; i < elements.size(); ++i) {
            if (std::isfinite(elements[i])) continue;
            const auto place = static_cast<std::int64_t>(i);
            return "result " + std::to_string(r) + ": element " + place_text(t.shape(), place) + " is " +
                   element_text(t, place);
        }
    }
    return {};
}

using numeric_inputs = std::shared_ptr<const vector<tensor>>;

/// A module and its results. The results are computed when needed.
struct numeric_state {
    ir_module module;
    numeric_inputs inputs{};          ///< null if inputs are to be drawn
    std::optional<ir_module> typed{}; ///< the module with inferred types, if needed
    bool evaluated = false;
    std::string refusal{}; ///< the reason why the module cannot be evaluated
    std::string notes{};   ///< lines about the inputs
    vector<tensor> results{};
    double spacing = 0;             ///< spacing of the least precise type that the module computes with
    int noisy_runs = 0;             ///< number of evaluations with noise
    vector<vector<double>> noise{}; ///< indexed by result and element: the effect of rounding; infinity if unbounded
};

/// True if `m` equals the state's module except for inferred types. The state then stores `m` instead.
inline bool is_same_program(numeric_state& s, const ir_module& m) {
    if (structural_equal(s.module, m)) return true;
    try {
        if (!s.typed) {
            s.typed = s.module;
            infer_types(*s.typed);
        }
        ir_module typed = m;
        infer_types(typed);
        if (!structural_equal(*s.typed, typed)) return false;
    } catch (const error&) {
        return false; // one of the modules is ill-typed
    }
    s.module = m;
    return true;
}

/// Draws inputs for a function until its results are finite, at most `draws` times. Adds a note for each failure.
template <class Evaluator>
void draw_inputs(numeric_state& s, Evaluator& e, std::uint64_t seed, int draws) {
    for (int left = draws; left > 0; --left, ++seed) {
        auto drawn = std::make_shared<vector<tensor>>();
        {
            const kernel::allowance::use here(e.allowance());
            for (const parameter& p : e.parameters())
                drawn->push_back(synthetic_input(p.name, e.types(), p.type, seed));
        }
        const auto results = e.run(std::span<const tensor>(*drawn));
        s.results.assign(results.begin(), results.end());
        s.inputs = std::move(drawn);
        const std::string bad = not_finite(s.results);
        if (bad.empty()) return;
        const bool last = left == 1 || e.parameters().empty();
        s.notes += "with the inputs of seed " + std::to_string(seed) + ", " + bad +
                   (last ? "; they are used anyway\n" : "; trying others\n");
        if (last) return;
    }
}

/// Evaluates the state's module if it has not been evaluated yet. Draws inputs if the state has none.
inline void evaluate_state(numeric_state& s, const kernel_set& kernels, const evaluate_options& options,
                           std::uint64_t seed, int draws) {
    if (std::exchange(s.evaluated, true)) return;
    try {
        evaluator e(s.module, kernels, options);
        s.spacing = coarsest_spacing(e.module());
        if (s.inputs == nullptr) return draw_inputs(s, e, seed, draws);
        const auto results = e.run(std::span<const tensor>(*s.inputs));
        s.results.assign(results.begin(), results.end());
    } catch (const error& e) {
        s.refusal = e.what();
    } catch (const std::bad_alloc&) {
        s.refusal = "there is not enough memory";
    }
}

/// Evaluates the state's module `times` more times with rounding noise, and records the effect in `noise`.
inline void disturb_state(numeric_state& s, const kernel_set& kernels, const evaluate_options& options, int times) {
    constexpr double slack = 2; // a difference may be this multiple of the effect of noise
    constexpr double anything = std::numeric_limits<double>::infinity();
    if (s.noise.empty())
        for (const tensor& t : s.results) s.noise.emplace_back(static_cast<std::size_t>(t.size()), 0.0);
    evaluator e(s.module, kernels, options);
    for (; times > 0; --times) {
        rounding_noise noise(static_cast<std::uint64_t>(++s.noisy_runs));
        vector<tensor> inputs;
        for (const tensor& t : *s.inputs) inputs.push_back(kernel::is_floating(t.type()) ? noise.disturbed(t) : t);
        const auto results = e.run(std::span<const tensor>(inputs), noise);
        for (std::size_t r = 0; r < results.size(); ++r) {
            const bool floating = kernel::is_floating(results[r].type());
            const real_elements was(s.results[r]);
            const real_elements is(results[r]);
            for (std::size_t i = 0; i < was.size(); ++i) {
                if (was[i] == is[i] || (std::isnan(was[i]) && std::isnan(is[i]))) continue;
                const double by = slack * std::abs(was[i] - is[i]);
                double& limit = s.noise[r][i];
                limit = !floating || !std::isfinite(by) ? anything : by > limit ? by : limit;
            }
        }
    }
}

} // namespace tutti::relay::inline TUTTI_FORM::detail
