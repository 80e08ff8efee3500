#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/ir/type_agreement.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/ops/product.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/gather.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

/// Divides the last axis of (batch, sequence, hidden) among heads. The result is (batch, heads, sequence, size).
inline expr split_heads(node_context& c, expr x, std::int64_t heads) {
    const std::int64_t hidden = c.size(x, 2);
    if (heads < 1 || hidden % heads != 0)
        c.refuse(std::to_string(heads) + " heads of " + std::to_string(hidden) + " numbers",
                 "a number of heads that divides them");
    return relay::transpose(relay::reshape(x, {.newshape = dims{0, 0, heads, hidden / heads}}),
                            {.axes = dims{0, 2, 1, 3}});
}
inline expr join_heads(node_context& c, expr x) {
    const std::int64_t hidden = c.size(x, 1) * c.size(x, 3);
    return relay::reshape(relay::transpose(x, {.axes = dims{0, 2, 1, 3}}), {.newshape = dims{0, 0, hidden}});
}

/// Repeats the heads of keys or values (batch, groups, sequence, size) so that there are as many as query heads.
inline expr repeat_heads(node_context& c, expr x, std::int64_t heads) {
    const std::int64_t groups = c.size(x, 1);
    if (groups < 1 || heads % groups != 0)
        c.refuse(std::to_string(heads) + " heads of queries and " + std::to_string(groups) + " of keys",
                 "a multiple of the keys' number");
    return heads == groups ? x : relay::repeat(x, {.repeats = heads / groups, .axis = 1});
}

/// Imports the operator Attention(Q, K, V): softmax(Q K^T + bias) V, separately for each head.
class attention {
public:
    explicit attention(node_context& c) : c_(&c), query_(c.input(0)), keys_(c.input(1)), values_(c.input(2)) {}

    expr operator()() {
        node_context& c = *c_;
        const bool flat = c.rank(query_) == 3;
        if (flat) {
            query_ = split_heads(c, query_, c.integer("q_num_heads"));
            keys_ = split_heads(c, keys_, c.integer("kv_num_heads"));
            values_ = split_heads(c, values_, c.integer("kv_num_heads"));
        }
        if (c.rank(query_) != 4 || c.rank(keys_) != 4 || c.rank(values_) != 4)
            c.refuse("operands of rank " + std::to_string(c.rank(query_)), "3 or 4");
        if (c.has(4)) {
            past_ = c.size(c.input(4), 2);
            keys_ = relay::concatenate(c.tuple({c.input(4), keys_}), {.axis = 2});
            values_ = relay::concatenate(c.tuple({c.input(5), values_}), {.axis = 2});
        }
        c.output(1, keys_);
        c.output(2, values_);
        type_ = c.element(query_);
        queries_ = c.size(query_, 2);
        total_ = c.size(keys_, 2);
        const std::optional<expr> bias = this->bias();
        const std::int64_t heads = c.size(query_, 1);
        const expr keys = repeat_heads(c, keys_, heads), values = repeat_heads(c, values_, heads);
        const expr shares = softmax(scores(keys), bias);
        const expr y = matrix_product(c, shares, c.cast_to(values, type_));
        return flat ? join_heads(c, y) : y;
    }

private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    expr number(double value) { return c_->number(value, type_); }
    expr integer(std::int64_t value) { return int64_number(*c_, value); }

    // Returns -inf where a condition is false, else 0.
    expr allowed(expr condition) { return relay::where(condition, number(0), number(-infinity)); }

    void add(std::optional<expr>& sum, expr part) { sum = sum ? relay::add(*sum, part) : part; }

    // Returns the bias of the scores, or none if there is nothing to add. The bias broadcasts to (batch, heads,
    // queries, keys).
    std::optional<expr> bias() {
        node_context& c = *c_;
        std::optional<expr> sum;
        if (c.has(3)) {
            expr mask = c.input(3);
            if (c.element(mask) == dtype::boolean) mask = allowed(mask);
            const std::int64_t given = c.size(mask, c.rank(mask) - 1);
            if (given < total_) {
                vector<dims> widths(c.rank(mask), dims{0, 0});
                widths.back() = dims{0, total_ - given};
                mask = nn::pad(mask, c.number(-infinity, c.element(mask)), {.pad_width = widths});
            }
            add(sum, c.cast_to(mask, type_));
        }
        const std::int64_t left = c.integer("left_window_size", -1), right = c.integer("right_window_size", -1);
        const bool causal = c.flag("is_causal");
        if (causal || left >= 0 || right >= 0) {
            // the number of positions by which each query follows each key
            const expr rows = relay::reshape(c.counted(0, queries_), {.newshape = dims{-1, 1}});
            const expr apart = relay::subtract(relay::add(rows, offset()), c.counted(0, total_));
            if (causal) add(sum, allowed(relay::greater_equal(apart, integer(0))));
            if (left >= 0) add(sum, allowed(relay::less_equal(apart, integer(left))));
            if (right >= 0) add(sum, allowed(relay::greater_equal(apart, integer(-right))));
        }
        if (c.has(6)) {
            const expr valid = relay::reshape(c.cast_to(c.input(6), dtype::int64), {.newshape = dims{-1, 1, 1, 1}});
            add(sum, allowed(relay::less(c.counted(0, total_), valid)));
        }
        return sum;
    }

