// tutti bench: measures evaluations.

#include <tutti/base/error.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/report/report.hpp>

#include "file_ending.hpp"
#include "inputs.hpp"
#include "json_text.hpp"
#include "kernels.hpp"
#include "layer_name.hpp"
#include "model_file.hpp"
#include "program.hpp"
#include "text_table.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace program {

namespace {

namespace relay = tutti::relay;
using relay::tensor;
using json = nlohmann::ordered_json;

struct bench_options {
    std::string first, second;
    pass_options passes;
    std::size_t runs = 0; // 0: as many as the time allows
    std::size_t warm_up = 3;
    double time = 2;
    bool as_json = false, profile = false;
    std::string trace;
    std::string output = "-";
    limit_options limits;
};

double since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// "16.1 ms"
std::string time_text(double value) {
    char text[32];
    const auto [factor, unit] = value >= 1      ? std::pair(1.0, "s")
                                : value >= 1e-3 ? std::pair(1e3, "ms")
                                                : std::pair(1e6, "us");
    std::snprintf(text, sizeof text, "%.4g %s", value * factor, unit);
    return text;
}

// Accumulates the time of each operator call over all runs, and keeps the events of the last run for a trace.
class call_times {
public:
    struct one {
        const relay::graph* in = nullptr;
        relay::expr_id call{};
        std::string_view op{};
        std::size_t calls = 0;
        double time = 0;
    };
    struct event {
        std::size_t of = 0; // index of the call
        double begin = 0, time = 0;
    };

    void begin_run() {
        events_.clear();
        begin_ = std::chrono::steady_clock::now();
    }
    void before_call(const relay::op_def&, const relay::invocation&) { before_ = since(begin_); }
    void after_call(const relay::op_def& op, const relay::invocation& call) {
        const double now = since(begin_);
        const auto [at, is_new] = places_.try_emplace({call.program, call.expression}, all_.size());
        if (is_new) all_.push_back({call.program, call.expression, op.name});
        one& times = all_[at->second];
        ++times.calls;
        times.time += now - before_;
        events_.push_back({at->second, before_, now - before_});
    }

    std::span<const one> all() const { return all_; }
    std::span<const event> events() const { return events_; }

private:
    std::map<std::pair<const relay::graph*, relay::expr_id>, std::size_t> places_;
    std::vector<one> all_;
    std::vector<event> events_;
    std::chrono::steady_clock::time_point begin_{};
    double before_ = 0;
};

// A program, its inputs and its times.
class measured {
    source from_;
    std::unique_ptr<evaluator> evaluator_;
    std::vector<tensor> inputs_;
    std::vector<double> times_;
    double first_ = 0;
    std::size_t profiled_ = 0;
    call_times calls_;

public:
    measured(source from, const relay::evaluate_options& how, const input_options& inputs)
        : from_(std::move(from))
        , evaluator_(std::make_unique<evaluator>(std::move(from_.module), chosen_kernels(), how))
        , inputs_(inputs_of(*evaluator_, inputs, model_of(from_))) {
        first_ = run();
        times_.clear();
    }

    std::size_t runs() const { return times_.size(); }

    double run() {
        const auto begin = std::chrono::steady_clock::now();
        evaluator_->run(std::span<const tensor>(inputs_));
        times_.push_back(since(begin));
        return times_.back();
    }
    void forget_runs() { times_.clear(); }
    void profile() {
        calls_.begin_run();
        evaluator_->run(std::span<const tensor>(inputs_), calls_);
        ++profiled_;
    }

    double median() const { return rank(sorted_times(), 0.5); }

    json as_json() const {
        double sum = 0;
        for (const double each : times_) sum += each;
        const double mean = sum / static_cast<double>(times_.size());
        const std::vector<double> sorted = sorted_times();
        json all{{"file", from_.name},
                 {"runs", times_.size()},
                 {"runs_per_second", 1 / mean},
                 {"seconds",
                  {{"first", first_},
                   {"least", rank(sorted, 0)},
                   {"median", rank(sorted, 0.5)},
                   {"p90", rank(sorted, 0.9)},
                   {"p99", rank(sorted, 0.99)},
                   {"mean", mean}}}};
        if (profiled_ == 0) return all;
        std::map<std::string_view, std::pair<std::size_t, double>> operators;
        json layers = json::array();
        double whole = 0;
        for (const call_times::one& each : calls_.all()) whole += each.time;
        const auto entry = [&](std::size_t calls, double time) {
            return json{{"calls", static_cast<double>(calls) / static_cast<double>(profiled_)},
                        {"seconds", time / static_cast<double>(profiled_)},
                        {"share", whole == 0 ? 0 : time / whole}};
        };
        for (const call_times::one& each : calls_.all()) {
            auto& [calls, time] = operators[each.op];
            calls += each.calls;
            time += each.time;
            json layer{{"name", layer_name(*each.in, each.call, each.op)}, {"operator", std::string(each.op)}};
            layer.update(entry(each.calls, each.time));
            layers.push_back(std::move(layer));
        }
        json by_operator = json::array();
        for (const auto& [op, of] : operators) {
            json one{{"operator", std::string(op)}};
            one.update(entry(of.first, of.second));
            by_operator.push_back(std::move(one));
        }
        std::sort(by_operator.begin(), by_operator.end(), [](const json& a, const json& b) {
            return a["seconds"] != b["seconds"] ? a["seconds"] > b["seconds"] : a["operator"] < b["operator"];
        });
        all["operators"] = std::move(by_operator);
        all["layers"] = std::move(layers);
        return all;
    }

