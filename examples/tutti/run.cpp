// tutti run: evaluates a program.

#include <tutti/error.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/runtime/parse_pipeline.hpp>

#include "npz.hpp"
#include "program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <type_traits>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace relay = tutti::relay;
namespace runtime = tutti::runtime;
using relay::tensor;

struct run_options {
    std::string file = "-";
    std::optional<std::string> passes;
    int opt_level = 2;
    std::string inputs = "synthetic";
    std::string print = "summary";
    std::string output = "-";
    relay::evaluate_options limits;
};

std::vector<double> numbers(const tensor& t) {
    return tutti::kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        std::vector<double> all;
        all.reserve(static_cast<std::size_t>(t.size()));
        for (const T x : t.elements<T>()) {
            if constexpr (std::is_same_v<T, tutti::kernel::float16>)
                all.push_back(static_cast<double>(static_cast<float>(x)));
            else
                all.push_back(static_cast<double>(x));
        }
        return all;
    });
}

std::string digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

// `# 1,10 float32`, as the values' own file format has it.
std::string heading(const tensor& t) {
    std::string text = "# ";
    for (std::size_t i = 0; i < t.rank(); ++i) text += (i == 0 ? "" : ",") + std::to_string(t.shape()[i]);
    return text + ' ' + std::string(tutti::kernel::name(t.type())) + '\n';
}

// All values, integers with all their digits.
std::string values_text(const tensor& t) {
    std::string text = heading(t);
    tutti::kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        for (const T x : t.elements<T>()) {
            if constexpr (std::is_integral_v<T>)
                text += std::to_string(x);
            else
                text += digits(
                    static_cast<double>(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(x)));
            text += '\n';
        }
    });
    return text;
}

std::string summary(const tensor& t) {
    std::string text = heading(t);
    const std::vector<double> all = numbers(t);
    if (all.empty()) return text + "no values\n";
    std::vector<double> known;
    for (const double x : all)
        if (!std::isnan(x)) known.push_back(x);
    if (known.size() != all.size()) text += "nan    " + std::to_string(all.size() - known.size()) + " values\n";
    if (!known.empty()) {
        const auto [low, high] = std::ranges::minmax_element(known);
        const double mean = std::accumulate(known.begin(), known.end(), 0.0) / static_cast<double>(known.size());
        text += "min    " + digits(*low) + "\nmax    " + digits(*high) + "\nmean   " + digits(mean) + '\n';
    }
    text += "first ";
    for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 8); ++i) text += ' ' + digits(all[i]);
    text += all.size() > 8 ? " ...\n" : "\n";
    const bool vector = std::ranges::count_if(t.shape(), [](std::int64_t d) { return d != 1; }) == 1;
    if (vector && all.size() > 5 && known.size() == all.size()) {
        std::vector<std::size_t> order(all.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::partial_sort(order, order.begin() + 5, [&](std::size_t a, std::size_t b) {
            return all[a] != all[b] ? all[a] > all[b] : a < b;
        });
        text += "top 5 ";
        for (std::size_t i = 0; i < 5; ++i) text += ' ' + std::to_string(order[i]) + ':' + digits(all[order[i]]);
        text += '\n';
    }
    return text;
}

// They are taken from what the evaluator may take.
std::vector<tensor> inputs_of(relay::evaluator<>& e, const run_options& options) {
    const tutti::kernel::allowance::use here(e.allowance());
    std::vector<tensor> inputs;
    if (options.inputs == "synthetic") {
        for (const relay::parameter& p : e.parameters())
            inputs.push_back(relay::synthetic_input(p.name, e.types(), p.type));
        return inputs;
    }
    const std::string bytes = read_text(options.inputs);
    const auto refuse = [&](const std::string& what) {
        throw failure{wrong_input, message(name_of(options.inputs), what)};
    };
    try {
        const std::vector<npz_entry> arrays = read_npz(bytes);
        const auto array_for = [&](const relay::parameter& p) {
            return std::ranges::find(arrays, p.name, &npz_entry::name);
        };
        for (const relay::parameter& p : e.parameters())
            if (array_for(p) == arrays.end())
                refuse("there is no array for the parameter %" + p.name + " of type " +
                       relay::to_text(e.types(), p.type));
        for (const npz_entry& each : arrays)
            if (std::ranges::find(e.parameters(), each.name, &relay::parameter::name) == e.parameters().end())
                refuse("array " + each.name + ": there is no such parameter");
        for (const relay::parameter& p : e.parameters()) {
            const auto at = array_for(p);
            // Not unpacked if it is larger than what is wanted.
            constexpr std::uint64_t most_header = 12 + 65536;
            const auto shape = e.types().shape(p.type);
            const auto count = relay::element_count(shape);
            const auto wanted =
                static_cast<std::uint64_t>(count.value_or(0)) * tutti::kernel::bytes(e.types().element(p.type));
            if (relay::is_static(shape) && at->size > wanted + most_header)
                throw tutti::error("array " + p.name, "has " + std::to_string(at->size) + " bytes",
                                   relay::to_text(e.types(), p.type));
            inputs.push_back(read_array(*at));
            try {
                e.check(inputs.size() - 1, inputs.back());
            } catch (const tutti::error& what) {
                throw tutti::error("array " + p.name, what.problem(), what.expected());
            }
        }
    } catch (const tutti::error& error) {
        refuse(error.what());
    }
    return inputs;
}

