#pragma once

#include <tutti/pass/sequential.hpp>
#include <tutti/pipeline/option_writing.hpp>

#include <string>
#include <string_view>

namespace tutti::runtime {

namespace detail {

// The head of a sequential, up to its members.
inline void write_head(std::string_view name, int level, std::string& out) {
    out += "seq";
    if (name != "sequential" || level != 0) {
        out += '[';
        tutti::detail::write_word(name, out);
        if (level != 0) out += "," + std::to_string(level);
        out += ']';
    }
    out += '(';
}

} // namespace detail

/// Appends a pass as it stands in a pipeline's text: its name and the options that are not the default ones,
/// or a sequential's members. A pass that does not describe its options is its name.
template <class P>
void write_pass(const P& pass, std::string& out) {
    if constexpr (requires { pass.write(out); }) {
        pass.write(out);
    } else if constexpr (composite<P>) {
        detail::write_head(pass.info.name, pass.info.opt_level, out);
        bool first = true;
        pass.each_member([&](const auto& member) {
            if (!first) out += ',';
            first = false;
            write_pass(member, out);
        });
        out += ')';
    } else {
        tutti::detail::write_word(pass.info.name, out);
        write_options(pass, out);
    }
}

/// The text of a pipeline, static or not: an unnamed sequential is its members, joined by commas.
///
/// Laws:
/// ```
/// parse_pipeline(write_pipeline(p), known)    // the same passes with the same options as p
/// write_pipeline(parse_pipeline(text, known)) // one text for all that stand for the same pipeline
/// ```
template <class P>
std::string write_pipeline(const P& pipeline) {
    std::string text;
    write_pass(pipeline, text);
    if (text.starts_with("seq(")) text = text.substr(4, text.size() - 5);
    return text;
}

} // namespace tutti::runtime
