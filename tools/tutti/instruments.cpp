// Command-line switches for instruments. Each switch abbreviates the text form of an instrument.

#include <tutti/base/error.hpp>
#include <tutti/instrument/count_allocations.hpp>
#include <tutti/pipeline/words.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/runtime/debug_instruments.hpp>
#include <tutti/runtime/parse_instruments.hpp>

#include "numerics.hpp"
#include "program.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace runtime = tutti::runtime;

constexpr const char* printing = "Instruments that print";
constexpr const char* checking = "Instruments that check and search";
constexpr const char* measuring = "Instruments that measure";
constexpr const char* any = "Any instrument";

// The switches, in the order in which their instruments are created. Instruments that skip passes come first, then
// those that check, so that later instruments see a failed check.
constexpr instrument_switch all_switches[] = {
    {"--bisect-limit", "N", nullptr, "bisect_limit", "limit", "Run only the first N passes, and print which ran",
     checking},
    {"--rewrite-limit", "N", nullptr, "rewrite_limit", "limit",
     "Make only the first N rewrites of all passes, and print which were made", checking},
    {"--verify-each", nullptr, nullptr, "verify", nullptr, "Verify the program after each pass", checking},
    {"--verify-numerics", "TOL", "auto", "verify_numerics", "tolerance",
     "Evaluate the program before and after each pass, and stop at the first pass that changes the results", checking},
    {"--crash-reproducer", "FILE", nullptr, "crash_reproducer", "file",
     "Write a file that reproduces the failure of a pass: the program before it, and the passes to run", checking},
    {"--print-ir-before", "PASS,...", nullptr, "print_ir", "before", "Print the program before these passes, or all",
     printing},
    {"--print-ir-after", "PASS,...", nullptr, "print_ir", "after", "Print the program after these passes, or all",
     printing},
    {"--print-changed", "FORM", "diff", "print_changed", "form",
     "Print each pass that changes the program: a diff, the new text, or quiet, the pass's name only", printing},
    {"--print-on-failure", nullptr, nullptr, "print_on_failure", nullptr,
     "If a pass fails, print the program before it", printing},
    {"--report", "FILE", nullptr, "report", "file",
     "Write a page of HTML: when each pass ran, its changes side by side, and the graphs", measuring},
    {"--graph", "FILE", nullptr, "graph", "file", "Draw the program as the passes leave it: FILE.svg or FILE.dot",
     printing},
    {"--blame", "VALUE", "", "blame", "value",
     "Show the pass that made each line of the program, or all versions of the line that defines VALUE, such as %12",
     printing},
    {"--print-dir", "DIR", nullptr, "dump", "folder", "Write the program after each pass to a file of its own",
     printing},
    {"--op-diff", nullptr, nullptr, "op_diff", nullptr, "Show which operators each pass adds and removes", printing},
    {"--remarks", "PASS,...[:KIND,...]", "", "remarks", "passes:kinds",
     "Print the remarks of these passes on changes (applied), near misses (missed) and observations (note)", printing},
    {"--stats", nullptr, nullptr, "statistics", nullptr, "Show the counters of passes", measuring},
    {"--timing", "FORM", "tree", "timing", "form",
     "Measure the time of each pass; show it as a tree, list, csv or json", measuring},
    {"--time-trace", "FILE", nullptr, "time_trace", "file", "Write when passes ran, for chrome://tracing or Perfetto",
     measuring},
    {"--memory", nullptr, nullptr, "memory", nullptr, "Count the allocations of passes", measuring},
    {"--perf-counters", nullptr, nullptr, "perf_counters", nullptr,
     "Count the instructions, cycles and page faults of passes", measuring},
};

// Options of the command line that belong to --verify-numerics.
constexpr instrument_switch inputs_switch{"--inputs", "FILE", nullptr, "verify_numerics", "inputs", "", checking};
constexpr instrument_switch seed_switch{"--seed", "N", nullptr, "verify_numerics", "seed", "", checking};

// Builds the text form of an instrument, and records which switch each part came from.
struct instrument_text {
    struct part {
        const instrument_switch* from;
        std::string_view option;
        std::size_t begin, end;
    };
    std::string_view name;
    std::string text{};
    std::vector<part> parts{};

    void add(const instrument_switch* from, std::string_view option, std::string_view value) {
        text.append(text.empty() ? "" : ",").append(option).append("=");
        const std::size_t begin = text.size();
        text += value;
        parts.push_back({from, option, begin, text.size()});
    }
};

std::string as_word(std::string_view value) {
    std::string text;
    tutti::internal::write_word(value, text);
    return text;
}

// Returns `A,B` as `[A,B]`.
std::string as_list(std::string_view names) {
    std::string text = "[";
    while (!names.empty()) {
        const std::size_t end = names.find(',');
        const std::string_view name = names.substr(0, end);
        if (!name.empty()) text.append(text.size() == 1 ? "" : ",").append(as_word(name));
        names.remove_prefix(end == std::string_view::npos ? names.size() : end + 1);
    }
    return text + "]";
}

bool takes_list(const char* type) { return std::string_view{type}.find(",...") != std::string_view::npos; }

// Adds the options that a switch sets.
void add_options(instrument_text& to, const instrument_switch& from, std::string_view value) {
    if (!from.option) return;
    std::string_view options = from.option;
    while (!options.empty()) {
        const std::size_t end = options.find(':'), split = value.find(':');
        const bool last = end == std::string_view::npos;
        const std::string_view one = last ? value : value.substr(0, split);
        if (!takes_list(from.type))
            to.add(&from, options, as_word(one));
        else if (const std::string names = as_list(one); names != "[]")
            to.add(&from, options.substr(0, end), names);
        options.remove_prefix(last ? options.size() : end + 1);
        value.remove_prefix(last || split == std::string_view::npos ? value.size() : split + 1);
    }
}

