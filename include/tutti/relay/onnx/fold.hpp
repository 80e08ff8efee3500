#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/convert.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/relay/onnx/known_values.hpp>
#include <tutti/relay/onnx/node_context.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

using kernel::is_floating;

/// An operation on two elements of a type. A unary operation gets its element as both arguments.
using element_function = known_number (*)(dtype, const known_number&, const known_number&);

struct fold_rule;

/// Computes a node's first output from the known values of its inputs. False if the case is not supported.
using fold_function = bool (*)(const fold_rule&, node_context&, const vector<known_values>&, known_values&);

// Limit on the total elements of a node's inputs plus the number of inputs.
inline constexpr std::size_t most_known_inputs = 4 * known_values::most;

struct fold_rule {
    std::string_view op_type;
    fold_function compute;
    element_function operation = nullptr;
    bool compares = false; ///< true if the operation returns a bool
};

inline known_number of_integer(std::int64_t n) { return {n, 0, true}; }
inline known_number unknown_number() { return {0, 0, false}; }

// Stores in `out` the shape that `a` and `b` broadcast to. False if they do not broadcast.
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

// Returns the index in a tensor of shape `shape` that corresponds to index `place` in the shape `out`, to which the
// tensor broadcasts.
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

// Calls `f` with the type in which operations on elements of `type` are computed: double for float64, float for smaller
// floats, and 64-bit integers for integers.
template <class F>
known_number with_computing_type(dtype type, const F& f) {
    if (type == dtype::float64) return f(std::type_identity<double>{});
    if (is_floating(type)) return f(std::type_identity<float>{});
    if (type == dtype::uint64) return f(std::type_identity<std::uint64_t>{});
    return f(std::type_identity<std::int64_t>{});
}

template <class C>
C element_of(const known_number& n) {
    return static_cast<C>(std::is_floating_point_v<C> ? static_cast<C>(n.real) : static_cast<C>(n.integer));
}

// Converts a computed number to an element of `type`. As in the kernels, it is rounded, or reduced modulo the type's
// range.
template <class C>
known_number stored(dtype type, C computed) {
    return kernel::with_element_type(type, [&]<class T>(std::type_identity<T>) -> known_number {
        const T value = kernel::convert<T>(computed);
        if constexpr (std::is_integral_v<T>)
            return {static_cast<std::int64_t>(value), 0};
        else
            return {0, static_cast<double>(kernel::widen(value))};
    });
}

// Applies an elementwise operation `Op` of the kernels (`kernel::element`).
template <class Op>
known_number by_element(dtype type, const known_number& a, const known_number& b) {
    return with_computing_type(type, [&]<class C>(std::type_identity<C>) -> known_number {
        const auto computed = [&] {
            if constexpr (requires { Op{}(C{}, C{}); })
                return Op{}(element_of<C>(a), element_of<C>(b));
            else
                return Op{}(element_of<C>(a));
        }();
        return stored(std::is_same_v<decltype(computed), const bool> ? dtype::boolean : type, computed);
    });
}

// Applies an operation `Op` of the kernels to bools.
template <class Op>
known_number by_truth(dtype, const known_number& a, const known_number& b) {
    if constexpr (requires { Op{}(true, true); })
        return {Op{}(a.integer != 0, b.integer != 0), 0};
    else
        return {Op{}(a.integer != 0), 0};
}

inline bool fold_binary(const fold_rule& rule, node_context&, const vector<known_values>& in, known_values& out) {
    if (in.size() != 2 || in[0].type != in[1].type || !broadcast(in[0].shape, in[1].shape, out.shape) ||
        count_of(out.shape) > known_values::most)
        return false;
    out.type = rule.compares ? dtype::boolean : in[0].type;
    out.numbers.resize(count_of(out.shape));
    for (std::size_t i = 0; i < out.size(); ++i) {
        const known_number& a = in[0].numbers[place_in(in[0].shape, out.shape, i)];
        const known_number& b = in[1].numbers[place_in(in[1].shape, out.shape, i)];
        out.numbers[i] = a.known && b.known ? rule.operation(in[0].type, a, b) : unknown_number();
    }
    return true;
}

// Does not fold integer division by zero, which ONNX leaves undefined.
inline bool fold_division(const fold_rule& rule, node_context& c, const vector<known_values>& in, known_values& out) {
    if (in.size() != 2) return false;
    for (const known_number& n : in[1].numbers)
        if (n.known && n.integer == 0 && !is_floating(in[1].type)) return false;
    return fold_binary(rule, c, in, out);
}

inline bool fold_unary(const fold_rule& rule, node_context&, const vector<known_values>& in, known_values& out) {
    if (in.size() != 1) return false;
    out = in[0];
    for (known_number& n : out.numbers)
        if (n.known) n = rule.operation(out.type, n, n);
    return true;
}

inline bool fold_cast(const fold_rule&, node_context& c, const vector<known_values>& in, known_values& out) {
    const dtype type = dtype_of_element(c.integer("to", 0));
    if (in.size() != 1 || type == dtype::none || kernel::is_narrow(type)) return false;
    out = in[0];
    out.type = type;
    for (known_number& n : out.numbers)
        if (n.known)
            n = with_computing_type(in[0].type,
                                    [&]<class C>(std::type_identity<C>) { return stored(type, element_of<C>(n)); });
    return true;
}

