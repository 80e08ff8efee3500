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

public:
    void add(std::string_view name, std::string about) { lines_.push_back({std::string{name}, std::move(about)}); }

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

void add_options(table& lines, const std::vector<tutti::option_description>& options) {
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

std::string list_passes() {
    table lines;
    const auto& known = known_passes();
    known.each_level([&]<class Unit>() {
        const bool parts = !std::is_same_v<Unit, tutti::relay::ir_module>;
        for (const auto& pass : known.passes<Unit>().list()) {
            std::string about = "opt_level " + std::to_string(pass.opt_level);
            if (!pass.required.empty()) about += ", requires " + joined(pass.required, ", ");
            lines.add(parts ? std::string{tutti::unit_name<Unit>()} + "(" + pass.name + ")" : pass.name, about);
            add_options(lines, pass.options());
        }
        for (const auto& adaptor : known.adaptors<Unit>().list())
            if (!parts) lines.add(adaptor.name + "(PASS,...)", "an adaptor");
    });
    for (const auto& [key, standard] : known.config().list())
        lines.add("--config=" + key,
                  tutti::runtime::type_name(standard) + ", by default " + tutti::runtime::to_text(standard));
    return lines.text();
}

std::string list_ops() {
    table lines;
    for (const tutti::relay::op_def* op : tutti::relay::op_set{tutti::relay::standard_ops}.all()) {
        std::string about = "(" + joined(op->arguments, ", ");
        for (const auto& attribute : op->attributes)
            about += (about.size() > 1 ? ", " : "") + std::string{attribute.name} + (attribute.required ? "=..." : "=");
        lines.add(op->name, about + ")");
    }
    return lines.text();
}

// The reference's operators that are missing, by group.
std::string list_missing_ops() {
    table lines;
    for (const missing_group& group : missing_groups) {
        lines.add(std::string{group.name} + ":", std::string{group.about});
        for (const missing_op& op : missing_ops)
            if (op.group == group.name) lines.add("  " + std::string{op.name}, std::string{});
    }
    return lines.text();
}

// Instruments, their options, and the switches that abbreviate them.
std::string list_instruments() {
    table lines;
    for (const auto& instrument : known_instruments().list()) {
        lines.add(std::string{instrument.name} + (instrument.around_another ? "(INSTRUMENT,...)" : ""),
                  std::string{instrument.help});
        add_options(lines, instrument.options());
        for (const instrument_switch& each : instrument_switches())
            if (each.instrument == instrument.name) lines.add("  " + shown(each), "is short for it");
    }
    return lines.text();
}

// Sets of kernels, each with the operators that it computes itself; none for the reference, which computes all.
std::string list_kernels() {
    table lines;
    for (const kernel_choice& each : kernel_choices()) {
        lines.add(each.name, std::string{each.about});
        if (each.kernels->next() == nullptr) continue;
        std::string_view last;
        for (const tutti::relay::kernel_row& row : each.kernels->rows())
            if (row.run != nullptr && std::exchange(last, row.op->name) != row.op->name)
                lines.add("  " + std::string{row.op->name}, {});
    }
    return lines.text();
}

std::string list_models() {
    table lines;
    for (const network& each : networks()) lines.add(each.name, std::string{each.help});
    return lines.text();
}

} // namespace

void add_list(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("list", "List passes, operators, instruments, kernels and models");
    command->require_subcommand(1);
    const auto add = [&](const char* name, const char* help, std::string (*text)()) {
        CLI::App* const list = command->add_subcommand(name, help);
        list->callback([=, &chosen] { chosen = [=] { write_text("-", text()); }; });
        return list;
    };
    add("passes", "Passes: their level, what they require, their options", list_passes);
    CLI::App* const ops =
        add("ops", "Operators: their arguments and attributes; attributes with =... are required", list_ops);
    const auto missing = std::make_shared<bool>(false);
    ops->add_flag("--missing", *missing, "List the reference's operators that are missing, by group");
    ops->callback(
        [=, &chosen] { chosen = [text = *missing ? list_missing_ops : list_ops] { write_text("-", text()); }; });
    add("instruments", "Instruments, for `tutti opt --instrument`: their options and switches", list_instruments);
    add("kernels", "Sets of kernels, for `tutti run --kernels`: the operators that each computes itself", list_kernels);
    add("models", "Built-in networks, for `tutti model`", list_models);
}

} // namespace program
