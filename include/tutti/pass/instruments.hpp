#pragma once

#include <tutti/pass/detail/slots.hpp>
#include <tutti/pass/instrument.hpp>

#include <cstddef>

namespace tutti {

/// The instruments of a context, in their order; each hook is one fold of direct calls over those that have
/// it.
///
/// Folds over a pack, not hana::for_each: see detail/slots.hpp for what each costs the compiler.
template <class... I>
class instrument_set {
    detail::slots<I...> instruments_;
    bool cleared_ = false;

    template <class T, class Unit>
    static constexpr bool at_passes =
        decides<T, Unit> || sees_before<T, Unit> || sees_after<T, Unit> || sees_failed<T, Unit> || sees_skipped<T>;

public:
    constexpr explicit instrument_set(detail::slots<I...> instruments)
        : instruments_(static_cast<detail::slots<I...>&&>(instruments)) {}

    /// Whether any instrument is called when a context is entered, or left.
    static constexpr bool around_contexts = (enters<I> || ...) || (exits<I> || ...);
    /// Whether any is called when a context is left.
    static constexpr bool exited = (exits<I> || ...);
    /// Whether any is called around passes over a `Unit`.
    template <class Unit>
    static constexpr bool around_passes = (at_passes<I, Unit> || ...);
    /// Whether any is asked if a pass should run.
    template <class Unit>
    static constexpr bool asked = (decides<I, Unit> || ...);
    /// Whether any wants to know how a pass ended badly.
    template <class Unit>
    static constexpr bool catches = (sees_failed<I, Unit> || ...);
    /// Whether any measures, with others beside it whose hooks it must not measure.
    template <class Unit>
    static constexpr bool pauses = (accounts<I> || ...) && (std::size_t{at_passes<I, Unit>} + ... + 0) > 1;
    /// Whether the hooks fit passes over a `Unit`; explains itself if not.
    template <class Unit>
    static consteval bool check() {
        return (detail::check_instrument_of<I, Unit>() && ...);
    }

    static constexpr std::size_t size() { return sizeof...(I); }
    /// Whether the instruments are out of use, since one threw when the context was entered or left.
    constexpr bool cleared() const { return cleared_; }

    /// Enters each. If one throws, those entered are left again in the same order, all are cleared, and it
    /// goes on.
    constexpr void enter() {
        // no try where nobody would have to be left: the flag is set first, and taken back in the end
        cleared_ = true;
        if constexpr (exited) {
            std::size_t entered = 0;
            try {
                enter_all(entered);
            } catch (...) {
                exit_first(entered);
                throw;
            }
        } else {
            std::size_t entered = 0;
            enter_all(entered);
        }
        cleared_ = false;
    }
    /// Leaves each. If one throws, later ones are not left, all are cleared, and it goes on.
    constexpr void exit() {
        cleared_ = true;
        exit_first(sizeof...(I));
        cleared_ = false;
    }

    /// Asks every instrument; whether all said yes.
    template <class Unit>
    constexpr bool should_run(const Unit& unit, const pass_info& info) {
        bool all = true;
        instruments_.each([&](auto& instrument) {
            if constexpr (decides<decltype(instrument), Unit>) all = instrument.should_run(unit, info) && all;
        });
        return all;
    }
    /// Tells every instrument; `begun` counts those that are done.
    template <class Unit>
    constexpr void before(const Unit& unit, const pass_info& info, std::size_t& begun) {
        instruments_.each([&](auto& instrument) {
            if constexpr (sees_before<decltype(instrument), Unit>) instrument.run_before_pass(unit, info);
            ++begun;
        });
    }
    /// Tells every instrument; `ended` counts those that have been called.
    template <class Unit>
    constexpr void after(const Unit& unit, const pass_info& info, std::size_t& ended) {
        instruments_.each([&](auto& instrument) {
            ++ended;
            if constexpr (sees_after<decltype(instrument), Unit>) instrument.run_after_pass(unit, info);
        });
    }
    /// Tells the instruments from the one numbered `first` to the one before `last` why the pass failed.
    template <class Unit>
    constexpr void failed(const Unit& unit, const pass_info& info, const std::exception_ptr& reason, std::size_t first,
                          std::size_t last) {
        std::size_t i = 0;
        instruments_.each([&](auto& instrument) {
            const std::size_t number = i++;
            if constexpr (sees_failed<decltype(instrument), Unit>)
                if (first <= number && number < last) instrument.pass_failed(unit, info, reason);
        });
    }
    /// Tells every instrument that a pass is not run.
    constexpr void skipped(const pass_info& info, skip_reason why) {
        instruments_.each([&](auto& instrument) {
            if constexpr (sees_skipped<decltype(instrument)>) instrument.pass_skipped(info, why);
        });
    }
    constexpr void stop_clocks() {
        instruments_.each([](auto& instrument) {
            if constexpr (accounts<decltype(instrument)>) instrument.stop_clock();
        });
    }
    constexpr void start_clocks() {
        instruments_.each([](auto& instrument) {
            if constexpr (accounts<decltype(instrument)>) instrument.start_clock();
        });
    }

private:
    constexpr void enter_all(std::size_t& entered) {
        instruments_.each([&](auto& instrument) {
            if constexpr (enters<decltype(instrument)>) instrument.enter_pass_ctx();
            ++entered;
        });
    }
    constexpr void exit_first(std::size_t count) {
        std::size_t i = 0;
        instruments_.each([&](auto& instrument) {
            if constexpr (exits<decltype(instrument)>)
                if (i < count) instrument.exit_pass_ctx();
            ++i;
        });
    }
};

/// Context option: the instruments of the context, called in this order; lvalues by reference, temporaries
/// kept by value.
///
/// Requires: each has a hook, and hooks have the signatures that `instrument_of` names.
/// Example:  `tutti::pass_context ctx{tutti::instruments(differ, timing)};`
template <class... I>
constexpr auto instruments(I&&... instrument) {
    if constexpr ((detail::check_instrument<std::remove_reference_t<I>>() && ...))
        return instrument_set<I...>{detail::slots<I...>{{static_cast<I&&>(instrument)}...}};
    else
        return instrument_set<>{detail::slots<>{}}; // one error is enough
}

} // namespace tutti
