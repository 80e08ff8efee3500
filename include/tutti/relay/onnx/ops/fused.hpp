#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/attention.hpp>
#include <tutti/relay/onnx/ops/convolution.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/ops/normalise.hpp>
#include <tutti/relay/onnx/ops/pool.hpp>
#include <tutti/relay/onnx/ops/product.hpp>
#include <tutti/relay/onnx/ops/quantized.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/gather.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

// Operators that ONNX Runtime's optimiser and quantiser write into saved models. Source: ContribOperators.md of ONNX
// Runtime.

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

// Products.

inline expr last_axes_swapped(node_context& c, expr x) {
    const std::int64_t rank = c.signed_rank(x);
    if (rank < 2) return x;
    dims axes;
    for (std::int64_t i = 0; i + 2 < rank; ++i) axes.push_back(i);
    axes.push_back(rank - 1);
    axes.push_back(rank - 2);
    return relay::transpose(x, {.axes = axes});
}

inline expr import_fused_mat_mul(node_context& c) {
    if (c.flag("transBatchA") || c.flag("transBatchB")) c.refuse("transBatchA or transBatchB is set", "0");
    const expr a = c.flag("transA") ? last_axes_swapped(c, c.input(0)) : c.input(0);
    const expr b = c.flag("transB") ? last_axes_swapped(c, c.input(1)) : c.input(1);
    const expr made = matrix_product(c, a, b);
    const double alpha = c.real("alpha", 1);
    return alpha == 1 ? made : relay::multiply(made, number_like(c, made, alpha));
}

inline expr import_fused_gemm(node_context& c) {
    plain_vector<float> parameters;
    for (const char* name : {"activation_alpha", "activation_beta"})
        if (c.has_attribute(name)) parameters.push_back(static_cast<float>(c.real(name, 0)));
    return activated(c, import_gemm(c), parameters);
}

// Products of quantised matrices.

// Multiplies an int32 product by the scales of both operands, and adds a bias, if any. `scale_b` may differ between
// columns.
inline expr scaled_product(node_context& c, expr product, expr scale_a, expr scale_b, std::size_t bias) {
    const expr wide = relay::cast(product, {.dtype = dtype::float32});
    const expr y = relay::multiply(wide, relay::multiply(scale_a, scale_b));
    return c.has(bias) ? relay::add(y, c.input(bias)) : y;
}

inline expr import_mat_mul_integer_to_float(node_context& c) {
    const expr made = quantized_product(c, c.input(0), c.input(1), zero_point_of(c, 4), zero_point_of(c, 5));
    return scaled_product(c, made, c.input(2), c.input(3), 6);
}

inline expr import_dynamic_quantize_mat_mul(node_context& c) {
    const by_own_range a = quantized_by_range(c, c.input(0));
    const expr made = quantized_product(c, a.quantized, c.input(1), a.zero_point, zero_point_of(c, 3));
    return scaled_product(c, made, a.scale, c.input(2), 4);
}

inline expr import_qgemm(node_context& c) {
    expr a = c.input(0), b = c.input(3);
    if (c.flag("transA")) a = swapped(a);
    if (c.flag("transB")) b = swapped(b);
    expr made = quantized_product(c, a, b, zero_point_of(c, 2), zero_point_of(c, 5));
    if (c.has(6)) made = relay::add(made, c.input(6));
    expr scale = relay::multiply(c.input(1), c.input(4));
    if (const double alpha = c.real("alpha", 1); alpha != 1)
        scale = relay::multiply(scale, number_like(c, scale, alpha));
    if (!c.has(7)) return relay::multiply(relay::cast(made, {.dtype = dtype::float32}), scale);
    return qnn::requantize(made, {scale, c.number(0, dtype::int32)}, scale_of(c, 7),
                           {.axis = 1, .out_dtype = quantized_type(c, 8)});
}

