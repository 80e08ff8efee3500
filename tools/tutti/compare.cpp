// tutti compare: evaluates two programs with the same inputs.

#include <tutti/relay/debug/compare.hpp>

#include <tutti/base/error.hpp>
#include <tutti/relay/transform/passes/to_mixed_precision.hpp>

#include "file_ending.hpp"
#include "inputs.hpp"
#include "json_text.hpp"
#include "model_file.hpp"
#include "numerics.hpp"
#include "program.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace program {

namespace {

namespace relay = tutti::relay;
using relay::tensor;
using json = nlohmann::ordered_json;

struct compare_command {
    std::string first, second;
    pass_options passes;
    std::vector<std::string> tolerances;
    bool as_json = false;
    std::size_t show = 20;
    std::string output = "-";
    limit_options limits;
};

// Returns the inputs of `first` in the order of the parameters of `second`: by name if both programs have the same
// parameter names, otherwise by position.
std::vector<const tensor*> in_order_of(const evaluator& second, const evaluator& first,
                                       const std::vector<tensor>& inputs) {
    std::vector<const tensor*> all, by_name;
    for (const tensor& t : inputs) all.push_back(&t);
    const auto known = first.parameters();
    for (const relay::parameter& p : second.parameters()) {
        const auto at = std::ranges::find(known, p.name, &relay::parameter::name);
        if (at != known.end()) by_name.push_back(&inputs[static_cast<std::size_t>(at - known.begin())]);
    }
    return by_name.size() == inputs.size() && by_name.size() == second.parameters().size() ? by_name : all;
}

std::string text_of(const relay::comparison& found, bool passes, std::size_t show) {
    std::string text;
    const auto add = [&](const relay::comparison::difference& d) {
        text += d.place + (d.other.empty() ? "" : " (" + d.other + ")") + ": " +
                to_text(d.what, "is", passes ? "was" : "in the first program") + '\n';
    };
    for (const auto& each : found.results) add(each);
    for (const auto& each : found.agreements)
        if (each.what.largest != 0) text += each.place + ": " + to_text(each.what) + '\n';
    const std::size_t shown = found.same() ? 0 : std::min(show, found.inside.size());
    if (shown != 0) text += "values on the way, as they are computed:\n";
    for (std::size_t i = 0; i < shown; ++i) add(found.inside[i]);
    if (shown != 0 && shown < found.inside.size())
        text += "and " + std::to_string(found.inside.size() - shown) + " more\n";
    text += found.same() ? "the same: " + counted(found.compared_results, "result")
                         : "not the same: " + std::to_string(found.results.size()) + " of " +
                               counted(found.compared_results, "result");
    if (found.compared_inside != 0)
        text += "; on the way " + std::to_string(found.inside.size()) + " of " +
                counted(found.compared_inside, "value") + (found.compared_inside == 1 ? " differs" : " differ");
    if (!found.same() && found.unmatched != 0)
        text += "; " + counted(found.unmatched, "value") + " of the second program not found in the first";
    if (found.not_kept != 0) text += "; " + counted(found.not_kept, "value") + " not compared, for memory";
    return text + '\n';
}

// Returns a number, or null if it is not finite: JSON has neither NaN nor infinity.
json number(double value) { return std::isfinite(value) ? json(value) : json(); }

json json_of(const relay::comparison& found) {
    const auto difference = [](const relay::comparison::difference& d) {
        json one{{"place", d.place}};
        if (!d.other.empty()) one["other_place"] = d.other;
        one.update({{"element", d.what.element},
                    {"first", d.what.before},
                    {"second", d.what.after},
                    {"error", number(d.what.error)},
                    {"allowed", number(d.what.allowed)},
                    {"outside", d.what.outside},
                    {"elements", d.what.elements}});
        return one;
    };
    json all{{"same", found.same()},
             {"results", json::array()},
             {"different_results", json::array()},
             {"values", json::array()}};
    for (const auto& each : found.agreements)
        all["results"].push_back({{"place", each.place},
                                  {"elements", each.what.elements},
                                  {"largest_difference", number(each.what.largest)},
                                  {"mean_difference", number(each.what.mean)},
                                  {"cosine", number(each.what.cosine)},
                                  {"signal_to_noise_db", number(each.what.signal_to_noise)}});
    for (const auto& each : found.results) all["different_results"].push_back(difference(each));
    for (const auto& each : found.inside) all["values"].push_back(difference(each));
    all.update({{"compared_results", found.compared_results},
                {"compared_values", found.compared_inside},
                {"unmatched_values", found.unmatched},
                {"values_not_kept", found.not_kept}});
    return all;
}

double tolerance_in(const std::string& text, const std::string& given) {
    numeric_tolerance t;
    if (tutti::option_type<numeric_tolerance>::read(text, t) && t.value) return *t.value;
    throw failure{wrong_usage,
                  message("tutti compare",
                          "--tolerance: `" + given +
                              "` is not valid; expected a nonnegative number, auto, or NAME=TOL for one result")};
}

// Reads tolerances: TOL for all results, or NAME=TOL for one result.
void read_tolerances(const std::vector<std::string>& given, relay::compare_options& to) {
    for (const std::string& each : given) {
        const std::size_t sign = each.rfind('=');
        if (sign != std::string::npos && sign != 0)
            to.of_results.push_back({each.substr(0, sign), tolerance_in(each.substr(sign + 1), each)});
        else if (each != "auto")
            to.tolerance = tolerance_in(each, each);
    }
}

// Makes ToMixedPrecision keep the types of results, unless the command line says otherwise. Results of different types
// count as different.
void keep_result_types(pass_options& passes) {
    const std::string key(relay::to_mixed_precision::keep_results_key.name);
    const auto sets = [&](const std::string& each) { return each.starts_with(key + '='); };
    if (passes.passes && std::ranges::none_of(passes.config, sets)) passes.config.push_back(key + "=True");
}

void compare(compare_command& options) {
    keep_result_types(options.passes);
    wanted_passes wanted = read_pass_options("tutti compare", options.passes, options.first);
    const bool passes = options.passes.passes.has_value();
    const input_options& inputs = options.passes.instruments.inputs;
    const auto refuse = [](const char* what) { throw failure{wrong_usage, message("tutti compare", what)}; };
    if (passes && !options.second.empty()) refuse("both a second program and --passes are given; expected one of them");
    if (!passes && options.second.empty())
        refuse("there is nothing to compare with; expected a second program, or --passes");
    if ((options.first == "-") + (options.second == "-") + (inputs.from == "-") > 1)
        refuse("only one of the programs and the inputs can be standard input");
    check_output("tutti compare", "--output", options.output, content::comparison);
    refuse_input_as_output("tutti compare", "--output", options.output,
                           {options.first, options.second, inputs.from, options.passes.reading.params});
    relay::compare_options wanted_values{.same_text = passes};
    read_tolerances(options.tolerances, wanted_values);

    const progress_line shown;
    const read_options both = with_sizes(options.passes);
    read_options reading[]{both, both};
    const bool is_model[]{holds_model(options.first), holds_model(options.second)};
    for (const int i : {0, 1})
        if (!passes && !is_model[i] && is_model[1 - i]) reading[i].dims.clear(); // --dim is for the other program
    source a = read_program(options.first, reading[0]);
    source b = passes ? a : read_program(options.second, reading[1]);
    if (passes) run_passes(b, wanted);
    keep_result_names(a);
    keep_result_names(b);
    refuse_values(a);
    refuse_values(b);
    const source* at = &a; // the program that errors refer to
    relay::comparison found;
    try {
        evaluation_threads threads{options.passes.threads};
        relay::evaluate_options how = limits_for(options.limits, a.module, a.constant_bytes);
        how.max_work = std::max(how.max_work, limits_for(options.limits, b.module, b.constant_bytes).max_work);
        how.on = threads.executor();
        evaluator first(a.module, chosen_kernels(), how);
        const std::vector<tensor> given = inputs_of(first, inputs, model_of(a));
        at = &b;
        how.allowance = &first.allowance();
        evaluator second(b.module, chosen_kernels(), how);
        std::vector<const tensor*> pointers;
        for (const tensor& t : given) pointers.push_back(&t);
        const std::vector<const tensor*> others = in_order_of(second, first, given);
        wanted_values.max_bytes = std::min(wanted_values.max_bytes, how.max_bytes / 4); // leaves memory for evaluation
        doing("comparing " + a.name + " with " + (passes ? "the result of the passes" : b.name));
        found = relay::compare_programs(first, pointers, second, others, wanted_values);
    } catch (const tutti::error& e) {
        throw failure{wrong_input, with_switches(*at, message(*at, e))};
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(at->name, "there is not enough memory to evaluate it")};
    }
    write_text(options.output, options.as_json ? json_text(json_of(found)) : text_of(found, passes, options.show));
    if (!found.same()) throw failure{pass_failed, ""};
}

} // namespace