    const std::string& name() const { return from_.name; }

    // Adds the mean time of each operator call in a run.
    void add_operations(tutti::instrument::report_data& data, const std::string& program) const {
        const auto in_one_run = [&](double all) { return std::llround(all / static_cast<double>(profiled_)); };
        for (const call_times::one& each : calls_.all()) {
            const std::string name = layer_name(*each.in, each.call, each.op);
            data.add_operation({.program = program,
                                .kind = each.op,
                                .name = name,
                                .calls = in_one_run(static_cast<double>(each.calls)),
                                .nanoseconds = in_one_run(each.time * 1e9)});
        }
    }

    // Appends the last profiled run in Chrome's trace format. Times are in microseconds.
    void add_events(json& events, int process) const {
        events.push_back({{"name", "process_name"}, {"ph", "M"}, {"pid", process}, {"args", {{"name", from_.name}}}});
        for (const call_times::event& each : calls_.events()) {
            const call_times::one& of = calls_.all()[each.of];
            events.push_back({{"name", layer_name(*of.in, of.call, of.op)},
                              {"cat", std::string(of.op)},
                              {"ph", "X"},
                              {"ts", each.begin * 1e6},
                              {"dur", each.time * 1e6},
                              {"pid", process},
                              {"tid", 0}});
        }
    }

private:
    std::vector<double> sorted_times() const {
        std::vector<double> sorted = times_;
        std::ranges::sort(sorted);
        return sorted;
    }
    // Returns the percentile for `share`, from 0 to 1, by the nearest-rank method. Requires: there are times.
    static double rank(const std::vector<double>& sorted, double share) {
        const auto place = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
        return sorted[place == 0 ? 0 : place - 1];
    }
};

std::string percent(double share) {
    char text[16];
    std::snprintf(text, sizeof text, "%.1f %%", share * 100);
    return text;
}

std::string text_of(const json& all) {
    text_table runs("lrrrrrrrr");
    runs.add({"program", "runs", "first", "least", "median", "p90", "p99", "mean", "a second"});
    for (const json& each : all["programs"]) {
        std::vector<std::string> row{each["file"], each["runs"].dump()};
        for (const char* time : {"first", "least", "median", "p90", "p99", "mean"})
            row.push_back(time_text(each["seconds"][time]));
        char rate[32];
        std::snprintf(rate, sizeof rate, "%.4g", each["runs_per_second"].get<double>());
        row.emplace_back(rate);
        runs.add(std::move(row));
    }
    std::string text = runs.text();
    if (all.contains("ratio")) {
        char ratio[32];
        std::snprintf(ratio, sizeof ratio, "%.3f", all["ratio"].get<double>());
        text += "the second takes " + std::string(ratio) + " of the first's time, by medians\n";
    }
    for (const json& each : all["programs"]) {
        if (!each.contains("operators")) continue;
        text += "\n" + each["file"].get<std::string>() + ", each operator alone\n";
        text_table operators("lrrr"), layers("llrr");
        operators.add({"operator", "calls", "time", "share"});
        for (const json& one : each["operators"]) {
            char calls[32];
            std::snprintf(calls, sizeof calls, "%.4g", one["calls"].get<double>());
            operators.add({one["operator"], calls, time_text(one["seconds"]), percent(one["share"])});
        }
        layers.add({"layer", "operator", "time", "share"});
        for (const json& one : each["layers"])
            layers.add({one["name"], one["operator"], time_text(one["seconds"]), percent(one["share"])});
        text += operators.text() + '\n' + layers.text();
    }
    return text;
}

// Runs the programs in turn, until each has enough runs.
void measure(std::vector<measured>& programs, const bench_options& options) {
    for (std::size_t i = 0; i < options.warm_up; ++i)
        for (measured& each : programs) each.run();
    for (measured& each : programs) each.forget_runs();
    constexpr std::size_t least = 10, most = 1'000'000;
    const auto begin = std::chrono::steady_clock::now();
    const double time = options.time * static_cast<double>(programs.size());
    const auto is_done = [&] {
        const std::size_t runs = programs.front().runs();
        return options.runs != 0 ? runs >= options.runs : runs >= most || (runs >= least && since(begin) >= time);
    };
    while (!is_done())
        for (measured& each : programs) each.run();
    const std::size_t profiled = options.profile ? std::clamp<std::size_t>(programs.front().runs() / 4, 1, 10) : 0;
    for (std::size_t i = 0; i < profiled; ++i)
        for (measured& each : programs) each.profile();
}

void write_trace(const std::string& file, const std::vector<measured>& programs) {
    json events = json::array();
    int process = 0;
    for (const measured& each : programs) each.add_events(events, ++process);
    write_text(file, json_text({{"traceEvents", std::move(events)}, {"displayTimeUnit", "ms"}}, 1));
}

void add_to_report(const std::string& file, const std::vector<measured>& programs) {
    tutti::instrument::report_data data;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        const std::string& name = programs[i].name();
        programs[i].add_operations(data, i != 0 && name == programs[0].name() ? name + " (again)" : name);
    }
    tutti::instrument::try_to_write(note_failed_file, [&] { tutti::instrument::append_to_report(file, data); });
}