// Unpacks the 2-, 4- or 8-bit numbers in bytes along the last axis, low bits first. Returns the first `count` numbers.
inline expr unpacked_bits(node_context& c, expr bytes, std::int64_t bits, std::int64_t count) {
    const std::int64_t each = 8 / bits;
    const std::size_t last = c.rank(bytes) - 1;
    plain_vector<expr_id> parts;
    for (std::int64_t i = 0; i < each; ++i) {
        const expr moved =
            i == 0 ? bytes : relay::right_shift(bytes, c.number(static_cast<double>(i * bits), dtype::uint8));
        parts.push_back(relay::bitwise_and(moved, c.number(static_cast<double>((1 << bits) - 1), dtype::uint8)).id);
    }
    expr all = each == 1 ? bytes : relay::stack(c.tuple(parts), {.axis = static_cast<std::int64_t>(last) + 1});
    dims shape = c.shape(bytes);
    shape[last] = c.size(bytes, last) * each;
    if (each != 1) all = relay::reshape(all, {.newshape = shape});
    if (shape[last].value() < count)
        c.refuse(std::to_string(shape[last].value()) + " packed numbers", std::to_string(count));
    return relay::strided_slice(
        all, {.begin = dims{0}, .end = dims{count}, .strides = dims{1}, .axes = dims{static_cast<std::int64_t>(last)}});
}

// Imports MatMulNBits: a product with a matrix of N rows and K columns, whose rows are quantised in blocks.
inline expr import_mat_mul_n_bits(node_context& c) {
    const std::int64_t bits = c.integer("bits", 4), size = c.integer("block_size"), columns = c.integer("K"),
                       rows = c.integer("N");
    if (bits != 2 && bits != 4 && bits != 8) c.refuse(std::to_string(bits) + " bits", "2, 4 or 8");
    if (size < 1 || size > 1 << 24 || columns < 1 || columns > std::int64_t{1} << 31 || rows < 1 ||
        rows > std::int64_t{1} << 31)
        c.refuse("K, N or block_size out of range", "positive sizes, not above 2^31");
    if (c.has(4)) c.refuse("an order of groups (g_idx)", "none");
    const expr packed = c.input(1);
    if (c.element(packed) != dtype::uint8 || c.rank(packed) != 3)
        c.refuse("packed weights of the wrong type or rank", "uint8 of rank 3: rows, blocks and bytes");
    const std::int64_t blocks = (columns + size - 1) / size;
    if (c.size(packed, 0) != rows || c.size(packed, 1) != blocks || size * bits % 8 != 0 ||
        c.size(packed, 2) != size * bits / 8)
        c.refuse("packed weights of the wrong size",
                 std::to_string(rows) + " rows of " + std::to_string(blocks) + " blocks");
    const expr a = c.input(0);
    const dtype type = c.element(a);
    const dims per_block{rows, blocks, 1};
    expr quantized = c.cast_to(unpacked_bits(c, packed, bits, size), type);
    if (!c.has(3)) {
        quantized = relay::subtract(quantized, c.number(static_cast<double>(1 << (bits - 1)), type));
    } else {
        expr zero = c.input(3);
        if (c.element(zero) == dtype::uint8)
            zero = unpacked_bits(c, relay::reshape(zero, {.newshape = dims{rows, -1}}), bits, blocks);
        quantized = relay::subtract(quantized, relay::reshape(c.cast_to(zero, type), {.newshape = per_block}));
    }
    const expr scale = relay::reshape(c.cast_to(c.input(2), type), {.newshape = per_block});
    const expr weights =
        relay::strided_slice(relay::reshape(relay::multiply(quantized, scale), {.newshape = dims{rows, blocks * size}}),
                             {.begin = dims{0}, .end = dims{columns}, .strides = dims{1}, .axes = dims{1}});
    const expr y = matrix_product(c, a, swapped(weights));
    return c.has(5) ? relay::add(y, c.input(5)) : y;
}

// Functions.

