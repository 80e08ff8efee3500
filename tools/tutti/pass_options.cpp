#include <tutti/base/error.hpp>
#include <tutti/pipeline/decimal_options.hpp>
#include <tutti/pipeline/option_type.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/property.hpp>
#include <tutti/search/reproducer.hpp>
#include <tutti/search/shorter_pipeline.hpp>
#include <tutti/version.hpp>

#include "file_ending.hpp"
#include "program.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace runtime = tutti::runtime;

// Drops the empty names that an empty value yields: `--disabled-pass=$NONE` disables nothing.
std::vector<std::string> given(std::vector<std::string> names) {
    std::erase(names, "");
    return names;
}

constexpr int usual_level = 2;
constexpr std::uint64_t usual_passes = 20'000;
constexpr std::int64_t most_milliseconds = 1'000'000'000; // 11 days

// Returns the options that a reproducer needs to run a pipeline in the same way. `take_reproducer` parses them.
std::string settings(const pass_options& options) {
    std::string text;
    const auto add = [&](std::string_view name, std::string_view value) {
        text.append(text.empty() ? "" : " ");
        const bool plain = value.find_first_of(" \t\n\"\\") == std::string_view::npos;
        for (const char c : std::string{name} + (plain ? "=" : "=\"")) text += c;
        for (const char c : value) text.append(c == '"' || c == '\\' ? "\\" : "").append(1, c);
        text.append(plain ? "" : "\"");
    };
    add("--opt-level", std::to_string(options.opt_level.value_or(usual_level)));
    for (const std::string& each : given(options.disabled)) add("--disabled-pass", each);
    for (const std::string& each : given(options.required)) add("--required-pass", each);
    for (const std::string& each : given(options.config)) add("--config", each);
    if (options.max_passes) add("--max-passes", std::to_string(*options.max_passes));
    return text;
}

std::string version_text() {
    return std::to_string(tutti::version.major_number) + '.' + std::to_string(tutti::version.minor_number) + '.' +
           std::to_string(tutti::version.patch_number);
}

// Splits the text of options into words and removes the quotes.
std::vector<std::string> split_words(std::string_view text) {
    std::vector<std::string> words;
    bool inside = false, quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!quoted && (text[i] == ' ' || text[i] == '\n')) {
            inside = false;
            continue;
        }
        if (!std::exchange(inside, true)) words.emplace_back();
        if (text[i] == '"')
            quoted = !quoted;
        else
            words.back() += text[i] == '\\' && i + 1 < text.size() ? text[++i] : text[i];
    }
    return words;
}

} // namespace

void add_context_options(CLI::App& command, pass_options& options, const char* help) {
    command.add_option("--passes", options.passes, help)->type_name("PIPELINE");
    add_read_options(command, options.reading);
    add_edit_options(command, options);
    const auto names = [&](const char* name, std::vector<std::string>& into, const char* about) {
        options.need_passes.push_back(command.add_option(name, into, about)
                                          ->type_name("PASS,...")
                                          ->delimiter(',')
                                          ->allow_extra_args(false)
                                          ->group("Context"));
    };
    options.need_passes.push_back(
        command.add_option("-O,--opt-level", options.opt_level, "Run passes up to this level")
            ->type_name("N")
            ->check(whole_number(0, 1 << 16))
            ->default_str(std::to_string(usual_level))
            ->group("Context"));
    names("--disabled-pass", options.disabled, "Leave these passes out");
    names("--required-pass", options.required, "Run these passes at any opt level");
    options.need_passes.push_back(
        command.add_option("--config", options.config, "Set a config key; `tutti list passes` lists them")
            ->type_name("KEY=VALUE")
            ->allow_extra_args(false)
            ->group("Context"));

    options.need_passes.push_back(command
                                      .add_option("--max-passes", options.max_passes,
                                                  "How many passes may run, including nested ones and repetitions")
                                      ->type_name("N")
                                      ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()))
                                      ->default_str(std::to_string(usual_passes))
                                      ->group("Limits"));
}

void add_pass_options(CLI::App& command, pass_options& options, const char* help) {
    add_context_options(command, options, help);
    options.need_passes.push_back(
        command
            .add_option("-j,--threads", options.threads,
                        "Threads that transform functions in parallel; the result does not depend on it")
            ->type_name("N")
            ->check(whole_number(1, 256))
            ->default_str("1")
            ->group("Context"));
    options.need_passes.push_back(
        command
            .add_option("--time-limit", options.time_limit,
                        "Milliseconds after which no pass begins; what the passes have done until then is kept")
            ->type_name("MS")
            ->check(whole_number(0, most_milliseconds))
            ->group("Limits"));
    add_instrument_options(command, options.instruments, options.need_passes);
    options.need_passes.push_back(
        command
            .add_option("--add-profile", options.profile,
                        "Add the times, counts and remarks of this run to FILE, for `tutti profile`")
            ->type_name("FILE")
            ->group("Instruments that measure"));
}

void compute_with_threads(CLI::App& command, pass_options& options) {
    CLI::Option* const threads = command.get_option("--threads");
    threads->description("Threads that compute, and transform functions in parallel; the results do not depend on it");
    std::erase(options.need_passes, threads);
}

void report_without_passes(CLI::App& command, pass_options& options, const std::string& help) {
    CLI::Option* const report = command.get_option("--report");
    report->description(report->get_description() + help);
    std::erase(options.need_passes, report);
}

