// tutti completion: prints scripts that complete commands, options, passes and files in a shell. The scripts are
// generated from the options of all commands.

#include "program.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

struct switch_text {
    std::string name; // with dashes
    std::string type; // of the option's value; empty for a flag
    std::string help;

    bool takes_file() const { return type.find("FILE") != std::string::npos; }
    bool takes_passes() const {
        return name == "--passes" || name == "--without" || name == "--start-from" || name == "--stop-after";
    }
};
struct command_text {
    std::string name, help;
    std::vector<switch_text> switches;
    std::vector<command_text> commands;
    bool takes_file = false;
};

command_text text_of(const CLI::App& command) {
    command_text made{command.get_name(), command.get_description(), {}, {}};
    for (const CLI::Option* each : command.get_options()) {
        made.takes_file =
            made.takes_file || (each->get_positional() && each->get_description().find("program") != std::string::npos);
        if (each->get_positional() || each->get_group().empty()) continue;
        const bool is_flag = each->get_items_expected_max() == 0;
        for (const std::string& name : each->get_lnames())
            made.switches.push_back({"--" + name, is_flag ? "" : each->get_type_name(), each->get_description()});
    }
    for (const CLI::App* each : command.get_subcommands({})) made.commands.push_back(text_of(*each));
    return made;
}

// Returns the names of a command's subcommands and switches, separated by spaces. A switch that needs a value ends in
// "=".
std::string words(const command_text& command) {
    std::string text;
    const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
    for (const command_text& each : command.commands) add(each.name);
    for (const switch_text& each : command.switches) add(each.name + (each.type.empty() ? "" : "="));
    return text;
}

// Quotes text for a shell.
std::string in_quotes(std::string_view text) {
    std::string made = "'";
    for (const char c : text)
        if (c == '\'')
            made += "'\\''";
        else
            made += c;
    return made + "'";
}

constexpr std::string_view pass_names = "tutti list passes 2>/dev/null | sed -n 's/^\\([A-Za-z_]\\{1,\\}\\).*/\\1/p'";

void add_bash_cases(const command_text& command, const std::string& path, std::string& out) {
    out += "    " + in_quotes(path) + ") words=" + in_quotes(words(command)) + (command.takes_file ? " files=1" : "") +
           " ;;\n";
    for (const command_text& each : command.commands) add_bash_cases(each, path + " " + each.name, out);
}

std::string bash(const command_text& all) {
    std::string text =
        R"(# bash completion of tutti. Source this file, or install it as completions/tutti of bash-completion.

_tutti() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} path=tutti words= files= i
    # "=" is a word of its own.
    if [ "$word" = = ]; then before="$before="; word=
    elif [ "$before" = = ]; then before="${COMP_WORDS[COMP_CWORD-2]}="; fi
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "$path ${COMP_WORDS[i]}" in
)";
    std::string commands;
    const auto add = [&](const auto& self, const command_text& command, const std::string& path) -> void {
        for (const command_text& each : command.commands) {
            commands += (commands.empty() ? "" : " | ") + in_quotes(path + " " + each.name);
            self(self, each, path + " " + each.name);
        }
    };
    add(add, all, "tutti");
    text += "        " + commands + ") path=\"$path ${COMP_WORDS[i]}\" ;;\n        esac\n    done\n";
    text +=
        "    case $before in\n    --passes= | --without= | --start-from= | --stop-after=)\n        local last=${word##*[,(]}\n        local start=${word%\"$last\"}\n";
    text += "        compopt -o nospace 2>/dev/null\n";
    text += "        COMPREPLY=($(compgen -P \"$start\" -W \"$(" + std::string{pass_names} +
            ")\" -- \"$last\"))\n        return ;;\n";
    text += "    --*=) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n    esac\n    case $path in\n";
    add_bash_cases(all, "tutti", text);
    return text + R"(    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [ ${#COMPREPLY[@]} = 1 ] && [ "${COMPREPLY[0]%=}" != "${COMPREPLY[0]}" ]; then compopt -o nospace 2>/dev/null; fi
    case $word in
    -*) ;;
    *) [ -z "$files" ] || COMPREPLY+=($(compgen -f -- "$word")) ;;
    esac
}
complete -F _tutti tutti
)";
}

// Returns the script for zsh, which can read bash's completions.
std::string zsh(const command_text& all) {
    return "#compdef tutti\n# zsh completion of tutti. Install this file as _tutti in a folder of $fpath.\n\n"
           "autoload -U +X bashcompinit && bashcompinit\n" +
           bash(all);
}

std::string fish(const command_text& all) {
    std::string text =
        "# fish completion of tutti. Install this file as tutti.fish in a folder of $fish_complete_path.\n\n"
        "function __tutti_passes\n    set -l word (commandline -ct | string replace -r '^--[a-z-]*=' '')\n"
        "    set -l start (string replace -r '[^,(]*$' '' -- $word)\n    for name in (" +
        std::string{pass_names} + ")\n        echo $start$name\n    end\nend\n\n";
    const std::string line = "complete -c tutti";
    for (const command_text& each : all.commands)
        text += line + " -n __fish_use_subcommand -f -a " + each.name + " -d " + in_quotes(each.help) + "\n";
    for (const switch_text& each : all.switches)
        text += line + " -n __fish_use_subcommand -l " + each.name.substr(2) + " -d " + in_quotes(each.help) + "\n";
    for (const command_text& command : all.commands) {
        const std::string here = line + " -n " + in_quotes("__fish_seen_subcommand_from " + command.name);
        for (const command_text& each : command.commands)
            text += here + " -f -a " + each.name + " -d " + in_quotes(each.help) + "\n";
        for (const switch_text& each : command.switches) {
            text += here + " -l " + each.name.substr(2);
            if (each.takes_passes())
                text += " -x -a '(__tutti_passes)'";
            else if (each.takes_file())
                text += " -r";
            else if (!each.type.empty())
                text += " -x";
            text += " -d " + in_quotes(each.help) + "\n";
        }
    }
    return text;
}

struct shell {
    std::string_view name;
    std::string (*script)(const command_text&);
};
constexpr shell shells[] = {{"bash", bash}, {"fish", fish}, {"zsh", zsh}};

} // namespace

void add_completion(CLI::App& app, action& chosen) {
    CLI::App* const command = app.add_subcommand("completion", "Write a script that completes commands in a shell");
    const auto name = std::make_shared<std::string>();
    command->add_option("SHELL", *name, "The shell: bash, fish or zsh")->required();
    command->callback([&app, &chosen, name] {
        const auto* const found = std::ranges::find(shells, std::string_view{*name}, &shell::name);
        if (found == std::end(shells))
            throw failure{wrong_usage,
                          message("tutti completion", *name + ": no such shell; expected bash, fish or zsh")};
        chosen = [&app, found] { write_text("-", found->script(text_of(app))); };
    });
}

} // namespace program
