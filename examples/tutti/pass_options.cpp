#include <tutti/error.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/runtime/parse_pipeline.hpp>

#include "program.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace runtime = tutti::runtime;

// Without the empty ones, which an empty value gives: `--disabled-pass=$NONE` is none.
std::vector<std::string> given(std::vector<std::string> names) {
    std::erase(names, "");
    return names;
}

} // namespace

void add_pass_options(CLI::App& command, pass_options& options, const char* help) {
    CLI::Option* const passes = command.add_option("--passes", options.passes, help)->type_name("PIPELINE");
    const auto names = [&](const std::string& name, std::vector<std::string>& into, const std::string& about,
                           const char* group) {
        command.add_option(name, into, about)
            ->type_name("PASS,...")
            ->delimiter(',')
            ->allow_extra_args(false)
            ->needs(passes)
            ->group(group);
    };
    command.add_option("--opt-level", options.opt_level, "Run passes up to this level")
        ->type_name("N")
        ->check(whole_number(0, 1 << 16))
        ->needs(passes)
        ->capture_default_str()
        ->group("Context");
    names("--disabled-pass", options.disabled, "Leave these passes out", "Context");
    names("--required-pass", options.required, "Run these passes whatever their level", "Context");
    command.add_option("--config", options.config, "Set a config key; `tutti list passes` has those that there are")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false)
        ->needs(passes)
        ->group("Context");

    command.add_option("--max-passes", options.max_passes, "How often passes may run, those in others counted")
        ->type_name("N")
        ->needs(passes)
        ->capture_default_str()
        ->group("Limits");

    add_instrument_options(command, passes, options.instruments);
}

wanted_passes read_pass_options(std::string_view command, const pass_options& options, const std::string& file) {
    const auto& known = known_passes();
    wanted_passes wanted{.context{.opt_level = options.opt_level}, .max_passes = options.max_passes};
    auto& context = wanted.context;
    try {
        wanted.pipeline = runtime::parse_pipeline(options.passes.value_or(""), known);
        context.disabled = given(options.disabled);
        context.required = given(options.required);
        known.check_names("--disabled-pass", context.disabled, wanted.pipeline);
        known.check_names("--required-pass", context.required, wanted.pipeline);
        context.check_names = false; // those of passes that are not in this pipeline do no harm

        std::vector<runtime::config_entry> entries;
        for (const std::string& each : given(options.config)) entries.push_back(known.config().read(each));
        context.config = {known.config(), std::move(entries)};

        const runtime::instrument_request request{.write = report_coloured,
                                                  .pipeline = tutti::write_pipeline(wanted.pipeline),
                                                  .source = name_of(file),
                                                  .terminal = colours(),
                                                  .passes = known.names(wanted.pipeline)};
        try {
            context.instruments = make_instruments(command, options.instruments, request);
        } catch (const tutti::input_error&) {
            throw;
        } catch (const tutti::error& e) { // a file that cannot be written
            throw failure{wrong_input, message(command, e.what())};
        }
    } catch (const runtime::pipeline_error& e) {
        throw failure{wrong_usage, e.what()};
    } catch (const tutti::error& e) {
        throw failure{wrong_usage, message(command, e.what())};
    }
    return wanted;
}

} // namespace program
