#pragma once

#include "../programs.hpp"
#include "evaluate.hpp"
#include "fuse_programs.hpp"

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tutti::test {

/// Runs a pass over a program. Returns the printed program without its first line.
template <class Pass>
std::string body_after(std::string_view text, const Pass& pass) {
    const std::string all = bare_text(after(typed(text), pass));
    return all.substr(all.find('\n') + 1);
}

/// Returns the number of calls of an operator in a text.
inline std::size_t calls_in(std::string_view text, std::string_view op) {
    const std::string call = std::string(op) + "(";
    std::size_t n = 0;
    for (std::size_t at = text.find(call); at != std::string_view::npos; at = text.find(call, at + 1)) ++n;
    return n;
}

/// Returns a program with two calls on `%x`, each of which is followed by lines in which `$` is the previous
/// expression. The results of the two branches are flattened and concatenated.
///
/// Example: `two_branches("%x: …, %v: …, %w: …", {"nn.dense(%x, %v, units=None)", "nn.dense(%x, %w, units=None)"},
/// {{"exp($)", "exp($)"}})`
inline std::string two_branches(std::string_view parameters, std::array<std::string_view, 2> calls,
                                std::initializer_list<std::array<std::string_view, 2>> followed) {
    std::string text = "def @main(" + std::string(parameters) + ") {\n";
    int next = 0;
    std::string ends;
    for (const std::size_t branch : {0U, 1U}) {
        const auto line = [&](std::string what) {
            const std::string before = "%" + std::to_string(next - 1);
            if (const std::size_t at = what.find('$'); at != std::string::npos) what.replace(at, 1, before);
            text += "  %" + std::to_string(next++) + " = " + what + ";\n";
        };
        line(std::string(calls[branch]));
        for (const auto& each : followed) line(std::string(each[branch]));
        line("cast($, dtype=\"float32\")");
        line("reshape($, newshape=[-1])");
        ends += (branch == 0 ? "%" : ", %") + std::to_string(next - 1);
    }
    return text + "  %" + std::to_string(next) + " = (" + ends + ");\n  concatenate(%" + std::to_string(next) +
           ")\n}\n";
}

/// Returns the relative difference between the results of a program before and after a pass.
template <class Pass>
double difference_after(std::string_view text, const Pass& pass) {
    const relay::ir_module before = typed(text);
    return relative_difference(evaluate(before, 8), evaluate(after(before, pass), 8));
}

} // namespace tutti::test