inline expr import_fused_gelu(node_context& c) { return gelu(c, c.input(0), false); }
inline expr import_bias_gelu(node_context& c) { return gelu(c, relay::add(c.input(0), c.input(1)), false); }
inline expr import_fast_gelu(node_context& c) {
    return gelu(c, c.has(1) ? relay::add(c.input(0), c.input(1)) : c.input(0), true);
}
inline expr import_quick_gelu(node_context& c) { return swish(c, c.input(0), c.real("alpha", 1.702)); }

// Normalisations.

// Returns the sum of an input, a shortcut and an optional bias. The shortcut may lack the batch axis.
inline expr skip_sum(node_context& c, std::size_t bias) {
    const expr sum = relay::add(c.input(0), c.input(1));
    const expr x = c.has(bias) ? relay::add(sum, c.input(bias)) : sum;
    c.output(3, x);
    return x;
}

inline expr import_skip_layer_normalization(node_context& c) {
    const expr x = skip_sum(c, 4);
    return scaled_layer_normalized(c, x, dims{c.signed_rank(x) - 1}, c.real("epsilon", 1e-12), 2, 3);
}
inline expr import_skip_simplified_layer_normalization(node_context& c) {
    const expr x = skip_sum(c, 3);
    if (c.wants(1)) c.refuse("output 1 (the mean) is requested", "none, since it is not computed");
    return root_mean_square_normalized(c, x, dims{c.signed_rank(x) - 1}, c.real("epsilon", 1e-12), c.input(2), 2);
}

inline expr import_embed_layer_normalization(node_context& c) {
    const auto rows = [&](std::size_t table, expr places) {
        return relay::take(c.input(table), places, {.axis = dim(0)});
    };
    const expr words = c.input(0);
    const std::int64_t length = c.size(words, 1);
    const expr places = c.has(8) ? c.input(8) : relay::expand_dims(c.counted(0, length, dtype::int32), {.axis = 0});
    expr sum = relay::add(rows(2, words), rows(3, places));
    if (c.has(1) && c.has(4)) sum = relay::add(sum, rows(4, c.input(1)));
    const normalized n = layer_normalized(c, sum, dims{2}, c.real("epsilon", 1e-12));
    const expr counts = c.has(7) ? c.cast_to(c.input(7), dtype::int32)
                                 : relay::multiply(c.cast_to(words, dtype::int32), c.number(0, dtype::int32));
    c.output(1, relay::sum(counts, {.axis = dims{1}}));
    c.output(2, sum);
    return relay::add(relay::multiply(n.y, c.input(5)), c.input(6));
}

// Attention.

/// Computes softmax(cap(scale * Q K^T) + bias) V of tensors (batch, heads, sequence, size), and joins the heads. cap(x)
/// is c tanh(x / c) if the attribute `softcap` is a positive number c, otherwise x.
class fused_attention {
public:
    fused_attention(node_context& c, expr query, expr keys, expr values)
        : c_(&c), query_(query), keys_(keys), values_(values), type_(c.element(query)) {}

    /// Prepends past keys and values, if there are any. Returns all keys and values.
    std::pair<expr, expr> with_past(std::optional<std::pair<expr, expr>> past) {
        if (past) {
            before_ = c_->size(past->first, 2);
            keys_ = relay::concatenate(c_->tuple({past->first, keys_}), {.axis = 2});
            values_ = relay::concatenate(c_->tuple({past->second, values_}), {.axis = 2});
        }
        return {keys_, values_};
    }

    void add_bias(expr bias) { bias_ = bias_ ? relay::add(*bias_, bias) : c_->cast_to(bias, type_); }

    /// Adds `excluded` to the scores of keys for which `condition` is false.
    void add_allowed(expr condition, double excluded) {
        add_bias(relay::where(condition, c_->number(0, type_), c_->number(excluded, type_)));
    }

