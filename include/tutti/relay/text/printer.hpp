#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/text/text_options.hpp>

#include <cstddef>
#include <iosfwd>
#include <string>

namespace tutti::relay::inline TUTTI_FORM {

/// Returns the module in Relay's text format, version 0.0.5.
///
/// Constants that are not literals are written as `meta[relay.Constant][i]`. Constants that share elements and shape
/// share an index. Only `options.metadata` writes the values; without it, floating-point numbers have six significant
/// digits, as in the reference. The metadata section also holds the attributes of operators that set
/// `op_def::kept_as`. `parse` restores everything except function names that are not valid in the text, and name hints
/// that had to change.
///
/// Cost:   linear in the text; no recursion. With an executor, functions are printed in parallel unless the metadata
///         section has attributes.
/// Throws: `tutti::error` if a type has more than `max_type_text` characters, or if the module is malformed; see
///         `check_well_formed`.
[[nodiscard]] TUTTI_INLINE std::string to_text(const ir_module& m, const text_options& options = {});

/// Returns the text of a function without its module, `fn (%x: …) {…}`, with the same options. `parse` reads it back as
/// the `main` of a module.
///
/// Throws: `tutti::error` as for a module.
TUTTI_INLINE std::string to_text(const function& f, const text_options& options = {});

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

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/text/printer.ipp>
#endif
