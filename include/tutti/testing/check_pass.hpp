#pragma once

#include <tutti/instrument/support/line_diff.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/pass/instrument_set.hpp>
#include <tutti/pass/opt_level.hpp>
#include <tutti/pass/pass.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/testing/match_text.hpp>
#include <tutti/testing/outcome.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::testing {

/// Options for checks of passes.
struct pass_run_options {
    /// The optimisation level of the run. By default, all of the library's passes are enabled.
    int opt_level = 4;
};

namespace detail {

// An instrument without effect. Because it observes units, the context checks their structure after each pass of a
// pipeline; see `has_structure`.
struct looks_at_passes {
    void run_after_pass(const auto&, const pass_info&) {}
};

// Checks the structure of a unit if its type supports this. Returns a message about an error, otherwise "".
template <class Unit>
std::string malformation([[maybe_unused]] const Unit& unit, [[maybe_unused]] std::string_view pass) {
    if constexpr (tutti::internal::has_structure<Unit>) {
        try {
            unit_traits<Unit>::check_structure(unit, pass);
        } catch (const std::exception& e) {
            return std::string("the pass's result is malformed: ") + e.what() + '\n';
        }
    }
    return {};
}

} // namespace detail

} // namespace tutti::testing

namespace tutti::internal {

/// Runs a pass or pipeline over a unit in a context that checks the structure of units, or calls a function with the
/// unit. Returns the reason for a failure, or "" for success.
template <class Pass, class Unit>
std::string run_for_check(Pass& pass, Unit& unit, change& said, const testing::pass_run_options& options = {}) {
    std::string_view name = "the pass";
    try {
        if constexpr (!describes_itself<Pass>) {
            pass(unit);
        } else if constexpr (has_structure<Unit>) {
            name = pass.info.name;
            pass_context ctx{opt_level(options.opt_level), instruments(testing::detail::looks_at_passes{})};
            with(ctx, [&](auto& scope) { said = scope.run(pass, unit); });
        } else {
            pass_context ctx{opt_level(options.opt_level)};
            with(ctx, [&](auto& scope) { said = scope.run(pass, unit); });
        }
        return testing::detail::malformation(unit, name);
    } catch (const std::exception& e) {
        if (!testing::detail::malformation(unit, name).empty())
            return std::string("the pass's result is malformed: ") + e.what() + '\n';
        return std::string("the pass threw: ") + e.what() + '\n';
    }
}

/// Returns the message for an unexpected result: the difference between the texts, line by line.
[[gnu::cold]] inline std::string unexpected_text(std::string_view expected, std::string_view made,
                                                 std::string_view value_names) {
    return "the result differs (- expected, + actual):\n" +
           instrument::line_diff(expected, made, {.value_names = value_names});
}

} // namespace tutti::internal

namespace tutti::testing {

/// Checks that a pass turns `before` into a unit with the text of `after`. `pass` may also be a function that is called
/// with the unit and runs passes in its own context.
///
/// Example: `CHECK(check_pass(push_down_filters{}, query{"filter(scan)"}, query{"scan(filter)"}));`
template <class Pass, tutti::internal::has_text Unit>
outcome check_pass(Pass&& pass, Unit before, const Unit& after, const pass_run_options& options = {}) {
    const std::string was{unit_traits<Unit>::to_text(before)};
    change said = change::unknown;
    if (std::string reason = tutti::internal::run_for_check(pass, before, said, options); !reason.empty())
        return failed(std::move(reason));
    const std::string made{unit_traits<Unit>::to_text(before)};
    const std::string expected{unit_traits<Unit>::to_text(after)};
    if (made != expected)
        return failed(tutti::internal::unexpected_text(expected, made, tutti::internal::unit_value_names<Unit>()));
    if (said == unchanged && made != was) return failed("the pass reported no change, but changed the unit\n");
    return {};
}

/// Checks the text of a pass's result against a pattern; see `match_text`.
template <class Pass, tutti::internal::has_text Unit>
outcome check_pass_text(Pass&& pass, Unit before, std::string_view pattern, const pass_run_options& options = {}) {
    change said = change::unknown;
    if (std::string reason = tutti::internal::run_for_check(pass, before, said, options); !reason.empty())
        return failed(std::move(reason));
    const std::string made{unit_traits<Unit>::to_text(before)};
    outcome matched = match_text(made, pattern);
    if (!matched) matched.message += "the pass's result:\n" + made + (made.ends_with('\n') ? "" : "\n");
    return matched;
}

} // namespace tutti::testing
