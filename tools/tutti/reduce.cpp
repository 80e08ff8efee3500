// tutti reduce: shrinks a program and its pipeline while a check still fails.

#include <tutti/instrument/support/files.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/relay/unit.hpp>

#include "file_ending.hpp"
#include "inputs.hpp"
#include "reducing.hpp"
#include "trial.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace relay = tutti::relay;

struct reduce_options {
    std::string file = "-";
    pass_options passes;
    check_options check;
    std::uint64_t max_tries = relay::reduce_options{}.max_tries;
    std::string output = "-";
};

// Returns, for example, "72 operators, 1 pass".
std::string how_many(const relay::program_size& size, const std::string& passes) {
    const std::size_t count = tutti::instrument::pipeline_parts{passes}.passes();
    return std::to_string(size.calls) + (size.calls == 1 ? " operator, " : " operators, ") + std::to_string(count) +
           (count == 1 ? " pass" : " passes");
}

class reduction_of {
    const reduce_options& options_;
    failing_case given_;
    interruption stop_;
    trial tries_;
    outcome sought_{};
    progress shown_;

public:
    explicit reduction_of(reduce_options& options)
        : options_(options)
        , given_(read_case("tutti reduce", options.file, options.passes))
        , tries_(options.check, given_.passes, stop_.flag()) {}

    void run() {
        const std::string passes = tutti::write_pipeline(given_.passes.pipeline);
        const relay::ir_module& m = given_.from.module;
        sought_ = tries_.run(m, given_.passes.pipeline);
        if (sought_.what == outcome::interrupted) throw failure{wrong_input, message("tutti reduce", "interrupted")};
        if (!sought_.is_failure())
            throw failure{wrong_input, message(given_.from.name,
                                               with_hint(sought_.what == outcome::not_judged
                                                             ? with_switches(given_.from, sought_.text())
                                                             : "the check does not fail",
                                                         "expected a program and passes for which --check fails"))};
        reduced_failure made;
        try {
            made = reduce_failure(
                tries_, m, passes, sought_, options_.max_tries, [&](const relay::reduction& so_far, std::size_t tried) {
                    shown_.tell("tutti reduce: try " + std::to_string(tried + so_far.tries) + ": " +
                                how_many(so_far.size, so_far.passes) + "; " + std::string{so_far.step});
                    return stop_.flag() == 0;
                });
        } catch (const tutti::error& e) {
            throw failure{wrong_input, message(given_.from, e)};
        }
        const relay::reduction& found = made.found;
        if (!found.failed)
            throw failure{
                wrong_input,
                message(given_.from.name, stop_.flag() != 0
                                              ? "interrupted before anything was found"
                                              : "the check does not fail without the unused parts: " + sought_.text())};
        std::string text = tutti::unit_traits<relay::ir_module>::to_full_text(found.program);
        if (!text.ends_with('\n')) text += '\n';
        if (!found.passes.empty())
            text = reproducer_text(given_, made.latest, made.latest.pass.empty() ? found.passes : made.latest.pass,
                                   found.passes, text);
        shown_.clear();
        write_text(options_.output, text);
        const std::string why = stop_.flag() != 0    ? ", interrupted"
                                : !found.is_finished ? ", ended by --max-tries"
                                                     : "";
        note("tutti reduce", "from " + how_many(found.before, passes) + " to " + how_many(found.size, found.passes) +
                                 " in " + std::to_string(found.tries) + " tries" + why + ": " + made.latest.text());
    }
};

void reduce(reduce_options& options) {
    check_output("tutti reduce", "--output", options.output, content::relay_text);
    try {
        if (options.output != "-") tutti::instrument::check_writable(options.output);
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message("tutti reduce", e.what())};
    }
    reduction_of{options}.run();
}

} // namespace

void add_reduce(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand(
        "reduce", "Find the smallest program and the shortest pipeline for which a check still fails");
    const auto options = std::make_shared<reduce_options>();
    command->add_option("FILE", options->file, "The program, a reproducer, or an ONNX model; - is standard input")
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "Where to write the smallest program; - is standard output")
        ->type_name("FILE")
        ->capture_default_str();
    add_context_options(*command, options->passes, "The passes to run; without it, only the program is checked");
    add_check_options(*command, options->check);
    command->add_option("--max-tries", options->max_tries, "The greatest number of tries")
        ->type_name("N")
        ->check(whole_number(1, std::numeric_limits<std::int32_t>::max()))
        ->capture_default_str()
        ->group("Limits");
    command->footer(
        std::string{
            R"(Removes results, functions, operators, lets, ifs, tuples, parameters, attributes and passes, and shrinks shapes and
constants, while the failure stays the same: of the same kind and, if a pass failed, in the same pass. All tried programs
are well-typed; each try runs in a process of its own. The output is the program, with its passes in comments above it:
`tutti opt FILE` runs them. On Ctrl-C (SIGINT), SIGTERM or SIGHUP, writes the smallest program found so far.

)"} + check_help +
        R"(

Exit codes: 0 done; 1 the check does not fail, or the program is wrong; 2 wrong usage.

Examples:
  tutti reduce net.relay --passes=InferType,SimplifyExpr,FuseOps --check=crash -o small.relay
  tutti reduce crash.relay --message='expected 2 arguments'
  tutti reduce net.relay --passes=InferType,FuseOps --check='! ./interesting.sh {}')");
    command->callback([=, &chosen] { chosen = [=] { reduce(*options); }; });
}

} // namespace program
