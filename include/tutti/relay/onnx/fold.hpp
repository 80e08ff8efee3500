#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/onnx/known_values.hpp>
#include <tutti/relay/onnx/node_context.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

using kernel::is_floating;

/// Computes a node's first output from the known values of its inputs; false for unsupported cases.
using fold_function = bool (*)(node_context&, const vector<known_values>&, known_values&);

// Limit on the elements of all inputs of a node, and on the number of inputs.
inline constexpr std::size_t most_known_inputs = 4 * known_values::most;

struct fold_rule {
    std::string_view op_type;
    fold_function compute;
};

inline known_number of_integer(std::int64_t n) { return {n, 0, true}; }
inline known_number unknown_number() { return {0, 0, false}; }

// Returns the shape that two broadcast to; false if they do not.
inline bool broadcast(const plain_vector<std::int64_t>& a, const plain_vector<std::int64_t>& b,
                      plain_vector<std::int64_t>& out) {
    const std::size_t rank = a.size() > b.size() ? a.size() : b.size();
    out.assign(rank, 1);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t x = i + a.size() < rank ? 1 : a[i + a.size() - rank];
        const std::int64_t y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
        if (x != y && x != 1 && y != 1) return false;
        out[i] = x == 1 ? y : x;
    }
    return true;
}

inline std::size_t count_of(const plain_vector<std::int64_t>& shape) {
    return static_cast<std::size_t>(kernel::element_count(shape.all()));
}

// Returns the position, in a tensor that broadcasts from `shape` to `out`, of the element at `place` of the result.
inline std::size_t place_in(const plain_vector<std::int64_t>& shape, const plain_vector<std::int64_t>& out,
                            std::size_t place) {
    std::size_t at = 0, stride = 1;
    for (std::size_t i = out.size(); i-- > 0;) {
        const auto size = static_cast<std::size_t>(out[i]);
        const std::size_t here = place % size;
        place /= size;
        if (i + shape.size() < out.size()) continue;
        const auto own = static_cast<std::size_t>(shape[i + shape.size() - out.size()]);
        if (own != 1) at += here * stride;
        stride *= own;
    }
    return at;
}

inline double rounded(double value, dtype type) {
    if (type == dtype::float32) return static_cast<double>(static_cast<float>(value));
    if (type == dtype::float16)
        return static_cast<double>(static_cast<float>(kernel::float16(static_cast<float>(value))));
    if (type == dtype::bfloat16)
        return static_cast<double>(static_cast<float>(kernel::bfloat16(static_cast<float>(value))));
    return value;
}

// Two's complement arithmetic as in the kernels; wraps at the limits of the element type.
inline std::int64_t wrapped(std::uint64_t bits, dtype type) {
    switch (type) {
    case dtype::boolean:
        return bits != 0;
    case dtype::int8:
        return static_cast<std::int8_t>(bits);
    case dtype::int16:
        return static_cast<std::int16_t>(bits);
    case dtype::int32:
        return static_cast<std::int32_t>(bits);
    case dtype::uint8:
        return static_cast<std::uint8_t>(bits);
    case dtype::uint16:
        return static_cast<std::uint16_t>(bits);
    case dtype::uint32:
        return static_cast<std::uint32_t>(bits);
    default:
        return static_cast<std::int64_t>(bits);
    }
}

// An operation on two numbers of one type; false if it has no result.
using binary_function = bool (*)(known_number, known_number, dtype, known_number&);

template <binary_function Compute, bool Compares = false>
bool fold_binary(node_context&, const vector<known_values>& in, known_values& out) {
    if (in.size() != 2 || in[0].type != in[1].type || in[0].type == dtype::uint64 ||
        !broadcast(in[0].shape, in[1].shape, out.shape) || count_of(out.shape) > known_values::most)
        return false;
    out.type = Compares ? dtype::boolean : in[0].type;
    out.numbers.resize(count_of(out.shape));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const known_number a = in[0].numbers[place_in(in[0].shape, out.shape, i)];
        const known_number b = in[1].numbers[place_in(in[1].shape, out.shape, i)];
        known_number& to = out.numbers[i];
        to.known = a.known && b.known;
        if (!to.known) continue;
        if (!Compute(a, b, in[0].type, to)) return false;
        if (!Compares && is_floating(out.type)) to.real = rounded(to.real, out.type);
        if (!is_floating(out.type)) to.integer = wrapped(static_cast<std::uint64_t>(to.integer), out.type);
    }
    return true;
}

