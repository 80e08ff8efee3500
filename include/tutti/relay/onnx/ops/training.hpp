#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

// Returns the value of `x` for each element's own class along the class axis; 0 if the element has no class.
inline expr of_own_class(node_context& c, expr x, expr is_class) {
    return relay::sum(relay::where(is_class, x, c.number(0, c.element(x))), {.axis = dims{1}});
}

// Returns the weighted negative log likelihood of the correct class.
inline expr likelihood_loss(node_context& c, expr likelihood, expr target, std::optional<expr> weight) {
    const dtype type = c.element(likelihood), index = c.element(target);
    const std::size_t rank = c.rank(likelihood);
    if (rank < 2) c.refuse("a tensor of rank " + std::to_string(rank), "classes along axis 1");
    const std::int64_t classes = c.size(likelihood, 1);
    dims along{classes};
    if (classes > (1 << 24)) c.refuse(std::to_string(classes) + " classes", "fewer than 16,777,216");
    for (std::size_t i = 2; i < rank; ++i) along.push_back(1);
    const expr own = relay::equal(relay::expand_dims(target, {.axis = 1}),
                                  relay::reshape(c.counted(0, classes, index), {.newshape = along}));
    expr loss = relay::negative(of_own_class(c, likelihood, own));
    std::optional<expr> weights;
    if (weight) weights = of_own_class(c, relay::reshape(*weight, {.newshape = along}), own);
    if (c.has_attribute("ignore_index")) {
        const expr ignored = relay::equal(target, c.number(static_cast<double>(c.integer("ignore_index")), index));
        weights = relay::where(ignored, c.number(0, type), weights ? *weights : c.number(1, type));
    }
    if (weights) loss = relay::multiply(loss, *weights);
    const std::string_view how = c.text("reduction", "mean");
    if (how == "none") return loss;
    if (how == "sum") return relay::sum(loss);
    if (how != "mean") c.refuse("reduction `" + std::string(how) + "`", "none, sum or mean");
    if (!weights) return relay::mean(loss);
    return relay::divide(relay::sum(loss), relay::sum(*weights));
}

inline expr import_likelihood_loss(node_context& c) {
    return likelihood_loss(c, c.input(0), c.input(1), c.has(2) ? std::optional(c.input(2)) : std::nullopt);
}
inline expr import_cross_entropy_loss(node_context& c) {
    const expr likelihood = nn::log_softmax(c.input(0), {.axis = 1});
    if (c.wants(1)) c.output(1, likelihood);
    return likelihood_loss(c, likelihood, c.input(1), c.has(2) ? std::optional(c.input(2)) : std::nullopt);
}

// Imports Dropout, which drops nothing in inference.
inline expr import_dropout(node_context& c) {
    const expr x = c.input(0);
    if (c.opset() >= 12 && c.has(2)) {
        const std::optional<double> training = c.known_number_of(2);
        const double ratio = c.has(1) ? c.known_number_of(1).value_or(1) : 0.5;
        if (!(training && *training == 0) && ratio != 0)
            c.refuse("drops elements at random", "training_mode false, or a ratio of 0");
    }
    if (c.wants(1)) {
        const dtype type = c.opset() < 10 ? c.element(x) : dtype::boolean;
        c.output(1, relay::ones_like(c.cast_to(x, type)));
    }
    return x;
}

// The inputs of a training step: the rate, the number of updates, then all trained tensors, all their gradients, and
// all their states of each kind.
struct update {
    expr rate, count;
    std::size_t tensors;
};
inline update update_of(node_context& c, std::size_t kinds) {
    if (c.input_count() < 2 || (c.input_count() - 2) % kinds != 0)
        c.refuse(std::to_string(c.input_count()) + " inputs", "two, and " + std::to_string(kinds) + " for each tensor");
    return {c.input(0), c.input(1), (c.input_count() - 2) / kinds};
}

