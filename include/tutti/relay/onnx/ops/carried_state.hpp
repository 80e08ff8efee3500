#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/attention.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/scatter.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

// Imports a convolution of each channel that reads only past elements. The state holds the latest of these elements.
inline expr import_causal_conv(node_context& c) {
    const expr x = c.input(0);
    if (c.rank(x) != 3) c.refuse("data of rank " + std::to_string(c.rank(x)), "3: batch, channels and length");
    const std::int64_t channels = c.extent(x, 1), length = c.extent(x, 2), window = c.extent(c.input(1), 2);
    if (window < 1) c.refuse("a window of " + std::to_string(window), "1 or more");
    const expr seen =
        c.has(3) ? relay::concatenate(c.tuple({c.input(3), x}), {.axis = 2})
                 : nn::pad(x, number_like(c, x, 0), {.pad_width = vector<dims>{{0, 0}, {0, 0}, {window - 1, 0}}});
    c.output(1,
             relay::strided_slice(
                 seen, {.begin = dims{length}, .end = dims{length + window - 1}, .strides = dims{1}, .axes = dims{2}}));
    expr y = nn::conv1d(seen, c.input(1), {.groups = channels, .channels = dim(channels), .kernel_size = dims{window}});
    if (c.has(2)) y = nn::bias_add(y, c.input(2), {.axis = 1});
    const std::string_view activation = c.text("activation", "none");
    if (activation != "none" && activation != "silu" && activation != "swish")
        c.refuse("activation `" + std::string(activation) + "`", "none, silu or swish");
    return activation == "none" ? y : swish(c, y, 1);
}

// Imports TensorScatter: writes a sequence into a cache, at a separate start position for each batch element.
inline expr import_tensor_scatter(node_context& c) {
    const expr cache = c.input(0), update = c.input(1);
    const std::size_t rank = c.rank(cache);
    const std::int64_t axis = c.axis_of(c.integer("axis", -2), rank);
    if (axis == 0) c.refuse("axis 0, which is the batch", "another axis");
    const std::string_view mode = c.text("mode", "linear");
    if (mode != "linear" && mode != "circular") c.refuse("mode `" + std::string(mode) + "`", "linear or circular");
    dims along(rank, 1), batch(rank, 1);
    along[static_cast<std::size_t>(axis)] = -1;
    batch[0] = -1;
    const std::int64_t length = c.extent(update, static_cast<std::size_t>(axis));
    expr places = relay::reshape(c.counted(0, length), {.newshape = along});
    if (c.has(2)) places = relay::add(places, relay::reshape(c.cast_to(c.input(2), dtype::int64), {.newshape = batch}));
    if (mode == "circular") {
        const auto most = static_cast<double>(c.extent(cache, static_cast<std::size_t>(axis)));
        places = relay::floor_mod(places, c.number(most, dtype::int64));
    }
    const dims shape = c.shape(update);
    return relay::scatter(cache, relay::broadcast_to(places, {.shape = shape}), update, {.axis = axis});
}

/// Imports LinearAttention: attention without a softmax, as a recurrence over the steps of a sequence. Each head has a
/// state, a matrix of keys by values, which each step updates. The step's result is the product of the state and the
/// query.
class linear_attention {
public:
    explicit linear_attention(node_context& c) : c_(&c), rule_(c.text("update_rule", "gated_delta")) {}

    expr operator()() {
        node_context& c = *c_;
        const bool gated = rule_ == "gated" || rule_ == "gated_delta",
                   delta = rule_ == "delta" || rule_ == "gated_delta";
        if (!gated && !delta && rule_ != "linear")
            c.refuse("update_rule `" + std::string(rule_) + "`", "linear, gated, delta or gated_delta");
        const std::int64_t queries = c.integer("q_num_heads"), heads = c.integer("kv_num_heads");
        if (heads < 1 || queries < 1 || queries % heads != 0)
            c.refuse(std::to_string(queries) + " heads of queries and " + std::to_string(heads) + " of keys",
                     "a multiple of the keys' number");
        const expr q = wide(split_heads(c, c.input(0), queries)), k = wide(split_heads(c, c.input(1), heads)),
                   v = wide(split_heads(c, c.input(2), heads));
        const std::optional<expr> decay = gated ? std::optional(relay::exp(by_heads(4, heads))) : std::nullopt;
        const std::optional<expr> rate = delta ? std::optional(by_heads(5, c.size(c.input(5), 2))) : std::nullopt;
        const std::int64_t steps = c.extent(c.input(0), 1), size = c.size(q, 3);
        if (steps < 1) c.refuse("a sequence without steps", "one step or more");
        const double given = c.real("scale", 0);
        const expr scale = c.number(given != 0 ? given : 1 / std::sqrt(static_cast<double>(size)), dtype::float32);
        expr state = c.has(3) ? wide(c.input(3))
                              : relay::full(c.number(0, dtype::float32),
                                            {.shape = dims{c.size(k, 0), heads, size, c.size(v, 3)}});
        plain_vector<expr_id> made;
        for (std::int64_t step = 0; step < steps; ++step) {
            if (decay) state = relay::multiply(state, relay::expand_dims(at(*decay, step), {.axis = 3}));
            const expr key = relay::expand_dims(at(k, step), {.axis = 3});
            expr value = at(v, step);
            if (rate) {
                const expr known = relay::sum(relay::multiply(state, key), {.axis = dims{2}});
                value = relay::multiply(at(*rate, step), relay::subtract(value, known));
            }
            state = relay::add(state, relay::multiply(key, relay::expand_dims(value, {.axis = 2})));
            const expr all = queries == heads ? state : relay::repeat(state, {.repeats = queries / heads, .axis = 1});
            const expr asked = relay::multiply(all, relay::expand_dims(at(q, step), {.axis = 3}));
            made.push_back(relay::multiply(relay::sum(asked, {.axis = dims{2}}), scale).id);
        }
        c.output(1, c.cast_to(state, c.element(c.input(c.has(3) ? 3 : 0))));
        const expr y = relay::reshape(relay::stack(c.tuple(made), {.axis = 1}), {.newshape = dims{0, 0, -1}});
        return c.cast_to(y, c.element(c.input(0)));
    }

private:
    expr wide(expr e) { return c_->cast_to(e, dtype::float32); }

    // Returns an input (batch, steps, heads * n) as (batch, heads, steps, n).
    expr by_heads(std::size_t input, std::int64_t heads) { return wide(split_heads(*c_, c_->input(input), heads)); }

    expr at(expr e, std::int64_t step) { return relay::take(e, int64_number(*c_, step), {.axis = dim(2)}); }

    node_context* c_;
    std::string_view rule_;
};

inline expr import_linear_attention(node_context& c) { return linear_attention(c)(); }

} // namespace detail

/// Rules for operators that take a state and return its successor.
inline constexpr import_rule carried_state_rules[]{
    {"CausalConvWithState", detail::import_causal_conv},
    {"LinearAttention", detail::import_linear_attention},
    {"TensorScatter", detail::import_tensor_scatter},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