inline std::uint64_t bits(known_number n) { return static_cast<std::uint64_t>(n.integer); }

inline bool add_numbers(known_number a, known_number b, dtype, known_number& r) {
    r.real = a.real + b.real;
    r.integer = static_cast<std::int64_t>(bits(a) + bits(b));
    return true;
}
inline bool subtract_numbers(known_number a, known_number b, dtype, known_number& r) {
    r.real = a.real - b.real;
    r.integer = static_cast<std::int64_t>(bits(a) - bits(b));
    return true;
}
inline bool multiply_numbers(known_number a, known_number b, dtype, known_number& r) {
    r.real = a.real * b.real;
    r.integer = static_cast<std::int64_t>(bits(a) * bits(b));
    return true;
}
inline bool divide_numbers(known_number a, known_number b, dtype type, known_number& r) {
    if (is_floating(type)) {
        r.real = a.real / b.real;
        return true;
    }
    if (b.integer == 0 || b.integer == -1) return false;
    r.integer = a.integer / b.integer;
    return true;
}
enum class order { equal, less, greater, less_equal, greater_equal };
template <order Order>
bool compare(known_number a, known_number b, dtype type, known_number& r) {
    const bool real = is_floating(type);
    const bool equal = real ? a.real == b.real : a.integer == b.integer;
    const bool less = real ? a.real < b.real : a.integer < b.integer;
    const bool greater = real ? a.real > b.real : a.integer > b.integer;
    r.integer = Order == order::equal        ? equal
                : Order == order::less       ? less
                : Order == order::greater    ? greater
                : Order == order::less_equal ? less || equal
                                             : greater || equal;
    return true;
}
inline bool and_numbers(known_number a, known_number b, dtype, known_number& r) {
    r.integer = a.integer != 0 && b.integer != 0;
    return true;
}
inline bool or_numbers(known_number a, known_number b, dtype, known_number& r) {
    r.integer = a.integer != 0 || b.integer != 0;
    return true;
}

inline bool fold_cast(node_context& c, const vector<known_values>& in, known_values& out) {
    const dtype type = dtype_of_element(c.integer("to", 0));
    if (in.size() != 1 || type == dtype::none || type == dtype::uint64 || in[0].type == dtype::uint64) return false;
    out = in[0];
    out.type = type;
    for (known_number& n : out.numbers) {
        if (!n.known) continue;
        const bool from_real = is_floating(in[0].type);
        if (is_floating(type)) {
            n.real = rounded(from_real ? n.real : static_cast<double>(n.integer), type);
        } else {
            if (from_real && !(n.real > -1e9 && n.real < 1e9)) return false;
            if (type == dtype::boolean)
                n.integer = from_real ? n.real != 0 : n.integer != 0;
            else
                n.integer = wrapped(
                    static_cast<std::uint64_t>(from_real ? static_cast<std::int64_t>(n.real) : n.integer), type);
        }
    }
    return true;
}

template <double (*Compute)(double), std::uint64_t (*OfInteger)(std::uint64_t)>
bool fold_unary(node_context&, const vector<known_values>& in, known_values& out) {
    if (in.size() != 1 || in[0].type == dtype::uint64) return false;
    out = in[0];
    for (known_number& n : out.numbers) {
        n.real = rounded(Compute(n.real), out.type);
        n.integer = wrapped(OfInteger(bits(n)), out.type);
    }
    return true;
}
inline std::uint64_t same_bits(std::uint64_t n) { return n; }
inline std::uint64_t negated(std::uint64_t n) { return 0 - n; }
inline std::uint64_t inverted(std::uint64_t n) { return n == 0; }
inline double floor_of(double x) { return std::floor(x); }
inline double ceil_of(double x) { return std::ceil(x); }
inline double negative_of(double x) { return -x; }
inline double itself(double x) { return x; }

