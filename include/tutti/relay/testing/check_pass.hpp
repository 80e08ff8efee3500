#pragma once

#include <tutti/error.hpp>
#include <tutti/instrument/line_diff.hpp>
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

#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::testing {

using tutti::testing::failed;
using tutti::testing::outcome;

/// How a pass over programs is checked.
struct pass_check_options {
    /// At which level it is run: the default has passes of all levels of the library's.
    int opt_level = 4;
    /// Whether it is given a program with types, as most passes ask for.
    bool infer_types = true;
    /// How texts are read: the operators that they may name, and `.metadata = read_metadata` for constants that are no literals.
    parse_options reading{};
};

namespace detail {

inline std::string program_text(const ir_module& m, bool types) {
    return to_text(m, {.version_line = false, .type_comments = types, .metadata_note = false});
}

// What is wrong with what a pass made of a program that is now in `m`, but for what it is.
template <class Pass>
std::string run_checked(Pass& pass, ir_module& m, const pass_check_options& options) {
    check_well_formed(m);
    if (options.infer_types) relay::infer_types(m);
    const ir_module was = m;
    change said = change::unknown;
    std::string reason = tutti::testing::run_for_check(pass, m, said, {.opt_level = options.opt_level});
    if (!reason.empty()) return reason;
    if (said == unchanged && !structural_equal(was, m, {.names = true, .inferred_types = true}))
        return "the pass said that it changed nothing, and did:\n" +
               instrument::line_diff(program_text(was, true), program_text(m, true));
    try {
        relay::verify(m);
        relay::infer_types(m);
    } catch (const error& e) {
        return "what the pass made is not well-formed: " + std::string(e.what()) + "\nit made:\n" +
               program_text(m, true);
    }
    return {};
}

[[gnu::cold]] inline std::string difference_of(const ir_module& expected, const ir_module& made) {
    for (const bool types : {false, true}) {
        const std::string a = program_text(expected, types), b = program_text(made, types);
        if (a != b) return tutti::testing::unexpected_text(a, b);
    }
    return "the pass made something else, in what the text leaves out: the values of constants\n" +
           program_text(made, true);
}

// A program of a text, or a failure that says what is wrong with it.
inline ir_module read_program(std::string_view text, std::string_view name, parse_options options) {
    if (options.source == parse_options{}.source) options.source = name;
    return parse(text, options);
}

} // namespace detail

/// Checks what a pass, or a pipeline, makes of a program. Names of variables and how values are shared by name do not count, types
/// are inferred where they are not there, and what it makes has to be well-formed; where it says that it changed nothing, nothing
/// may be changed. Instead of a pass it may be given a function of the module, which runs passes in a context of its own.
///
/// The message has what differs, line by line.
///
/// Example: `CHECK(check_pass(relay::fold_constant{}, "def @main(%x: int32) { add(%x, add(1, 2)) }", "def @main(%x: int32) { add(%x, 3) }"));`
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

/// Checks that a pass leaves a program as it is.
template <class Pass>
outcome check_pass_keeps(Pass&& pass, std::string_view program, const pass_check_options& options = {}) {
    return check_pass(pass, program, program, options);
}

/// Checks the text, without types, of what a pass makes of a program against a pattern: see `match_text`.
///
/// Example: `CHECK(check_pass_text(relay::fuse_ops{}, program, "CHECK: fn ({{.*}}Primitive=1)\nCHECK-NEXT: nn.conv2d"));`
template <class Pass>
outcome check_pass_text(Pass&& pass, std::string_view before, std::string_view pattern,
                        const pass_check_options& options = {}) {
    try {
        ir_module m = detail::read_program(before, "before", options.reading);
        if (std::string reason = detail::run_checked(pass, m, options); !reason.empty())
            return failed(std::move(reason));
        const std::string made = detail::program_text(m, false);
        outcome matched = tutti::testing::match_text(made, pattern);
        if (!matched) matched.message += "what the pass made:\n" + made;
        return matched;
    } catch (const error& e) {
        return failed(std::string(e.what()) + '\n');
    }
}

} // namespace tutti::relay::testing
