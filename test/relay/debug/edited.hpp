#pragma once

#include <tutti/relay/debug/edit_function.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/search/delta_debug.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

/// Parses a program and infers its types.
inline tutti::relay::ir_module parse_typed(std::string_view text) {
    tutti::relay::ir_module m = tutti::relay::parse(text);
    tutti::relay::infer_types(m);
    return m;
}

/// Returns the number of places in a program to which an edit applies.
inline std::size_t places(std::string_view text, tutti::relay::program_edit edit) {
    tutti::instrument::edit_choice none;
    const tutti::relay::ir_module m = parse_typed(text);
    const tutti::relay::ir_module same = edit(m, none);
    tutti::relay::verify(same);
    return none.met();
}

/// Applies the edit at the places in `some`, and returns the printed program without types. Checks that the program is
/// well formed.
inline std::string edited(std::string_view text, tutti::relay::program_edit edit,
                          std::initializer_list<std::size_t> some) {
    tutti::instrument::edit_set chosen(places(text, edit), 0);
    for (const std::size_t each : some) chosen.at(each) = 1;
    tutti::instrument::edit_choice choice{chosen};
    tutti::relay::ir_module made = edit(parse_typed(text), choice);
    for (auto& [name, f] : made) f.graph.set_result_annotation(f.root, tutti::relay::type_id::none);
    const std::string shown = tutti::relay::to_text(made, {.version_line = false, .type_comments = false});
    tutti::relay::infer_types(made);
    tutti::relay::verify(made);
    return shown;
}