    /// Applies the mask in input `i`. A mask of rank 1 holds the number of valid keys for each batch element. A mask of
    /// shape (batch, keys) or (batch, queries, keys) holds 1 for each valid key.
    void add_mask(std::size_t i) {
        node_context& c = *c_;
        const expr given = c.input(i);
        const std::size_t rank = c.rank(given);
        if (rank == 2)
            return add_allowed(relay::reshape(c.cast_to(given, dtype::boolean), {.newshape = dims{0, 1, 1, -1}}),
                               excluded());
        if (rank == 3)
            return add_allowed(relay::expand_dims(c.cast_to(given, dtype::boolean), {.axis = 1}), excluded());
        const dims shape = c.shape(given), batch = c.shape(query_);
        if (rank != 1 || !(shape[0].is_any() || batch[0].is_any() || shape[0].value() == batch[0].value()))
            c.refuse("a mask of rank " + std::to_string(rank) + " with an unsupported shape",
                     "(batch, keys), (batch, queries, keys) or the number of keys for each batch");
        const expr valid = relay::reshape(c.cast_to(given, dtype::int64), {.newshape = dims{-1, 1, 1, 1}});
        add_allowed(relay::less(c.counted(0, total()), valid), excluded());
    }

    void add_causal() {
        node_context& c = *c_;
        const expr rows = relay::reshape(c.counted(before_, c.size(query_, 2)), {.newshape = dims{-1, 1}});
        add_allowed(relay::greater_equal(rows, c.counted(0, total())), excluded());
    }

    expr operator()() {
        node_context& c = *c_;
        const double given = c.real("scale", 0);
        const double scale = given != 0 ? given : 1 / std::sqrt(static_cast<double>(c.size(query_, 3)));
        expr scores = matrix_product(c, relay::multiply(query_, c.number(scale, type_)), last_axes_swapped(c, keys_));
        if (const double cap = c.real("softcap", 0); cap > 0)
            scores = relay::multiply(relay::tanh(relay::divide(scores, c.number(cap, type_))), c.number(cap, type_));
        const expr shares = nn::softmax(bias_ ? relay::add(scores, *bias_) : scores, {.axis = -1});
        return join_heads(c, matrix_product(c, shares, values_));
    }

private:
    std::int64_t total() { return c_->size(keys_, 2); }
    double excluded() { return c_->real("mask_filter_value", -10000); }

    node_context* c_;
    expr query_, keys_, values_;
    dtype type_;
    std::int64_t before_ = 0;
    std::optional<expr> bias_;
};

// Returns the elements `first` to `end` - 1 along the last axis.
inline expr columns(expr x, std::int64_t first, std::int64_t end) {
    return relay::strided_slice(x, {.begin = dims{first}, .end = dims{end}, .strides = dims{1}, .axes = dims{-1}});
}

// Imports attention in which one projection computes queries, keys and values.
inline expr import_projected_attention(node_context& c) {
    if (c.flag("do_rotary")) c.refuse("rotary embeddings", "do_rotary=0");
    const std::int64_t heads = c.integer("num_heads");
    expr all = matrix_product(c, c.input(0), c.input(1));
    if (c.has(2)) all = relay::add(all, c.input(2));
    const std::int64_t whole = c.size(all, 2);
    const dims sizes = c.integers("qkv_hidden_sizes", dims{whole / 3, whole / 3, whole - 2 * (whole / 3)});
    if (sizes.size() != 3 || sizes[0].value() + sizes[1].value() + sizes[2].value() != whole)
        c.refuse("qkv_hidden_sizes that do not add up to " + std::to_string(whole), "three sizes with that sum");
    const std::int64_t q = sizes[0].value(), k = q + sizes[1].value();
    fused_attention made(c, split_heads(c, columns(all, 0, q), heads), split_heads(c, columns(all, q, k), heads),
                         split_heads(c, columns(all, k, whole), heads));
    std::optional<std::pair<expr, expr>> past;
    if (c.has(4)) {
        const auto half = [&](std::int64_t i) {
            const expr part = relay::strided_slice(
                c.input(4), {.begin = dims{i}, .end = dims{i + 1}, .strides = dims{1}, .axes = dims{0}});
            return relay::squeeze(part, {.axis = dims{0}});
        };
        past.emplace(half(0), half(1));
    }
    const auto [keys, values] = made.with_past(past);
    if (c.wants(1)) c.output(1, relay::stack(c.tuple({keys, values}), {.axis = 0}));
    if (c.flag("unidirectional")) made.add_causal();
    if (c.has(3)) made.add_mask(3);
    if (c.has(5)) made.add_bias(c.input(5));
    return made();
}

