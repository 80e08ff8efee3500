#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/instrument/support/pass_frames.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/debug/numeric_difference.hpp>
#include <tutti/relay/debug/numeric_state.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Options of `verify_numerics`.
struct numerics_options {
    /// Tolerance for floating-point elements, relative to the greater of the element's magnitude and the tensor's root
    /// mean square. The default is 84 units in the last place of the least precise type that the program computes with,
    /// which is 1e-5 for float32. It is higher if rounding noise has a greater effect (`rounding_noise`). Integers must
    /// be equal, unless they depend on noise.
    std::optional<double> tolerance{};
    /// Inputs for the function's parameters in order, with the fields of tuples in sequence. If empty, synthetic inputs
    /// are drawn.
    vector<tensor> inputs{};
    /// The seed of `synthetic_input` in the first draw. Further draws use the next seeds.
    std::uint64_t seed = 0;
    /// The largest number of draws. The last inputs are used even if the results contain NaN or infinity.
    int draws = 4;
    /// Passes that intentionally change results. The effect is reported, and later passes must keep the new results.
    /// A NaN or infinity in place of a finite number is still an error.
    vector<std::string> other_results{"ToMixedPrecision"};
    /// Options of the evaluation.
    evaluate_options evaluation{};
    /// The kernels of the evaluation; null for `kernels::blocked()`.
    const kernel_set* kernels = nullptr;
};

/// Evaluates a program before and after each pass, and throws after the first pass that changes a result. The error
/// shows the result, the element and both values. A pass is not blamed for effects of the passes that it runs.
///
/// Only passes that change the program's structure cost an evaluation. The first such pass costs two. For a pass over
/// functions, the function's module is evaluated.
///
/// Calls `write(text)` with one line for each report: inputs that lead to NaNs or infinities, the first program that
/// cannot be evaluated (because of dynamic shapes, or an operator without a kernel), and effects of passes that
/// intentionally change results.
///
/// Requires: passes over modules, or over functions of a module.
/// Throws:   `tutti::error` from its hooks: "after FoldConstant: result 0: element [0, 3] is 0.51 and was 0.5: 0.01
///           apart; expected 5e-06 apart at most". Also throws if the program could be evaluated before a pass, but not
///           after it.
/// Cost:     one evaluation for each pass that changes the program, and one more. Unless `tolerance` is set, up to 16
///           more before a pass is blamed. Keeps two modules and their results between passes.
/// Example:  `verify_numerics check{{}, [](std::string_view line) { std::cerr << line; }};`
template <std::invocable<std::string_view> Write>
class verify_numerics {
    using state = std::shared_ptr<detail::numeric_state>;

    struct running_pass {
        const void* unit;
        state current{};      // the last known state of the program; null if unknown
        std::string part{};   // for a pass over functions, the function's name in that program
        bool chained = false; // the surrounding pass runs over the same program, and takes over the state
        bool meant = false;   // a nested pass intentionally changes results
    };

    numerics_options options_;
    Write write_;
    instrument::pass_frames<running_pass> frames_;
    state latest_; // the last evaluated program
    bool refused_ = false;

    const kernel_set& kernels() const {
        return options_.kernels != nullptr ? *options_.kernels : relay::kernels::blocked();
    }
    void say(std::string text) {
        text.insert(0, "verify_numerics: ");
        text += '\n';
        write_(std::string_view{text});
    }
    state made(const ir_module& m, const detail::numeric_inputs& inputs) {
        const bool fits = latest_ && (inputs == nullptr || latest_->inputs == inputs);
        if (fits && detail::is_same_program(*latest_, m)) return latest_;
        return std::make_shared<detail::numeric_state>(detail::numeric_state{.module = m, .inputs = inputs});
    }
    void evaluate(const state& s) {
        if (s->evaluated) return;
        const bool given = s->inputs == nullptr && !options_.inputs.empty();
        if (given) s->inputs = std::make_shared<const vector<tensor>>(options_.inputs);
        detail::evaluate_state(*s, kernels(), options_.evaluation, options_.seed, options_.draws);
        latest_ = s;
        if (const std::string bad = detail::not_finite(s->results); given && !bad.empty())
            say("with the given inputs, " + bad);
        for (std::size_t at = 0; at < s->notes.size();) {
            const std::size_t end = s->notes.find('\n', at);
            say(s->notes.substr(at, end - at));
            at = end + 1;
        }
    }
    void tell_refusal(const std::string& why) {
        if (!std::exchange(refused_, true)) say("the program cannot be evaluated, so nothing is compared: " + why);
    }

    bool is_meant(const pass_info& info) const {
        for (const std::string& each : options_.other_results)
            if (each == info.name) return true;
        return false;
    }

