#pragma once

#include <array>
#include <string_view>

#include <tutti/kernel/elementwise.hpp>
#include <tutti/relay/op/op_def.hpp>

namespace tutti::relay {

namespace op {

/// What unary elementwise operators share: the result is of the argument's type.
struct elementwise {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;

    static constexpr type_id infer(relation& r, const attributes&) { return r.knows(0) ? r.argument(0) : type_id::none; }
};

/// |x|
struct abs : elementwise {
    static constexpr std::string_view name = "abs";
    static constexpr tensor evaluate(const invocation& in, const attributes&) { return kernel::abs(in.inputs[0]); }
};
/// e^x
struct exp : elementwise {
    static constexpr std::string_view name = "exp";
    static constexpr tensor evaluate(const invocation& in, const attributes&) { return kernel::exp(in.inputs[0]); }
};
/// Natural logarithm
struct log : elementwise {
    static constexpr std::string_view name = "log";
    static constexpr tensor evaluate(const invocation& in, const attributes&) { return kernel::log(in.inputs[0]); }
};
/// -x
struct negative : elementwise {
    static constexpr std::string_view name = "negative";
    static constexpr tensor evaluate(const invocation& in, const attributes&) { return kernel::negative(in.inputs[0]); }
};
/// 1 / sqrt(x)
struct rsqrt : elementwise {
    static constexpr std::string_view name = "rsqrt";
    static constexpr tensor evaluate(const invocation& in, const attributes&) { return kernel::rsqrt(in.inputs[0]); }
};
/// 1 / (1 + e^-x)
struct sigmoid : elementwise {
    static constexpr std::string_view name = "sigmoid";
    static constexpr tensor evaluate(const invocation& in, const attributes&) { return kernel::sigmoid(in.inputs[0]); }
};
struct sqrt : elementwise {
    static constexpr std::string_view name = "sqrt";
    static constexpr tensor evaluate(const invocation& in, const attributes&) { return kernel::sqrt(in.inputs[0]); }
};
struct tanh : elementwise {
    static constexpr std::string_view name = "tanh";
    static constexpr tensor evaluate(const invocation& in, const attributes&) { return kernel::tanh(in.inputs[0]); }
};

namespace nn {
/// max(x, 0)
struct relu : elementwise {
    static constexpr std::string_view name = "nn.relu";
    static constexpr tensor evaluate(const invocation& in, const attributes&) { return kernel::relu(in.inputs[0]); }
};
}  // namespace nn

}  // namespace op

/// The unary operators that work element by element.
using elementwise_ops = op_list<op::abs, op::exp, op::log, op::negative, op::rsqrt, op::sigmoid, op::sqrt, op::tanh, op::nn::relu>;

constexpr expr abs(expr data) { return call_op<op::abs>({}, data); }
constexpr expr exp(expr data) { return call_op<op::exp>({}, data); }
constexpr expr log(expr data) { return call_op<op::log>({}, data); }
constexpr expr negative(expr data) { return call_op<op::negative>({}, data); }
constexpr expr rsqrt(expr data) { return call_op<op::rsqrt>({}, data); }
constexpr expr sigmoid(expr data) { return call_op<op::sigmoid>({}, data); }
constexpr expr sqrt(expr data) { return call_op<op::sqrt>({}, data); }
constexpr expr tanh(expr data) { return call_op<op::tanh>({}, data); }

namespace nn {
constexpr expr relu(expr data) { return call_op<op::nn::relu>({}, data); }
}  // namespace nn

}  // namespace tutti::relay
