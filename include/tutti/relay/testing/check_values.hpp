#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/testing/behaviour.hpp>
#include <tutti/relay/testing/check_pass.hpp>
#include <tutti/relay/testing/choices.hpp>
#include <tutti/relay/testing/random_module.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::testing {

/// Options of checks on random programs.
struct random_check_options {
    std::uint64_t seed = 1; ///< seed of the first program
    std::uint64_t programs = 100;
    int opt_level = 4;    ///< the optimisation level of the run
    double tolerance = 0; ///< tolerance beyond rounding, relative to the largest of 1 and the two magnitudes
    random_module_options random{};
    int reductions = 400; ///< attempts to reduce a failing program
};

/// Checks that a pass keeps a program's results on these inputs. Results without rounding must be equal. Other results
/// must agree within `tolerance`, or within the effect of rounding, which is measured by evaluation with noise (see
/// `noise`).
template <class Pass>
outcome check_values(Pass&& pass, ir_module program, vector<kernel::tensor> inputs,
                     const random_check_options& options = {}) {
    try {
        relay::infer_types(program);
        behaviour before(program, std::move(inputs), options.tolerance);
        ir_module after = program;
        if (std::string reason = detail::run_checked(pass, after, {.opt_level = options.opt_level}); !reason.empty())
            return failed(std::move(reason) + "of:\n" + detail::program_text(program, false));
        if (structural_equal(program, after)) return {};
        if (std::string what = before.difference(after); !what.empty())
            return failed("the pass changes what is computed: " + what + "\nof:\n" +
                          detail::program_text(program, false) + "it made:\n" + detail::program_text(after, false));
        return {};
    } catch (const error& e) {
        return failed(std::string(e.what()) + "\nof:\n" + detail::program_text(program, false));
    }
}

/// Checks that a pass keeps the results of random programs. A failing program is reduced as long as it still fails. The
/// message contains the reduced program and the seed. A check that starts with this seed begins with the failing
/// program.
///
/// Cost:    a few milliseconds per program in an optimised build.
/// Example: `CHECK(check_values(my_pass{}));`
template <class Pass>
outcome check_values(Pass&& pass, const random_check_options& options = {}) {
    const auto tried = [&](std::span<const std::uint8_t> bytes) {
        choices c(bytes);
        try {
            random_module made = make_random_module(c, options.random);
            return check_values(pass, std::move(made.program), std::move(made.inputs), options);
        } catch (const error& e) {
            return failed(std::string("no program could be made: ") + e.what() + '\n');
        }
    };
    // Returns the start of a message, which is the same for all failures with the same cause.
    const auto kind = [](const std::string& message) {
        return message.substr(0, message.find_first_of("0123456789\n"));
    };
    for (std::uint64_t seed = options.seed; seed < options.seed + options.programs; ++seed) {
        vector<std::uint8_t> bytes = bytes_of_seed(seed);
        const outcome found = tried(bytes);
        if (found) continue;
        bytes = reduced(
            std::move(bytes),
            [&](const vector<std::uint8_t>& fewer) { return kind(tried(fewer).message) == kind(found.message); },
            options.reductions);
        return failed("seed " + std::to_string(seed) + ": " + tried(bytes).message);
    }
    return {};
}

} // namespace tutti::relay::inline TUTTI_FORM::testing