void add_compare(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("compare", "Evaluate two programs and compare what they compute");
    const auto options = std::make_shared<compare_command>();
    command->add_option("A", options->first, "The first program; - is standard input")->required();
    command->add_option("B", options->second, "The second program; without it, --passes transforms the first");
    add_input_options(*command, options->passes.instruments.inputs);
    command
        ->add_option(
            "--tolerance", options->tolerances,
            "Tolerance for floating-point values, relative to the greater of their magnitude and their tensor's root mean "
            "square; auto is 84 units in the last place, 1e-5 in float32. NAME=TOL is for one result, by name or number")
        ->type_name("[NAME=]TOL")
        ->allow_extra_args(false)
        ->default_str("auto");
    command->add_flag("--json", options->as_json, "Write JSON");
    command->add_option("--show", options->show, "How many intermediate values to show")
        ->type_name("N")
        ->check(whole_number(0, 1 << 30))
        ->capture_default_str();
    add_limit_options(*command, options->limits);
    command->add_option("-o,--output", options->output, "Where to write the report; - is standard output")
        ->type_name("FILE")
        ->capture_default_str();
    add_pass_options(*command, options->passes, "The passes that turn the first program into the second");
    compute_with_threads(*command, options->passes);
    command->footer(
        R"(Both programs get the same inputs: by the names of their parameters if these are the same, else in order. After the results,
intermediate values found in both programs are compared. Two values match if they are the same computation of the same inputs,
have the same name from a let or a model, or have the same position in the structure; with --passes, also if they come from the
same place in the text. ToMixedPrecision keeps the types of results (--config=relay.ToMixedPrecision.keep_orig_output_dtype=False:
it does not). Intermediate values may differ where results do not, for example after a pass that moves a factor from
one operator to another.

Exit codes: 0 the results are the same; 1 a program or the inputs are wrong; 2 wrong usage; 3 the results differ.

Examples:
  tutti compare net.relay other.relay
  tutti compare net.relay --passes=InferType,FoldScaleAxis --opt-level=3 --seed=7)");
    command->callback([=, &chosen] { chosen = [=] { compare(*options); }; });
}

} // namespace program
