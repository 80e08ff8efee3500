#pragma once

#include <tutti/pass/instrument.hpp>

#include <string_view>

namespace tutti::instrument {

/// An instrument made of callables, one per hook. Omitted hooks generate no code.
///
/// For hooks that are set or changed later, use a type that may be empty, such as std::function. An empty one is
/// skipped. `stop_clock` and `start_clock` are not supported; to measure time, write an instrument type.
///
/// Example:
/// ```
/// tutti::instrument::callbacks print{
///     .run_before_pass = [](const auto&, const tutti::pass_info& info) { std::cout << info.name << '\n'; },
/// };
/// tutti::instrument::callbacks later{.pass_counted = std::function<void(const tutti::pass_info&, std::string_view, std::int64_t)>{}};
/// later.pass_counted = count; // also while a context uses `later`
/// ```
/// If the compiler cannot deduce the template arguments of aggregates (Clang 16: `__cpp_deduction_guides` < 201907),
/// write them: `callbacks<none, none, none, decltype(f)>{.run_before_pass = f}`.
template <class Enter = none, class Exit = none, class ShouldRun = none, class Before = none, class After = none,
          class Skipped = none, class Failed = none, class Counted = none, class Remarked = none, class Kept = none,
          class ShouldApply = none>
struct callbacks {
    std::string_view name{}; ///< name of the instrument in messages
    [[no_unique_address]] Enter enter_pass_ctx{};
    [[no_unique_address]] Exit exit_pass_ctx{};
    [[no_unique_address]] ShouldRun should_run{};
    [[no_unique_address]] Before run_before_pass{};
    [[no_unique_address]] After run_after_pass{};
    [[no_unique_address]] Skipped pass_skipped{};
    [[no_unique_address]] Failed pass_failed{};
    [[no_unique_address]] Counted pass_counted{};
    [[no_unique_address]] Remarked pass_remarked{};
    [[no_unique_address]] Kept analysis_kept{};
    [[no_unique_address]] ShouldApply should_apply{};
};

} // namespace tutti::instrument
