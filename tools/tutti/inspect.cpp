// tutti inspect: prints a program's parameters, multiply-accumulate operations and memory.

#include <tutti/base/error.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/transform/analysis/call_costs.hpp>

#include "inputs.hpp"
#include "json_text.hpp"
#include "layer_name.hpp"
#include "model_file.hpp"
#include "program.hpp"
#include "text_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace program {

namespace {

namespace relay = tutti::relay;
namespace onnx = tutti::relay::onnx;
namespace field = tutti::relay::onnx::field;
using json = nlohmann::ordered_json;

struct inspect_options {
    std::vector<std::string> files{"-"};
    read_options reading;
    bool layers = false, as_json = false;
};

json about_model(const onnx::model& m) {
    const onnx::message root = m.root();
    json about{{"ir_version", m.ir_version()}};
    json opsets = json::object();
    for (const onnx::wire_field& each : root.fields(field::model::opset_import)) {
        const onnx::message set(each.payload);
        const std::string_view domain = onnx::detail::domain_named(set.text(field::operator_set::domain));
        opsets[domain.empty() ? "ai.onnx" : std::string(domain)] = set.integer(field::operator_set::version);
    }
    about["opsets"] = std::move(opsets);
    const auto add = [&](const char* name, std::string_view text) {
        if (!text.empty()) about[name] = std::string(text);
    };
    add("producer", m.producer());
    add("producer_version", root.text(field::model::producer_version));
    add("domain", root.text(field::model::domain));
    if (const std::int64_t version = root.integer(field::model::model_version); version != 0)
        about["model_version"] = version;
    add("graph", m.graph().name());
    add("documentation", root.text(field::model::doc_string));
    add("graph_documentation", m.graph().text(field::graph::doc_string));
    json metadata = json::object();
    for (const onnx::wire_field& each : root.fields(field::model::metadata_props)) {
        const onnx::message entry(each.payload);
        metadata[std::string(entry.text(field::entry::key))] = std::string(entry.text(field::entry::value));
    }
    if (!metadata.empty()) about["metadata"] = std::move(metadata);
    return about;
}

// Totals for a call, an operator or a program.
struct numbers {
    std::uint64_t calls = 0, parameters = 0, parameter_bytes = 0, products = 0, result_bytes = 0, unknown = 0;

