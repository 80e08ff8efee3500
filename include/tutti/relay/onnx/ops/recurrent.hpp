#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

/// Limit on the steps of a recurrent operator. Each step is a copy of the cell.
inline constexpr std::int64_t most_recurrent_steps = 1 << 14;

/// The activation function of a gate, with its parameters.
struct gate_function {
    std::string_view name;
    double alpha = 0;
    double beta = 0;
};
/// A supported activation function, with the number of its parameters and their default values.
struct known_gate_function {
    std::string_view name;
    std::size_t numbers;
    double alpha;
    double beta;
};
inline constexpr known_gate_function known_gate_functions[]{{"Sigmoid", 0, 0, 0},      {"Tanh", 0, 0, 0},
                                                            {"Relu", 0, 0, 0},         {"Affine", 2, 1, 0},
                                                            {"LeakyRelu", 1, 0.01, 0}, {"ThresholdedRelu", 1, 1, 0},
                                                            {"ScaledTanh", 2, 1, 1},   {"HardSigmoid", 2, 0.2, 0.5},
                                                            {"Elu", 1, 1, 0},          {"Softsign", 0, 0, 0},
                                                            {"Softplus", 0, 0, 0}};

/// True if two function names are equal. Ignores case, as models require.
constexpr bool same_function_name(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

inline expr apply_gate_function(node_context& c, const gate_function& f, expr x) {
    const auto number = [&](double value) { return c.number(value, c.element(x)); };
    if (f.name == "Sigmoid") return relay::sigmoid(x);
    if (f.name == "Tanh") return relay::tanh(x);
    if (f.name == "Relu") return nn::relu(x);
    if (f.name == "Affine") return relay::add(relay::multiply(number(f.alpha), x), number(f.beta));
    if (f.name == "LeakyRelu") return nn::leaky_relu(x, {.alpha = f.alpha});
    if (f.name == "ThresholdedRelu") return relay::where(relay::less_equal(x, number(f.alpha)), number(0), x);
    if (f.name == "ScaledTanh")
        return relay::multiply(number(f.alpha), relay::tanh(relay::multiply(number(f.beta), x)));
    if (f.name == "HardSigmoid") return hard_sigmoid(c, x, f.alpha, f.beta);
    if (f.name == "Elu")
        return relay::where(
            relay::less(x, number(0)),
            relay::multiply(number(f.alpha), relay::subtract(relay::exp(relay::minimum(x, number(0))), number(1))), x);
    if (f.name == "Softsign") return relay::divide(x, relay::add(number(1), relay::abs(x)));
    // Softplus. To avoid overflow, exp is applied to negative numbers only.
    return relay::add(nn::relu(x), relay::log(relay::add(number(1), relay::exp(relay::negative(relay::abs(x))))));
}

/// The operands of a step in one direction of a recurrent operator.
struct recurrent_cell {
    node_context* c = nullptr;
    std::int64_t hidden = 0;
    expr r{};              // multiplies the hidden state; shape (gates * hidden, hidden)
    expr recurrent_bias{}; // bias of a GRU's last gate if it is added inside the product, else none
    expr peepholes[3]{};   // for the gates i, o, f; or none
    gate_function functions[3]{};
    double clip = 0; // 0 if values are not clipped
    bool input_forget = false;
    bool linear_before_reset = false;

    expr gate(std::size_t function, expr x) const {
        return apply_gate_function(*c, functions[function],
                                   clip > 0 ? relay::clip(x, {.a_min = -clip, .a_max = clip}) : x);
    }
    expr part(expr e, std::int64_t axis, std::int64_t begin, std::int64_t end) const {
        return relay::strided_slice(e,
                                    {.begin = dims{begin}, .end = dims{end}, .strides = dims{1}, .axes = dims{axis}});
    }
    /// Returns the part for one gate of a tensor that holds all gates side by side.
    expr gate_part(expr e, std::int64_t number) const { return part(e, 1, number * hidden, (number + 1) * hidden); }
    expr product(expr state, expr weights) const { return nn::dense(state, weights); }
    expr one() const { return c->number(1, c->element(r)); }
};

/// The state carried from step to step. Only an LSTM uses `cell`.
struct recurrent_state {
    expr hidden{};
    expr cell{};
};
/// Computes the next state. `input` is the input's contribution to all gates, including biases; `before` is the
/// previous state.
using recurrent_step = recurrent_state (*)(const recurrent_cell&, expr input, recurrent_state before);

inline recurrent_state rnn_step(const recurrent_cell& k, expr input, recurrent_state before) {
    return {k.gate(0, relay::add(input, k.product(before.hidden, k.r))), {}};
}

// The order of the gates is z, r, h.
inline recurrent_state gru_step(const recurrent_cell& k, expr input, recurrent_state before) {
    const expr product = k.product(before.hidden, k.part(k.r, 0, 0, 2 * k.hidden));
    const expr both = relay::add(k.part(input, 1, 0, 2 * k.hidden), product);
    const expr update = k.gate(0, k.gate_part(both, 0));
    const expr reset = k.gate(0, k.gate_part(both, 1));
    const expr last = k.part(k.r, 0, 2 * k.hidden, 3 * k.hidden);
    const auto with_bias = [&](expr e) {
        return k.recurrent_bias.graph == nullptr ? e : relay::add(e, k.recurrent_bias);
    };
    const expr state = k.linear_before_reset ? relay::multiply(reset, with_bias(k.product(before.hidden, last)))
                                             : with_bias(k.product(relay::multiply(reset, before.hidden), last));
    const expr candidate = k.gate(1, relay::add(k.gate_part(input, 2), state));
    const expr kept = relay::multiply(update, before.hidden);
    return {relay::add(relay::multiply(relay::subtract(k.one(), update), candidate), kept), {}};
}

// The order of the gates is i, o, f, c.
inline recurrent_state lstm_step(const recurrent_cell& k, expr input, recurrent_state before) {
    const expr all = relay::add(input, k.product(before.hidden, k.r));
    const auto peeped = [&](expr gate, std::size_t i, expr cell) {
        return k.peepholes[i].graph == nullptr ? gate : relay::add(gate, relay::multiply(k.peepholes[i], cell));
    };
    const expr forget = k.gate(0, peeped(k.gate_part(all, 2), 2, before.cell));
    const expr in =
        k.input_forget ? relay::subtract(k.one(), forget) : k.gate(0, peeped(k.gate_part(all, 0), 0, before.cell));
    const expr candidate = k.gate(1, k.gate_part(all, 3));
    const expr cell = relay::add(relay::multiply(forget, before.cell), relay::multiply(in, candidate));
    const expr out = k.gate(0, peeped(k.gate_part(all, 1), 1, cell));
    return {relay::multiply(out, apply_gate_function(*k.c, k.functions[2], cell)), cell};
}

/// Imports RNN, GRU and LSTM. Handles directions, steps, sequence lengths and layouts; `step` computes one step of the
/// cell.
class recurrent_node {
public:
    recurrent_node(node_context& c, std::int64_t gates, std::initializer_list<std::string_view> functions,
                   recurrent_step step)
        : c_(&c), gates_(gates), function_count_(functions.size()), step_(step), batch_first_(c.flag("layout")) {
        x_ = c.input(0);
        if (c.rank(x_) != 3)
            c.refuse("an input of rank " + std::to_string(c.rank(x_)), "3: steps, batch, and features");
        if (batch_first_) x_ = transposed(x_, {1, 0, 2});
        if (c.rank(c.input(1)) != 3 || c.rank(c.input(2)) != 3)
            c.refuse("weights that are not of rank 3", "rank 3: directions, gates, and features");
        steps_ = c.size(x_, 0);
        limit{"", "steps of a recurrent operator", "", static_cast<std::uint64_t>(most_recurrent_steps)}.check(
            static_cast<std::uint64_t>(steps_));
        if (steps_ == 0) c.refuse("an input without steps", "one or more");
        batch_ = c.shape(x_)[1];
        directions_ = c.size(c.input(2), 0);
        hidden_ = c.size(c.input(2), 2);
        type_ = c.element(x_);
        read_direction();
        read_functions(functions);
        read_lengths();
    }

    expr import() {
        plain_vector<expr_id> all; // the outputs, indexed by direction
        plain_vector<expr_id> hidden;
        plain_vector<expr_id> cells;
        for (std::int64_t d = 0; d < directions_; ++d) {
            plain_vector<expr_id> outputs;
            outputs.resize(static_cast<std::size_t>(steps_));
            const recurrent_state last = run(d, outputs);
            all.push_back(relay::stack(c_->tuple(outputs), {.axis = 0}).id);
            hidden.push_back(last.hidden.id);
            if (last.cell.graph != nullptr) cells.push_back(last.cell.id);
        }
        // `y` is (steps, directions, batch, hidden)
        if (c_->wants(1)) c_->output(1, directions_first(hidden));
        if (c_->wants(2) && !cells.empty()) c_->output(2, directions_first(cells));
        const expr y = relay::stack(c_->tuple(all), {.axis = 1});
        return batch_first_ ? transposed(y, {2, 0, 1, 3}) : y;
    }

private:
    static expr transposed(expr e, dims axes) { return relay::transpose(e, {.axes = axes}); }

    expr directions_first(const plain_vector<expr_id>& states) const {
        const expr all = relay::stack(c_->tuple(states), {.axis = 0});
        return batch_first_ ? transposed(all, {1, 0, 2}) : all;
    }

    // Returns the part of an input for one direction, without the axis of directions.
    expr of_direction(std::size_t input, std::int64_t direction, bool by_batch = false) const {
        expr e = c_->input(input);
        const std::int64_t axis = by_batch && batch_first_ ? 1 : 0;
        if (directions_ != 1) e = k_part(e, axis, direction, direction + 1);
        return relay::squeeze(e, {.axis = dims{axis}});
    }
    static expr k_part(expr e, std::int64_t axis, std::int64_t begin, std::int64_t end) {
        return recurrent_cell{}.part(e, axis, begin, end);
    }

    void read_direction() {
        const std::string_view direction = c_->text("direction", "forward");
        const bool both = direction == "bidirectional";
        if (!both && direction != "forward" && direction != "reverse")
            c_->refuse("direction `" + std::string(direction) + "`", "forward, reverse or bidirectional");
        backward_first_ = direction == "reverse";
        if (directions_ != (both ? 2 : 1))
            c_->refuse("weights of " + std::to_string(directions_) + " directions",
                       both ? "2: it is bidirectional" : "1");
    }

    void read_functions(std::initializer_list<std::string_view> standard) {
        plain_vector<std::string_view> names;
        const attribute_view given = c_->attribute("activations");
        for (const wire_field& f : given.fields(field::attribute::strings)) names.push_back(f.payload.text());
        const auto wanted = static_cast<std::size_t>(directions_) * function_count_;
        if (names.empty())
            for (std::int64_t d = 0; d < directions_; ++d) names.append(standard.begin(), standard.size());
        if (names.size() != wanted) c_->refuse(std::to_string(names.size()) + " activations", std::to_string(wanted));
        const plain_vector<float> alphas = c_->reals("activation_alpha");
        const plain_vector<float> betas = c_->reals("activation_beta");
        std::size_t alpha = 0;
        std::size_t beta = 0;
        for (const std::string_view name : names) {
            const known_gate_function* found = nullptr;
            for (const known_gate_function& f : known_gate_functions)
                if (same_function_name(f.name, name)) found = &f;
            if (found == nullptr) refuse_function(name);
            gate_function f{found->name, found->alpha, found->beta};
            if (found->numbers > 0 && alpha < alphas.size()) f.alpha = static_cast<double>(alphas[alpha++]);
            if (found->numbers > 1 && beta < betas.size()) f.beta = static_cast<double>(betas[beta++]);
            functions_.push_back(f);
        }
    }
    [[noreturn, gnu::cold]] void refuse_function(std::string_view name) const {
        std::string known;
        for (const known_gate_function& f : known_gate_functions)
            known.append(known.empty() ? "" : ", ").append(f.name);
        c_->refuse("activation `" + std::string(name) + "`", "one of " + known);
    }

    // Reads the sequence lengths. Ignores them if all are known and equal to the number of steps.
    void read_lengths() {
        if (!c_->has(4)) return;
        const std::optional<dims> lengths = c_->known_integers(4);
        bool all = lengths.has_value();
        if (lengths)
            for (const dim d : *lengths) all = all && !d.is_any() && d.value() == steps_;
        if (!all) lengths_ = relay::expand_dims(c_->input(4), {.axis = 1});
    }

    // Returns the contributions of the inputs to the gates, including biases, for all steps: (steps, batch, gates).
    expr projected(std::int64_t d, recurrent_cell& k) const {
        const std::int64_t width = c_->size(x_, 2);
        const expr rows = relay::reshape(x_, {.newshape = dims{-1, width}});
        expr all = nn::dense(rows, of_direction(1, d));
        if (c_->has(3)) {
            const expr biases = of_direction(3, d);
            const std::int64_t size = gates_ * hidden_;
            const expr input = k_part(biases, 0, 0, size);
            expr recurrent = k_part(biases, 0, size, 2 * size);
            if (k.linear_before_reset) { // the step adds the recurrent bias of the last gate inside a product
                k.recurrent_bias = k_part(recurrent, 0, 2 * hidden_, size);
                const expr none = c_->constant(tensor(type_, {hidden_}));
                const expr parts = c_->tuple({k_part(recurrent, 0, 0, 2 * hidden_), none});
                recurrent = relay::concatenate(parts, {.axis = 0});
            }
            all = relay::add(all, relay::add(input, recurrent));
        }
        return relay::reshape(all, {.newshape = dims{steps_, -1, gates_ * hidden_}});
    }

    expr zeros(expr like) const {
        if (batch_.is_any()) return relay::zeros_like(k_part(like, 1, 0, hidden_));
        return c_->constant(tensor(type_, {batch_.value(), hidden_}));
    }

    recurrent_state run(std::int64_t d, plain_vector<expr_id>& outputs) const {
        recurrent_cell k{.c = c_, .hidden = hidden_, .r = of_direction(2, d)};
        k.clip = c_->real("clip", 0);
        k.input_forget = c_->flag("input_forget");
        k.linear_before_reset = gates_ == 3 && c_->flag("linear_before_reset");
        for (std::size_t i = 0; i < function_count_; ++i)
            k.functions[i] = functions_[static_cast<std::size_t>(d) * function_count_ + i];
        const bool lstm = gates_ == 4;
        if (lstm && c_->has(7)) {
            const expr all = of_direction(7, d);
            for (std::int64_t i = 0; i < 3; ++i) k.peepholes[i] = k_part(all, 0, i * hidden_, (i + 1) * hidden_);
        }
        const expr input = projected(d, k);
        const expr parts = steps_ == 1 ? expr{} : relay::split(input, {.indices_or_sections = steps_, .axis = 0});
        const auto at = [&](std::int64_t t) {
            return relay::squeeze(steps_ == 1 ? input : parts[static_cast<std::uint32_t>(t)], {.axis = dims{0}});
        };
        recurrent_state state{};
        expr none{};
        const bool backward = backward_first_ || d == 1;
        for (std::int64_t i = 0; i < steps_; ++i) {
            const std::int64_t t = backward ? steps_ - 1 - i : i;
            const expr now = at(t);
            if (i == 0) {
                if (!c_->has(5) || (lstm && !c_->has(6)) || lengths_.graph != nullptr) none = zeros(now);
                state.hidden = c_->has(5) ? of_direction(5, d, true) : none;
                if (lstm) state.cell = c_->has(6) ? of_direction(6, d, true) : none;
            }
            recurrent_state next = step_(k, now, state);
            expr output = next.hidden;
            if (lengths_.graph != nullptr) { // past a sequence's end, the state stays the same and outputs are 0
                const expr there = relay::less(c_->number(static_cast<double>(t), c_->element(lengths_)), lengths_);
                output = relay::where(there, next.hidden, none);
                next.hidden = relay::where(there, next.hidden, state.hidden);
                if (lstm) next.cell = relay::where(there, next.cell, state.cell);
            }
            outputs[static_cast<std::size_t>(t)] = output.id;
            state = next;
            c_->graph().infer(); // throws before the expressions exceed the limit
        }
        return state;
    }

    node_context* c_;
    std::int64_t gates_;
    std::size_t function_count_;
    recurrent_step step_;
    bool batch_first_;
    bool backward_first_ = false;
    expr x_{};
    std::int64_t steps_ = 0;
    std::int64_t directions_ = 0;
    std::int64_t hidden_ = 0;
    dim batch_;
    dtype type_ = dtype::float32;
    plain_vector<gate_function> functions_; // those of the first direction, then those of the second
    expr lengths_{};                        // the sequence lengths as a column, or none
};

inline expr import_rnn(node_context& c) { return recurrent_node(c, 1, {"Tanh"}, rnn_step).import(); }
inline expr import_gru(node_context& c) { return recurrent_node(c, 3, {"Sigmoid", "Tanh"}, gru_step).import(); }
inline expr import_lstm(node_context& c) {
    return recurrent_node(c, 4, {"Sigmoid", "Tanh", "Tanh"}, lstm_step).import();
}

} // namespace detail

/// Rules for recurrent networks, which are unrolled. The number of steps must be known.
inline constexpr import_rule recurrent_rules[]{
    {"GRU", detail::import_gru}, {"LSTM", detail::import_lstm}, {"RNN", detail::import_rnn}};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
