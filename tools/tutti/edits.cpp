// Switches that edit the pipeline of --passes, such as --insert-after=FoldConstant:InferType.

#include <tutti/base/diagnostic.hpp>
#include <tutti/base/error.hpp>
#include <tutti/pipeline/words.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/runtime/edit.hpp>
#include <tutti/runtime/pipeline_error.hpp>

#include "program.hpp"

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

namespace program {

namespace {

namespace edit = tutti::edit;
namespace relay = tutti::relay;
namespace runtime = tutti::runtime;
using module_passes = runtime::sequential<relay::ir_module>;
using passes_text = edit::from_text<relay::ir_module>;

// `insert` is null for a switch without passes, and `cut` for a switch with passes.
struct edit_switch {
    const char* name;
    const char* help;
    module_passes (*insert)(const module_passes&, std::string_view place, const passes_text&);
    module_passes (*cut)(const module_passes&, std::string_view place);
};

constexpr edit_switch edit_switches[] = {
    {"--insert-before", "Insert passes before each pass of a name, or before the second one: NAME#2",
     edit::insert_before<relay::ir_module, passes_text>, nullptr},
    {"--insert-after", "Insert passes after each pass of a name, or after the second one: NAME#2",
     edit::insert_after<relay::ir_module, passes_text>, nullptr},
    {"--replace", "Replace each pass of a name, or the second one, by other passes",
     edit::replace<relay::ir_module, passes_text>, nullptr},
    {"--fill", "Fill the extension points of a name, point(NAME), with passes",
     edit::fill<relay::ir_module, passes_text>, nullptr},
    {"--without", "Remove each pass of a name, or the second one: NAME#2", nullptr, edit::remove<relay::ir_module>},
    {"--start-from", "Remove all passes before the pass of a name", nullptr, edit::start_from<relay::ir_module>},
    {"--stop-after", "Remove all passes after the pass of a name", nullptr, edit::stop_after<relay::ir_module>},
};

constexpr bool is_fill(const edit_switch& by) { return by.name == std::string_view{"--fill"}; }

// Returns the index of the colon between the place and the passes of a switch.
std::size_t colon_in(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == ':') return at;
        if (text[at] == '"') {
            const std::size_t length = tutti::detail::word_length(text.substr(at));
            if (length > text.size()) break;
            at += length - 1;
        }
    }
    return std::string_view::npos;
}

module_passes edited(const module_passes& from, const edit_switch& by, const std::string& value) {
    std::size_t begin = 0; // the position of the passes in the value
    try {
        if (by.cut != nullptr) return by.cut(from, value);
        const std::size_t colon = colon_in(value);
        if (colon == std::string::npos)
            throw tutti::error{by.name, "`" + value + "` has no passes",
                               is_fill(by) ? "POINT:PIPELINE, such as after-simplify:FuseOps"
                                           : "PASS:PIPELINE, such as InferType:FuseOps"};
        begin = colon + 1;
        return by.insert(from, std::string_view{value}.substr(0, colon),
                         passes_text{std::string_view{value}.substr(begin), known_passes()});
    } catch (const runtime::pipeline_error& e) {
        throw runtime::pipeline_error{value, begin + e.position(), e.length(), e.said(), by.name};
    } catch (const tutti::input_error& e) {
        throw tutti::input_error{e.said(), by.name};
    }
}

} // namespace

void add_edit_options(CLI::App& command, pass_options& options) {
    options.command = &command;
    for (const edit_switch& each : edit_switches)
        options.need_passes.push_back(command.add_option(each.name)
                                          ->description(each.help)
                                          ->type_name(is_fill(each)            ? "POINT:PIPELINE"
                                                      : each.insert != nullptr ? "PASS:PIPELINE"
                                                                               : "PASS")
                                          ->expected(1)
                                          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                                          ->allow_extra_args(false)
                                          ->group("Edits of the pipeline, in the order of the command line"));
}

void edit_passes(const pass_options& options, module_passes& passes) {
    std::size_t used[std::size(edit_switches)]{};
    for (const CLI::Option* each : options.command->parse_order())
        for (std::size_t i = 0; i < std::size(edit_switches); ++i)
            if (each->check_name(edit_switches[i].name))
                passes = edited(passes, edit_switches[i], each->results().at(used[i]++));
    passes = edit::fill_points(std::move(passes), known_passes());
}

} // namespace program