void run(const run_options& options) {
    const auto& known = known_passes();
    runtime::sequential<relay::ir_module> pipeline{{}};
    try {
        pipeline = runtime::parse_pipeline(options.passes.value_or(""), known);
    } catch (const runtime::pipeline_error& e) {
        throw failure{wrong_usage, e.what()};
    }
    if (options.inputs == "-" && options.file == "-")
        throw failure{wrong_usage, message("tutti run", "the program and the inputs cannot both be standard input")};
    source from = read_module(options.file);
    if (options.passes) run_passes(from, pipeline, {.opt_level = options.opt_level});
    std::string text;
    try {
        relay::evaluator<> e(std::move(from.module), options.limits);
        const std::vector<tensor> inputs = inputs_of(e, options);
        for (const tensor& result : e.run(std::span<const tensor>(inputs)))
            text += options.print == "text" ? values_text(result) : summary(result);
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(from, e)};
    } catch (const std::bad_alloc&) {
        throw failure{wrong_input, message(from.name, "there is not enough memory to evaluate it")};
    }
    write_text(options.output, text);
}

} // namespace

void add_run(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("run", "Evaluate a program");
    const auto options = std::make_shared<run_options>();
    command->add_option("FILE", options->file, "The program; - is standard input")->capture_default_str();
    CLI::Option* const passes =
        command->add_option("--passes", options->passes, "The passes to run over it first")->type_name("PIPELINE");
    command->add_option("--opt-level", options->opt_level, "Run passes up to this level")
        ->type_name("N")
        ->check(CLI::Range(0, 1 << 16))
        ->needs(passes)
        ->capture_default_str();
    command
        ->add_option("--inputs", options->inputs,
                     "Where the values of the parameters of @main come from: synthetic, or a file of NumPy "
                     "arrays by the "
                     "parameters' names (.npz)")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_option("--print", options->print, "What to print of each result: a summary, or text with all values")
        ->type_name("WHAT")
        ->check(CLI::IsMember({"summary", "text"}))
        ->capture_default_str();
    const auto limit = [&](const char* name, auto& value, const char* help) {
        command->add_option(name, value, help)->type_name("N")->capture_default_str()->group("Limits");
    };
    limit("--max-bytes", options->limits.max_bytes, "Bytes of inputs and other tensors at the same time");
    limit("--max-work", options->limits.max_work,
          "Steps: products, cells of windows, 16 for an element read or written, 4096 for a call");
    limit("--max-depth", options->limits.max_depth, "Calls of functions that are open at the same time");
    command->add_option("-o,--output", options->output, "Where to write the results; - is standard output")
        ->type_name("FILE")
        ->capture_default_str();
    command->footer(
        R"(Each result begins with a line "# 1,10 float32", its shape and element type; fields of tuples are results of their own.
The text has then one value a line, row by row; the summary least, greatest and mean value, the first ones, and of a vector
the five greatest with their indices.

Synthetic inputs follow from the parameters' names and shapes, so they are the same everywhere. Fields of a parameter that is a
tuple are arrays of their own: x.0, x.1.

Examples:
  tutti model resnet18 | tutti run
  tutti run net.relay --inputs=inputs.npz --print=text -o results.txt)");
    command->callback([=, &chosen] { chosen = [=] { run(*options); }; });
}

} // namespace program
