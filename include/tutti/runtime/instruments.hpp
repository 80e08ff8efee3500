#pragma once

#include <tutti/error.hpp>
#include <tutti/runtime/any_instrument.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace tutti::runtime {

/// The instruments of a run-time context: the erased twin of `tutti::instrument_set`, for the same algorithm.
template <class Unit>
class instruments {
    std::vector<any_instrument<Unit>> list_;
    bool asked_ = false;  // some instrument has should_run
    bool pauses_ = false; // some instrument measures, and others are called around passes
    int busy_ = 0;        // hooks that are being called: list_ must not change then

    class calling {
        int& busy_;

    public:
        explicit calling(int& busy) : busy_(++busy) {}
        ~calling() { --busy_; }
        calling(const calling&) = delete;
    };

    void clear() {
        list_.clear();
        asked_ = pauses_ = false;
    }

public:
    static constexpr bool around_contexts = true;
    template <class U>
    static constexpr bool around_passes = std::is_same_v<U, Unit>;
    template <class U>
    static constexpr bool asked = true;
    template <class U>
    static constexpr bool catches = true;
    template <class U>
    static constexpr bool pauses = true;

    std::size_t size() const { return list_.size(); }
    /// Whether there are none; also after one threw when the context was entered or left.
    bool cleared() const { return list_.empty(); }

    /// Takes other instruments; tells neither the old nor the new.
    ///
    /// Throws: `tutti::error` from within a hook of these instruments.
    void assign(std::vector<any_instrument<Unit>> list) {
        check_idle();
        list_ = std::move(list);
        asked_ = false;
        bool measures = false;
        std::size_t around = 0;
        for (const auto& instrument : list_) {
            asked_ = asked_ || instrument.has_should_run();
            measures = measures || instrument.measures();
            around += instrument.around_passes() ? 1 : 0;
        }
        pauses_ = measures && around > 1;
    }
    void check_idle() const {
        if (busy_ > 0)
            throw error{"tutti::runtime::pass_context::override_instruments", "an instrument's hook is being called",
                        "to be called outside of hooks"};
    }

    /// Enters each. If one throws, those entered are left again in the same order, all are removed, and it
    /// goes on.
    void enter() {
        std::size_t entered = 0;
        try {
            const calling now{busy_};
            for (; entered < list_.size(); ++entered) list_[entered].enter_pass_ctx();
        } catch (...) {
            const auto old = std::exchange(list_, {});
            clear();
            for (std::size_t i = 0; i < entered; ++i) old[i].exit_pass_ctx();
            throw;
        }
    }
    /// Leaves each. If one throws, later ones are not left, all are removed, and it goes on.
    void exit() {
        try {
            const calling now{busy_};
            for (const auto& instrument : list_) instrument.exit_pass_ctx();
        } catch (...) {
            clear();
            throw;
        }
    }

    bool should_run(const Unit& unit, const pass_info& info) {
        if (!asked_) return true;
        const calling now{busy_};
        bool all = true;
        for (const auto& instrument : list_) all = instrument.should_run(unit, info) && all;
        return all;
    }
    void before(const Unit& unit, const pass_info& info, std::size_t& begun) {
        const calling now{busy_};
        for (; begun < list_.size(); ++begun) list_[begun].run_before_pass(unit, info);
    }
    void after(const Unit& unit, const pass_info& info, std::size_t& ended) {
        const calling now{busy_};
        while (ended < list_.size()) list_[ended++].run_after_pass(unit, info);
    }
    void failed(const Unit& unit, const pass_info& info, const std::exception_ptr& reason, std::size_t first,
                std::size_t last) {
        const calling now{busy_};
        for (std::size_t i = first; i < last && i < list_.size(); ++i) list_[i].pass_failed(unit, info, reason);
    }
    void skipped(const pass_info& info, skip_reason why) {
        const calling now{busy_};
        for (const auto& instrument : list_) instrument.pass_skipped(info, why);
    }
    void stop_clocks() {
        if (!pauses_) return;
        for (const auto& instrument : list_) instrument.stop_clock();
    }
    void start_clocks() {
        if (!pauses_) return;
        for (const auto& instrument : list_) instrument.start_clock();
    }
};

} // namespace tutti::runtime