// Source of the following three functions: the descriptions of the operators of ai.onnx.preview.training in ONNX 1.12.
inline expr import_adagrad(node_context& c) {
    const update u = update_of(c, 3);
    for (std::size_t i = 0; i < u.tensors; ++i) {
        const expr x = c.input(2 + i), squares = c.input(2 + 2 * u.tensors + i);
        const auto number = [&](double value) { return number_like(c, x, value); };
        const expr steps = relay::multiply(c.cast_to(u.count, c.element(x)), number(c.real("decay_factor", 0)));
        const expr rate = relay::divide(u.rate, relay::add(number(1), steps));
        const expr gradient =
            relay::add(relay::multiply(x, number(c.real("norm_coefficient", 0))), c.input(2 + u.tensors + i));
        const expr sum = relay::add(squares, relay::multiply(gradient, gradient));
        const expr scale = relay::add(relay::sqrt(sum), number(c.real("epsilon", 1e-6)));
        c.output(i, relay::subtract(x, relay::divide(relay::multiply(rate, gradient), scale)));
        c.output(u.tensors + i, sum);
    }
    return c.of(expr_id::none);
}

inline expr import_adam(node_context& c) {
    const update u = update_of(c, 4);
    for (std::size_t i = 0; i < u.tensors; ++i) {
        const expr x = c.input(2 + i);
        const auto number = [&](double value) { return number_like(c, x, value); };
        const double alpha = c.real("alpha", 0.9), beta = c.real("beta", 0.999);
        const expr gradient =
            relay::add(relay::multiply(x, number(c.real("norm_coefficient", 0))), c.input(2 + u.tensors + i));
        const expr mean = relay::add(relay::multiply(c.input(2 + 2 * u.tensors + i), number(alpha)),
                                     relay::multiply(gradient, number(1 - alpha)));
        const expr square = relay::add(relay::multiply(c.input(2 + 3 * u.tensors + i), number(beta)),
                                       relay::multiply(relay::multiply(gradient, gradient), number(1 - beta)));
        const expr count = c.cast_to(u.count, c.element(x));
        const expr first = relay::greater(count, number(0));
        const expr corrected = relay::divide(
            relay::multiply(u.rate, relay::sqrt(relay::subtract(number(1), relay::power(number(beta), count)))),
            relay::subtract(number(1), relay::power(number(alpha), count)));
        const expr rate = relay::where(first, corrected, u.rate);
        // the default is 1e-2, as in the reference and in the results of ONNX's tests
        const expr scale = relay::add(relay::sqrt(square), number(c.real("epsilon", 1e-2)));
        const expr moved = relay::subtract(x, relay::divide(relay::multiply(rate, mean), scale));
        c.output(i, relay::multiply(moved, number(1 - c.real("norm_coefficient_post", 0))));
        c.output(u.tensors + i, mean);
        c.output(2 * u.tensors + i, square);
    }
    return c.of(expr_id::none);
}

inline expr import_momentum(node_context& c) {
    const update u = update_of(c, 3);
    const std::string_view mode = c.text("mode", "standard");
    if (mode != "standard" && mode != "nesterov") c.refuse("mode `" + std::string(mode) + "`", "standard or nesterov");
    for (std::size_t i = 0; i < u.tensors; ++i) {
        const expr x = c.input(2 + i);
        const auto number = [&](double value) { return number_like(c, x, value); };
        const expr gradient =
            relay::add(relay::multiply(x, number(c.real("norm_coefficient", 0))), c.input(2 + u.tensors + i));
        const expr is_later = relay::greater(c.cast_to(u.count, c.element(x)), number(0));
        const expr beta = relay::where(is_later, number(c.real("beta", 0)), number(1));
        const expr alpha = number(c.real("alpha", 0));
        const expr moment =
            relay::add(relay::multiply(c.input(2 + 2 * u.tensors + i), alpha), relay::multiply(beta, gradient));
        const expr step = mode == "standard" ? moment : relay::add(gradient, relay::multiply(alpha, moment));
        c.output(i, relay::subtract(x, relay::multiply(u.rate, step)));
        c.output(u.tensors + i, moment);
    }
    return c.of(expr_id::none);
}

} // namespace detail

/// Rules for losses, and for operators that are training steps.
inline constexpr import_rule training_rules[]{
    {"Adagrad", detail::import_adagrad, "ai.onnx.preview.training"},
    {"Adam", detail::import_adam, "ai.onnx.preview.training"},
    {"Dropout", detail::import_dropout},
    {"Momentum", detail::import_momentum, "ai.onnx.preview.training"},
    {"NegativeLogLikelihoodLoss", detail::import_likelihood_loss},
    {"SoftmaxCrossEntropyLoss", detail::import_cross_entropy_loss},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
