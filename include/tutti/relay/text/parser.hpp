#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse_options.hpp>

#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// Parses a program in Relay's text format, version 0.0.5.
///
/// Infers nothing: a comment `/* ty=T */` sets the type of the expression before it; other expressions have no type.
/// Expressions keep their source location (`graph::location`). A text that is a single expression, without `def`,
/// becomes the function `main`.
///
/// Cost:    linear in the text; no recursion. With an executor, functions are parsed in parallel; a text with an error,
///          with data types, or with constants that are not literals is then parsed a second time in sequence.
/// Throws:  `parse_error` with all errors of the text, up to a limit.
/// Example: `const auto m = relay::parse("def @main(%x: float32) { add(%x, 1f) }");`
TUTTI_INLINE ir_module parse(std::string_view text, const parse_options& options = {});

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/text/parser.ipp>
#endif
