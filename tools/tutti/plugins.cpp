#include "plugins.hpp"

#include <tutti/runtime/load_plugin.hpp>

#include "program.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace program {

namespace {

struct added_thing {
    added_kind kind;
    std::string name;
    std::string plugin;

    bool is(const added_thing& other) const { return kind == other.kind && name == other.name; }
};

// Returns everything that the command knows.
std::vector<added_thing> known_things() {
    std::vector<added_thing> all;
    const tutti::relay::extensions& known = extensions();
    known.passes.each_level([&]<class Unit>() {
        const std::string unit{tutti::internal::unit_name<Unit>()};
        for (const auto& each : known.passes.passes<Unit>().list())
            all.push_back({added_kind::pass, unit + "(" + each.name + ")", {}});
    });
    for (const auto& each : known.instruments.list())
        all.push_back({added_kind::instrument, std::string{each.name}, {}});
    for (const tutti::relay::op_def* each : known.operators.all())
        all.push_back({added_kind::op, std::string{each->name}, {}});
    for (const auto& each : known.kernels) all.push_back({added_kind::kernels, each.name, {}});
    return all;
}

std::vector<added_thing> added;

} // namespace

void load_plugin(const std::string& file) {
    const std::vector<added_thing> before = known_things();
    std::string from;
    try {
        const tutti::runtime::loaded_plugin loaded = tutti::runtime::load_plugin(file, extensions());
        from = loaded.name + " " + loaded.version + " (" + loaded.file + ")";
    } catch (const tutti::runtime::plugin_error& e) {
        throw failure{wrong_input, message(file, tutti::error{"", e.problem(), e.expected()}.what())};
    }
    for (added_thing& each : known_things()) {
        if (std::ranges::any_of(before, [&](const added_thing& old) { return old.is(each); })) continue;
        each.plugin = from;
        added.push_back(std::move(each));
    }
}

void add_load_option(CLI::App& command) {
    command
        .add_option_function<std::vector<std::string>>(
            "--load", [](const std::vector<std::string>&) {},
            "Load a plugin: a shared library with passes, instruments, operators and kernels; may be repeated")
        ->type_name("FILE.so")
        ->allow_extra_args(false)
        ->trigger_on_parse()
        ->group("Plugins");
}

std::string_view plugin_of(added_kind kind, std::string_view name) {
    for (const added_thing& each : added)
        if (each.kind == kind && each.name == name) return each.plugin;
    return {};
}

} // namespace program