// Restricts the output of the printing instruments to one function.
void take_only(std::string_view command, const std::string& function, std::vector<instrument_text>& texts) {
    bool taken = false;
    for (instrument_text& each : texts)
        for (const auto& option : known_instruments().get(each.name).options())
            if (option.name == "part") {
                each.add(nullptr, "part", as_word(function));
                taken = true;
            }
    if (taken) return;
    std::string switches;
    for (const instrument_switch& each : all_switches)
        for (const auto& option : known_instruments().get(each.instrument).options())
            if (option.name == "part") switches.append(switches.empty() ? "" : ", ").append(each.name);
    const tutti::error none{"--print-only", "no requested instrument prints single functions", "one of " + switches};
    throw failure{wrong_usage, message(command, none.what())};
}

// Rephrases an error in the text form of an instrument for the switch that the text came from.
std::string in_words_of(const instrument_text& read, const runtime::pipeline_error& e) {
    const std::size_t open = read.name.size() + 1;
    const instrument_text::part* meant = nullptr;
    for (const instrument_text::part& each : read.parts)
        if (each.from && (!meant || (e.position() >= open + each.begin && e.position() <= open + each.end)))
            meant = &each;
    if (!meant) return e.problem();
    std::string problem = e.problem();
    const std::string about = std::string{read.name} + ": option " + std::string{meant->option} + ": ";
    if (problem.starts_with(about)) problem.erase(0, about.size());
    return tutti::error{meant->from->name, std::move(problem), e.expected()}.what();
}

} // namespace

std::span<const instrument_switch> instrument_switches() { return all_switches; }

runtime::instrument_registry<tutti::relay::ir_module> library_instruments() {
    auto all = tutti::relay::registered_instruments();
    runtime::add_debug_instruments(all);
    all.add<verify_numerics_by_name>();
    return all;
}

void add_instrument_options(CLI::App& command, instrument_options& options, std::vector<CLI::Option*>& need_passes) {
    for (const instrument_switch& each : all_switches) {
        auto& given = *options.switches.emplace_back(std::make_unique<given_switch>(&each));
        CLI::Option* option = nullptr;
        if (!each.type)
            option = command.add_flag(each.name, given.on, each.help);
        else if (each.standard)
            option = command.add_flag(std::string{each.name} + "{" + each.standard + "}", given.value, each.help);
        else
            option = command.add_option(each.name, given.value, each.help)->allow_extra_args(false);
        if (each.type) option->type_name(each.type);
        need_passes.push_back(option->group(each.group));
    }
    need_passes.push_back(
        command.add_option("--print-only", options.only, "Restrict printed and written programs to this function")
            ->type_name("FUNCTION")
            ->allow_extra_args(false)
            ->group(printing));
    need_passes.push_back(
        command
            .add_flag("--measure-instruments", options.measured, "Measure the time that each instrument's hooks take")
            ->group(any));
    need_passes.push_back(command
                              .add_option("--instrument", options.texts,
                                          "Add any instrument: NAME{option=value}; `tutti list instruments` lists them")
                              ->type_name("TEXT")
                              ->allow_extra_args(false)
                              ->group(any));
}

const std::string* value_of(const instrument_options& options, std::string_view name) {
    for (const auto& each : options.switches)
        if (each->from->name == name && each->value) return &*each->value;
    return nullptr;
}

std::vector<runtime::any_instrument<tutti::relay::ir_module>>
make_instruments(std::string_view command, const instrument_options& options,
                 const runtime::instrument_request& request) {
    const auto& known = known_instruments();
    std::vector<runtime::any_instrument<tutti::relay::ir_module>> made;
    const auto take = [&](std::string_view text) {
        for (auto& each : runtime::parse_instruments(text, known, request)) {
            const auto& measured = known.get("measured");
            made.push_back(options.measured ? measured.make(measured.standard.get(), request, &each) : std::move(each));
        }
    };
    std::vector<instrument_text> texts;
    for (const auto& each : options.switches) {
        const instrument_switch& from = *each->from;
        if (!each->on && !each->value) continue;
        if (each->value && each->value->empty() && !from.standard) {
            if (takes_list(from.type)) continue; // an empty list
            const std::string form = std::string{from.name} + "=" + from.type;
            throw failure{wrong_usage, message(command, tutti::error{from.name, "has no value", form}.what())};
        }
        instrument_text* to = nullptr;
        for (instrument_text& other : texts)
            if (other.name == from.instrument) to = &other;
        if (!to) to = &texts.emplace_back(instrument_text{.name = from.instrument});
        if (each->value) add_options(*to, from, *each->value);
    }
    if (options.only) take_only(command, *options.only, texts);
    for (instrument_text& each : texts) {
        if (each.name != inputs_switch.instrument) continue;
        if (options.inputs.from != "synthetic") add_options(each, inputs_switch, options.inputs.from);
        if (options.inputs.seed != 0) add_options(each, seed_switch, std::to_string(options.inputs.seed));
    }
    for (instrument_text& each : texts) // InferType only adds types, which are comments
        if (each.name == "blame") each.add(nullptr, "ignore", "[InferType]");
    for (const instrument_text& each : texts) {
        std::string text{each.name};
        if (!each.text.empty()) text.append("{").append(each.text).append("}");
        try {
            take(text);
        } catch (const runtime::pipeline_error& e) {
            throw failure{wrong_usage, message(command, in_words_of(each, e))};
        }
    }
    for (const std::string& text : options.texts) take(text);
    return made;
}

} // namespace program
