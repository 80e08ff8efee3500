#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/model/layers.hpp>
#include <tutti/relay/model/lstm.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::model {

namespace detail {

/// Nested lets that are opened one by one and closed together.
class let_list {
public:
    constexpr explicit let_list(builder& b) : b_(&b) {}

    /// Opens a let that binds `value`. Returns the let's variable, which has no declared type.
    constexpr expr operator()(std::string_view name, expr value) {
        const expr variable = b_->variable(name);
        lets_.emplace_back(variable, value);
        return variable;
    }

    /// Returns `body` inside all lets.
    constexpr expr around(expr body) const {
        for (std::size_t i = lets_.size(); i-- > 0;) body = b_->let(lets_[i].first, lets_[i].second, body);
        return body;
    }

private:
    builder* b_;
    vector<std::pair<expr, expr>> lets_;
};

} // namespace detail

TUTTI_CONSTEXPR ir_module lstm(const lstm_options& options) {
    require_positive("lstm", "steps", options.steps);
    require_positive("lstm", "units", options.hidden);
    require_positive("lstm", "inputs", options.batch);
    const dim batch = options.batch, hidden = options.hidden, gates = 4 * options.hidden;

    builder b;
    const auto variable = [&](const std::string& name, std::initializer_list<dim> shape) {
        return b.variable(name, shape, options.element);
    };
    const auto dense = [&](expr data, expr weight, expr bias) {
        return nn::bias_add(nn::dense(data, weight, {.units = std::optional(gates)}), bias, {.axis = -1});
    };
    const auto step = [&] {
        type_table& types = b.graph().types();
        const type_id half = types.tensor(std::array{batch, hidden}, options.element);
        const expr inputs = variable("inputs", {batch, hidden});
        const expr states{&b.graph(), b.graph().variable("states", types.tuple(std::array{half, half}))};
        const expr i2h_weight = variable("i2h_weight", {gates, hidden});
        const expr i2h_bias = variable("i2h_bias", {gates});
        const expr h2h_weight = variable("h2h_weight", {gates, hidden});
        const expr h2h_bias = variable("h2h_bias", {gates});

        detail::let_list let(b);
        const expr i2h = let("i2h", dense(inputs, i2h_weight, i2h_bias));
        const expr h2h = let("h2h", dense(states[0], h2h_weight, h2h_bias));
        const expr parts =
            let("slice_gates", split(let("gates", add(i2h, h2h)), {.indices_or_sections = 4, .axis = 1}));
        const expr in_gate = let("in_gate", sigmoid(parts[0]));
        const expr forget_gate = let("forget_gate", sigmoid(parts[1]));
        const expr in_transform = let("in_transform", tanh(parts[2]));
        const expr out_gate = let("out_gate", sigmoid(parts[3]));
        const expr cell = let("next_c", add(multiply(forget_gate, states[1]), multiply(in_gate, in_transform)));
        const expr output = let("next_h", multiply(out_gate, tanh(cell)));
        const expr result = let("ret", b.tuple({output, b.tuple({output, cell})}));
        return b.nested({inputs, states, i2h_weight, i2h_bias, h2h_weight, h2h_bias}, let.around(result));
    };

    detail::let_list let(b);
    const expr zero = let("zeros", zeros(b, {.shape = dims{batch, hidden}, .dtype = options.element}));
    expr states = let("init_states", b.tuple({zero, zero}));
    expr output = zero;
    for (std::int64_t i = 0; i < options.steps; ++i) {
        const std::string number = std::to_string(i);
        const expr inputs = variable("data", {batch, hidden});
        const expr i2h_weight = variable("i2h_" + number + "_weight", {gates, hidden});
        const expr i2h_bias = variable("i2h_" + number + "_bias", {gates});
        const expr h2h_weight = variable("h2h_" + number + "_weight", {gates, hidden});
        const expr h2h_bias = variable("h2h_" + number + "_bias", {gates});
        const expr call =
            let("call_" + number, b.call(step(), {inputs, states, i2h_weight, i2h_bias, h2h_weight, h2h_bias}));
        output = let("out_" + number, call[0]);
        states = let("states_" + number, call[1]);
    }
    return layers(b).finish(let.around(output));
}

} // namespace tutti::relay::inline TUTTI_FORM::model