    void add(const relay::call_cost& c) {
        ++calls;
        parameters += c.parameters;
        parameter_bytes += c.parameter_bytes;
        products += c.multiply_accumulates;
        result_bytes += c.result_bytes;
        unknown += !c.is_known;
    }
    json as_json() const {
        json all{{"calls", calls},
                 {"parameters", parameters},
                 {"parameter_bytes", parameter_bytes},
                 {"multiply_accumulates", products},
                 {"result_bytes", result_bytes}};
        if (unknown != 0) all["calls_of_unknown_size"] = unknown;
        return all;
    }
};

json types_of(const relay::function& f, bool results) {
    const relay::graph& g = f.graph;
    const relay::type_table& types = g.types();
    json all = json::array();
    if (!results) {
        for (const relay::expr_id p : g.params(f.root))
            all.push_back(
                {{"name", std::string(g.variable_name(p))}, {"type", relay::to_text(types, g.annotation(p))}});
        return all;
    }
    const relay::type_id type = g.type(g.body(f.root));
    std::vector<relay::type_id> fields{type};
    if (type != relay::type_id::none && types.kind(type) == relay::type_kind::tuple)
        fields.assign(types.fields(type).begin(), types.fields(type).end());
    for (const relay::type_id each : fields) all.push_back({{"type", relay::to_text(types, each)}});
    return all;
}

// Returns the peak number of bytes of live operator results, or null if memory cannot be planned before a run.
json peak_of(relay::ir_module m, const numbers& total) {
    if (total.unknown != 0) return {};
    if (total.result_bytes == 0) return 0;
    try {
        const relay::evaluator plan(std::move(m), relay::kernels::reference(), {.max_bytes = ~std::uint64_t{0}});
        const std::uint64_t bytes = plan.memory().largest_alive;
        return bytes == 0 ? json() : json(bytes);
    } catch (const tutti::error&) {
        return {};
    }
}

source typed_program(const std::string& file, const read_options& options) {
    source from = read_program(file, options);
    try {
        tutti::relay::infer_types(from.module, executor_for(from));
    } catch (const tutti::error& e) {
        throw failure{wrong_input, message(from, e)};
    }
    return from;
}

json inspected(const std::string& file, const read_options& options) {
    source from = typed_program(file, options);
    json all{{"file", from.name}};
    if (const onnx::model* const m = model_of(from)) all["model"] = about_model(*m);
    const relay::function* const f = from.module.find("main");
    if (f == nullptr)
        throw failure{wrong_input, message(from.name, relay::not_in_module("@main", from.module, "main").what())};
    all["inputs"] = types_of(*f, false);
    all["results"] = types_of(*f, true);
    for (std::size_t i = 0; i < from.results.size() && i < all["results"].size(); ++i)
        all["results"][i]["name"] = from.results[i];
    numbers total;
    std::map<std::string_view, numbers> by_operator;
    json layers = json::array();
    for (const relay::call_cost& each : relay::call_costs(from.module)) {
        total.add(each);
        by_operator[each.op->name].add(each);
        const relay::graph& g = from.module.find(each.function)->graph;
        json layer{{"name", layer_name(g, each.call, each.function)},
                   {"operator", std::string(each.op->name)},
                   {"type", relay::to_text(g.types(), g.type(each.call))}};
        numbers alone;
        alone.add(each);
        layer.update(alone.as_json());
        layer.erase("calls");
        layers.push_back(std::move(layer));
    }
    std::vector<std::pair<std::string_view, numbers>> operators(by_operator.begin(), by_operator.end());
    std::ranges::sort(operators, [](const auto& a, const auto& b) {
        return std::tuple(b.second.products, b.second.parameters, b.second.result_bytes, a.first) <
               std::tuple(a.second.products, a.second.parameters, a.second.result_bytes, b.first);
    });
    all["operators"] = json::array();
    for (const auto& [name, of] : operators) {
        json entry{{"operator", std::string(name)}};
        entry.update(of.as_json());
        all["operators"].push_back(std::move(entry));
    }
    all["layers"] = std::move(layers);
    all["total"] = total.as_json();
    all["peak_bytes"] = peak_of(std::move(from.module), total);
    return all;
}

// Adds a row with the totals of an entry. Products and results are "?" if no call of the entry has a known size.
void add_row(text_table& table, std::vector<std::string> cells, const json& entry) {
    const bool counts = entry.contains("calls");
    if (counts) cells.push_back(entry["calls"].dump());
    for (const char* each : {"parameters", "parameter_bytes"}) cells.push_back(entry[each].dump());
    const std::uint64_t unknown = entry.value("calls_of_unknown_size", std::uint64_t{0});
    const bool is_known = unknown == 0 || (counts && unknown < entry["calls"].get<std::uint64_t>());
    for (const char* each : {"multiply_accumulates", "result_bytes"})
        cells.push_back(is_known ? entry[each].dump() : "?");
    table.add(std::move(cells));
}

std::string text_of(const json& all, bool with_layers) {
    std::string text = all["file"].get<std::string>() + '\n';
    const auto line = [&](std::string_view name, const std::string& value) {
        text.append("  ").append(name).append(": ").append(value) += '\n';
    };
    if (all.contains("model")) {
        for (const auto& [name, value] : all["model"].items()) {
            if (value.is_object())
                for (const auto& [key, each] : value.items())
                    line((name == "opsets" ? "opset " : "metadata ") + key,
                         each.is_string() ? each.get<std::string>() : each.dump());
            else
                line(name, value.is_string() ? value.get<std::string>() : value.dump());
        }
    }
    constexpr std::size_t most = 12;
    for (const char* what : {"inputs", "results"}) {
        std::size_t shown = 0;
        for (const json& each : all[what]) {
            if (++shown > most) break;
            line(std::string(what, std::string_view(what).size() - 1) +
                     (each.contains("name") ? ' ' + each["name"].get<std::string>() : ""),
                 each["type"]);
        }
        if (all[what].size() > most)
            text += "  and " + std::to_string(all[what].size() - most) + " more " + what + '\n';
    }
    text += '\n';
    if (with_layers) {
        text_table layers("lllrrrr");
        layers.add({"layer", "operator", "type", "parameters", "bytes", "multiply-accumulates", "result bytes"});
        for (const json& each : all["layers"]) add_row(layers, {each["name"], each["operator"], each["type"]}, each);
        text += layers.text() + '\n';
    }
    text_table operators("lrrrrr");
    operators.add({"operator", "calls", "parameters", "bytes", "multiply-accumulates", "result bytes"});
    for (const json& each : all["operators"]) add_row(operators, {each["operator"]}, each);
    add_row(operators, {"all"}, all["total"]);
    text += operators.text();
    if (all["total"].contains("calls_of_unknown_size"))
        text += "without " + counted(all["total"]["calls_of_unknown_size"].get<std::size_t>(), "call") +
                " of unknown size\n";
    text += "values alive at once: " +
            (all["peak_bytes"].is_null() ? "unknown" : "at most " + all["peak_bytes"].dump() + " bytes") + '\n';
    return text;
}

void inspect(const inspect_options& options) {
    if (std::ranges::count(options.files, "-") > 1)
        throw failure{wrong_usage, message("tutti inspect", "standard input is given more than once")};
    const progress_line shown;
    json all = json::array();
    for (const std::string& file : options.files) {
        doing("inspecting " + name_of(file));
        all.push_back(inspected(file, options.reading));
    }
    std::string text;
    if (options.as_json)
        text = json_text(all);
    else
        for (const json& each : all) text += (text.empty() ? "" : "\n") + text_of(each, options.layers);
    write_text("-", text);
}

} // namespace

void add_inspect(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("inspect", "Show the parameters, products and memory of programs");
    const auto options = std::make_shared<inspect_options>();
    command->add_option("FILE", options->files, "Programs, or ONNX models; - is standard input")->capture_default_str();
    command->add_flag("--layers", options->layers, "Show each call, too");
    command->add_flag("--json", options->as_json, "Write JSON: a list with an object for each file, with all layers");
    add_read_options(*command, options->reading);
    command->footer(
        R"(Parameters are the elements of operands that do not depend on the inputs, except scalars. Each counts where it is first used.
Multiply-accumulates are the products in the sums of convolutions, matrix products and einsum; those with padding count, too.
Each call counts once, even in functions that are called several times. "Values alive at once" is the peak memory of operators'
values in `tutti run`.

Open dimensions of a model are unknown; --dim and --input-shape give their sizes.

Examples:
  tutti inspect resnet50.onnx --layers
  tutti inspect *.onnx --json)");
    command->callback([=, &chosen] { chosen = [=] { inspect(*options); }; });
}

} // namespace program