inline bool fold_concat(const fold_rule&, node_context& c, const vector<known_values>& in, known_values& out) {
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

inline bool fold_gather(const fold_rule&, node_context& c, const vector<known_values>& in, known_values& out) {
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

// Folds only slices of vectors, because shapes are vectors.
inline bool fold_slice(const fold_rule&, node_context& c, const vector<known_values>& in, known_values& out) {
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
        if (c.input_count() == 5 && in.size() != 5) return false; // axes or steps are not known
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

inline bool fold_unsqueeze(const fold_rule&, node_context& c, const vector<known_values>& in, known_values& out) {
    if (in.empty() || !in[0].shape.empty()) return false;
    const std::size_t axes = c.opset() < 13 ? c.integers("axes", dims{}).size() : in.size() == 2 ? in[1].size() : 0;
    out = in[0];
    out.shape.assign(axes, 1);
    return true;
}

inline bool fold_squeeze(const fold_rule&, node_context&, const vector<known_values>& in, known_values& out) {
    if (in.empty() || in[0].size() != 1) return false;
    if (in[0].shape.size() != 1) return false;
    out = in[0];
    out.shape.clear();
    return true;
}

inline bool fold_reshape(const fold_rule&, node_context& c, const vector<known_values>& in, known_values& out) {
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

inline bool fold_where(const fold_rule&, node_context&, const vector<known_values>& in, known_values& out) {
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

inline bool fold_range(const fold_rule&, node_context&, const vector<known_values>& in, known_values& out) {
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

inline bool fold_constant_of_shape(const fold_rule&, node_context& c, const vector<known_values>& in,
                                   known_values& out) {
    if (in.size() != 1 || !in[0].complete() || in[0].shape.size() != 1) return false;
    for (const known_number& n : in[0].numbers) out.shape.push_back(n.integer);
    const std::int64_t count = kernel::checked_element_count(out.shape.all());
    if (count < 0 || count > 64)
        return false; // larger results are not shapes, and computing them is better than storing them as constants
    const std::optional<tensor> value = c.tensor_attribute("value");
    out.type = value ? value->type() : dtype::float32;
    if (is_floating(out.type) || (value && value->size() != 1)) return false;
    const known_number filling = value ? known_values_of(*value).numbers[0] : known_number{};
    out.numbers.resize(static_cast<std::size_t>(count), filling);
    return true;
}

inline bool fold_expand(const fold_rule&, node_context&, const vector<known_values>& in, known_values& out) {
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
inline bool fold_reduce(const fold_rule& rule, node_context& c, const vector<known_values>& in, known_values& out) {
    if (in.empty() || in[0].shape.size() != 1 || in[0].size() == 0 || is_floating(in[0].type) ||
        c.flag("noop_with_empty_axes"))
        return false;
    out.type = in[0].type;
    known_number all = in[0].numbers[0];
    for (std::size_t i = 1; i < in[0].size(); ++i) {
        const known_number& n = in[0].numbers[i];
        all = all.known && n.known ? rule.operation(out.type, all, n) : unknown_number();
    }
    out.numbers.push_back(all);
    if (c.flag("keepdims", true)) out.shape.push_back(1);
    return true;
}

namespace element = kernel::element;

inline constexpr fold_rule fold_rules[]{
    {"Add", fold_binary, by_element<element::add>},
    {"And", fold_binary, by_truth<element::logical_and>, true},
    {"Cast", fold_cast},
    {"Ceil", fold_unary, by_element<element::ceil>},
    {"Concat", fold_concat},
    {"ConstantOfShape", fold_constant_of_shape},
    {"Div", fold_division, by_element<element::divide>},
    {"Equal", fold_binary, by_element<element::equal>, true},
    {"Expand", fold_expand},
    {"Floor", fold_unary, by_element<element::floor>},
    {"Gather", fold_gather},
    {"Greater", fold_binary, by_element<element::greater>, true},
    {"GreaterOrEqual", fold_binary, by_element<element::greater_equal>, true},
    {"Less", fold_binary, by_element<element::less>, true},
    {"LessOrEqual", fold_binary, by_element<element::less_equal>, true},
    {"Max", fold_binary, by_element<element::maximum>},
    {"Min", fold_binary, by_element<element::minimum>},
    {"Mul", fold_binary, by_element<element::multiply>},
    {"Neg", fold_unary, by_element<element::negative>},
    {"Not", fold_unary, by_truth<element::logical_not>},
    {"Or", fold_binary, by_truth<element::logical_or>, true},
    {"Range", fold_range},
    {"ReduceMax", fold_reduce, by_element<element::maximum>},
    {"ReduceMin", fold_reduce, by_element<element::minimum>},
    {"ReduceProd", fold_reduce, by_element<element::multiply>},
    {"ReduceSum", fold_reduce, by_element<element::add>},
    {"Reshape", fold_reshape},
    {"Slice", fold_slice},
    {"Squeeze", fold_squeeze},
    {"Sub", fold_binary, by_element<element::subtract>},
    {"Unsqueeze", fold_unsqueeze},
    {"Where", fold_where},
};

} // namespace detail

/// Computes a node's first output before its rule runs, if enough is known about the node's inputs.
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
            if (!c.has(i)) break; // the last inputs may be omitted
            std::optional<known_values> k = c.known(c.input(i));
            if (!k) return std::nullopt;
            all += 1 + k->size();
            if (all > detail::most_known_inputs) return std::nullopt;
            in.push_back(std::move(*k));
        }
        known_values out;
        if (!rule.compute(rule, c, in, out)) return std::nullopt;
        return out;
    }
    return std::nullopt;
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