// Imports attention whose inputs are queries, keys and values (batch, sequence, hidden). Keys and values may also come
// from an earlier step; their heads are then separate.
inline expr import_multi_head_attention(node_context& c) {
    const std::int64_t heads = c.integer("num_heads");
    if (!c.has(1) || !c.has(2) || c.rank(c.input(0)) != 3)
        c.refuse("queries packed with keys or values", "separate queries, keys and values");
    expr query = c.input(0), keys = c.input(1), values = c.input(2);
    if (c.has(3)) {
        const std::int64_t q = c.size(query, 2), all = c.size(c.input(3), 0),
                           v = c.rank(values) == 3 ? c.size(values, 2) : q;
        query = relay::add(query, columns(c.input(3), 0, q));
        if (c.rank(keys) == 3) keys = relay::add(keys, columns(c.input(3), q, all - v));
        if (c.rank(values) == 3) values = relay::add(values, columns(c.input(3), all - v, all));
    }
    const auto with_heads = [&](expr x) { return c.rank(x) == 3 ? split_heads(c, x, heads) : x; };
    fused_attention made(c, with_heads(query), with_heads(keys), with_heads(values));
    std::optional<std::pair<expr, expr>> past;
    if (c.has(6) && c.has(7)) past.emplace(c.input(6), c.input(7));
    const auto [all_keys, all_values] = made.with_past(past);
    c.output(1, all_keys);
    c.output(2, all_values);
    if (c.flag("unidirectional")) made.add_causal();
    if (c.has(4)) made.add_mask(4);
    if (c.has(5)) made.add_bias(c.input(5));
    return made();
}

// Imports com.microsoft's RotaryEmbedding. Unlike in ONNX's operator, an input holds a position for each element, or
// one first position for all batch elements.
inline expr import_positioned_rotary_embedding(node_context& c) {
    if (c.flag("is_packed_batching")) c.refuse("is_packed_batching is set", "0");
    const expr given = c.input(0);
    const bool flat = c.rank(given) == 3;
    const std::int64_t part = c.integer("rotary_embedding_dim", 0), numbers = 2 * c.size(c.input(2), 1);
    const std::int64_t heads = c.integer("num_heads", 0);
    if (numbers < 2) c.refuse("an empty cosine cache", "a column for each pair of elements");
    if (flat && part != 0 && heads < 1)
        c.refuse("num_heads " + std::to_string(heads) + " with rotary_embedding_dim", "1 or more");
    const expr x = flat ? split_heads(c, given, heads > 0 ? heads : c.size(given, 2) / numbers) : given;
    expr places = c.input(1);
    if (c.rank(places) < 2) {
        const expr first = c.cast_to(relay::reshape(places, {.newshape = dims{}}), dtype::int64);
        places = relay::expand_dims(relay::add(c.counted(0, c.size(x, 2)), first), {.axis = 0});
    }
    const auto cache = [&](std::size_t i) { return relay::take(c.input(i), places, {.axis = dim(0)}); };
    expr y = rotated(c, x, cache(2), cache(3), part, c.flag("interleaved"));
    if (const double scale = c.real("scale", 1); scale != 1) y = relay::multiply(y, number_like(c, y, scale));
    return flat ? join_heads(c, y) : y;
}

