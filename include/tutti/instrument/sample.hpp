#pragma once

#include <tutti/instrument/support/forwarding.hpp>
#include <tutti/instrument/support/pass_frames.hpp>

#include <cstddef>
#include <exception>
#include <type_traits>
#include <vector>

namespace tutti::instrument {

/// An instrument that receives only every n-th pass run, starting with the first. The runs of all passes, including
/// sequentials and nested passes, are counted together in the order in which they begin, for the lifetime of the
/// instrument. Holds the other instrument by reference if it is an lvalue, otherwise by value.
///
/// Requires: `every` is at least 1.
/// Example:  `sample now_and_then{10, instrument::verify{}};`
template <class I>
class sample : public around_instrument<I>, public forwarded_hooks<sample<I>, std::remove_reference_t<I>> {
    using inner = std::remove_reference_t<I>;

    std::size_t every_, begun_ = 0;
    pass_frames<bool> taken_; // the running passes that were selected

    bool takes_next() const { return begun_ % every_ == 0; }
    bool takes_this() const { return !taken_.empty() && taken_.back(); }
    // Ends a pass. True if it was selected.
    bool end(const pass_info& info) {
        bool taken = false;
        taken_.end(info, [&](bool is_taken) { taken = is_taken; });
        return taken;
    }

public:
    sample(std::size_t every, I&& instrument)
        : around_instrument<I>(static_cast<I&&>(instrument)), every_(every > 0 ? every : 1) {}

    void enter_pass_ctx() {
        taken_.enter();
        if constexpr (tutti::internal::enters<inner>) call_hook<hook::enter_pass_ctx>(this->get());
    }
    void exit_pass_ctx() {
        taken_.exit();
        if constexpr (tutti::internal::exits<inner>) call_hook<hook::exit_pass_ctx>(this->get());
    }
    template <class Unit>
    void run_before_pass(const Unit& unit, const pass_run& run) {
        taken_.begin(run, takes_next());
        ++begun_;
        if constexpr (tutti::internal::sees_before<inner, Unit>)
            if (taken_.back()) call_hook<hook::run_before_pass>(this->get(), unit, run);
    }
    template <class Unit>
        requires tutti::internal::sees_change<inner, Unit>
    void run_after_pass(const Unit& unit, const pass_run& run, change what) {
        if (end(run)) call_hook<hook::run_after_pass>(this->get(), unit, run, what);
    }
    template <class Unit>
        requires(!tutti::internal::sees_change<inner, Unit>)
    void run_after_pass(const Unit& unit, const pass_run& run) {
        const bool taken = end(run);
        if constexpr (tutti::internal::sees_after<inner, Unit>)
            if (taken) call_hook<hook::run_after_pass>(this->get(), unit, run);
    }
    template <class Unit>
    void pass_failed(const Unit* unit, const pass_run& run, const std::exception_ptr& reason) {
        const bool taken = end(run);
        if constexpr (tutti::internal::sees_failed<inner, Unit>)
            if (taken) call_hook<hook::pass_failed>(this->get(), unit, run, reason);
    }

    /// Called by the hooks of `forwarded_hooks`.
    template <class Hook>
    void forward_context() {
        call_hook<Hook>(this->get());
    }
    // A skipped pass is treated as the next run, but not counted. Counts and remarks belong to the running pass.
    template <class Hook>
    void forward(const pass_info&, const auto&... arguments) {
        const bool taken = std::is_same_v<Hook, hook::pass_skipped> ? takes_next() : takes_this();
        if (taken) call_hook<Hook>(this->get(), arguments...);
    }
    bool forward_should_run(const auto& unit, const pass_run& run) {
        return !takes_next() || ask_should_run(this->get(), unit, run);
    }
    bool forward_should_apply(const pass_run& run, const rewrite_site& site) {
        return !takes_this() || ask_should_apply(this->get(), run, site);
    }
};

template <class I>
sample(std::size_t, I&&) -> sample<I>;

} // namespace tutti::instrument
