#pragma once

#include <tutti/pass/sequential.hpp>
#include <tutti/pipeline/option_rows.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti {

namespace detail {

template <class P>
inline constexpr std::string_view head_of = "seq";
template <fixed_string Name, int Level, class... P>
inline constexpr std::string_view head_of<basic_seq<requirements::transitive, Name, Level, P...>> = "resolved";

} // namespace detail

/// Appends what stands before the members of a sequential in a pipeline's text: `seq(`, `seq[name,3](`, `resolved(`.
[[gnu::noinline]] inline void write_sequential_head(std::string_view head, const pass_info& info, std::string& out) {
    out += head;
    if (info.name != "sequential" || info.opt_level != 0) {
        out += '[';
        write_word(info.name, out);
        if (info.opt_level != 0) out.append(",").append(std::to_string(info.opt_level));
        out += ']';
    }
    out += '(';
}

/// What an adaptor shows of the one pass that it runs: the members of a sequential without a name, if it has not just one, which
/// would be read back as that one.
inline std::string_view without_head(std::string_view pass) {
    if (!pass.starts_with("seq(")) return pass;
    const std::string_view members = pass.substr(4, pass.size() - 5);
    std::size_t depth = 0;
    for (std::string_view rest = members; !rest.empty();) {
        const char c = rest.front();
        if (c == ',' && depth == 0) return members;
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        rest.remove_prefix(c == '"' ? word_length(rest) : 1);
    }
    return members.empty() ? members : pass;
}

/// Appends a pass as it stands in a pipeline's text: its name and the options that are not the default ones, or the members of
/// a sequential or an adaptor. A pass that does not describe its options is its name.
template <class P>
[[gnu::noinline]] void write_pass(const P& pass, std::string& out) {
    if constexpr (requires { pass.write(out); }) {
        pass.write(out);
    } else if constexpr (requires { typename P::adaptor; }) {
        write_word(P::adaptor::name, out);
        if constexpr (!std::string_view{P::adaptor::label}.empty()) {
            out += '[';
            write_word(P::adaptor::label, out);
            out += ']';
        }
        pass.each_member([&](const auto& inner) {
            if constexpr (describes_options<P> && requires { P::adaptor::make(inner); }) {
                const auto standard = P::adaptor::make(inner);
                write_options(rows_of(pass), &pass, &standard, out);
            } else {
                write_options(pass, out);
            }
            std::string text;
            write_pass(inner, text);
            out.append("(").append(without_head(text)).append(")");
        });
    } else if constexpr (composite<P>) {
        write_sequential_head(detail::head_of<P>, pass.info, out);
        bool first = true;
        pass.each_member([&](const auto& member) {
            if (!first) out += ',';
            first = false;
            write_pass(member, out);
        });
        out += ')';
    } else {
        write_word(pass.info.name, out);
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

} // namespace tutti
