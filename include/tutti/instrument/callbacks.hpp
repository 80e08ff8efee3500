#pragma once

#include <tutti/pass/instrument.hpp>

namespace tutti::instrument {

/// An instrument made of callables, one a hook; those left out emit no code.
///
/// `stop_clock` and `start_clock` have no place here: what measures is a type of its own.
///
/// Example:
/// ```
/// tutti::instrument::callbacks print{
///     .run_before_pass = [](const auto&, const tutti::pass_info& info) { std::cout << info.name << '\n'; },
/// };
/// ```
/// Where the compiler cannot deduce an aggregate's arguments (Clang 16: `__cpp_deduction_guides` < 201907),
/// name them: `callbacks<none, none, none, decltype(f)>{.run_before_pass = f}`.
template <class Enter = none, class Exit = none, class ShouldRun = none, class Before = none, class After = none,
          class Skipped = none, class Failed = none>
struct callbacks {
    [[no_unique_address]] Enter enter_pass_ctx{};
    [[no_unique_address]] Exit exit_pass_ctx{};
    [[no_unique_address]] ShouldRun should_run{};
    [[no_unique_address]] Before run_before_pass{};
    [[no_unique_address]] After run_after_pass{};
    [[no_unique_address]] Skipped pass_skipped{};
    [[no_unique_address]] Failed pass_failed{};
};

} // namespace tutti::instrument
