// tutti list: lists passes, operators, instruments, kernels and models.

#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "kernels.hpp"
#include "missing_ops.hpp"
#include "program.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>

#include <CLI/CLI.hpp>

namespace program {

namespace {

// Formats lines of two columns.
class table {
    struct line {
        std::string name, about;
    };
    std::vector<line> lines_;

    // Returns the name in `function(FuseOps)`, `fixpoint(PASS,...)` or `random:`.
    static std::string plain(std::string name) {
        if (name.ends_with("...)")) return name.substr(0, name.find('('));
        if (name.ends_with(')')) return name.substr(name.find('(') + 1, name.size() - name.find('(') - 2);
        if (name.ends_with(':')) name.pop_back();
        return name;
    }

public:
    void add(std::string_view name, std::string about) { lines_.push_back({std::string{name}, std::move(about)}); }

    // Returns the line with this name and those below it, which are indented.
    table about(const char* what, const std::string& wanted) const {
        table found;
        std::vector<std::string> names;
        for (const line& each : lines_) {
            if (each.name[0] != ' ') names.push_back(plain(each.name));
            if (names.back() == wanted) found.lines_.push_back(each);
        }
        if (!found.lines_.empty()) return found;
        throw tutti::input_error{tutti::internal::unknown_name(what, wanted, std::move(names))};
    }

    std::string text() const {
        std::size_t width = 0;
        for (const line& each : lines_) width = std::max(width, each.name.size());
        std::string text;
        for (const line& each : lines_) {
            text += each.name;
            if (!each.about.empty()) text += std::string(width - each.name.size() + 2, ' ') + each.about;
            text += '\n';
        }
        return text;
    }
};

std::string joined(const auto& names, const char* separator) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : separator) + std::string{name};
    return text;
}

void add_options(table& lines, const std::vector<tutti::internal::option_description>& options) {
    for (const auto& option : options)
        lines.add("  " + (option.any_name ? "NAME" : option.name),
                  option.type + (option.any_name ? "; " + option.name : ", by default " + option.standard));
}

// Returns a switch as the help text shows it.
std::string shown(const instrument_switch& each) {
    std::string text = each.name;
    if (each.type) text.append(each.standard ? "[=" : "=").append(each.type).append(each.standard ? "]" : "");
    return text;
}

table list_passes() {
    table lines;
    const auto& known = known_passes();
    known.each_level([&]<class Unit>() {
        const bool parts = !std::is_same_v<Unit, tutti::relay::ir_module>;
        for (const auto& pass : known.passes<Unit>().list()) {
            std::string about = "opt_level " + std::to_string(pass.opt_level);
            if (!pass.required.empty()) about += ", requires " + joined(pass.required, ", ");
            lines.add(parts ? std::string{tutti::internal::unit_name<Unit>()} + "(" + pass.name + ")" : pass.name,
                      about);
            add_options(lines, pass.options());
        }
        for (const auto& adaptor : known.adaptors<Unit>().list())
            if (!parts) lines.add(adaptor.name + "(PASS,...)", "an adaptor");
    });
    for (const auto& [key, standard] : known.config().list())
        lines.add("--config=" + key,
                  tutti::runtime::type_name(standard) + ", by default " + tutti::runtime::to_text(standard));
    return lines;
}

table list_ops() {
    table lines;
    for (const tutti::relay::op_def* op : tutti::relay::op_set{tutti::relay::standard_ops}.all()) {
        std::string about = "(" + joined(op->arguments, ", ");
        for (const auto& attribute : op->attributes)
            about += (about.size() > 1 ? ", " : "") + std::string{attribute.name} + (attribute.required ? "=..." : "=");
        lines.add(op->name, about + ")");
    }
    return lines;
}

// The reference's operators that are missing, by group.
table list_missing_ops() {
    table lines;
    for (const missing_group& group : missing_groups) {
        lines.add(std::string{group.name} + ":", std::string{group.about});
        for (const missing_op& op : missing_ops)
            if (op.group == group.name) lines.add("  " + std::string{op.name}, std::string{});
    }
    return lines;
}

// Instruments, their options, and the switches that abbreviate them.
table list_instruments() {
    table lines;
    for (const auto& instrument : known_instruments().list()) {
        lines.add(std::string{instrument.name} + (instrument.around_another ? "(INSTRUMENT,...)" : ""),
                  std::string{instrument.help});
        add_options(lines, instrument.options());
        for (const instrument_switch& each : instrument_switches())
            if (each.instrument == instrument.name) lines.add("  " + shown(each), "is short for it");
    }
    return lines;
}

// Sets of kernels, each with the operators that it computes itself; none for the reference, which computes all.
table list_kernels() {
    table lines;
    for (const kernel_choice& each : kernel_choices()) {
        lines.add(each.name, std::string{each.about});
        if (each.kernels->next() == nullptr) continue;
        std::string_view last;
        for (const tutti::relay::kernel_row& row : each.kernels->rows())
            if (row.run != nullptr && std::exchange(last, row.op->name) != row.op->name)
                lines.add("  " + std::string{row.op->name}, {});
    }
    return lines;
}

table list_models() {
    table lines;
    for (const network& each : networks()) lines.add(each.name, std::string{each.help});
    return lines;
}

} // namespace

void add_list(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("list", "List passes, operators, instruments, kernels and models");
    command->require_subcommand(1);
    const auto missing = std::make_shared<bool>(false);
    const auto add = [&](const char* name, const char* help, const char* what, table (*lines)()) {
        CLI::App* const list = command->add_subcommand(name, help);
        const auto wanted = std::make_shared<std::string>();
        list->add_option("NAME", *wanted, "List only what has this name");
        list->callback([=, &chosen] {
            chosen = [=] {
                const table all = *missing ? list_missing_ops() : lines();
                write_text("-", (wanted->empty() ? all : all.about(what, *wanted)).text());
            };
        });
        return list;
    };
    add("passes", "Passes: their level, what they require, their options", "pass", list_passes);
    add("ops", "Operators: their arguments and attributes; attributes with =... are required", "operator", list_ops)
        ->add_flag("--missing", *missing, "List the reference's operators that are missing, by group");
    add("instruments", "Instruments, for `tutti opt --instrument`: their options and switches", "instrument",
        list_instruments);
    add("kernels", "Sets of kernels, for `tutti run --kernels`: the operators that each computes itself",
        "set of kernels", list_kernels);
    add("models", "Built-in networks, for `tutti model`", "model", list_models);
}

} // namespace program
