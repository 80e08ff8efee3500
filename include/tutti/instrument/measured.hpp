#pragma once

#include <tutti/base/steady_clock.hpp>
#include <tutti/instrument/support/forwarding.hpp>
#include <tutti/pass/hooks.hpp>
#include <tutti/pass/instrument.hpp>
#include <tutti/pass/instrument_check.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::instrument {

/// The cost of an instrument: number and duration of the calls of each hook.
struct instrument_cost {
    /// The cost of one hook.
    struct hook_cost {
        const char* name;
        std::size_t calls = 0;
        std::int64_t nanoseconds = 0;
    };

    hook_cost hooks[11] = {{"enter_pass_ctx"}, {"exit_pass_ctx"}, {"should_run"},  {"run_before_pass"},
                           {"run_after_pass"}, {"pass_skipped"},  {"pass_failed"}, {"pass_counted"},
                           {"pass_remarked"},  {"analysis_kept"}, {"should_apply"}};

    /// The sum over all hooks.
    hook_cost all() const {
        hook_cost sum{"all"};
        for (const hook_cost& each : hooks) {
            sum.calls += each.calls;
            sum.nanoseconds += each.nanoseconds;
        }
        return sum;
    }
};

namespace detail {

// Adds each call of a hook to the trace.
template <class Trace>
struct trace_of_costs {
    Trace* trace;
    void add(std::string_view instrument, const char* hook, std::int64_t start, std::int64_t end) const {
        trace->add_instrument(instrument, hook, start, end);
    }
};
template <>
struct trace_of_costs<none> {
    void add(std::string_view, const char*, std::int64_t, std::int64_t) const {}
};

// The index of a hook in `instrument_cost::hooks`.
template <class Hook>
inline constexpr std::size_t row_of_hook = 0;
template <>
inline constexpr std::size_t row_of_hook<tutti::hook::exit_pass_ctx> = 1;
template <>
inline constexpr std::size_t row_of_hook<tutti::hook::run_before_pass> = 3;
template <>
inline constexpr std::size_t row_of_hook<tutti::hook::run_after_pass> = 4;
template <>
inline constexpr std::size_t row_of_hook<tutti::hook::pass_skipped> = 5;
template <>
inline constexpr std::size_t row_of_hook<tutti::hook::pass_failed> = 6;
template <>
inline constexpr std::size_t row_of_hook<tutti::hook::pass_counted> = 7;
template <>
inline constexpr std::size_t row_of_hook<tutti::hook::pass_remarked> = 8;
template <>
inline constexpr std::size_t row_of_hook<tutti::hook::analysis_kept> = 9;

} // namespace detail

/// An instrument that measures the hooks of another one, and otherwise behaves like it. Holds the other instrument by
/// reference if it is an lvalue, otherwise by value. With a `time_trace` as the second argument, each call also appears
/// in the trace.
///
/// Cost:    two clock readings per call of a hook.
/// Example: `measured print{print_ir{…}}; tutti::pass_context ctx{tutti::instruments(print)}; …; std::cerr <<
///          print.render();`
template <class I, class Trace = none, class Clock = tutti::internal::steady_clock>
class measured : public around_instrument<I>,
                 public forwarded_hooks<measured<I, Trace, Clock>, std::remove_reference_t<I>>,
                 public forwarded_runs<measured<I, Trace, Clock>, std::remove_reference_t<I>> {
    [[no_unique_address]] detail::trace_of_costs<Trace> trace_;
    instrument_cost cost_;

    struct watch {
        measured& self;
        std::size_t hook;
        std::int64_t start = Clock::now();

        ~watch() {
            const std::int64_t end = Clock::now();
            instrument_cost::hook_cost& cost = self.cost_.hooks[hook];
            ++cost.calls;
            cost.nanoseconds += end - start;
            self.trace_.add(self.name(), cost.name, start, end);
        }
    };

public:
    explicit measured(I&& instrument)
        requires std::same_as<Trace, none>
        : around_instrument<I>(static_cast<I&&>(instrument)) {}
    measured(I&& instrument, Trace& trace) : around_instrument<I>(static_cast<I&&>(instrument)), trace_{&trace} {}

    /// Called by the hooks of `forwarded_hooks`.
    template <class Hook>
    void forward_context() {
        const watch now{*this, detail::row_of_hook<Hook>};
        call_hook<Hook>(this->get());
    }
    template <class Hook>
    void forward(const pass_info&, const auto&... arguments) {
        const watch now{*this, detail::row_of_hook<Hook>};
        call_hook<Hook>(this->get(), arguments...);
    }
    bool forward_should_run(const auto& unit, const pass_run& run) {
        const watch now{*this, 2};
        return ask_should_run(this->get(), unit, run);
    }

    bool forward_should_apply(const pass_run& run, const rewrite_site& site) {
        const watch now{*this, 10};
        return ask_should_apply(this->get(), run, site);
    }

    const instrument_cost& cost() const { return cost_; }

    /// Returns the total, `print_ir: 12 calls, 340.000us`, then one line per called hook, indented by a tab:
    /// `run_after_pass: 6 calls, 330.000us`.
    std::string render() const {
        std::string text{this->name().empty() ? "instrument" : this->name()};
        write(cost_.all(), text);
        for (const instrument_cost::hook_cost& each : cost_.hooks)
            if (each.calls > 0) write(each, text.append("\t").append(each.name));
        return text;
    }

private:
    static void write(const instrument_cost::hook_cost& cost, std::string& text) {
        char numbers[80];
        std::snprintf(numbers, sizeof numbers, ": %zu calls, %lld.%03dus\n", cost.calls,
                      static_cast<long long>(cost.nanoseconds / 1000), static_cast<int>(cost.nanoseconds % 1000));
        text += numbers;
    }
};

template <class I>
measured(I&&) -> measured<I>;
template <class I, class Trace>
measured(I&&, Trace&) -> measured<I, Trace>;

} // namespace tutti::instrument
