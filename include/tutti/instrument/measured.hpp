#pragma once

#include <tutti/instrument/steady_clock.hpp>
#include <tutti/pass/hooks.hpp>
#include <tutti/pass/instrument.hpp>
#include <tutti/pass/instrument_check.hpp>
#include <tutti/unit_traits.hpp>

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

/// What an instrument has cost: how often each of its hooks was called, and how long that took.
struct instrument_cost {
    /// Of one hook.
    struct hook_cost {
        const char* name;
        std::size_t calls = 0;
        std::int64_t nanoseconds = 0;
    };

    hook_cost hooks[9] = {{"enter_pass_ctx"},  {"exit_pass_ctx"},  {"should_run"},
                          {"run_before_pass"}, {"run_after_pass"}, {"pass_skipped"},
                          {"pass_failed"},     {"pass_counted"},   {"pass_remarked"}};

    /// All hooks together.
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

// What is told of the hook that is called.
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

// Each hook is a base of its own, so that a measured instrument has those of the one that it measures, and no others.
template <int>
struct no_hook {};

template <class Self, class I>
struct measured_enter {
    void enter_pass_ctx() { static_cast<Self*>(this)->template time<tutti::hook::enter_pass_ctx>(0); }
};
template <class Self, class I>
struct measured_exit {
    void exit_pass_ctx() { static_cast<Self*>(this)->template time<tutti::hook::exit_pass_ctx>(1); }
};
template <class Self, class I>
struct measured_should_run {
    template <class Unit>
        requires decides<I, Unit>
    bool should_run(const Unit& unit, const pass_run& run) {
        bool answer = true;
        static_cast<Self*>(this)->measure(2, [&](I& i) {
            if (!tutti::hook::should_run::is_empty(i)) answer = i.should_run(unit, run);
        });
        return answer;
    }
};
template <class Self, class I>
struct measured_before {
    template <class Unit>
        requires sees_before<I, Unit>
    void run_before_pass(const Unit& unit, const pass_run& run) {
        static_cast<Self*>(this)->template time<tutti::hook::run_before_pass>(3, unit, run);
    }
};
template <class Self, class I>
struct measured_after {
    template <class Unit>
        requires sees_change<I, Unit>
    void run_after_pass(const Unit& unit, const pass_run& run, change what) {
        static_cast<Self*>(this)->template time<tutti::hook::run_after_pass>(4, unit, run, what);
    }
    template <class Unit>
        requires(sees_after<I, Unit> && !sees_change<I, Unit>)
    void run_after_pass(const Unit& unit, const pass_run& run) {
        static_cast<Self*>(this)->template time<tutti::hook::run_after_pass>(4, unit, run);
    }
};
template <class Self, class I>
struct measured_skipped {
    void pass_skipped(const pass_info& info, skip_reason why) {
        static_cast<Self*>(this)->template time<tutti::hook::pass_skipped>(5, info, why);
    }
};
template <class Self, class I>
struct measured_failed {
    template <class Unit>
        requires sees_failed<I, Unit>
    void pass_failed(const Unit* unit, const pass_run& run, const std::exception_ptr& reason) {
        static_cast<Self*>(this)->template time<tutti::hook::pass_failed>(6, unit, run, reason);
    }
};
template <class Self, class I>
struct measured_counted {
    void pass_counted(const pass_run& run, std::string_view what, std::int64_t n) {
        static_cast<Self*>(this)->template time<tutti::hook::pass_counted>(7, run, what, n);
    }
};
template <class Self, class I>
struct measured_remarked {
    void pass_remarked(const pass_run& run, const remark& said) {
        static_cast<Self*>(this)->template time<tutti::hook::pass_remarked>(8, run, said);
    }
};
// What measures itself is told of the clock as before.
template <class Self, class I>
struct measured_clock {
    void stop_clock() { static_cast<Self*>(this)->get().stop_clock(); }
    void start_clock() { static_cast<Self*>(this)->get().start_clock(); }
};
template <class Self, class I>
struct measured_analyses {
    void analysis_kept(const pass_run& run, const auto& kept)
        requires requires(I& i) { i.analysis_kept(run, kept); }
    {
        static_cast<Self*>(this)->get().analysis_kept(run, kept);
    }
};

template <bool Has, class Hook, int N>
using hook_if = std::conditional_t<Has, Hook, no_hook<N>>;

template <class Self, class I>
struct measured_hooks : hook_if<enters<I>, measured_enter<Self, I>, 0>,
                        hook_if<exits<I>, measured_exit<Self, I>, 1>,
                        hook_if<tutti::hook::should_run::is_named<I>(), measured_should_run<Self, I>, 2>,
                        hook_if<tutti::hook::run_before_pass::is_named<I>(), measured_before<Self, I>, 3>,
                        hook_if<tutti::hook::run_after_pass::is_named<I>(), measured_after<Self, I>, 4>,
                        hook_if<sees_skipped<I>, measured_skipped<Self, I>, 5>,
                        hook_if<tutti::hook::pass_failed::is_named<I>(), measured_failed<Self, I>, 6>,
                        hook_if<sees_counts<I>, measured_counted<Self, I>, 7>,
                        hook_if<sees_remarks<I>, measured_remarked<Self, I>, 8>,
                        hook_if<stops_clock<I>, measured_clock<Self, I>, 9>,
                        hook_if<sees_analyses<I>, measured_analyses<Self, I>, 10> {};

} // namespace detail

/// An instrument, and what its hooks cost: it has the hooks of the one that it measures, and behaves as that one. An lvalue is
/// referred to, a temporary is kept. With a `time_trace` as second argument each call is shown there too.
///
/// Cost:    two readings of the clock for each call of a hook.
/// Example: `measured print{print_ir{…}}; tutti::pass_context ctx{tutti::instruments(print)}; …; std::cerr << print.render();`
template <class I, class Trace = none, class Clock = steady_clock>
class measured : public detail::measured_hooks<measured<I, Trace, Clock>, std::remove_reference_t<I>> {
    using inner = std::remove_reference_t<I>;

    I instrument_;
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
        : instrument_(static_cast<I&&>(instrument)) {}
    measured(I&& instrument, Trace& trace) : instrument_(static_cast<I&&>(instrument)), trace_{&trace} {}

    /// For the hooks.
    void measure(std::size_t hook, auto&& call) {
        const watch now{*this, hook};
        call(get());
    }
    template <class Hook>
    void time(std::size_t hook, const auto&... arguments) {
        measure(hook, [&](inner& i) {
            if (!Hook::is_empty(i)) Hook::call(i, arguments...);
        });
    }

    /// The instrument that is measured.
    inner& get() { return instrument_; }
    const inner& get() const { return instrument_; }
    std::string_view name() const { return instrument_name(get()); }

    const instrument_cost& cost() const { return cost_; }

    /// `print_ir: 12 calls, 340.000us`, and a line for each hook that was called: `	run_after_pass: 6 calls, 330.000us`.
    std::string render() const {
        std::string text{name().empty() ? "instrument" : name()};
        write(cost_.all(), text);
        for (const instrument_cost::hook_cost& each : cost_.hooks)
            if (each.calls > 0) write(each, text.append("\t").append(each.name));
        return text;
    }

    /// For `check_instrument_of`.
    template <class... Unit>
    static consteval bool check_units(units<Unit...> levels) {
        if constexpr (requires { inner::check_units(levels); })
            return inner::check_units(levels);
        else
            return true;
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
