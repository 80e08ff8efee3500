#pragma once

#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/text/parser.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::test {

/// Parses a module and infers its types.
inline relay::ir_module typed(std::string_view text) {
    relay::ir_module m = relay::parse(text);
    relay::infer_types(m);
    return m;
}

/// Returns the n-th call of an operator in `main`, in the order of the text.
inline relay::expr_id nth_call(const relay::function& f, std::string_view op, std::size_t n = 0) {
    for (const relay::expr_id e : relay::post_order(f.graph, f.root))
        if (f.graph.called_op(e) != nullptr && f.graph.called_op(e)->name == op && n-- == 0) return e;
    return relay::expr_id::none;
}

/// A program with a convolution, channelwise operators, and a branch that joins them.
inline constexpr std::string_view residual_block = R"(
def @main(%x: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 1, 1), float32], %b: Tensor[(4, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  %1 = add(%0, %b);
  %2 = nn.relu(%1);
  %3 = sigmoid(%2);
  %4 = tanh(%2);
  add(%3, %4)
}
)";

/// Returns a program that applies `op` to its parameter `length` times, and then negative.
inline std::string chain(std::size_t length, std::string_view op = "exp") {
    std::string text = "def @main(%x: Tensor[(2, 3), float32]) {\n";
    for (std::size_t i = 0; i < length; ++i)
        text += "  %" + std::to_string(i) + " = " + std::string(op) + "(" +
                (i == 0 ? std::string("%x") : "%" + std::to_string(i - 1)) + ");\n";
    return text + "  negative(%" + std::to_string(length - 1) + ")\n}\n";
}

} // namespace tutti::test