read_options with_sizes(const pass_options& options) {
    read_options reading = options.reading;
    const std::string& file = options.instruments.inputs.from;
    if (file != "synthetic" && file != "-") reading.inputs = file; // standard input can be read only once
    return reading;
}

void take_reproducer(std::string_view command, const source& from, pass_options& options) {
    if (!tutti::instrument::is_reproducer(from.text)) return;
    const auto kept = tutti::instrument::read_reproducer(from.text);
    if (options.passes) {
        note(command, from.name + " is a reproducer; --passes replaces its passes and options");
        return;
    }
    if (!kept.version.empty() && kept.version != version_text())
        note(command, from.name + " is a reproducer of version " + kept.version + "; this is version " +
                          version_text() + ", whose results may differ");
    options.passes = kept.passes;
    pass_options own;
    for (const std::string& word : split_words(kept.options)) {
        const std::size_t end = word.find('=');
        const std::string name = word.substr(0, end), value = end == std::string::npos ? "" : word.substr(end + 1);
        std::int64_t number = 0;
        const bool is_number = tutti::internal::read_integer(value, number) && number >= 0;
        if (name == "--opt-level" && is_number && number <= 1 << 16)
            own.opt_level = static_cast<int>(number);
        else if (name == "--max-passes" && is_number)
            own.max_passes = static_cast<std::uint64_t>(number);
        else if (name == "--disabled-pass")
            own.disabled.push_back(value);
        else if (name == "--required-pass")
            own.required.push_back(value);
        else if (name == "--config")
            own.config.push_back(value);
        else
            throw failure{
                wrong_input,
                message(
                    from.name,
                    tutti::error{
                        "options", "`" + word + "` is unknown",
                        "--opt-level=N, --disabled-pass=PASS, --required-pass=PASS, --config=KEY=VALUE or --max-passes=N"}
                        .what())};
    }
    const auto take = [&](const char* name, auto& here, auto& its, const auto& none) {
        if (here != none && its != none && here != its)
            note(command, std::string{name} + " overrides that of the reproducer " + from.name);
        if (here == none) here = std::move(its);
    };
    take("--opt-level", options.opt_level, own.opt_level, std::nullopt);
    take("--max-passes", options.max_passes, own.max_passes, std::nullopt);
    const std::vector<std::string> none;
    take("--disabled-pass", options.disabled, own.disabled, none);
    take("--required-pass", options.required, own.required, none);
    take("--config", options.config, own.config, none);
}

std::string reproducer_of(const source& from, const wanted_passes& wanted, const pass_options& options) {
    tutti::instrument::reproducer r;
    r.passes = tutti::write_pipeline(wanted.pipeline);
    r.pass = tutti::instrument::pipeline_parts{r.passes}.first();
    r.options = settings(options);
    r.version = version_text();
    r.unit = tutti::unit_traits<tutti::relay::ir_module>::to_full_text(from.module);
    return to_text(r);
}

namespace {

// Refuses a pipeline in which a pass needs a property that an earlier pass broke.
void check_order(const wanted_passes& wanted, std::string_view text) {
    const runtime::pass_context<tutti::relay::ir_module> ctx{{.opt_level = wanted.context.opt_level,
                                                              .disabled = wanted.context.disabled,
                                                              .required = wanted.context.required}};
    if (const auto found = runtime::find_order_problem(wanted.pipeline, ctx))
        throw runtime::order_error_in(text, *found);
}

} // namespace

wanted_passes read_pass_options(std::string_view command, const pass_options& options, const std::string& file) {
    const auto& known = known_passes();
    if (!options.passes)
        for (const CLI::Option* each : options.need_passes)
            if (each->count() > 0)
                throw failure{wrong_usage, message(command, each->get_name(false, false) + " requires --passes; `" +
                                                                std::string{command} + " --help` shows the usage")};
    wanted_passes wanted{.context{.opt_level = options.opt_level.value_or(usual_level)},
                         .max_passes = options.max_passes.value_or(usual_passes),
                         .time_limit = options.time_limit,
                         .threads = options.threads,
                         .profile = options.profile};
    auto& context = wanted.context;
    try {
        wanted.pipeline = runtime::parse_pipeline(options.passes.value_or(""), known);
        const std::string unedited = tutti::write_pipeline(wanted.pipeline);
        edit_passes(options, wanted.pipeline);
        context.disabled = given(options.disabled);
        context.required = given(options.required);
        known.check_names("--disabled-pass", context.disabled, wanted.pipeline);
        known.check_names("--required-pass", context.required, wanted.pipeline);
        context.check_names = false; // names of passes outside this pipeline are allowed
        const std::string edited = tutti::write_pipeline(wanted.pipeline);
        check_order(wanted, edited == unedited ? options.passes.value_or("") : edited);

        std::vector<runtime::config_entry> entries;
        for (const std::string& each : given(options.config)) entries.push_back(known.config().read(each));
        context.config = {known.config(), std::move(entries)};

        const auto claimed = tutti::instrument::claimed_passes<tutti::relay::ir_module>(wanted.pipeline);
        const runtime::instrument_request request{.write = report_coloured,
                                                  .pipeline = edited,
                                                  .settings = settings(options),
                                                  .source = name_of(file),
                                                  .terminal = colours(),
                                                  .passes = known.names(wanted.pipeline),
                                                  .properties = &claimed,
                                                  .file_problem = note_failed_file,
                                                  .check_file = check_instrument_file};
        try {
            context.instruments = make_instruments(command, options.instruments, request);
            if (const std::string* kept = value_of(options.instruments, "--crash-reproducer"))
                wanted.reproducer = *kept;
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
