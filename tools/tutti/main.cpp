// The command line of the library: reads, transforms and writes Relay text. See `tutti --help`.

#include <tutti/base/diagnostic.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/version.hpp>

#include "plugins.hpp"
#include "program.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace {

std::string version_text() {
    const auto [a, b, c] = tutti::version;
    return "tutti " + std::to_string(a) + "." + std::to_string(b) + "." + std::to_string(c);
}

constexpr const char* footer =
    R"(Programs are Relay text, version 0.0.5. FILE may be -, the default, for standard input.
Programs and results go to standard output; messages and the output of instruments go to standard error.

Exit codes: 0 done; 1 wrong input (FILE:LINE:COLUMN: error: ...); 2 wrong usage; 3 a pass failed, programs differ, or
--stop-at-nan found a NaN; 4 --time-limit ended the passes early. If an instrument's file (a page, trace or graph) cannot be
written, for example because the disk is full, the error is reported, everything else is done, and the exit code is 1.

Examples:
  tutti model resnet18 > resnet18.relay
  tutti check resnet18.relay
  tutti opt resnet18.relay --passes=SimplifyInference,FoldScaleAxis --opt-level=3 --op-diff -o folded.relay
  tutti model resnet18 | tutti opt --passes=InferType,CanonicalizeOps --opt-level=3 --op-diff
  tutti model resnet18 | tutti run
  tutti list passes)";

// Shows only the type and default of each option.
class formatter : public CLI::Formatter {
public:
    formatter() { column_width(34); }

    std::string make_option_opts(const CLI::Option* option) const override {
        std::string text;
        const bool flag = option->get_items_expected_max() == 0; // a flag's value is optional
        if (!flag && !option->get_positional()) text = "=" + option->get_type_name();
        if (flag && !option->get_type_name().empty()) text = "[=" + option->get_type_name() + "]";
        if (!option->get_default_str().empty()) text += " (" + option->get_default_str() + ")";
        return text;
    }
    std::string make_option_name(const CLI::Option* option, bool positional) const override {
        const std::string name = option->get_name(positional, true);
        return name.substr(0, name.find('{')); // a flag's name includes its default value in braces
    }
};

// Returns, for example, "ceck: no such command; did you mean check?".
std::string missing(const std::string& name, const char* kind, std::vector<std::string> known) {
    return tutti::input_error{tutti::internal::unknown_name(kind, name, std::move(known))}.what();
}

// Refuses an unknown command, at the top level or below a command that has subcommands, and suggests the nearest name.
void check_command(const CLI::App& app, const std::vector<std::string>& arguments) {
    std::string command = app.get_name();
    const CLI::App* within = &app;
    for (const std::string& argument : arguments) {
        std::vector<std::string> known;
        const CLI::App* found = nullptr;
        for (const CLI::App* each : within->get_subcommands({})) {
            if (each->get_name() == argument) found = each;
            known.push_back(each->get_name());
        }
        if (known.empty() || argument.starts_with('-')) return;
        if (!found)
            throw program::failure{program::wrong_usage,
                                   program::message(command, missing(argument, "command", known))};
        within = found;
        command += " " + argument;
    }
}

const CLI::Option* find_option(const CLI::App& command, const std::string& name) {
    for (const CLI::Option* each : command.get_options())
        if (each->check_name(name)) return each;
    return nullptr;
}

// Returns the arguments, normalised: `help opt` becomes `opt --help`, and an empty value (`--passes=`) becomes a
// separate argument, since CLI11 would take the next argument as the value.
std::vector<std::string> read_arguments(const CLI::App& app, int argc, char** argv) {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    if (!arguments.empty() && arguments.front() == "help") {
        arguments.erase(arguments.begin());
        arguments.emplace_back("--help");
    }
    check_command(app, arguments);
    if (arguments.empty() || arguments.front().starts_with('-')) return arguments;
    const CLI::App& command = *app.get_subcommand(arguments.front());
    std::vector<std::string> split;
    for (std::string& each : arguments) {
        const std::string name = each.substr(0, each.find('='));
        const CLI::Option* option =
            each.ends_with('=') && each.size() == name.size() + 1 ? find_option(command, name) : nullptr;
        split.push_back(option && option->get_items_expected_max() > 0 ? name : std::move(each));
        if (split.back() == name && option) split.emplace_back();
    }
    return split;
}

// Returns, for example, "--pases: no such option; the nearest are --passes, --params, --param".
std::string unknown_option(const std::string& name, std::vector<std::string> known) {
    constexpr std::size_t most = 3;
    std::vector<std::pair<std::size_t, std::string>> nearest;
    for (std::string& each : known) nearest.emplace_back(tutti::internal::edit_distance(name, each), std::move(each));
    std::ranges::sort(nearest);
    std::string said = name + ": no such option; the nearest are ";
    for (std::size_t i = 0; i < std::min(most, nearest.size()); ++i) said += (i == 0 ? "" : ", ") + nearest[i].second;
    return said;
}

