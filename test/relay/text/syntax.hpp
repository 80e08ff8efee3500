#pragma once

#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>

#include <string>
#include <string_view>

namespace tutti::test {

/// Formats a syntax error as `line:column: problem; expected …`.
inline std::string described(relay::source_location where, const std::string& problem, const std::string& expected) {
    std::string out = std::to_string(where.line) + ':' + std::to_string(where.column) + ": " + problem;
    if (!expected.empty()) out += "; expected " + expected;
    return out;
}

/// Returns the syntax error that `read()` throws, or "(read)".
template <class Read>
std::string syntax_problem(Read&& read) {
    try {
        read();
    } catch (const relay::text::syntax_error& e) {
        return described(e.at.where, e.problem, e.expected);
    } catch (const relay::text::skipped&) {
        return "(skipped)";
    } catch (const relay::text::too_much&) {
        return "(too much)";
    }
    return "(read)";
}

/// Returns the diagnostics, one per line, and clears the list.
inline std::string notes(relay::text::diagnostic_list& found) {
    std::string out;
    for (const relay::diagnostic& d : found.take()) out += described(d.where, d.problem, d.expected) + '\n';
    return out;
}

} // namespace tutti::test