    // Returns the number of keys before the first query: one number, or one for each batch element.
    expr offset() {
        node_context& c = *c_;
        if (c.has(4) || !c.has(6)) return integer(past_);
        const expr valid = relay::reshape(c.cast_to(c.input(6), dtype::int64), {.newshape = dims{-1, 1, 1, 1}});
        return relay::subtract(valid, integer(queries_));
    }

    expr scores(expr keys) {
        node_context& c = *c_;
        const double scale =
            c.has_attribute("scale") ? c.real("scale", 1) : 1 / std::sqrt(static_cast<double>(c.size(query_, 3)));
        const expr root = number(std::sqrt(scale));
        const expr turned = relay::transpose(relay::multiply(keys, root), {.axes = dims{0, 1, 3, 2}});
        expr made = matrix_product(c, relay::multiply(query_, root), turned);
        if (mode() == 0) c.output(3, made);
        const double cap = c.real("softcap", 0);
        if (cap > 0) made = relay::multiply(relay::tanh(relay::divide(made, number(cap))), number(cap));
        if (mode() == 1) c.output(3, made);
        return made;
    }

    // Applies softmax to the scores plus the bias. If the bias excludes all keys of a row, the row becomes 0.
    expr softmax(expr made, const std::optional<expr>& bias) {
        node_context& c = *c_;
        if (bias) made = relay::add(made, *bias);
        if (mode() == 2) c.output(3, made);
        const std::int64_t precision = c.integer("softmax_precision", 0);
        const dtype wide = precision == 0 ? type_ : c.type_of_number(precision);
        expr shares = c.cast_to(nn::softmax(c.cast_to(made, wide), {.axis = -1}), type_);
        if (bias) {
            const expr greatest = relay::max(*bias, {.axis = dims{-1}, .keepdims = true});
            shares = relay::where(relay::equal(greatest, number(-infinity)), number(0), shares);
        }
        if (mode() == 3) c.output(3, shares);
        return shares;
    }

    std::int64_t mode() const { return c_->integer("qk_matmul_output_mode", 0); }

    node_context* c_;
    expr query_, keys_, values_;
    dtype type_ = dtype::float32;
    std::int64_t past_ = 0, queries_ = 0, total_ = 0;
};

inline expr import_attention(node_context& c) { return attention(c)(); }

// If the node has this attribute, imports its graph, which maps the scores, or their softmax, to a tensor of the same
// type. Otherwise returns `e`.
inline expr modified(node_context& c, std::string_view attribute, expr e) {
    if (!c.has_attribute(attribute)) return e;
    const expr_id input[]{e.id};
    const plain_vector<expr_id> made = c.services().import_subgraph(c.subgraph(attribute), input);
    if (made.size() != 1) c.refuse(std::string(attribute) + " with " + std::to_string(made.size()) + " outputs", "1");
    const type_table& types = c.graph().graph().types();
    const type_id given = c.graph().type(e.id), result = c.graph().type(made[0]);
    if (!agree(types, given, result))
        c.refuse(std::string(attribute) + " with a result of type " + to_text(types, result), to_text(types, given));
    return c.of(made[0]);
}

