#pragma once

#include <tutti/instrument/support/forwarding.hpp>

#include <type_traits>

namespace tutti::instrument {

/// An instrument that receives only the ends of passes that changed the unit, according to the pass's report or the
/// unit's fingerprint. Without either, it receives the end of every pass. Holds the other instrument by reference if it
/// is an lvalue, otherwise by value.
///
/// Changes are unknown at the beginning of a pass, so `run_before_pass` is not called. Intended for instruments that
/// examine units after passes. Instruments that compare units before and after a pass (`print_changed`, `dump`) have an
/// option instead.
///
/// Requires: the instrument does not pair the end of a pass with its beginning (`pairs_begin_and_end`).
/// Example: `only_changed verify{instrument::verify{}};`
template <class I>
class only_changed : public around_instrument<I>, public forwarded_hooks<only_changed<I>, std::remove_reference_t<I>> {
    using inner = std::remove_reference_t<I>;

    static_assert(!tutti::internal::pairs_begin_and_end<inner>,
                  "tutti::instrument::only_changed(instrument): an instrument must need only the end of passes, since "
                  "their beginning is omitted; wrap one that compares both in tutti::instrument::filter");

public:
    explicit only_changed(I&& instrument) : around_instrument<I>(static_cast<I&&>(instrument)) {}

    template <class Unit>
        requires tutti::internal::sees_after<inner, Unit>
    void run_after_pass(const Unit& unit, const pass_run& run, change what) {
        if (what == unchanged) return;
        if constexpr (tutti::internal::sees_change<inner, Unit>)
            call_hook<hook::run_after_pass>(this->get(), unit, run, what);
        else
            call_hook<hook::run_after_pass>(this->get(), unit, run);
    }
    template <class Unit>
        requires(tutti::internal::sees_failed<inner, Unit> || !hook::pass_failed::is_named<inner>())
    void pass_failed(const Unit* unit, const pass_run& run, const std::exception_ptr& reason) {
        if constexpr (tutti::internal::sees_failed<inner, Unit>)
            call_hook<hook::pass_failed>(this->get(), unit, run, reason);
    }

    /// Called by the hooks of `forwarded_hooks`.
    template <class Hook>
    void forward_context() {
        call_hook<Hook>(this->get());
    }
    template <class Hook>
    void forward(const pass_info&, const auto&... arguments) {
        call_hook<Hook>(this->get(), arguments...);
    }
    bool forward_should_run(const auto& unit, const pass_run& run) { return ask_should_run(this->get(), unit, run); }
    bool forward_should_apply(const pass_run& run, const rewrite_site& site) {
        return ask_should_apply(this->get(), run, site);
    }
};

template <class I>
only_changed(I&&) -> only_changed<I>;

} // namespace tutti::instrument
