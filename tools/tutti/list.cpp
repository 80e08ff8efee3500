// tutti list: lists passes, operators, instruments, kernels, models and ONNX's operators, as text or JSON.

#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/onnx/standard_rules.hpp>
#include <tutti/relay/text/print/values.hpp>

#include "about.hpp"
#include "missing_ops.hpp"
#include "plugins.hpp"
#include "program.hpp"
#include "text_table.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

namespace program {

namespace {

// Each list is built as JSON, from which its text form is generated.
using json = nlohmann::ordered_json;

std::string joined(const json& names) {
    std::string text;
    for (const json& name : names) text += (text.empty() ? "" : ", ") + name.get<std::string>();
    return text;
}

json options_of(const std::vector<tutti::internal::option_description>& options) {
    json found = json::array();
    for (const auto& option : options) {
        json entry{{"name", option.name}, {"type", option.type}, {"default", option.standard}};
        if (option.any_name) entry["any_name"] = true;
        found.push_back(std::move(entry));
    }
    return found;
}

void add_options(text_table& lines, const json& options) {
    for (const json& option : options) {
        const std::string name = option["name"], type = option["type"], standard = option["default"];
        if (option.contains("any_name"))
            lines.add({"  NAME", type + "; " + name});
        else
            lines.add({"  " + name, type + ", by default " + standard});
    }
}

// Names the plugin that an entry is from, if there is one.
void set_plugin(json& entry, added_kind kind, std::string_view name) {
    if (const std::string_view plugin = plugin_of(kind, name); !plugin.empty()) entry["plugin"] = std::string{plugin};
}

// Returns a text, and the plugin that an entry is from.
std::string with_plugin(std::string text, const json& entry) {
    const std::string plugin = entry.value("plugin", "");
    return plugin.empty() ? text : text + (text.empty() ? "" : ", ") + "from the plugin " + plugin;
}

json pass_entries() {
    json entries = json::array();
    const auto& known = known_passes();
    known.each_level([&]<class Unit>() {
        const std::string unit{tutti::internal::unit_name<Unit>()};
        for (const auto& pass : known.passes<Unit>().list()) {
            json required = json::array();
            for (const auto& name : pass.required) required.push_back(std::string{name});
            entries.push_back({{"name", pass.name},
                               {"kind", "pass"},
                               {"unit", unit},
                               {"opt_level", pass.opt_level},
                               {"requires", std::move(required)},
                               {"options", options_of(pass.options())},
                               {"about", about_pass(pass.name)}});
            set_plugin(entries.back(), added_kind::pass, unit + "(" + pass.name + ")");
        }
        if constexpr (std::is_same_v<Unit, tutti::relay::ir_module>)
            for (const auto& adaptor : known.adaptors<Unit>().list())
                entries.push_back({{"name", adaptor.name}, {"kind", "adaptor"}});
    });
    for (const auto& [key, standard] : known.config().list())
        entries.push_back({{"name", key},
                           {"kind", "config"},
                           {"type", tutti::runtime::type_name(standard)},
                           {"default", tutti::runtime::to_text(standard)}});
    return entries;
}

void show_pass(text_table& lines, const json& entry) {
    const std::string name = entry["name"], kind = entry["kind"];
    if (kind == "adaptor") return lines.add({name + "(PASS,...)", "an adaptor"});
    if (kind == "config") {
        const std::string type = entry["type"], standard = entry["default"];
        return lines.add({"--config=" + name, type + ", by default " + standard});
    }
    const std::string unit = entry["unit"];
    std::string about = "opt_level " + std::to_string(entry["opt_level"].get<int>());
    if (!entry["requires"].empty()) about += ", requires " + joined(entry["requires"]);
    const bool whole = unit == tutti::internal::unit_name<tutti::relay::ir_module>();
    lines.add({whole ? name : unit + "(" + name + ")", with_plugin(about, entry)});
    add_options(lines, entry["options"]);
}

// Returns the default of an attribute in the syntax of a program.
std::string standard_of(const tutti::relay::attr_field& field) {
    const auto values = field.standard_values();
    std::string text;
    if (values[0].kind == tutti::relay::attr_kind::string) return text.append("\"").append(field.text).append("\"");
    tutti::relay::text::append_attribute(text, tutti::relay::graph{}, values);
    return text;
}

json op_entries() {
    json entries = json::array();
    for (const tutti::relay::op_def* op : extensions().operators.all()) {
        json arguments = json::array(), attributes = json::array();
        for (const auto& name : op->arguments) arguments.push_back(std::string{name});
        for (const auto& attribute : op->attributes) {
            json entry{{"name", std::string{attribute.name}}, {"required", attribute.required}};
            if (!attribute.required) entry["default"] = standard_of(attribute);
            attributes.push_back(std::move(entry));
        }
        entries.push_back({{"name", std::string{op->name}},
                           {"arguments", std::move(arguments)},
                           {"attributes", std::move(attributes)},
                           {"about", about_op(op->name)}});
        set_plugin(entries.back(), added_kind::op, op->name);
    }
    return entries;
}

void show_op(text_table& lines, const json& entry) {
    std::string about = "(" + joined(entry["arguments"]);
    for (const json& attribute : entry["attributes"])
        about += (about.size() > 1 ? ", " : "") + attribute["name"].get<std::string>() +
                 (attribute["required"].get<bool>() ? "=..." : "=");
    lines.add({entry["name"], with_plugin(about + ")", entry)});
}

// Returns the reference's operators that are missing here, by group.
json missing_op_entries() {
    json entries = json::array();
    for (const missing_group& group : missing_groups) {
        json names = json::array();
        for (const missing_op& op : missing_ops)
            if (op.group == group.name) names.push_back(std::string{op.name});
        entries.push_back(
            {{"name", std::string{group.name}}, {"help", std::string{group.about}}, {"operators", std::move(names)}});
    }
    return entries;
}

void show_missing_ops(text_table& lines, const json& entry) {
    lines.add({entry["name"].get<std::string>() + ":", entry["help"]});
    for (const json& name : entry["operators"]) lines.add({"  " + name.get<std::string>(), ""});
}

// Returns a switch as the help text shows it.
std::string shown(const instrument_switch& each) {
    std::string text = each.name;
    if (each.type) text.append(each.standard ? "[=" : "=").append(each.type).append(each.standard ? "]" : "");
    return text;
}

// Returns the instruments, their options, and the switches that abbreviate them.
json instrument_entries() {
    json entries = json::array();
    for (const auto& instrument : known_instruments().list()) {
        json switches = json::array();
        for (const instrument_switch& each : instrument_switches())
            if (each.instrument == instrument.name) switches.push_back(shown(each));
        entries.push_back({{"name", std::string{instrument.name}},
                           {"help", std::string{instrument.help}},
                           {"around_another", instrument.around_another},
                           {"options", options_of(instrument.options())},
                           {"switches", std::move(switches)}});
        set_plugin(entries.back(), added_kind::instrument, instrument.name);
    }
    return entries;
}

void show_instrument(text_table& lines, const json& entry) {
    lines.add({entry["name"].get<std::string>() + (entry["around_another"].get<bool>() ? "(INSTRUMENT,...)" : ""),
               with_plugin(entry["help"], entry)});
    add_options(lines, entry["options"]);
    for (const json& each : entry["switches"]) lines.add({"  " + each.get<std::string>(), "is short for it"});
}

json kernel_entry(const std::string& name, std::string_view help, const tutti::relay::kernel_set& set) {
    json operators = json::array();
    std::string_view last;
    if (set.next() != nullptr && !name.starts_with("blocked-")) // those have the rows of "blocked"
        for (const tutti::relay::kernel_row& row : set.rows())
            if (row.run != nullptr && std::exchange(last, row.op->name) != row.op->name)
                operators.push_back(std::string{row.op->name});
    json entry{{"name", name}, {"help", std::string{help}}, {"operators", std::move(operators)}};
    set_plugin(entry, added_kind::kernels, name);
    return entry;
}

// Returns the sets of kernels, each with the operators that it computes itself. The reference kernels compute all
// operators, so their list is empty.
json kernel_entries() {
    json entries = json::array();
    for (const tutti::relay::named_kernels& each : extensions().kernels)
        entries.push_back(kernel_entry(each.name, each.help, *each.kernels));
    return entries;
}

void show_kernels(text_table& lines, const json& entry) {
    lines.add({entry["name"], with_plugin(entry["help"], entry)});
    for (const json& name : entry["operators"]) lines.add({"  " + name.get<std::string>(), ""});
}

json model_entries() {
    json entries = json::array();
    for (const network& each : networks())
        entries.push_back({{"name", std::string{each.name}}, {"help", std::string{each.help}}});
    return entries;
}

void show_model(text_table& lines, const json& entry) { lines.add({entry["name"], entry["help"]}); }

// Returns the ONNX operators that can be imported.
json onnx_entries() {
    json entries = json::array();
    for (std::size_t i = 0; i < tutti::relay::onnx::standard_rules.count; ++i) {
        const auto& rule = tutti::relay::onnx::standard_rules.first[i];
        const std::string domain(rule.domain);
        entries.push_back({{"name", (domain.empty() ? "" : domain + '.') + std::string(rule.op_type)}});
    }
    std::sort(entries.begin(), entries.end(), [](const json& a, const json& b) { return a["name"] < b["name"]; });
    return entries;
}

void show_onnx(text_table& lines, const json& entry) { lines.add({entry["name"]}); }

// Returns the entries with this name. A trailing colon, as printed by `list`, is ignored.
json named(json entries, const char* what, std::string wanted) {
    if (wanted.ends_with(':')) wanted.pop_back();
    json found = json::array();
    std::vector<std::string> names;
    for (json& entry : entries) {
        names.push_back(entry["name"]);
        if (names.back() == wanted) found.push_back(std::move(entry));
    }
    if (found.empty()) throw tutti::input_error{tutti::internal::unknown_name(what, wanted, std::move(names))};
    return found;
}

std::string text_of(const json& entries, void (*show)(text_table&, const json&), bool with_about) {
    text_table lines("ll");
    for (const json& entry : entries) show(lines, entry);
    std::string text = lines.text();
    if (with_about)
        for (const json& entry : entries)
            if (const std::string about = entry.value("about", ""); !about.empty()) text += '\n' + about;
    return text;
}

// A subcommand of `list`.
struct list_command {
    const char* name;
    const char* help;
    const char* what; // noun for an entry in error messages
    json (*entries)();
    void (*show)(text_table&, const json&);
};
constexpr list_command list_commands[]{
    {"passes", "Passes: their level, what they require, their options", "pass", pass_entries, show_pass},
    {"ops", "Operators: their arguments and attributes; attributes with =... are required", "operator", op_entries,
     show_op},
    {"instruments", "Instruments, for `tutti opt --instrument`: their options and switches", "instrument",
     instrument_entries, show_instrument},
    {"kernels", "Sets of kernels, for `tutti run --kernels`: the operators that each computes itself", "set of kernels",
     kernel_entries, show_kernels},
    {"models", "Built-in networks, for `tutti model`", "model", model_entries, show_model},
    {"onnx", "ONNX's operators that models may have", "operator", onnx_entries, show_onnx},
};

} // namespace

void add_list(CLI::App& app, action& chosen) {
    CLI::App* const command =
        app.add_subcommand("list", "List passes, operators, instruments, kernels, models and ONNX's operators");
    command->require_subcommand(1);
    struct options {
        std::string name;
        bool json = false, missing = false;
    };
    for (const list_command& each : list_commands) {
        CLI::App* const list = command->add_subcommand(each.name, each.help);
        const auto given = std::make_shared<options>();
        list->add_option("NAME", given->name, "List only what has this name, with its documentation");
        list->add_flag("--json", given->json, "List in JSON");
        if (each.entries == op_entries)
            list->add_flag("--missing", given->missing, "List the reference's operators that are missing, by group");
        list->callback([=, &chosen, &each] {
            chosen = [=, &each] {
                json entries = given->missing ? missing_op_entries() : each.entries();
                if (!given->name.empty())
                    entries = named(std::move(entries), given->missing ? "group" : each.what, given->name);
                const auto show = given->missing ? show_missing_ops : each.show;
                write_text("-", given->json ? entries.dump(2) + '\n' : text_of(entries, show, !given->name.empty()));
            };
        });
    }
}

} // namespace program
