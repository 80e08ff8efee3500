#pragma once

#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/elementwise.hpp>

namespace tutti::relay::onnx {

namespace detail {

template <expr (*Make)(expr)>
expr import_unary(node_context& c) {
    return Make(c.input(0));
}
template <expr (*Make)(expr, expr)>
expr import_binary(node_context& c) {
    return Make(c.input(0), c.input(1));
}

} // namespace detail

/// Operators that compute each element by itself.
inline constexpr import_rule elementwise_rules[]{
    {"Abs", detail::import_unary<relay::abs>},       {"Acos", detail::import_unary<relay::acos>},
    {"Acosh", detail::import_unary<relay::acosh>},   {"Add", detail::import_binary<relay::add>},
    {"Asin", detail::import_unary<relay::asin>},     {"Asinh", detail::import_unary<relay::asinh>},
    {"Atan", detail::import_unary<relay::atan>},     {"Atanh", detail::import_unary<relay::atanh>},
    {"Ceil", detail::import_unary<relay::ceil>},     {"Cos", detail::import_unary<relay::cos>},
    {"Cosh", detail::import_unary<relay::cosh>},     {"Erf", detail::import_unary<relay::erf>},
    {"Exp", detail::import_unary<relay::exp>},       {"Floor", detail::import_unary<relay::floor>},
    {"IsNaN", detail::import_unary<relay::isnan>},   {"Log", detail::import_unary<relay::log>},
    {"Mul", detail::import_binary<relay::multiply>}, {"Neg", detail::import_unary<relay::negative>},
    {"Relu", detail::import_unary<relay::nn::relu>}, {"Sigmoid", detail::import_unary<relay::sigmoid>},
    {"Sub", detail::import_binary<relay::subtract>}, {"Tanh", detail::import_unary<relay::tanh>},
};

} // namespace tutti::relay::onnx