inline bool fold_concat(node_context& c, const vector<known_values>& in, known_values& out) {
    if (in.empty() || c.axis_of(c.integer("axis", 0), in[0].shape.size()) != 0) return false;
    out.type = in[0].type;
    std::int64_t all = 0;
    for (const known_values& k : in) {
        if (k.type != out.type || k.shape.size() != in[0].shape.size() || k.size() + out.size() > known_values::most)
            return false;
        for (std::size_t i = 1; i < k.shape.size(); ++i)
            if (k.shape[i] != in[0].shape[i]) return false;
        all += k.shape[0];
        out.numbers.append(k.numbers.all());
    }
    out.shape = in[0].shape;
    out.shape[0] = all;
    return true;
}

inline bool fold_gather(node_context& c, const vector<known_values>& in, known_values& out) {
    if (in.size() != 2 || in[0].shape.empty() || c.axis_of(c.integer("axis", 0), in[0].shape.size()) != 0 ||
        !in[1].complete())
        return false;
    const std::int64_t rows = in[0].shape[0];
    const std::size_t row = rows == 0 ? 0 : in[0].size() / static_cast<std::size_t>(rows);
    out.type = in[0].type;
    if (row * in[1].size() > static_cast<std::size_t>(known_values::most)) return false;
    for (const known_number& n : in[1].numbers) {
        const std::int64_t at = n.integer < 0 ? n.integer + rows : n.integer;
        if (at < 0 || at >= rows)
            c.refuse("index " + std::to_string(n.integer) + " of an axis of size " + std::to_string(rows),
                     "an index within it");
        out.numbers.append(in[0].numbers.part(static_cast<std::size_t>(at) * row, row));
    }
    out.shape = in[1].shape;
    for (std::size_t i = 1; i < in[0].shape.size(); ++i) out.shape.push_back(in[0].shape[i]);
    return true;
}

// Only for rank 1, as shapes have.
inline bool fold_slice(node_context& c, const vector<known_values>& in, known_values& out) {
    if (in.empty() || in[0].shape.size() != 1) return false;
    const auto size = static_cast<std::int64_t>(in[0].size());
    std::int64_t begin = 0, end = 0, step = 1;
    if (c.opset() < 10) {
        const auto begins = c.integers("starts"), ends = c.integers("ends");
        if (!begins || !ends || begins->size() != 1 || ends->size() != 1) return false;
        begin = (*begins)[0].value();
        end = (*ends)[0].value();
    } else {
        if (in.size() < 3) return false;
        for (std::size_t i = 1; i < in.size(); ++i)
            if (in[i].size() != 1 || !in[i].complete()) return false;
        begin = known_values::clamped(in[1].numbers[0].integer);
        end = known_values::clamped(in[2].numbers[0].integer);
        if (in.size() == 5) step = in[4].numbers[0].integer;
        if (c.input_count() == 5 && in.size() != 5) return false; // steps without axes
    }
    if (step != 1 && step != -1) return false;
    const std::int64_t least = step > 0 ? 0 : -1, most = step > 0 ? size : size - 1;
    const auto within = [&](std::int64_t at) {
        if (at < 0) at += size;
        return at < least ? least : at > most ? most : at;
    };
    out.type = in[0].type;
    const std::int64_t last = within(end);
    for (std::int64_t at = within(begin); step > 0 ? at < last : at > last; at += step)
        out.numbers.push_back(in[0].numbers[static_cast<std::size_t>(at)]);
    out.shape.push_back(static_cast<std::int64_t>(out.size()));
    return true;
}

inline bool fold_unsqueeze(node_context& c, const vector<known_values>& in, known_values& out) {
    if (in.empty() || !in[0].shape.empty()) return false;
    const std::size_t axes = c.opset() < 13 ? c.integers("axes", dims{}).size() : in.size() == 2 ? in[1].size() : 0;
    out = in[0];
    out.shape.assign(axes, 1);
    return true;
}

