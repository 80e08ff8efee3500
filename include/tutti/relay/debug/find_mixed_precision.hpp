#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/debug/agreement.hpp>
#include <tutti/relay/debug/numeric_difference.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/language.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/transform/module_context.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/passes/to_mixed_precision.hpp>
#include <tutti/search/delta_debug.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Options of `find_mixed_precision`.
struct mixed_precision_options {
    to_mixed_precision pass{}; ///< the type of lower precision, and calls that always stay in float32
    /// Tolerance of each element of a result, relative to the greater of the element's magnitude and the tensor's root
    /// mean square, as in `compare_options`.
    double tolerance = 0.01;
    evaluate_options evaluation{};
};

/// A call that must stay in float32.
struct float32_call {
    std::string function{};
    expr_id call{};       ///< the call in the given module
    std::string op{};     ///< "nn.softmax"
    std::string source{}; ///< the name of the model's node, or empty
};

/// A program in mixed precision, with statistics of the search.
struct mixed_precision {
    ir_module program{};
    /// Calls to keep in float32. Further calls stay in float32 because of their operator or their arguments.
    vector<float32_call> kept{};
    std::size_t calls = 0; ///< number of calls that ToMixedPrecision may compute in the lower precision
    std::size_t tries = 0; ///< number of programs evaluated
    /// Agreement of each result, for the sample with the largest difference. Empty unless `is_within`.
    vector<agreement> results{};
    bool is_within = false; ///< all results are within the tolerance for all samples
};

namespace detail {

class mixed_precision_finder final : public internal::float32_calls {
public:
    mixed_precision_finder(ir_module m, const kernel_set& kernels, std::span<const vector<tensor>> samples,
                           const mixed_precision_options& options)
        : module_(std::move(m)), kernels_(&kernels), samples_(samples), options_(&options) {
        infer_types(module_);
        evaluator reference(module_, kernels, options.evaluation);
        for (const vector<tensor>& inputs : samples) {
            auto& kept = expected_.emplace_back();
            for (const tensor& t : reference.run(std::span<const tensor>(inputs))) kept.push_back(t);
        }
        list_calls();
    }

    template <class Progress>
    mixed_precision find(Progress& progress) {
        mixed_precision found{.calls = calls_.size()};
        const auto holds = [&](const instrument::edit_set& chosen) {
            in_other_ = chosen;
            progress(found.tries++, calls_.size());
            ir_module m = mixed();
            std::optional<vector<agreement>> results = agreements_of(m);
            if (!results) return false;
            found.program = std::move(m);
            found.results = *std::move(results);
            found.is_within = true;
            return true;
        };
        in_other_ = instrument::delta_debug(calls_.size(), holds);
        // If the tolerance is exceeded even with all these calls in float32, the result is that program.
        if (!found.is_within && !holds(in_other_)) found.program = mixed();
        for (std::size_t i = 0; i < calls_.size(); ++i)
            if (in_other_[i] == 0) found.kept.push_back(described(calls_[i]));
        return found;
    }

    bool operator()(std::size_t function, expr_id call) const override {
        const auto at = std::lower_bound(calls_.begin(), calls_.end(), place{function, call});
        return at != calls_.end() && *at == place{function, call} &&
               in_other_[static_cast<std::size_t>(at - calls_.begin())] == 0;
    }

private:
    struct place {
        std::size_t function;
        expr_id call;
        friend auto operator<=>(const place&, const place&) = default;
    };

    // ToMixedPrecision over the module, except for the calls that stay in float32.
    struct mixing_pass {
        static constexpr const pass_info& info = to_mixed_precision::info;
        const mixed_precision_finder* finder;

        template <class Context>
        void operator()(ir_module& m, Context& ctx) const {
            auto context = as_module_context<infer_type>(ctx);
            internal::mix_precision(m, context, finder->options_->pass, true, finder);
        }
    };