    std::optional<numeric_difference> differs(detail::numeric_state& was, const detail::numeric_state& is,
                                              std::size_t r) {
        const double usual = 84 * std::max(was.spacing, is.spacing);
        const double relative = options_.tolerance.value_or(usual);
        auto found = differ(was.results[r], is.results[r], relative);
        if (options_.tolerance) return found;
        for (const int runs : {4, 16}) {
            if (!found || found->element.empty()) break;
            if (was.noisy_runs < runs)
                detail::disturb_state(was, kernels(), options_.evaluation, runs - was.noisy_runs);
            found = differ(was.results[r], is.results[r], relative, was.noise[r]);
        }
        return found;
    }

    void compare(const running_pass& done, detail::numeric_state& was, detail::numeric_state& is,
                 const pass_info& info) {
        if (!was.refusal.empty()) return tell_refusal(was.refusal);
        const bool meant = done.meant || is_meant(info);
        if (meant && !is.refusal.empty()) return tell_refusal(is.refusal);
        std::string where{"after "};
        where += info.name;
        if (!is.refusal.empty())
            throw error(std::move(where), "the program cannot be evaluated any more: " + is.refusal);
        if (was.results.size() != is.results.size())
            throw error(std::move(where), "there are " + std::to_string(is.results.size()) + " results",
                        std::to_string(was.results.size()));
        for (std::size_t r = 0; r < was.results.size(); ++r) {
            const auto lost = meant ? lost_numbers(was.results[r], is.results[r]) : std::nullopt;
            const auto found = lost ? lost : meant ? differ(was.results[r], is.results[r], 0) : differs(was, is, r);
            if (!found) continue;
            const std::string what =
                "result " + std::to_string(r) + (found->element.empty() ? " " : ": ") + to_text(*found);
            if (lost) throw error(std::move(where), what, "a finite number");
            if (!meant) {
                const bool exact = found->element.empty() || found->allowed == 0 || found->error != found->error;
                throw error(std::move(where), what,
                            exact ? found->before : detail::digits(found->allowed) + " apart at most");
            }
            say(where + ", which is meant to change results: " + what);
        }
    }

    // Compares the results before and after a pass. `m` is the program after the pass.
    void settle(running_pass& done, const ir_module& m, const pass_info& info) {
        if (!detail::is_same_program(*done.current, m)) {
            evaluate(done.current);
            const state now = made(m, done.current->inputs);
            evaluate(now);
            compare(done, *done.current, *now, info);
            done.current = now;
        }
        running_pass* const outer = frames_.around();
        if (outer == nullptr) return;
        if (done.chained)
            outer->current = std::move(done.current);
        else
            outer->meant = outer->meant || done.meant || is_meant(info);
    }

public:
    static constexpr std::string_view name = "verify_numerics";
    /// Parts are transformed in sequence (see `tutti::on`).
    static constexpr bool in_order = true;

    verify_numerics(numerics_options options, Write write) : options_(std::move(options)), write_(std::move(write)) {}

    /// Sets the inputs, like `numerics_options::inputs`.
    void use_inputs(vector<tensor> inputs) { options_.inputs = std::move(inputs); }
    /// Sets the evaluation options, like `numerics_options::evaluation`.
    void use_options(const evaluate_options& evaluation) { options_.evaluation = evaluation; }

    void enter_pass_ctx() { frames_.enter(); }
    void exit_pass_ctx() {
        frames_.exit();
        if (frames_.empty()) latest_ = nullptr;
    }
    void run_before_pass(const ir_module& m, const pass_info& info) {
        running_pass now{.unit = &m};
        const running_pass* const outer = frames_.around();
        const bool known = outer != nullptr && outer->current && outer->part.empty();
        now.chained = known && outer->unit == &m && detail::is_same_program(*outer->current, m);
        now.current = now.chained ? outer->current : made(m, known ? outer->current->inputs : nullptr);
        frames_.begin(info, std::move(now));
    }
    void run_after_pass(const ir_module& m, const pass_info& info) {
        frames_.end(info, [&](running_pass& done) { settle(done, m, info); });
    }
    void pass_failed(const ir_module*, const pass_info& info, const std::exception_ptr&) { frames_.end(info); }

    void run_before_pass(const function& f, const pass_info& info) {
        running_pass now{.unit = &f};
        if (const running_pass* const outer = frames_.around(); outer != nullptr && outer->current)
            for (const auto& [global, each] : outer->current->module) {
                if ((!outer->part.empty() && outer->part != global) || !structural_equal(each, f)) continue;
                now.current = outer->current;
                now.part = global;
                now.chained = true;
                break;
            }
        frames_.begin(info, std::move(now));
    }
    void run_after_pass(const function& f, const pass_info& info) {
        frames_.end(info, [&](running_pass& done) {
            if (!done.current || structural_equal(*done.current->module.find(done.part), f)) return;
            ir_module whole = done.current->module;
            whole.set(done.part, f);
            settle(done, whole, info);
        });
    }
    void pass_failed(const function*, const pass_info& info, const std::exception_ptr&) { frames_.end(info); }
};

} // namespace tutti::relay::inline TUTTI_FORM