inline bool fold_squeeze(node_context&, const vector<known_values>& in, known_values& out) {
    if (in.empty() || in[0].size() != 1) return false;
    if (in[0].shape.size() != 1) return false;
    out = in[0];
    out.shape.clear();
    return true;
}

inline bool fold_reshape(node_context& c, const vector<known_values>& in, known_values& out) {
    if (in.size() != 2 || !in[1].complete() || in[1].size() > 1 || c.flag("allowzero")) return false;
    if (in[1].size() == 1 && in[1].numbers[0].integer != -1 &&
        in[1].numbers[0].integer != static_cast<std::int64_t>(in[0].size()))
        return false;
    if (in[1].size() == 0 && in[0].size() != 1) return false;
    out = in[0];
    out.shape.clear();
    if (in[1].size() == 1) out.shape.push_back(static_cast<std::int64_t>(in[0].size()));
    return true;
}

inline bool fold_where(node_context&, const vector<known_values>& in, known_values& out) {
    plain_vector<std::int64_t> values;
    if (in.size() != 3 || in[1].type != in[2].type || !broadcast(in[1].shape, in[2].shape, values) ||
        !broadcast(in[0].shape, values, out.shape) || count_of(out.shape) > known_values::most)
        return false;
    out.type = in[1].type;
    out.numbers.resize(count_of(out.shape));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const known_number& which = in[0].numbers[place_in(in[0].shape, out.shape, i)];
        const known_values& from = which.integer != 0 ? in[1] : in[2];
        out.numbers[i] = which.known ? from.numbers[place_in(from.shape, out.shape, i)] : unknown_number();
    }
    return true;
}

inline bool fold_range(node_context&, const vector<known_values>& in, known_values& out) {
    if (in.size() != 3 || is_floating(in[0].type)) return false;
    for (const known_values& k : in)
        if (k.size() != 1 || !k.complete() || k.type != in[0].type) return false;
    const std::int64_t begin = known_values::clamped(in[0].numbers[0].integer);
    const std::int64_t end = known_values::clamped(in[1].numbers[0].integer);
    const std::int64_t step = in[2].numbers[0].integer;
    if (step == 0 || step > known_values::most || step < -known_values::most) return false;
    if ((end - begin) / step > known_values::most) return false;
    out.type = in[0].type;
    for (std::int64_t n = begin; step > 0 ? n < end : n > end; n += step) out.numbers.push_back(of_integer(n));
    out.shape.push_back(static_cast<std::int64_t>(out.size()));
    return true;
}

inline bool fold_constant_of_shape(node_context& c, const vector<known_values>& in, known_values& out) {
    if (in.size() != 1 || !in[0].complete() || in[0].shape.size() != 1) return false;
    for (const known_number& n : in[0].numbers) out.shape.push_back(n.integer);
    const std::int64_t count = kernel::checked_element_count(out.shape.all());
    if (count < 0 || count > 64)
        return false; // larger results are not shapes, and are better computed by an operator than stored as constants
    const std::optional<tensor> value = c.tensor_attribute("value");
    out.type = value ? value->type() : dtype::float32;
    if (is_floating(out.type) || (value && value->size() != 1)) return false;
    const known_number filling = value ? known_values_of(*value).numbers[0] : known_number{};
    out.numbers.resize(static_cast<std::size_t>(count), filling);
    return true;
}

inline bool fold_expand(node_context&, const vector<known_values>& in, known_values& out) {
    if (in.size() != 2 || !in[1].complete() || in[1].shape.size() != 1) return false;
    plain_vector<std::int64_t> wanted;
    for (const known_number& n : in[1].numbers) wanted.push_back(n.integer);
    if (kernel::checked_element_count(wanted.all()) < 0 || !broadcast(in[0].shape, wanted, out.shape)) return false;
    const std::int64_t count = kernel::checked_element_count(out.shape.all());
    if (count < 0 || count > known_values::most) return false;
    out.type = in[0].type;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        out.numbers.push_back(in[0].numbers[place_in(in[0].shape, out.shape, i)]);
    return true;
}

