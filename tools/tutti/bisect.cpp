// tutti bisect: finds the first pass after which a check fails.

#include <tutti/search/bisect.hpp>

#include <tutti/instrument/support/files.hpp>
#include <tutti/instrument/support/line_diff.hpp>
#include <tutti/search/shorter_pipeline.hpp>

#include "file_ending.hpp"
#include "inputs.hpp"
#include "trial.hpp"

#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace instrument = tutti::instrument;

struct bisect_options {
    std::string file = "-";
    pass_options passes;
    check_options check;
    std::string reproducer;
};

void bisect(bisect_options& options) {
    check_output("tutti bisect", "--reproducer", options.reproducer, content::relay_text);
    refuse_input_as_output("tutti bisect", "--reproducer", options.reproducer,
                           {options.file, options.passes.reading.params});
    failing_case given = read_case("tutti bisect", options.file, options.passes);
    if (!options.reproducer.empty()) keep_result_names(given.from);
    if (given.passes.pipeline.passes().empty())
        throw failure{
            wrong_usage,
            message("tutti bisect", "there are no passes; expected --passes=PIPELINE, or a file that lists them")};
    try {
        if (!options.reproducer.empty()) instrument::check_writable(options.reproducer);
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message("tutti bisect", e.what())};
    }
    const interruption stop;
    trial tries(options.check, given.passes, stop.flag());
    tries.keep(given.from.module);
    outcome wrong, latest;
    instrument::bisection found;
    {
        progress shown;
        std::size_t right = 0, count = 0;
        found = instrument::bisect_first([&](std::size_t first) {
            shown.tell("tutti bisect: try " + std::to_string(++count) + ": the first " +
                       (first == trial::all ? std::string{"of all"} : std::to_string(first)) + " passes; right up to " +
                       std::to_string(right));
            latest = tries.run(given.from.module, given.passes.pipeline, first);
            if (latest.what == outcome::interrupted) throw failure{wrong_input, message("tutti bisect", "interrupted")};
            const bool is_right = !latest.is_failure();
            if (is_right && first != trial::all) right = first;
            if (!is_right && (wrong.what == outcome::right || first != 0)) wrong = latest;
            return instrument::bisect_try{is_right, latest.passes, latest.last};
        });
    }
    if (!found.failed)
        throw failure{
            wrong_input,
            message(given.from.name, with_hint(latest.what == outcome::not_judged
                                                   ? with_switches(given.from, latest.text())
                                                   : "the check does not fail after " + std::to_string(found.passes) +
                                                         (found.passes == 1 ? " pass" : " passes"),
                                               "expected a program and passes for which --check fails"))};
    if (found.number == 0)
        throw failure{wrong_input,
                      message(given.from.name, "the check fails before any pass has run: " + latest.text())};
    const pass_at_fault at = tries.look_at(given.from.module, given.passes.pipeline, found.number);
    std::string text = "pass " + std::to_string(found.number) + " of " + std::to_string(found.passes) + ": " +
                       found.pass + "\n" + wrong.text() + "\n";
    const bool has_ended = wrong.what != outcome::died && wrong.what != outcome::hung && !at.after.empty();
    if (has_ended) text += instrument::line_diff(at.before, at.after);
    if (!options.reproducer.empty()) {
        const std::string first = instrument::pipeline_parts{at.passes}.first();
        write_text(options.reproducer, reproducer_text(given, wrong, found.pass, first, at.program));
        text += "tutti opt " + options.reproducer + " runs it again: " + first + "\n";
    }
    write_text("-", text);
}

} // namespace

void add_bisect(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("bisect", "Find the first pass after which a check fails");
    const auto options = std::make_shared<bisect_options>();
    command->add_option("FILE", options->file, "The program, a reproducer, or an ONNX model; - is standard input")
        ->capture_default_str();
    command
        ->add_option("-o,--reproducer", options->reproducer,
                     "Where to write the program before that pass, and the pass: `tutti opt` runs that file")
        ->type_name("FILE");
    add_context_options(*command, options->passes, "The passes to search");
    add_check_options(*command, options->check);
    command->footer(
        std::string{
            R"(Runs the first N passes in a process of their own, for different N, to find the first pass after which the check
fails. A pass counts once for each function and each round of a fixpoint. Prints that pass and its changes.

)"} + check_help +
        R"(

Exit codes: 0 found a pass; 1 the check does not fail, or fails before any pass; 2 wrong usage.

Examples:
  tutti bisect net.relay --passes=InferType,SimplifyExpr,FuseOps --check=numerics --reproducer=wrong.relay
  tutti bisect net.relay --passes=InferType,FuseOps --check='tutti run {} | grep -q "mean   0"')");
    command->callback([=, &chosen] { chosen = [=] { bisect(*options); }; });
}

} // namespace program
