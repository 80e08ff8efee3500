#pragma once

#include <tutti/instrument/support/pipeline_position.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

namespace tutti::instrument {

/// The progress of a run. The views are valid during the call.
struct progress_step {
    std::string_view pass{}; ///< the pass that begins; empty when the pipeline is complete
    std::string_view step{}; ///< the step that runs it: the pass itself, or the adaptor around it
    std::size_t done = 0;    ///< steps that have ended or were skipped
    std::size_t total = 0;   ///< steps of the pipeline; 0 if its text was not given
};

/// Returns a step as text: `3 of 17: fixpoint: DeadCodeElimination`, or `17 of 17: done`.
[[gnu::cold]] inline std::string to_text(const progress_step& at) {
    const bool ended = at.pass.empty();
    std::string text;
    if (at.total != 0) {
        const std::size_t number = ended || at.done == at.total ? at.done : at.done + 1;
        text.append(std::to_string(number)).append(" of ").append(std::to_string(at.total)).append(": ");
    }
    if (ended) return text + "done";
    if (at.step != at.pass) text.append(at.step).append(": ");
    return text.append(at.pass);
}

/// Options of `progress`.
struct progress_options {
    std::string pipeline{}; ///< text of the pipeline that runs, from `write_pipeline`; without it, there is no total
};

/// Calls `told(step)` before each pass, and once more when the pipeline is complete.
///
/// Progress is counted in steps: the passes and adaptors of the pipeline, at any depth of sequentials. An adaptor is a
/// single step, as the number of runs inside it is unknown. A skipped pass is a step, too, unless a `stop_token` ends
/// the run. A pass that a step requires is told without being counted. Parts may be transformed in parallel.
///
/// Example:
/// ```
/// progress shown{{.pipeline = tutti::write_pipeline(pipeline)}, [](const progress_step& at) {
///     std::cerr << to_text(at) << '\n'; // 3 of 17: FuseOps
/// }};
/// ```
template <class Tell>
class progress {
    static constexpr bool can_tell = requires(Tell& told, const progress_step& at) { told(at); };
    static_assert(can_tell, "tutti::instrument::progress(options, told): told must be callable with a progress_step; "
                            "write [](const tutti::instrument::progress_step& at) { ... }");

    Tell told_;
    pipeline_position at_;
    const pass_run* step_ = nullptr; // the running step; others may run inside it, also on other threads
    int entered_ = 0;
    bool stopped_ = false;

    void tell(std::string_view pass, std::string_view step) {
        if constexpr (can_tell) told_(progress_step{pass, step, at_.steps_done(), at_.steps()});
    }
    void end(const pass_info& pass) {
        if (at_.depth() == 0) return; // no text, or the beginning was not seen
        at_.end(pass);
        if (at_.depth() == 0 && !stopped_ && at_.steps_done() == at_.steps()) tell({}, {});
    }

public:
    static constexpr std::string_view name = "progress";
    static constexpr bool pairs_begin_and_end = true;

    progress(const progress_options& options, Tell told)
        : told_(static_cast<Tell&&>(told))
        , at_(options.pipeline.empty() ? pipeline_position{} : pipeline_position{options.pipeline}) {}

    void enter_pass_ctx() {
        if (entered_++ != 0) return;
        step_ = nullptr;
        stopped_ = false;
        at_.enter_pass_ctx();
    }
    void exit_pass_ctx() {
        if (--entered_ != 0) return;
        step_ = nullptr;
        at_.exit_pass_ctx();
    }
    void run_before_pass(const auto&, const pass_run& run) {
        const bool is_step = step_ == nullptr && run.kind != pass_kind::sequential;
        if (step_ == nullptr && at_.steps() != 0) at_.begin(run);
        if (is_step) step_ = &run;
        if (run.kind == pass_kind::pass) tell(run.name, step_ != nullptr ? step_->name : run.name);
    }
    void run_after_pass(const auto&, const pass_run& run, change) {
        if (step_ != nullptr && step_ != &run) return;
        step_ = nullptr;
        end(run);
    }
    void pass_failed(const auto*, const pass_run& run, const std::exception_ptr&) {
        if (step_ != nullptr && step_ != &run) return;
        step_ = nullptr;
        stopped_ = true;
        end(run);
    }
    void pass_skipped(const pass_info& pass, skip_reason why) {
        if (step_ != nullptr) return;
        stopped_ = stopped_ || why == skip_reason::stopped;
        if (at_.steps() != 0) at_.skip(pass);
    }
};

} // namespace tutti::instrument
