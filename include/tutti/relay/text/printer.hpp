#pragma once

#include <tutti/relay/ir/data_types.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/text/print/function_list.hpp>
#include <tutti/relay/text/print/function_printer.hpp>
#include <tutti/relay/text/print/naming.hpp>
#include <tutti/relay/text/text_options.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay {

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

/// Returns the module in Relay's text format, version 0.0.5.
///
/// Constants that are not literals are written as `meta[relay.Constant][i]`, numbered by identity. Only
/// `options.metadata` writes their values; without it, floating-point numbers have six significant digits, as in the
/// reference. The metadata section also holds attributes of operators that declare so (`op_def::kept_as`). `parse`
/// restores everything except function names that are not valid in the text, and name hints that had to change.
///
/// Cost:   linear in the text; no recursion. With an executor, functions are printed in parallel unless the metadata
///         section has attributes.
/// Throws: `tutti::error` if a type has more than `max_type_text` characters, or if the module is malformed; see
///         `check_well_formed`.
inline std::string to_text(const ir_module& m, const text_options& options = {}) {
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

/// Returns a function without its module, `fn (%x: …) {…}`, with the same options. `parse` reads it back as the `main`
/// of a module.
///
/// Throws: `tutti::error` as for a module.
inline std::string to_text(const function& f, const text_options& options = {}) {
    std::string out;
    if (options.omitted != nullptr) *options.omitted = {};
    if (options.version_line) out += "#[version = \"0.0.5\"]\n";
    text::naming shared;
    text::function_printer(f.graph, shared, options, out).literal(f.root);
    text::end_text(out, shared, options);
    return out;
}

/// Writes a module or function to a stream in the form of `to_text`.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const ir_module& m) {
    const std::string text = to_text(m);
    return out.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
}
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const function& f) {
    const std::string text = to_text(f);
    return out.write(text.data(), static_cast<std::ptrdiff_t>(text.size()));
}

} // namespace tutti::relay
