#pragma once

#include <tutti/pass/instrument.hpp>
#include <tutti/runtime/fwd.hpp>

#include <concepts>
#include <exception>
#include <memory>
#include <type_traits>

namespace tutti::runtime {

/// Any instrument for passes over a `Unit`: an lvalue by reference, a temporary by value; copies share what
/// they hold.
///
/// Knows which hooks are absent, so that these cost a test of a pointer and no call.
///
/// Requires: the instrument has a hook, and its hooks fit `Unit`. A conversion that says what is wrong: it is
///           not constrained.
/// Example:  `std::vector<any_instrument<int>> list{timing, tutti::instrument::verify{}};`
template <class Unit>
class any_instrument {
    struct hooks {
        void (*enter)(void*) = nullptr;
        void (*exit)(void*) = nullptr;
        bool (*should_run)(void*, const Unit&, const pass_info&) = nullptr;
        void (*before)(void*, const Unit&, const pass_info&) = nullptr;
        void (*after)(void*, const Unit&, const pass_info&) = nullptr;
        void (*skipped)(void*, const pass_info&, skip_reason) = nullptr;
        void (*failed)(void*, const Unit&, const pass_info&, const std::exception_ptr&) = nullptr;
        void (*stop)(void*) = nullptr;
        void (*start)(void*) = nullptr;
    };

    template <class I>
    static consteval hooks hooks_of() {
        hooks h;
        if constexpr (enters<I>)
            h.enter = [](void* erased) { static_cast<void>(static_cast<I*>(erased)->enter_pass_ctx()); };
        if constexpr (exits<I>)
            h.exit = [](void* erased) { static_cast<void>(static_cast<I*>(erased)->exit_pass_ctx()); };
        if constexpr (decides<I, Unit>)
            h.should_run = [](void* erased, const Unit& unit, const pass_info& info) {
                return static_cast<I*>(erased)->should_run(unit, info);
            };
        if constexpr (sees_before<I, Unit>)
            h.before = [](void* erased, const Unit& unit, const pass_info& info) {
                static_cast<void>(static_cast<I*>(erased)->run_before_pass(unit, info));
            };
        if constexpr (sees_after<I, Unit>)
            h.after = [](void* erased, const Unit& unit, const pass_info& info) {
                static_cast<void>(static_cast<I*>(erased)->run_after_pass(unit, info));
            };
        if constexpr (sees_skipped<I>)
            h.skipped = [](void* erased, const pass_info& info, skip_reason why) {
                static_cast<void>(static_cast<I*>(erased)->pass_skipped(info, why));
            };
        if constexpr (sees_failed<I, Unit>)
            h.failed = [](void* erased, const Unit& unit, const pass_info& info, const std::exception_ptr& reason) {
                static_cast<void>(static_cast<I*>(erased)->pass_failed(unit, info, reason));
            };
        if constexpr (accounts<I>) {
            h.stop = [](void* erased) { static_cast<void>(static_cast<I*>(erased)->stop_clock()); };
            h.start = [](void* erased) { static_cast<void>(static_cast<I*>(erased)->start_clock()); };
        }
        return h;
    }
    template <class I>
    static constexpr hooks table = hooks_of<I>();

    std::shared_ptr<void> instrument_;
    const hooks* hooks_ = nullptr;

    template <class I>
    void hold(std::shared_ptr<void> instrument) {
        if constexpr (tutti::detail::check_instrument<I>() && tutti::detail::check_instrument_of<I, Unit>()) {
            instrument_ = std::move(instrument);
            hooks_ = &table<I>;
        }
    }

public:
    /// Refers to an instrument, which must live as long as this is used.
    template <class I>
        requires(!std::same_as<std::remove_const_t<I>, any_instrument> && !std::is_const_v<I>)
    any_instrument(I& instrument) {
        hold<I>(std::shared_ptr<void>{std::shared_ptr<void>{}, &instrument});
    }
    /// Keeps an instrument.
    template <class I>
        requires(!std::is_reference_v<I> && !std::is_const_v<I> && !std::same_as<I, any_instrument>)
    any_instrument(I&& instrument) {
        hold<I>(std::make_shared<I>(static_cast<I&&>(instrument)));
    }

    bool has_should_run() const { return hooks_->should_run != nullptr; }
    /// Whether it is told to hold its clock while hooks are called.
    bool measures() const { return hooks_->stop != nullptr; }
    /// Whether it is called around passes at all.
    bool around_passes() const {
        return hooks_->should_run || hooks_->before || hooks_->after || hooks_->skipped || hooks_->failed;
    }

    // The hooks; those that are absent do nothing.
    void enter_pass_ctx() const {
        if (hooks_->enter) hooks_->enter(instrument_.get());
    }
    void exit_pass_ctx() const {
        if (hooks_->exit) hooks_->exit(instrument_.get());
    }
    bool should_run(const Unit& unit, const pass_info& info) const {
        return !hooks_->should_run || hooks_->should_run(instrument_.get(), unit, info);
    }
    void run_before_pass(const Unit& unit, const pass_info& info) const {
        if (hooks_->before) hooks_->before(instrument_.get(), unit, info);
    }
    void run_after_pass(const Unit& unit, const pass_info& info) const {
        if (hooks_->after) hooks_->after(instrument_.get(), unit, info);
    }
    void pass_skipped(const pass_info& info, skip_reason why) const {
        if (hooks_->skipped) hooks_->skipped(instrument_.get(), info, why);
    }
    void pass_failed(const Unit& unit, const pass_info& info, const std::exception_ptr& reason) const {
        if (hooks_->failed) hooks_->failed(instrument_.get(), unit, info, reason);
    }
    void stop_clock() const {
        if (hooks_->stop) hooks_->stop(instrument_.get());
    }
    void start_clock() const {
        if (hooks_->start) hooks_->start(instrument_.get());
    }
};

} // namespace tutti::runtime