// Imports a step of a decoder, which appends keys and values to past ones. The number of past keys may differ between
// batch elements.
class decoder_step {
public:
    explicit decoder_step(node_context& c)
        : c_(&c), heads_(c.integer("num_heads")), groups_(c.integer("kv_num_heads")), query_(c.input(0)) {
        for (std::size_t i = 11; i < c.input_count(); ++i)
            if (c.has(i)) c.refuse("input " + std::to_string(i), "none after attention_bias");
        if (c.flag("smooth_softmax")) c.refuse("smooth_softmax is set", "0");
        if (c.has(9)) c.refuse("position_ids is given", "none, as positions follow from seqlens_k");
        read_operands();
        steps_ = c.size(query_, 2);
        const expr last = relay::reshape(c.cast_to(c.input(5), dtype::int64), {.newshape = dims{-1, 1}});
        before_ = relay::maximum(relay::subtract(last, int64_number(c, steps_ - 1)), int64_number(c, 0));
        places_ = relay::add(*before_, c.counted(0, steps_)); // (batch, sequence)
    }

    expr operator()() {
        node_context& c = *c_;
        if (c.flag("do_rotary")) {
            query_ = turned(query_);
            keys_ = turned(*keys_);
        }
        const expr keys = with_past(*keys_, 3), values = with_past(*values_, 4);
        c.output(1, keys);
        c.output(2, values);
        fused_attention made(c, query_, repeat_heads(c, keys, heads_), repeat_heads(c, values, heads_));
        if (c.has(10)) made.add_bias(c.input(10));
        made.add_allowed(allowed(c.size(keys, 2)), -std::numeric_limits<double>::infinity());
        return made();
    }

private:
    void read_operands() {
        node_context& c = *c_;
        const expr given = query_;
        if (!c.has(1)) {
            const std::int64_t size = heads_ > 0 && groups_ > 0 ? c.size(given, 2) / (heads_ + 2 * groups_) : 0;
            query_ = columns(given, 0, heads_ * size);
            keys_ = columns(given, heads_ * size, (heads_ + groups_) * size);
            values_ = columns(given, (heads_ + groups_) * size, (heads_ + 2 * groups_) * size);
        } else {
            keys_ = c.input(1);
            values_ = c.input(2);
        }
        query_ = split_heads(c, query_, heads_);
        keys_ = split_heads(c, *keys_, groups_);
        values_ = split_heads(c, *values_, groups_);
    }

    expr turned(expr x) {
        node_context& c = *c_;
        const auto cache = [&](std::size_t i) { return relay::take(c.input(i), *places_, {.axis = dim(0)}); };
        return rotated(c, x, cache(7), cache(8), 2 * c.size(c.input(7), 1), c.flag("rotary_interleaved"));
    }

    // Appends this step's keys or values to the valid part of the cache in input `i`. Fills the remainder with zeros.
    expr with_past(expr added, std::size_t i) {
        node_context& c = *c_;
        const std::int64_t past = c.has(i) ? c.size(c.input(i), 2) : 0;
        const std::optional<double> total = c.known_number_of(6);
        const std::int64_t length = total ? std::max(past, static_cast<std::int64_t>(*total)) : past + steps_;
        if (past == 0) {
            if (length != steps_)
                c.refuse("a total sequence length of " + std::to_string(length) + " without past keys",
                         std::to_string(steps_));
            return added;
        }
        const expr all = relay::concatenate(c.tuple({c.input(i), added}), {.axis = 2});
        const expr to = c.counted(0, length);
        const expr of_added = relay::add(relay::subtract(to, *before_), int64_number(c, past));
        const expr from = relay::where(relay::less(to, *before_), to, of_added); // (batch, length)
        const expr within = relay::clip(from, {.a_min = 0.0, .a_max = static_cast<double>(past + steps_ - 1)});
        const auto for_heads = [](expr of_places) {
            return relay::reshape(of_places, {.newshape = dims{0, 1, -1, 1}});
        };
        const dims shape{c.size(all, 0), groups_, length, c.size(all, 3)};
        const expr found = relay::gather(all, relay::broadcast_to(for_heads(within), {.shape = shape}), {.axis = 2});
        const expr valid = relay::less(to, relay::add(*before_, int64_number(c, steps_)));
        return relay::where(for_heads(valid), found, number_like(c, found, 0));
    }

