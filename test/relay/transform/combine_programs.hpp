#pragma once

#include "../programs.hpp"
#include "evaluate.hpp"
#include "fuse_programs.hpp"

#include <string>
#include <string_view>

namespace tutti::test {

/// The body that a pass leaves of a program, without the first line.
template <class Pass>
std::string body_after(std::string_view text, const Pass& pass) {
    const std::string all = bare_text(after(typed(text), pass));
    return all.substr(all.find('\n') + 1);
}

/// How often an operator is called in a text.
inline std::size_t calls_in(std::string_view text, std::string_view op) {
    const std::string call = std::string(op) + "(";
    std::size_t n = 0;
    for (std::size_t at = text.find(call); at != std::string_view::npos; at = text.find(call, at + 1)) ++n;
    return n;
}

/// How much what the program computes differs after a pass.
template <class Pass>
double difference_after(std::string_view text, const Pass& pass) {
    const relay::ir_module before = typed(text);
    return relative_difference(evaluate(before, 8), evaluate(after(before, pass), 8));
}

} // namespace tutti::test