// Imports softmax(scale * Q K^T) V, separately for each head. Graphs in the node's attributes may modify the scores and
// their softmax.
inline expr import_flex_attention(node_context& c) {
    const expr query = c.input(0);
    const dtype type = c.element(query);
    for (std::size_t i = 0; i < 3; ++i) {
        if (c.rank(c.input(i)) != 4) c.refuse("an operand of rank " + std::to_string(c.rank(c.input(i))), "4");
        if (!kernel::is_floating(c.element(c.input(i))) || c.element(c.input(i)) != type)
            c.refuse("operands of type " + std::string(kernel::name(c.element(c.input(i)))), "one floating-point type");
    }
    const bool half = type == dtype::float16 || type == dtype::bfloat16;
    const std::int64_t precision = c.integer("softmax_precision", 0);
    const dtype wide = precision != 0 ? c.type_of_number(precision) : half ? dtype::float32 : type;
    if (!kernel::is_floating(wide)) c.refuse("softmax_precision " + std::to_string(precision), "a floating-point type");
    const double scale =
        c.has_attribute("scale") ? c.real("scale", 1) : 1 / std::sqrt(static_cast<double>(c.size(query, 3)));
    const std::int64_t heads = c.size(query, 1);
    const expr keys = relay::transpose(repeat_heads(c, c.input(1), heads), {.axes = dims{0, 1, 3, 2}});
    const expr scores = matrix_product(c, relay::multiply(query, c.number(scale, type)), keys);
    const expr shares = nn::softmax(modified(c, "score_mod", c.cast_to(scores, wide)), {.axis = -1});
    const expr values = c.cast_to(repeat_heads(c, c.input(2), heads), wide);
    return c.cast_to(matrix_product(c, modified(c, "prob_mod", shares), values), type);
}

// Rotates pairs of numbers in each head by angles that depend on the position. Source: Su et al., "RoFormer", section
// 3.2.
//
// `x` is (batch, heads, sequence, size). The first `part_size` of the `size` numbers are rotated. The caches, (batch,
// sequence, part_size / 2), hold one cosine and one sine for each position and pair. If `interleaved` is true,
// neighbours form a pair. Otherwise a number in the first half and the corresponding number in the second half form a
// pair.
inline expr rotated(node_context& c, expr x, expr cosine_cache, expr sine_cache, std::int64_t part_size,
                    bool interleaved) {
    if (c.rank(x) != 4) c.refuse("data of rank " + std::to_string(c.rank(x)), "3 or 4");
    const std::int64_t size = c.size(x, 3);
    if (part_size == 0) part_size = size;
    if (part_size < 2 || part_size % 2 != 0 || part_size > size)
        c.refuse("rotary_embedding_dim " + std::to_string(part_size),
                 "an even number of at most " + std::to_string(size));
    const auto part = [&](expr e, std::int64_t first, std::int64_t end, std::int64_t step) {
        return relay::strided_slice(e,
                                    {.begin = dims{first}, .end = dims{end}, .strides = dims{step}, .axes = dims{3}});
    };
    const expr a = interleaved ? part(x, 0, part_size, 2) : part(x, 0, part_size / 2, 1);
    const expr b = interleaved ? part(x, 1, part_size, 2) : part(x, part_size / 2, part_size, 1);
    const expr cosines = relay::expand_dims(cosine_cache, {.axis = 1}); // the same for all heads
    const expr sines = relay::expand_dims(sine_cache, {.axis = 1});
    const expr real = relay::subtract(relay::multiply(cosines, a), relay::multiply(sines, b));
    const expr imaginary = relay::add(relay::multiply(sines, a), relay::multiply(cosines, b));
    expr turned = relay::concatenate(c.tuple({real, imaginary}), {.axis = 3});
    if (interleaved)
        turned = relay::reshape(relay::stack(c.tuple({real, imaginary}), {.axis = 4}),
                                {.newshape = dims{0, 0, 0, part_size}});
    if (part_size != size) turned = relay::concatenate(c.tuple({turned, part(x, part_size, size, 1)}), {.axis = 3});
    return turned;
}
inline expr import_rotary_embedding(node_context& c) {
    const bool flat = c.rank(c.input(0)) == 3;
    const expr x = flat ? split_heads(c, c.input(0), c.integer("num_heads")) : c.input(0);
    const auto cache = [&](std::size_t i) {
        return c.has(3) ? relay::take(c.input(i), c.input(3), {.axis = dim(0)}) : c.input(i);
    };
    const expr turned = rotated(c, x, cache(1), cache(2), c.integer("rotary_embedding_dim", 0), c.flag("interleaved"));
    return flat ? join_heads(c, turned) : turned;
}

} // namespace detail

/// Rules for the attention of transformers.
inline constexpr import_rule attention_rules[]{
    {"Attention", detail::import_attention},
    {"FlexAttention", detail::import_flex_attention, "ai.onnx.preview"},
    {"RotaryEmbedding", detail::import_rotary_embedding},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
