// tutti opt: runs a pipeline over a program.

#include <tutti/error.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>
#include <tutti/runtime/parse_pipeline.hpp>

#include "program.hpp"

#include <memory>
#include <optional>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace relay = tutti::relay;
namespace runtime = tutti::runtime;

struct wanted_instrument {
    std::string name;
    bool on = false;
    std::vector<std::string> passes{};
};

struct opt_options {
    std::string file = "-";
    std::optional<std::string> passes;
    int opt_level = 2;
    std::vector<std::string> disabled, required, config;
    std::vector<std::unique_ptr<wanted_instrument>> instruments;
    bool metadata = false;
    std::string output = "-";
};

[[noreturn]] void refuse_usage(std::string_view what) { throw failure{wrong_usage, message("tutti opt", what)}; }

// Without the empty ones, which an empty value gives: `--disabled-pass=$NONE` is none.
std::vector<std::string> given(std::vector<std::string> names) {
    std::erase(names, "");
    return names;
}

void optimise(const opt_options& options) {
    const auto& known = known_passes();
    const auto& instruments = known_instruments();

    // What is wrong with the command line is said before anything is read.
    runtime::sequential<relay::ir_module> pipeline{{}};
    runtime::context_options<relay::ir_module> context{.opt_level = options.opt_level};
    try {
        pipeline = runtime::parse_pipeline(options.passes.value_or(""), known);
        context.disabled = given(options.disabled);
        context.required = given(options.required);
        known.check_names("--disabled-pass", context.disabled, pipeline);
        known.check_names("--required-pass", context.required, pipeline);
        context.check_names = false; // those of passes that are not in this pipeline do no harm

        std::vector<runtime::config_entry> entries;
        for (const std::string& each : given(options.config)) entries.push_back(known.config().read(each));
        context.config = {known.config(), std::move(entries)};

        for (const auto& each : options.instruments) {
            const std::vector<std::string> passes = given(each->passes);
            std::vector<std::string> names = passes;
            std::erase(names, "all");
            known.check_names("--" + each->name, names, pipeline);
            if (each->on || !passes.empty())
                context.instruments.push_back(instruments.make(each->name, {passes, report}));
        }
    } catch (const runtime::pipeline_error& e) {
        throw failure{wrong_usage, e.what()};
    } catch (const tutti::error& e) {
        refuse_usage(e.what());
    }

    source from = read_module(options.file);
    if (options.passes) run_passes(from, pipeline, std::move(context));
    std::string text;
    try {
        text = relay::to_text(from.module, {.metadata = options.metadata ? relay::write_metadata : nullptr});
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(from, e)};
    }
    write_text(options.output, text);
}

} // namespace

void add_opt(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("opt", "Run passes over a program and write it");
    const auto options = std::make_shared<opt_options>();
    command->add_option("FILE", options->file, "The program; - is standard input")->capture_default_str();
    CLI::Option* const passes =
        command
            ->add_option("--passes", options->passes, "The passes to run; without it, the program is read and written")
            ->type_name("PIPELINE");
    command->add_option("-o,--output", options->output, "Where to write the program; - is standard output")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_flag("--show-meta-data", options->metadata,
                      "Write constants that are no scalars too, and scalars with all their digits");

    const auto names = [&](const char* name, std::vector<std::string>& into, const std::string& help,
                           const char* group) {
        command->add_option(name, into, help)
            ->type_name("PASS,...")
            ->delimiter(',')
            ->allow_extra_args(false)
            ->needs(passes)
            ->group(group);
    };
    command->add_option("--opt-level", options->opt_level, "Run passes up to this level")
        ->type_name("N")
        ->check(CLI::Range(0, 1 << 16))
        ->needs(passes)
        ->capture_default_str()
        ->group("Context");
    names("--disabled-pass", options->disabled, "Leave these passes out", "Context");
    names("--required-pass", options->required, "Run these passes whatever their level", "Context");
    command->add_option("--config", options->config, "Set a config key; `tutti list passes` has those that there are")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->needs(passes)
        ->group("Context");

    const auto& instruments = known_instruments();
    for (const auto& each : instruments.list()) {
        auto& wanted = *options->instruments.emplace_back(std::make_unique<wanted_instrument>(each.name));
        const std::string name = "--" + each.name;
        if (each.takes_passes)
            names(name.c_str(), wanted.passes, each.help + ", or all", "Instruments");
        else
            command->add_flag(name, wanted.on, each.help)->needs(passes)->group("Instruments");
    }
    command->footer(
        R"(A PIPELINE is Name, Name{key=value,key=[a,b]}, joined by commas; seq(A,B) nests, seq[name](A,B) names it;
repeat{times=2}(A,B) and fixpoint{limit=10}(A,B) run them several times.
The passes run as one sequential: what is above the opt level or disabled is left out, what a pass
requires is run before it. `tutti list passes` has the names, levels and options.
PrintIR{header=TEXT} writes the program to standard error where it stands among them.

If a pass fails, nothing is written.)");
    command->callback([=, &chosen] { chosen = [=] { optimise(*options); }; });
}

} // namespace program