void bench(bench_options& options) {
    const char* const command = "tutti bench";
    const std::string* const page = value_of(options.passes.instruments, "--report");
    if (page != nullptr && !options.passes.passes) options.passes.passes = ""; // the page then has the profile only
    if (page != nullptr) options.profile = true;
    wanted_passes wanted = read_pass_options(command, options.passes, options.first);
    const input_options& inputs = options.passes.instruments.inputs;
    if ((options.first == "-") + (options.second == "-") + (inputs.from == "-") > 1)
        throw failure{wrong_usage, message(command, "only one of the programs and the inputs can be standard input")};
    if (!options.trace.empty()) options.profile = true;
    check_output(command, "--trace", options.trace.empty() ? "-" : options.trace, content::trace);
    for (const auto& [option, file] : {std::pair("--trace", options.trace), {"--output", options.output}})
        refuse_input_as_output(command, option, file,
                               {options.first, options.second, inputs.from, options.passes.reading.params});
    const progress_line shown;
    evaluation_threads threads{options.passes.threads};
    std::vector<measured> programs;
    for (const std::string& file : {options.first, options.second}) {
        if (file.empty()) continue;
        source from = read_program(file, with_sizes(options.passes));
        if (options.passes.passes) run_passes(from, wanted);
        refuse_values(from);
        const source about{.name = from.name, .bytes = from.bytes, .text = from.text, .open_dims = from.open_dims};
        try {
            relay::evaluate_options how = limits_for(options.limits, from.module, from.constant_bytes);
            how.on = threads.executor();
            doing("measuring " + from.name);
            programs.emplace_back(std::move(from), how, inputs);
        } catch (const tutti::error& e) {
            throw failure{wrong_input, with_switches(about, message(about, e))};
        }
    }
    measure(programs, options);
    json all{{"threads", options.passes.threads}, {"programs", json::array()}};
    for (const measured& each : programs) all["programs"].push_back(each.as_json());
    if (programs.size() == 2) all["ratio"] = programs[1].median() / programs[0].median();
    if (!options.trace.empty()) write_trace(options.trace, programs);
    if (page != nullptr && !has_failed_files()) add_to_report(*page, programs);
    write_text(options.output, options.as_json ? json_text(all) : text_of(all));
}

} // namespace

void add_bench(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("bench", "Measure how long programs take to evaluate");
    const auto options = std::make_shared<bench_options>();
    command->add_option("A", options->first, "The program, or an ONNX model; - is standard input")->required();
    command->add_option("B", options->second, "Another program, run in turns with the first");
    add_input_options(*command, options->passes.instruments.inputs);
    command->add_option("--runs", options->runs, "The number of measured runs of each program")
        ->type_name("N")
        ->check(whole_number(1, 1'000'000))
        ->default_str("10 or more, as many as fit into --seconds");
    command->add_option("--seconds", options->time, "The time to measure each program, without --runs")
        ->type_name("S")
        ->check(check_number)
        ->capture_default_str();
    command->add_option("--warm-up", options->warm_up, "Runs before the measured ones")
        ->type_name("N")
        ->check(whole_number(0, 1'000'000))
        ->capture_default_str();
    command->add_flag("--profile", options->profile, "Measure each operator and layer, too, in further runs");
    command
        ->add_option("--trace", options->trace, "Write one profiled run as a Chrome trace (.json); implies --profile")
        ->type_name("FILE");
    command->add_flag("--json", options->as_json, "Write JSON; times are in seconds");
    add_kernels_option(*command);
    add_limit_options(*command, options->limits);
    command->add_option("-o,--output", options->output, "Where to write the result; - is standard output")
        ->type_name("FILE")
        ->capture_default_str();
    add_pass_options(*command, options->passes, "The passes to run first");
    compute_with_threads(*command, options->passes);
    report_without_passes(*command, options->passes, "; with the profile");
    command->footer(
        R"(The first run plans memory and prepares weights; it is shown apart. p90 and p99 are the times that 90 % and 99 % of the runs do
not exceed. A profile runs each operator alone, where plain runs compute chains of elementwise operators together and branches
at the same time, so that its sum is larger. Layers have the names of the model's nodes, or their places in the text.

Two programs get inputs of their own: with --inputs=FILE, arrays with their parameters' names.

Examples:
  tutti bench resnet50.onnx --threads=4 --profile
  tutti bench resnet50.onnx --report=profile.html
  tutti bench net.onnx simplified.onnx --runs=100)");
    command->callback([=, &chosen] { chosen = [=] { bench(*options); }; });
}

} // namespace program
