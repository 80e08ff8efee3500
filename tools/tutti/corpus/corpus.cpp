// tutti corpus: runs passes over many modules on all processors or machines, and compares such runs.

#include "../program.hpp"
#include "run.hpp"
#include "views.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>

namespace program {

namespace {

void add_run_command(CLI::App& corpus, action& chosen) {
    CLI::App* const command = corpus.add_subcommand("run", "Run passes over many modules, and record the results");
    const auto options = std::make_shared<corpus::run_options>();
    command->add_option(
        "MODELS", options->models,
        "Files, folders (searched for .relay and .onnx), patterns (`nets/*.onnx`), and @LIST: a file with "
        "one program in each line");
    command->add_option("--random", options->random, "Also random programs: COUNT of them, with seeds from SEED")
        ->type_name("SEED:COUNT")
        ->allow_extra_args(false);
    command->add_option("-o,--output", options->output, "The database to write")->type_name("FILE")->required();
    command->add_flag("--resume", options->resume, "Continue the run of the database; modules with a row are skipped");
    add_context_options(*command, options->passes, "The passes to run; without it, the modules are only checked");
    command
        ->add_option("--check", options->check,
                     "The requirements: crash, verify, numerics, or baseline=DB, which compares outputs with an "
                     "earlier run")
        ->type_name("CHECK")
        ->capture_default_str();
    command
        ->add_option("--tolerance", options->tolerance,
                     "For numerics: tolerance for results, relative to their magnitude")
        ->type_name("NUMBER")
        ->check(CLI::NonNegativeNumber.description(""))
        ->capture_default_str();
    command->add_flag("--reduce", options->reduce, "Reduce the reproducers of modules that fail");
    command->add_option("--max-tries", options->max_tries, "For --reduce: the greatest number of tries for a module")
        ->type_name("N")
        ->check(whole_number(1, std::numeric_limits<std::int32_t>::max()))
        ->capture_default_str()
        ->group("Limits");
    command->add_option("-j,--jobs", options->jobs, "Worker processes, of each rank with MPI")
        ->type_name("N")
        ->check(whole_number(1, 4096))
        ->default_str("the processors; 1 with MPI");
    command->add_option("--time-limit", options->time_limit, "Seconds that a module may take")
        ->type_name("SECONDS")
        ->check(CLI::PositiveNumber.description(""))
        ->capture_default_str()
        ->group("Limits");
    command->add_option("--memory-limit", options->memory_limit, "Address space for a module in MiB; 0 sets no limit")
        ->type_name("MIB")
        ->check(whole_number(0, std::int64_t{1} << 40))
        ->capture_default_str()
        ->group("Limits");
    add_message_options(*command);
    command->footer(
        R"(A module is examined in a child process, so it may crash, hang, or use up its memory. Each module becomes a row of
the database: ok; unchecked (the check does not apply); output-changed (from the baseline's); results-differ; invalid (the
output, or a pass that misreported a change); pass-failed; crashed; timed-out; out-of-memory; unreadable. A row has the
error and a reproducer, which `tutti opt` runs. The database is readable during the run.

--check=verify: the passes run to their end, and the output is well-formed and well-typed. numerics: also, it computes the
same; random programs have inputs of their own, and other programs get synthetic ones. crash: the passes run to their end.

Rows of finished modules stay if the run ends early (Ctrl-C, a crash, a full disk), and --resume continues it. Except for
times, the rows depend neither on the number of workers, nor on the order of the modules, nor on interruptions.

Exit codes: 0 all modules passed; 1 wrong input, or interrupted; 2 wrong usage; 3 some modules failed.

Examples:
  tutti corpus run nets/ more/*.onnx --passes=InferType,FoldConstant,FuseOps -o results.db
  tutti corpus run --random=1:100000 --passes=InferType,SimplifyExpr --check=numerics --reduce -o random.db
  tutti corpus run nets/ --passes=InferType,SimplifyExpr --check=baseline=results.db -o today.db)");
    command->callback([=, &chosen] { chosen = [=] { corpus::run(std::move(*options)); }; });
}

void add_diff_command(CLI::App& corpus, action& chosen) {
    CLI::App* const command = corpus.add_subcommand("diff", "Compare the results of two runs");
    const auto options = std::make_shared<corpus::diff_options>();
    command->add_option("BEFORE", options->before, "The database of the first run")->required();
    command->add_option("AFTER", options->after, "The database of the second run")->required();
    command->add_flag("--json", options->json, "Write JSON");
    command->add_option("--html", options->page, "Write a page with a table that sorts and searches")
        ->type_name("FILE");
    command->add_option("--slower", options->slower, "Percent beyond which a pass counts as slower or faster")
        ->type_name("PERCENT")
        ->check(CLI::NonNegativeNumber.description(""))
        ->capture_default_str();
    add_message_options(*command);
    command->footer(
        R"(Lists modules whose outcome, output or operators changed, or that only one run has. Then compares the time of each
pass, module by module, with the Wilcoxon signed-rank test.

Exit codes: 0 the modules are equal; 1 wrong input; 2 wrong usage; 3 modules differ.)");
    command->callback([=, &chosen] { chosen = [=] { corpus::diff(*options); }; });
}

void add_show_command(CLI::App& corpus, action& chosen) {
    CLI::App* const command = corpus.add_subcommand("show", "Print the results of a run");
    const auto options = std::make_shared<corpus::show_options>();
    command->add_option("FILE", options->file, "The database of the run")->required();
    CLI::Option* const failures =
        command->add_flag("--failures", options->failures, "List the modules that failed, with their messages");
    CLI::Option* const slowest = command->add_option("--slowest", options->slowest, "List the slowest modules")
                                     ->type_name("N")
                                     ->check(whole_number(1, std::numeric_limits<std::int32_t>::max()))
                                     ->expected(0, 1)
                                     ->default_str("20");
    command
        ->add_option("--module", options->module,
                     "Write all about a module: its passes, and its reproducer, which `tutti opt` runs")
        ->type_name("NAME")
        ->excludes(failures)
        ->excludes(slowest);
    failures->excludes(slowest);
    command->add_flag("--json", options->json, "Write JSON");
    command->add_option("--html", options->page, "Write a page with a table that sorts and searches")
        ->type_name("FILE");
    add_message_options(*command);
    command->footer(
        R"(Without options, prints the number of modules with each outcome, and the profile: the runs of each pass added up.)");
    command->callback([=, &chosen] { chosen = [=] { corpus::show(*options); }; });
}

} // namespace

void add_corpus(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("corpus", "Run passes over many modules, and compare such runs");
    command->require_subcommand(1);
    add_run_command(*command, chosen);
    add_diff_command(*command, chosen);
    add_show_command(*command, chosen);
}

} // namespace program
