#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/data_types.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/text/print/function_list.hpp>
#include <tutti/relay/text/print/function_printer.hpp>
#include <tutti/relay/text/print/naming.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/text_options.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace text {

/// Appends `type List[A] {…}`.
inline void define_type(std::string& out, const data_types& types, std::uint32_t type) {
    const auto list = [&](std::span<const type_id> parts, char begin, char end) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            out += i == 0 ? std::string(1, begin) : std::string(", ");
            append_type(out, types.types(), parts[i]);
        }
        if (!parts.empty()) out += end;
    };
    out += "type ";
    out += types.name(type);
    list(types.params(type), '[', ']');
    out += " {\n";
    for (std::uint32_t c = 0; c < types.constructors_of(type); ++c) {
        const std::uint32_t constructor = types.first_constructor(type) + c;
        out += "  ";
        out += types.constructor_name(constructor);
        list(types.fields(constructor), '(', ')');
        out += ",\n";
    }
    if (types.constructors_of(type) == 0) out += "  \n";
    out += "}\n";
}

/// Appends the metadata section, or a note that it is missing.
inline void end_text(std::string& out, naming& shared, const text_options& options) {
    if (shared.constants().empty() && shared.kept().empty()) return;
    if (options.metadata != nullptr) {
        out += "\n#[metadata]\n";
        out += options.metadata(shared.constants(), shared.kept());
        return;
    }
    if (options.omitted != nullptr) options.omitted->constants = shared.constants().size();
    if (options.metadata_note) {
        out += "\n/* For debugging purposes the metadata section has been omitted.\n"
               " * If you would like to see the full metadata section you can set the \n"
               " * option to `True` when invoking `astext`. \n"
               " */";
    }
}

} // namespace text

TUTTI_INLINE std::string to_text(const ir_module& m, const text_options& options) {
    check_well_formed(m.data_types());
    std::string out;
    if (options.omitted != nullptr) *options.omitted = {};
    if (options.version_line) out += "#[version = \"0.0.5\"]\n";
    text::naming shared;
    bool first = true;
    for (std::uint32_t type = 0; type < m.data_types().size(); ++type) {
        if (!std::exchange(first, false)) out += '\n';
        text::define_type(out, m.data_types(), type);
    }
    text::function_list(m, shared, options, out).write(first);
    text::end_text(out, shared, options);
    return out;
}

TUTTI_INLINE std::string to_text(const function& f, const text_options& options) {
    std::string out;
    if (options.omitted != nullptr) *options.omitted = {};
    if (options.version_line) out += "#[version = \"0.0.5\"]\n";
    text::naming shared;
    text::function_printer(f.graph, shared, options, out).literal(f.root);
    text::end_text(out, shared, options);
    return out;
}

} // namespace tutti::relay::inline TUTTI_FORM