// Folds a reduction over all elements of a vector.
template <binary_function Compute>
bool fold_reduce(node_context& c, const vector<known_values>& in, known_values& out) {
    if (in.empty() || in[0].shape.size() != 1 || in[0].size() == 0 || is_floating(in[0].type) ||
        in[0].type == dtype::uint64 || c.flag("noop_with_empty_axes"))
        return false;
    out.type = in[0].type;
    known_number all = in[0].numbers[0];
    for (std::size_t i = 1; i < in[0].size(); ++i) {
        const known_number n = in[0].numbers[i];
        const bool known = all.known && n.known;
        if (known && !Compute(all, n, out.type, all)) return false;
        all.known = known;
    }
    all.integer = wrapped(bits(all), out.type);
    out.numbers.push_back(all);
    if (c.flag("keepdims", true)) out.shape.push_back(1);
    return true;
}
inline bool greater_number(known_number a, known_number b, dtype, known_number& r) {
    r.integer = a.integer > b.integer ? a.integer : b.integer;
    r.real = a.real > b.real ? a.real : b.real;
    return true;
}
inline bool lesser_number(known_number a, known_number b, dtype, known_number& r) {
    r.integer = a.integer < b.integer ? a.integer : b.integer;
    r.real = a.real < b.real ? a.real : b.real;
    return true;
}

inline constexpr fold_rule fold_rules[]{
    {"Add", fold_binary<add_numbers>},
    {"And", fold_binary<and_numbers, true>},
    {"Cast", fold_cast},
    {"Ceil", fold_unary<ceil_of, same_bits>},
    {"Concat", fold_concat},
    {"ConstantOfShape", fold_constant_of_shape},
    {"Div", fold_binary<divide_numbers>},
    {"Equal", fold_binary<compare<order::equal>, true>},
    {"Expand", fold_expand},
    {"Floor", fold_unary<floor_of, same_bits>},
    {"Gather", fold_gather},
    {"Greater", fold_binary<compare<order::greater>, true>},
    {"GreaterOrEqual", fold_binary<compare<order::greater_equal>, true>},
    {"Less", fold_binary<compare<order::less>, true>},
    {"LessOrEqual", fold_binary<compare<order::less_equal>, true>},
    {"Max", fold_binary<greater_number>},
    {"Min", fold_binary<lesser_number>},
    {"Mul", fold_binary<multiply_numbers>},
    {"Neg", fold_unary<negative_of, negated>},
    {"Not", fold_unary<itself, inverted>},
    {"Or", fold_binary<or_numbers, true>},
    {"Range", fold_range},
    {"ReduceMax", fold_reduce<greater_number>},
    {"ReduceMin", fold_reduce<lesser_number>},
    {"ReduceProd", fold_reduce<multiply_numbers>},
    {"ReduceSum", fold_reduce<add_numbers>},
    {"Reshape", fold_reshape},
    {"Slice", fold_slice},
    {"Squeeze", fold_squeeze},
    {"Sub", fold_binary<subtract_numbers>},
    {"Unsqueeze", fold_unsqueeze},
    {"Where", fold_where},
};

} // namespace detail

/// Computes a node's first output before its rule runs, if its inputs are sufficiently known.
///
/// This turns shape arithmetic into constants, even if some sizes are unknown.
/// Cost: bounded by `known_values::most` per node.
inline std::optional<known_values> fold(node_context& c) {
    if (!c.node().domain().empty()) return std::nullopt;
    const std::string_view op_type = c.node().op_type();
    for (const detail::fold_rule& rule : detail::fold_rules) {
        if (rule.op_type != op_type) continue;
        vector<known_values> in;
        std::size_t all = 0;
        for (std::size_t i = 0; i < c.input_count(); ++i) {
            if (!c.has(i)) break; // omitted inputs may end the list
            std::optional<known_values> k = c.known(c.input(i));
            if (!k) return std::nullopt;
            all += 1 + k->size();
            if (all > detail::most_known_inputs) return std::nullopt;
            in.push_back(std::move(*k));
        }
        known_values out;
        if (!rule.compute(c, in, out)) return std::nullopt;
        return out;
    }
    return std::nullopt;
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
