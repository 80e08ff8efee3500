#pragma once

#include <tutti/base/diagnostic.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/pipeline/writing.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tutti::runtime {

/// The form of the header that `freeze` writes.
struct freeze_options {
    std::string name = "pipeline";      ///< the name of the variable, in a namespace if it contains `::`
    std::string passes{};               ///< an expression for the list of passes: "relay::passes"
    std::vector<std::string> headers{}; ///< the headers that declare the list: "tutti/relay/passes.hpp"
};

namespace detail {

// Appends a text as a literal of C++.
[[gnu::cold]] inline void write_literal(std::string_view text, std::string& out) {
    constexpr std::string_view digits = "01234567";
    out += '"';
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out.append("\\").append(1, c);
        else if (code < ' ' || code == 0x7f) // three digits, so that the next character is none
            out.append("\\")
                .append(1, digits[code >> 6U])
                .append(1, digits[code >> 3U & 7U])
                .append(1, digits[code & 7U]);
        else
            out += c;
    }
    out += '"';
}

[[gnu::cold]] inline bool is_identifier(std::string_view word) {
    if (word.empty() || (word[0] >= '0' && word[0] <= '9')) return false;
    for (const char c : word) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && !(c >= '0' && c <= '9')) return false;
    }
    return true;
}

} // namespace detail

/// Returns a header that defines a static pipeline equal to a run-time one: it runs the same passes with the same
/// options, and instruments see the same. Use it for a pipeline that was found at run time, by a search for example, and
/// is now fixed.
///
/// The header contains the text of the pipeline, which the compiler parses. Text that is compiled later with another
/// version of the passes uses that version's default values.
///
/// Requires: the list contains all passes and adaptors of the pipeline, except `fixpoint` and `repeat`.
/// Throws:   `tutti::error` for a name that is no identifier, and for a pipeline that text cannot express; see
///           `write_pipeline`.
/// Example:
/// ```
/// freeze(pipeline, {.name = "tuned", .passes = "relay::passes", .headers = {"tutti/relay/passes.hpp"}})
/// // #include <tutti/pipeline/literal.hpp>
/// // #include <tutti/relay/passes.hpp>
/// //
/// // inline const auto tuned = tutti::pipeline<"InferType,FuseOps{fuse_opt_level=2}">(relay::passes);
/// ```
template <class P>
[[nodiscard]] std::string freeze(const P& pipeline, const freeze_options& as) {
    const std::size_t colons = as.name.rfind("::");
    const std::string space = colons == std::string::npos ? "" : as.name.substr(0, colons);
    const std::string name = colons == std::string::npos ? as.name : as.name.substr(colons + 2);
    for (std::size_t begin = 0; begin <= as.name.size();) {
        const std::size_t end = as.name.find("::", begin);
        const std::string word = as.name.substr(begin, end == std::string::npos ? end : end - begin);
        if (!detail::is_identifier(word))
            raise(input_error{{"`" + word + "` is not an identifier", "a name such as tuned or mine::tuned", word},
                              "freeze"});
        begin = end == std::string::npos ? as.name.size() + 1 : end + 2;
    }
    std::string out = "#pragma once\n\n#include <tutti/pipeline/literal.hpp>\n";
    for (const std::string& header : as.headers) out.append("#include <").append(header).append(">\n");
    out += '\n';
    if (!space.empty()) out.append("namespace ").append(space).append(" {\n\n");
    out.append("inline const auto ").append(name).append(" = tutti::pipeline<");
    detail::write_literal(write_pipeline(pipeline), out);
    out.append(">(").append(as.passes).append(");\n");
    if (!space.empty()) out.append("\n} // namespace ").append(space).append("\n");
    return out;
}

} // namespace tutti::runtime