    // Lists the calls that ToMixedPrecision may compute in the lower precision.
    void list_calls() {
        std::size_t function = 0;
        const auto& keep = options_->pass.keep;
        for (const auto& [name, f] : module_) {
            const graph& g = f.graph;
            for (const expr_id e : post_order(g, f.root)) {
                if (g.kind(e) != expr_kind::call) continue;
                const op_def* const op = g.called_op(e);
                if (op == nullptr || op->precision == precision_rule::never ||
                    op->precision == precision_rule::as_it_is)
                    continue;
                if (std::ranges::none_of(keep, [&](const std::string& n) { return internal::is_named(g, e, n); }))
                    calls_.push_back({function, e});
            }
            ++function;
        }
        std::ranges::sort(calls_);
        in_other_.assign(calls_.size(), 0);
    }

    ir_module mixed() const {
        ir_module m = module_;
        pass_context ctx;
        with(ctx, [&](auto& scope) { scope.run(mixing_pass{this}, m); });
        return m;
    }

    // Returns the agreement of each result, or nothing if a result is beyond the tolerance for any sample.
    std::optional<vector<agreement>> agreements_of(const ir_module& m) const {
        evaluator mixed(m, *kernels_, options_->evaluation);
        vector<agreement> all;
        for (std::size_t sample = 0; sample < samples_.size(); ++sample) {
            const auto results = mixed.run(std::span<const tensor>(samples_[sample]));
            for (std::size_t r = 0; r < results.size(); ++r) {
                const tensor& expected = expected_[sample][r];
                tensor result = results[r]; // may have the lower precision, unless the body is a call or a tuple
                if (kernel::is_floating(expected.type())) kernel::cast(results[r], expected.type(), result);
                if (differ(expected, result, options_->tolerance)) return std::nullopt;
                note(all, r, agreement_of(result, expected));
            }
        }
        return all;
    }

    static void note(vector<agreement>& all, std::size_t result, agreement&& found) {
        if (result == all.size())
            all.push_back(std::move(found));
        else if (found.largest > all[result].largest)
            all[result] = std::move(found);
    }

    float32_call described(const place& at) const {
        const auto& [name, f] = *(module_.begin() + static_cast<std::ptrdiff_t>(at.function));
        return {std::string(name), at.call, std::string(f.graph.called_op(at.call)->name),
                std::string(f.graph.source_name(at.call))};
    }

    ir_module module_;
    const kernel_set* kernels_;
    std::span<const vector<tensor>> samples_;
    const mixed_precision_options* options_;
    vector<vector<tensor>> expected_; // indexed by sample and result
    vector<place> calls_;             // sorted
    instrument::edit_set in_other_;   // 1 for each of `calls_` that may be computed in the lower precision
};

} // namespace detail

/// Finds a program in mixed precision whose results agree with the given program's results within a tolerance.
///
/// Runs ToMixedPrecision, evaluates the samples, and moves calls back to float32 until the results agree. Results keep
/// their types. All calls are first tried together, then halves of the calls, down to single calls. They are tried in
/// the order of the program, so earlier calls are preferred for the lower precision. In the end, no further single call
/// can be moved to the lower precision.
///
/// `progress(tries, calls)` is called before each try. If it throws, the search ends.
///
/// Requires: the inputs of each sample, in the order of the parameters of `evaluation.entry`.
/// Throws:   `tutti::error` like `evaluator::run` and the pass, for the given program and each program tried.
/// Cost:     at most two evaluations of each sample for each call, usually far fewer.
/// Example:  `auto found = find_mixed_precision(m, kernels::blocked(), samples, {.tolerance = 0.001});`
template <class Progress>
mixed_precision find_mixed_precision(const ir_module& m, const kernel_set& kernels,
                                     std::span<const vector<tensor>> samples, const mixed_precision_options& options,
                                     Progress&& progress) {
    return detail::mixed_precision_finder(m, kernels, samples, options).find(progress);
}
inline mixed_precision find_mixed_precision(const ir_module& m, const kernel_set& kernels,
                                            std::span<const vector<tensor>> samples,
                                            const mixed_precision_options& options = {}) {
    return find_mixed_precision(m, kernels, samples, options, [](std::size_t, std::size_t) {});
}

} // namespace tutti::relay::inline TUTTI_FORM