    // Returns the mask of the keys that each query may use: keys up to the query's position, in its window.
    expr allowed(std::int64_t length) {
        node_context& c = *c_;
        const expr places = relay::reshape(*places_, {.newshape = dims{0, 1, -1, 1}});
        const expr keys = c.counted(0, length);
        const expr seen = relay::less_equal(keys, places);
        const std::int64_t window = c.integer("local_window_size", -1);
        if (window < 0) return seen;
        return relay::logical_and(seen, relay::greater(keys, relay::subtract(places, int64_number(c, window))));
    }

    node_context* c_;
    std::int64_t heads_, groups_, steps_ = 0;
    expr query_;
    std::optional<expr> keys_, values_;
    std::optional<expr> before_; // the number of earlier keys, of shape (batch, 1)
    std::optional<expr> places_; // the positions of the queries
};

inline expr import_group_query_attention(node_context& c) { return decoder_step(c)(); }

// Imports a max pool of data whose channels are on the last axis.
inline expr import_nhwc_max_pool(node_context& c) {
    const std::int64_t rank = c.signed_rank(c.input(0));
    if (rank < 3) c.refuse("data of rank " + std::to_string(rank), "3 or more");
    dims first{0, rank - 1}, last{0};
    for (std::int64_t i = 1; i + 1 < rank; ++i) {
        first.push_back(i);
        last.push_back(i + 1);
    }
    last.push_back(1);
    return relay::transpose(max_pool(c, relay::transpose(c.input(0), {.axes = first})), {.axes = last});
}

} // namespace detail

/// Rules for operators into which ONNX Runtime fuses several others.
inline constexpr import_rule fused_rules[]{
    {"Attention", detail::import_projected_attention, "com.microsoft"},
    {"BiasGelu", detail::import_bias_gelu, "com.microsoft"},
    {"DynamicQuantizeMatMul", detail::import_dynamic_quantize_mat_mul, "com.microsoft"},
    {"EmbedLayerNormalization", detail::import_embed_layer_normalization, "com.microsoft"},
    {"FastGelu", detail::import_fast_gelu, "com.microsoft"},
    {"FusedGemm", detail::import_fused_gemm, "com.microsoft"},
    {"FusedMatMul", detail::import_fused_mat_mul, "com.microsoft"},
    {"Gelu", detail::import_fused_gelu, "com.microsoft"},
    {"GroupQueryAttention", detail::import_group_query_attention, "com.microsoft"},
    {"MatMulIntegerToFloat", detail::import_mat_mul_integer_to_float, "com.microsoft"},
    {"MatMulNBits", detail::import_mat_mul_n_bits, "com.microsoft"},
    {"MultiHeadAttention", detail::import_multi_head_attention, "com.microsoft"},
    {"NhwcMaxPool", detail::import_nhwc_max_pool, "com.microsoft"},
    {"QGemm", detail::import_qgemm, "com.microsoft"},
    {"QuickGelu", detail::import_quick_gelu, "com.microsoft"},
    {"RotaryEmbedding", detail::import_positioned_rotary_embedding, "com.microsoft"},
    {"SimplifiedLayerNormalization", detail::import_rms_normalization},
    {"SkipLayerNormalization", detail::import_skip_layer_normalization, "com.microsoft"},
    {"SkipSimplifiedLayerNormalization", detail::import_skip_simplified_layer_normalization, "com.microsoft"},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
