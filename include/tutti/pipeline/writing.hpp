#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/pass/requiring.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pipeline/decimal_options.hpp>
#include <tutti/pipeline/grammar.hpp>
#include <tutti/pipeline/option_rows.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti {

namespace detail {

template <class P>
inline constexpr bool is_resolved = false;
template <requirements R, fixed_string Name, int Level, class... P>
inline constexpr bool is_resolved<basic_seq<R, Name, Level, P...>> = R != requirements::direct;

// True for a composite pass with requirements added by `requiring`. Its text would omit these requirements.
template <class P>
inline constexpr bool hides_required = false;
template <class P, class... R>
inline constexpr bool hides_required<requiring_pass<P, R...>> =
    composite<P> || requires(const P& pass, std::string& out) { pass.write(out); };

[[noreturn, gnu::noinline, gnu::cold]] inline void refuse_required(const pass_info& info) {
    raise(error{"pipeline", "its text cannot express the requirements of " + std::string{info.name},
                "a registry that contains it"});
}

} // namespace detail

namespace internal {

/// Appends the text of a sequential up to its members: `seq(`, `seq[name,3](`, `resolved(`.
///
/// Throws: `tutti::error` for a negative level, which the grammar does not support.
[[gnu::noinline, gnu::cold]] inline void write_sequential_head(std::string_view head, const pass_info& info,
                                                               std::string& out) {
    if (info.opt_level < 0)
        raise(error{"pipeline",
                    "the sequential " + std::string{info.name} + " has level " + std::to_string(info.opt_level) +
                        ", which cannot be written",
                    "0 or more"});
    out += head;
    if (info.name != "sequential" || info.opt_level != 0) {
        out += '[';
        write_word(info.name, out);
        if (info.opt_level != 0) out.append(",").append(std::to_string(info.opt_level));
        out += ']';
    }
    out += '(';
}

} // namespace internal

namespace detail {

/// Returns the text inside an adaptor's brackets for the text of the inner pass. The brackets list the members of an
/// unnamed sequential directly, unless it has exactly one member. A single member would be read back without the
/// sequential.
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

/// Appends a pass as written in a pipeline's text: its name and non-default options, or the members of a sequential or
/// an adaptor. A pass that does not describe its options is written as its name. Inside `resolved(…)`, nested resolved
/// sequentials are written as plain ones.
template <bool InResolved = false, class P>
[[gnu::noinline, gnu::cold]] void write_pass(const P& pass, std::string& out,
                                             internal::written_options which = internal::written_options::changed) {
    if constexpr (detail::hides_required<P>) {
        detail::refuse_required(pass.info);
    } else if constexpr (requires { pass.write(out, which); }) {
        pass.write(out, which);
    } else if constexpr (requires { pass.write(out); }) {
        pass.write(out);
    } else if constexpr (requires { pass.is_point(); }) {
        out += "point(";
        internal::write_word(pass.info.name, out);
        out += ')';
    } else if constexpr (requires { typename P::adaptor; }) {
        internal::write_word(P::adaptor::name, out);
        if constexpr (!std::string_view{P::adaptor::label}.empty()) {
            out += '[';
            internal::write_word(P::adaptor::label, out);
            out += ']';
        }
        pass.each_member([&](const auto& inner) {
            if constexpr (internal::describes_options<P> && requires { P::adaptor::make(inner); }) {
                const auto standard = P::adaptor::make(inner);
                const bool all = which == internal::written_options::all;
                internal::write_options(internal::rows_of(pass), &pass, all ? nullptr : &standard, out);
            } else {
                internal::write_options(pass, out, which);
            }
            std::string text;
            write_pass<InResolved>(inner, text, which);
            out.append("(").append(without_head(text)).append(")");
        });
    } else if constexpr (composite<P>) {
        constexpr bool resolved = detail::is_resolved<P>;
        internal::write_sequential_head(resolved && !InResolved ? "resolved" : "seq", pass.info, out);
        bool first = true;
        pass.each_member([&](const auto& member) {
            if (!first) out += ',';
            first = false;
            write_pass<InResolved || resolved>(member, out, which);
        });
        out += ')';
    } else {
        internal::write_word(pass.info.name, out);
        internal::write_options(pass, out, which);
    }
}

// Throws if a text cannot be read back.
[[gnu::noinline, gnu::cold]] inline void check_written(std::string_view text) {
    struct {
        void stage(const stage_head&) {}
        void option(std::string_view, std::string_view) {}
        void open() {}
        void close() {}
    } nothing;
    const internal::pipeline_mistake mistake = read_pipeline(text, nothing);
    if (mistake.expected)
        raise(error{"pipeline", "its text cannot be read back, at " + std::to_string(mistake.position),
                    mistake.expected});
}

/// Returns the text of a pipeline.
template <class P>
std::string text_of_pipeline(const P& pipeline, internal::written_options which) {
    std::string text;
    detail::write_pass(pipeline, text, which);
    if (text.starts_with("seq(")) text = text.substr(4, text.size() - 5);
    detail::check_written(text);
    return text;
}

} // namespace detail

/// Returns the text of a static or run-time pipeline. An unnamed sequential is written as its members, joined by
/// commas.
///
/// Laws:
/// ```
/// parse_pipeline(write_pipeline(p), known)    // the same passes with the same options as p
/// write_pipeline(parse_pipeline(text, known)) // the same for all texts of the same pipeline
/// ```
/// Throws: `tutti::error` for a pipeline that text cannot express: passes nested more than 64 deep, a negative level,
///         or a composite pass with requirements added by `requiring`.
template <class P>
[[nodiscard]] std::string write_pipeline(const P& pipeline) {
    return detail::text_of_pipeline(pipeline, internal::written_options::changed);
}

} // namespace tutti