// Describes an argument that was not consumed: an unknown option, or a stray word.
std::string left_over(const CLI::App& command) {
    const std::string argument = command.remaining().front();
    if (!argument.starts_with('-')) return argument + ": unexpected argument";
    std::vector<std::string> known;
    for (const CLI::Option* each : command.get_options()) known.push_back(each->get_name(false, false));
    std::erase_if(known, [](const std::string& name) { return !name.starts_with("--"); });
    return unknown_option(argument.substr(0, argument.find('=')), std::move(known));
}

// Describes an error in the command line, in the style of the other messages.
std::string usage_problem(const CLI::App& command, const CLI::Error& e) {
    if (command.remaining_size() > 0) return left_over(command);
    std::string what = e.what();
    const std::string name = what.substr(0, what.find(':'));
    const CLI::Option* const option = find_option(command, name);
    if (e.get_name() == "RequiredError" && !command.get_subcommands({}).empty()) {
        std::string known;
        for (const CLI::App* each : command.get_subcommands({}))
            known += (known.empty() ? "" : ", ") + each->get_name();
        return "a command is missing; expected one of " + known;
    }
    if (e.get_name() == "ArgumentMismatch" && option)
        return what.find("received") != std::string::npos
                   ? name + ": is given more than once"
                   : name + ": has no value; expected " + name + "=" + option->get_type_name();
    return what;
}

// Adds --load to all commands without subcommands.
void add_load_option(CLI::App& app) {
    for (CLI::App* each : app.get_subcommands({}))
        if (each->get_subcommands({}).empty())
            program::add_load_option(*each);
        else
            add_load_option(*each);
}

// Loads the plugins of --load before the command line is parsed, since other options name passes and kernels of plugins.
// A request for help loads nothing.
void load_plugins(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    for (const char* help : {"-h", "--help", "help"})
        if (std::ranges::find(arguments, help) != arguments.end()) return;
    constexpr std::string_view option = "--load";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& each = arguments[i];
        if (each == "--") return;
        if (each.starts_with(option) && each.size() > option.size() + 1 && each[option.size()] == '=')
            program::load_plugin(each.substr(option.size() + 1));
        else if (each == option && i + 1 < arguments.size())
            program::load_plugin(arguments[++i]);
    }
}

int run(int argc, char** argv) {
    CLI::App app{"Reads, checks, transforms and writes programs of the tensor-graph IR Relay.", "tutti"};
    app.footer(footer);
    app.set_version_flag("--version", version_text(), "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.require_subcommand(1);
    app.formatter(std::make_shared<formatter>());

    load_plugins(argc, argv);
    program::action chosen;
    program::add_opt(app, chosen);
    program::add_run(app, chosen);
    program::add_compare(app, chosen);
    program::add_check(app, chosen);
    program::add_inspect(app, chosen);
    program::add_precision(app, chosen);
    program::add_bench(app, chosen);
    program::add_model(app, chosen);
    program::add_list(app, chosen);
    program::add_bisect(app, chosen);
    program::add_reduce(app, chosen);
    program::add_corpus(app, chosen);
    program::add_profile(app, chosen);
    for (CLI::App* each : app.get_subcommands({}))
        if (each->get_subcommands({}).empty()) program::add_message_options(*each);
    add_load_option(app);
    program::add_completion(app, chosen);
    program::add_man_page(app, chosen);

    std::vector<std::string> arguments = read_arguments(app, argc, argv);
    std::ranges::reverse(arguments); // CLI11 expects them in reverse
    try {
        app.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        program::write_text("-", app.help());
        return program::done;
    } catch (const CLI::CallForVersion&) {
        program::write_text("-", version_text() + "\n");
        return program::done;
    } catch (const CLI::Error& e) {
        std::string command = "tutti";
        const CLI::App* within = &app;
        while (!within->get_subcommands().empty()) {
            within = within->get_subcommands().front();
            command += " " + within->get_name();
        }
        program::report(program::message(
            command, program::with_hint(usage_problem(*within, e), "`" + command + " --help` shows the usage")));
        return program::wrong_usage;
    }
    chosen();
    if (program::has_failed_files()) return program::wrong_input;
    return program::stopped_early() ? program::stopped : program::done;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const program::failure& f) {
        program::report(f.message);
        return f.code;
    } catch (const std::bad_alloc&) {
        program::report(program::message("tutti", "there is not enough memory"));
        return program::wrong_input;
    } catch (const std::exception& e) {
        program::report(program::message("tutti", e.what()));
        return program::wrong_input;
    }
}
