// The command line of the library: reads Relay text, transforms it, writes it. See `tutti --help`.

#include "program.hpp"

#include <tutti/nearest.hpp>
#include <tutti/version.hpp>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

namespace {

std::string version_text() {
    const auto [a, b, c] = tutti::version;
    return "tutti " + std::to_string(a) + "." + std::to_string(b) + "." + std::to_string(c);
}

constexpr const char* footer =
    R"(Programs are Relay text, version 0.0.5. FILE may be - for standard input, as it is when left out.
A program that is written goes to standard output, everything else to standard error.

Exit codes: 0 done; 1 the input is wrong (FILE:LINE:COLUMN: error: ...); 2 wrong usage; 3 a pass failed.

Examples:
  tutti model resnet18 > resnet18.relay
  tutti check resnet18.relay
  tutti opt resnet18.relay --passes=InferType,FoldScaleAxis --opt-level=3 --timing -o folded.relay
  tutti model resnet18 | tutti opt --passes=InferType,CanonicalizeOps --opt-level=3 --op-diff
  tutti model resnet18 | tutti run
  tutti list passes)";

// How options are shown: their type and default only.
class formatter : public CLI::Formatter {
public:
    formatter() { column_width(34); }

    std::string make_option_opts(const CLI::Option* option) const override {
        std::string text;
        if (option->get_items_expected_max() != 0 && !option->get_positional()) text = "=" + type_of(*option);
        if (!option->get_default_str().empty()) text += " (" + option->get_default_str() + ")";
        return text;
    }
    std::string make_option_name(const CLI::Option* option, bool positional) const override {
        return option->get_name(positional, true);
    }

private:
    // Without the range that a check adds to it.
    static std::string type_of(const CLI::Option& option) {
        std::string type = option.get_type_name();
        return type.substr(0, type.find(':'));
    }
};

// What the command line begins with, if that is not a command: says which one was meant.
void check_command(const CLI::App& app, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    tutti::nearest_name meant{argv[1]};
    std::string known;
    for (const CLI::App* each : app.get_subcommands({})) {
        if (each->get_name() == argv[1]) return;
        meant.offer(each->get_name());
        known += (known.empty() ? "" : ", ") + each->get_name();
    }
    std::string what = std::string{argv[1]} + ": no such command";
    what += meant.found().empty() ? "; expected one of " + known
                                  : "; did you mean " + std::string{meant.found()} + "?";
    throw program::failure{program::wrong_usage, program::message("tutti", what)};
}

int run(int argc, char** argv) {
    CLI::App app{"Reads, checks, transforms and writes programs of the tensor-graph IR Relay.", "tutti"};
    app.footer(footer);
    app.set_version_flag("--version", version_text(), "Print the version and exit");
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.require_subcommand(1);
    app.formatter(std::make_shared<formatter>());

    program::action chosen;
    program::add_opt(app, chosen);
    program::add_run(app, chosen);
    program::add_check(app, chosen);
    program::add_model(app, chosen);
    program::add_list(app, chosen);

    check_command(app, argc, argv);
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        program::write_text("-", app.help());
        return program::done;
    } catch (const CLI::CallForVersion&) {
        program::write_text("-", version_text() + "\n");
        return program::done;
    } catch (const CLI::Error& e) {
        std::string command = "tutti";
        for (const CLI::App* sub : app.get_subcommands()) command += " " + sub->get_name();
        program::report(program::message(command, std::string{e.what()} + "; `" + command +
                                                      " --help` tells what there is"));
        return program::wrong_usage;
    }
    chosen();
    return program::done;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const program::failure& f) {
        program::report(f.message);
        return f.code;
    } catch (const std::exception& e) {
        program::report(program::message("tutti", e.what()));
        return program::wrong_input;
    }
}
