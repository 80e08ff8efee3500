// tutti man: prints the manual page in the format of man(7). The page is generated from the options of all commands.

#include <tutti/version.hpp>

#include "program.hpp"

#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace program {

namespace {

// Escapes text for roff. A line must not begin with a control character.
std::string escaped(std::string_view text) {
    std::string made;
    bool at_start = true;
    for (const char c : text) {
        if (at_start && (c == '.' || c == '\'')) made += "\\&";
        if (c == '\\')
            made += "\\e";
        else if (c == '-')
            made += "\\-";
        else
            made += c;
        at_start = c == '\n';
    }
    return made;
}

std::string heading(std::string_view kind, std::string_view text) {
    return std::string{kind} + " \"" + escaped(text) + "\"\n";
}

void write_options(const CLI::App& command, const CLI::Formatter& names, std::string& out) {
    for (const bool positional : {true, false})
        for (const CLI::Option* each : command.get_options())
            if (each->get_positional() == positional && !each->get_group().empty()) {
                const std::string shown = names.make_option_name(each, positional) + names.make_option_opts(each);
                out += ".TP\n\\fB" + escaped(shown) + "\\fR\n" + escaped(each->get_description()) + "\n";
            }
}

void write_command(const CLI::App& command, const std::string& path, const CLI::Formatter& names, std::string& out) {
    out += heading(".SS", path) + escaped(command.get_description()) + ".\n";
    write_options(command, names, out);
    for (const CLI::App* each : command.get_subcommands({}))
        write_command(*each, path + " " + each->get_name(), names, out);
}

// Returns the part of the footer between `from` and `to`. The footer's paragraphs are: files, "Exit codes: ...", and
// "Examples:" with one line per example.
std::string_view part_of(std::string_view footer, std::string_view from, std::string_view to) {
    const std::size_t begin = footer.find(from) + from.size();
    const std::size_t end = to.empty() ? footer.size() : footer.find(to, begin);
    return footer.substr(begin, end - begin);
}

std::string man_page(const CLI::App& app) {
    const auto [a, b, c] = tutti::version;
    const std::string version = std::to_string(a) + "." + std::to_string(b) + "." + std::to_string(c);
    const auto names = std::static_pointer_cast<CLI::Formatter>(app.get_formatter());
    const std::string footer = app.get_footer();
    constexpr std::string_view codes = "\n\nExit codes: ", examples = "\n\nExamples:\n";

    std::string out = ".TH TUTTI 1 \"\" \"tutti " + version + "\" \"User Commands\"\n";
    out += ".SH NAME\ntutti \\- passes and instruments for programs of the tensor\\-graph IR Relay\n";
    out += ".SH SYNOPSIS\n.B tutti\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIFILE\\fR]\n";
    out +=
        ".SH DESCRIPTION\n" + escaped(app.get_description()) + "\n.PP\n" + escaped(part_of(footer, "", codes)) + "\n";
    out += ".SH OPTIONS\n";
    write_options(app, *names, out);
    out += ".SH COMMANDS\n";
    for (const CLI::App* each : app.get_subcommands({}))
        if (!each->get_group().empty()) write_command(*each, "tutti " + each->get_name(), *names, out);
    out += ".SH \"EXIT STATUS\"\n" + escaped(part_of(footer, codes, examples)) + "\n";
    out += ".SH EXAMPLES\n.nf\n" + escaped(part_of(footer, examples, "")) + "\n.fi\n";
    return out;
}

} // namespace

void add_man_page(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("man", "Write the manual page; `tutti man | man -l -` shows it");
    command->callback([&app, &chosen] { chosen = [&app] { write_text("-", man_page(app)); }; });
}

} // namespace program
