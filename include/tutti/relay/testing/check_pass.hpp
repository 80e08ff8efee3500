#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/instrument/support/line_diff.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/parse_options.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/testing/check_pass.hpp>
#include <tutti/testing/match_text.hpp>
#include <tutti/testing/outcome.hpp>
#include <tutti/unit/unit_traits.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::testing {

using tutti::testing::failed;
using tutti::testing::outcome;

/// Options of pass checks.
struct pass_check_options {
    /// The optimisation level of the run. The default enables all passes of the library.
    int opt_level = 4;
    /// True to infer types first, as most passes require.
    bool infer_types = true;
    /// Options of the parser: known operators, and `.metadata = read_metadata` for constants that are not literals.
    parse_options reading{};
};

namespace detail {

inline constexpr std::string_view value_names = tutti::internal::unit_value_names<ir_module>();

inline std::string program_text(const ir_module& m, bool types) {
    return to_text(m, {.version_line = false, .type_comments = types, .metadata_note = false});
}

// Runs a pass on `m`, and describes errors in the result. Does not check what the program computes.
template <class Pass>
std::string run_checked(Pass& pass, ir_module& m, const pass_check_options& options) {
    check_well_formed(m);
    if (options.infer_types) relay::infer_types(m);
    const ir_module was = m;
    change said = change::unknown;
    std::string reason = tutti::internal::run_for_check(pass, m, said, {.opt_level = options.opt_level});
    if (!reason.empty()) return reason;
    if (said == unchanged && !structural_equal(was, m, {.names = true, .inferred_types = true}))
        return "the pass reported no change, but changed the unit:\n" +
               instrument::line_diff(program_text(was, true), program_text(m, true), {.value_names = value_names});
    try {
        relay::verify(m);
        relay::infer_types(m);
    } catch (const error& e) {
        return "the pass's result is not well-formed: " + std::string(e.what()) + "\nit made:\n" +
               program_text(m, true);
    }
    return {};
}

[[gnu::cold]] inline std::string difference_of(const ir_module& expected, const ir_module& made) {
    for (const bool types : {false, true}) {
        const std::string a = program_text(expected, types), b = program_text(made, types);
        if (a != b) return tutti::internal::unexpected_text(a, b, value_names);
    }
    return "the result differs in what the text omits: the values of constants\n" + program_text(made, true);
}

// Parses a program. `name` is the source name in errors, unless the options set one.
inline ir_module read_program(std::string_view text, std::string_view name, parse_options options) {
    if (options.source == parse_options{}.source) options.source = name;
    return parse(text, options);
}

} // namespace detail

/// Checks the result of a pass or pipeline. Names of variables and sharing through lets are ignored, missing types are
/// inferred, and the result must be well-formed. If the pass reports no change, nothing may have changed. `pass` may
/// also be a function of the module that runs passes in its own context.
///
/// The message of a failure contains the differing lines.
///
/// Example: `CHECK(check_pass(relay::fold_constant{}, "def @main(%x: int32) { add(%x, add(1, 2)) }", "def @main(%x:
///          int32) { add(%x, 3) }"));`
template <class Pass>
outcome check_pass(Pass&& pass, ir_module before, ir_module after, const pass_check_options& options = {}) {
    try {
        if (std::string reason = detail::run_checked(pass, before, options); !reason.empty())
            return failed(std::move(reason));
        check_well_formed(after);
        relay::infer_types(after);
        if (!structural_equal(after, before)) return failed(detail::difference_of(after, before));
        return {};
    } catch (const error& e) {
        return failed(std::string(e.what()) + '\n');
    }
}
template <class Pass>
outcome check_pass(Pass&& pass, std::string_view before, std::string_view after,
                   const pass_check_options& options = {}) {
    try {
        return check_pass(pass, detail::read_program(before, "before", options.reading),
                          detail::read_program(after, "after", options.reading), options);
    } catch (const error& e) {
        return failed(std::string(e.what()) + '\n');
    }
}

/// Checks that a pass leaves a program unchanged.
template <class Pass>
outcome check_pass_keeps(Pass&& pass, std::string_view program, const pass_check_options& options = {}) {
    return check_pass(pass, program, program, options);
}

/// Checks the result of a pass, printed without types, against a text pattern: see `match_text`.
///
/// Example: `CHECK(check_pass_text(relay::fuse_ops{}, program, "CHECK: fn ({{.*}}Primitive=1)\nCHECK-NEXT:
///          nn.conv2d"));`
template <class Pass>
outcome check_pass_text(Pass&& pass, std::string_view before, std::string_view pattern,
                        const pass_check_options& options = {}) {
    try {
        ir_module m = detail::read_program(before, "before", options.reading);
        if (std::string reason = detail::run_checked(pass, m, options); !reason.empty())
            return failed(std::move(reason));
        const std::string made = detail::program_text(m, false);
        outcome matched = tutti::testing::match_text(made, pattern);
        if (!matched) matched.message += "the pass's result:\n" + made;
        return matched;
    } catch (const error& e) {
        return failed(std::string(e.what()) + '\n');
    }
}

} // namespace tutti::relay::inline TUTTI_FORM::testing
