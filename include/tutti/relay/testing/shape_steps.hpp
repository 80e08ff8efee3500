#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/testing/elementwise_steps.hpp>
#include <tutti/relay/testing/program_maker.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::testing {

// Steps that move elements, and reductions.

/// Limit on the number of elements of a tensor. It keeps programs small.
inline constexpr std::int64_t most_elements = 2048;

inline vector<std::int64_t> any_order(program_maker& m, std::size_t rank) {
    vector<std::int64_t> order(rank);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = 0; i + 1 < rank; ++i) std::swap(order[i], order[i + m.choose.index(rank - i)]);
    return order;
}

inline value transposed(program_maker& m, const value& x, const vector<std::int64_t>& order) {
    dims axes;
    for (const std::int64_t a : order) axes.push_back(m.negated(static_cast<std::size_t>(a), x.rank()));
    return m.of(relay::transpose(x.e, {.axes = axes}));
}

inline void transpose_step(program_maker& m) {
    const value x = m.of_rank(2, 5);
    value y = transposed(m, x, any_order(m, x.rank()));
    if (m.choose.flip()) y = m.of(unary_call(m, y.type == dtype::boolean ? m.cast(y, dtype::uint8) : y));
    if (m.choose.flip())
        y = m.choose.one_in(4) ? m.of(relay::transpose(y.e)) : transposed(m, y, any_order(m, y.rank()));
    m.give(y);
}

inline void layout_transform_step(program_maker& m) {
    const value x = m.of_rank(4, 4);
    const value y = m.of(relay::layout_transform(x.e, {.src_layout = "NCHW", .dst_layout = "NHWC"}));
    if (m.choose.flip()) return m.give(y);
    const value z = m.of(unary_call(m, y.type == dtype::boolean ? m.cast(y, dtype::int32) : y));
    m.give(m.of(relay::layout_transform(z.e, {.src_layout = "NHWC", .dst_layout = m.choose.flip() ? "NCHW" : "HWCN"})));
}

/// Returns a shape with as many elements as `x`.
inline shape regrouped(program_maker& m, const value& x) {
    shape s = x.shape;
    for (std::int64_t n = m.choose.between(1, 2); n != 0; --n) {
        if (s.size() >= 2 && m.choose.flip()) { // two axes become one
            const std::size_t at = m.choose.index(s.size() - 1);
            s[at] *= s[at + 1];
            s.erase(s.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        } else if (s.size() < 5) { // one becomes two
            const std::size_t at = m.choose.index(s.size() + 1);
            const std::int64_t d = at < s.size() ? s[at] : 1;
            const std::int64_t by = d % 2 == 0 && d > 0 ? 2 : d % 3 == 0 && d > 0 ? 3 : 1;
            if (at < s.size()) s[at] = d / by;
            s.insert(s.begin() + static_cast<std::ptrdiff_t>(at), by);
        }
    }
    return s;
}

inline value reshaped(program_maker& m, const value& x, const shape& s) {
    dims code = to_dims(s);
    if (!s.empty() && x.size() > 0 && m.choose.one_in(3)) code[m.choose.index(s.size())] = -1;
    return m.of(relay::reshape(x.e, {.newshape = code}));
}

inline void reshape_step(program_maker& m) {
    value x = m.any();
    x = reshaped(m, x, regrouped(m, x));
    if (m.choose.flip()) x = reshaped(m, x, regrouped(m, x));
    m.give(x);
}

inline void axes_step(program_maker& m) {
    const value x = m.any();
    switch (m.choose.below(5)) {
    case 0:
        if (x.rank() < 5)
            return m.give(m.of(relay::expand_dims(x.e, {.axis = m.negated(m.choose.index(x.rank() + 1), x.rank() + 1),
                                                        .num_newaxis = m.choose.between(1, 2)})));
        break;
    case 1: {
        dims axes;
        for (std::size_t i = 0; i < x.rank(); ++i)
            if (x.shape[i] == 1 && m.choose.flip()) axes.push_back(m.negated(i, x.rank()));
        if (axes.empty() && !m.open_sizes()) return m.give(m.of(relay::squeeze(x.e))); // `?` stays, even if it is 1
        return m.give(m.of(relay::squeeze(x.e, {.axis = axes})));
    }
    case 2:
        if (x.rank() != 0) return m.give(m.of(relay::nn::batch_flatten(x.e)));
        break;
    case 3:
        return m.give(m.of(relay::reshape_like(x.e, m.operand(dtype::float32, regrouped(m, x)).e)));
    default:
        break;
    }
    shape s = x.shape;
    for (std::int64_t& d : s)
        if (d == 1 && m.choose.flip()) d = m.choose.between(1, 3);
    if (s.size() < 5) s.insert(s.begin(), m.choose.between(1, 3));
    if (kernel::element_count(s) > most_elements) return m.give(x);
    if (m.choose.flip()) return m.give(m.of(relay::broadcast_to_like(x.e, m.operand(x.type, s).e)));
    m.give(m.of(relay::broadcast_to(x.e, {.shape = to_dims(s)})));
}

inline void concatenate_step(program_maker& m) {
    const value x = m.of_rank(1, 5);
    vector<value> parts;
    const std::size_t axis = m.choose.index(x.rank());
    for (std::int64_t n = m.choose.between(1, 3); n != 0; --n) {
        shape s = x.shape;
        if (m.choose.flip()) s[axis] = m.choose.between(1, 3);
        parts.push_back(m.fitting(x.type, s));
    }
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(m.choose.index(parts.size() + 1)), x);
    m.give(m.of(relay::concatenate(m.tuple(parts), {.axis = m.negated(axis, x.rank())})));
}

inline void stack_step(program_maker& m) {
    const value x = m.of_rank(0, 4);
    const vector<value> parts{x, m.fitting(x.type, x.shape)};
    m.give(m.of(relay::stack(m.tuple(parts), {.axis = m.axis(x.rank() + 1)})));
}

inline void split_step(program_maker& m) {
    const value x = m.of_rank(1, 5);
    const std::size_t axis = m.choose.index(x.rank());
    const std::int64_t size = x.shape[axis];
    vector<value> parts;
    if (m.choose.flip() && size > 1) {
        dims places{m.choose.between(1, size - 1)};
        if (places[0].value() + 1 < size && m.choose.flip()) places.push_back(places[0].value() + 1);
        parts = m.fields(
            relay::split(x.e, {.indices_or_sections = relay::one_or_more(places), .axis = m.negated(axis, x.rank())}));
    } else {
        const std::int64_t count = size % 2 == 0 ? 2 : size % 3 == 0 ? 3 : 1;
        parts = m.fields(
            relay::split(x.e, {.indices_or_sections = relay::one_or_more(count), .axis = m.negated(axis, x.rank())}));
    }
    for (const value& p : parts)
        if (p.size() != 0) m.give(p);
    if (parts.size() > 1 && m.choose.flip())
        m.give(m.of(relay::concatenate(m.tuple({parts[1], parts[0]}), {.axis = m.negated(axis, x.rank())})));
}

inline value sliced(program_maker& m, const value& x) {
    relay::strided_slice_attributes a;
    dims begin, end, strides, axes;
    const bool by_size = m.choose.one_in(4);
    const bool some = m.choose.one_in(3);
    for (std::size_t i = 0; i < x.rank(); ++i) {
        if (some && m.choose.flip()) continue;
        const std::int64_t size = x.shape[i];
        const std::int64_t first = m.choose.between(0, size - 1);
        axes.push_back(m.negated(i, x.rank()));
        if (by_size) {
            begin.push_back(first);
            end.push_back(m.choose.one_in(3) ? -1 : m.choose.between(1, size - first));
            strides.push_back(1);
        } else if (m.choose.one_in(4)) { // backward
            begin.push_back(m.choose.flip() ? -1 : first);
            end.push_back(-size - 1);
            strides.push_back(-m.choose.between(1, 2));
        } else {
            begin.push_back(m.choose.one_in(4) ? first - size : first);
            end.push_back(m.choose.one_in(4) ? size + 3 : m.choose.between(first + 1, size));
            strides.push_back(m.choose.between(1, 2));
        }
    }
    if (by_size) a.slice_mode = "size";
    a.begin = begin;
    a.end = end;
    a.strides = strides;
    if (some || m.choose.flip()) a.axes = axes;
    return m.of(relay::strided_slice(x.e, a));
}

inline void slice_step(program_maker& m) {
    const value x = m.of_rank(1, 5);
    value y = sliced(m, x);
    if (m.choose.one_in(3)) y = sliced(m, y);
    m.give(y);
}

inline void slice_like_step(program_maker& m) {
    const value x = m.of_rank(1, 4);
    shape s = x.shape;
    for (std::int64_t& d : s) d = m.choose.between(1, d);
    const value like = m.operand(dtype::float32, s);
    if (m.choose.flip()) return m.give(m.of(relay::slice_like(x.e, like.e)));
    m.give(m.of(relay::slice_like(x.e, like.e, {.axes = dims{m.axis(x.rank())}})));
}

inline void take_step(program_maker& m) {
    const value x = m.of_rank(1, 4);
    static constexpr dtype index_types[]{dtype::int32, dtype::int64, dtype::int8};
    const value at = m.operand(m.choose.of(index_types), m.any_shape(0, 2), elements::small);
    const std::string_view mode = m.choose.flip() ? "clip" : "wrap";
    // Written as two calls, because GCC 12 mistakes an optional that is set later for an empty one.
    if (m.choose.one_in(4)) return m.give(m.of(relay::take(x.e, at.e, {.mode = mode})));
    m.give(m.of(relay::take(x.e, at.e, {.axis = relay::dim(m.axis(x.rank())), .mode = mode})));
}

inline void pad_step(program_maker& m) {
    const value x = m.of_rank(1, 4);
    vector<dims> width;
    for (std::size_t i = 0; i < x.rank(); ++i) width.push_back({m.choose.between(0, 2), m.choose.between(0, 1)});
    relay::pad_attributes a{.pad_width = width};
    if (m.choose.one_in(4)) {
        a.pad_mode = "edge";
    }
    const value with = m.choose.flip() ? m.scalar(x.type, 0) : m.constant(x.type, {});
    const value padded = m.of(relay::nn::pad(x.e, with.e, a));
    m.give(padded.size() > most_elements ? x : padded);
}

inline void repeat_step(program_maker& m) {
    const value x = m.of_rank(0, 4);
    if (x.size() > most_elements / 4) return m.give(x);
    if (m.choose.flip() && x.rank() != 0) {
        const relay::dim times = m.choose.between(1, 3);
        if (m.choose.one_in(4)) return m.give(m.of(relay::repeat(x.e, {.repeats = times})));
        return m.give(m.of(relay::repeat(x.e, {.repeats = times, .axis = relay::dim(m.axis(x.rank()))})));
    }
    dims reps;
    for (std::int64_t n = m.choose.between(1, 3); n != 0; --n) reps.push_back(m.choose.between(1, 2));
    m.give(m.of(relay::tile(x.e, {.reps = reps})));
}

inline void create_step(program_maker& m) {
    const dtype type = m.choose.of(all_types);
    const shape s = m.any_shape();
    const relay::create_attributes a{.shape = to_dims(s), .dtype = type};
    switch (m.choose.below(6)) {
    case 0:
        return m.give(m.of(relay::zeros(m.build(), a)));
    case 1:
        return m.give(m.of(relay::ones(m.build(), a)));
    case 2:
        return m.give(m.of(relay::full(m.constant(m.choose.of(all_types), {}).e, a)));
    case 3:
        return m.give(m.of(relay::zeros_like(m.any().e)));
    case 4:
        return m.give(m.of(relay::ones_like(m.any().e)));
    default:
        const value x = m.any();
        return m.give(m.of(relay::full_like(x.e, m.constant(x.type, {}).e)));
    }
}

inline dims some_axes(program_maker& m, std::size_t rank) {
    dims axes;
    for (std::size_t i = 0; i < rank; ++i)
        if (m.choose.flip()) axes.push_back(m.negated(i, rank));
    return axes;
}

inline void reduce_step(program_maker& m) {
    const value x = m.number();
    relay::reduce_attributes a{.keepdims = m.choose.one_in(3)};
    if (x.rank() != 0 && !m.choose.one_in(4)) {
        a.axis = some_axes(m, x.rank());
        a.exclude = m.choose.one_in(4) && !a.axis->empty();
    }
    switch (m.choose.below(5)) {
    case 0:
        return m.give(m.of(relay::sum(x.e, a)));
    case 1:
        return m.give(m.of(relay::max(x.e, a)));
    case 2:
        return m.give(m.of(relay::min(x.e, a)));
    case 3:
        return m.give(m.of(relay::mean(x.e, a)));
    default:
        relay::arg_reduce_attributes places{.axis = a.axis, .keepdims = a.keepdims, .exclude = a.exclude};
        places.select_last_index = m.choose.one_in(3);
        return m.give(m.of(m.choose.flip() ? relay::argmax(x.e, places) : relay::argmin(x.e, places)));
    }
}

/// Normalises a value, (x - mean(x)) / deviation(x), with basic operators and the operator `variance`.
inline void normalise_step(program_maker& m) {
    const value x = m.floating();
    if (x.rank() == 0) return m.give(x);
    const dims axes{m.axis(x.rank())};
    const value mean = m.of(relay::mean(x.e, {.axis = axes, .keepdims = true}));
    const value variance = m.of(relay::variance(x.e, mean.e, {.axis = axes, .keepdims = true}));
    const expr deviation = relay::sqrt(relay::add(variance.e, m.scalar(x.type, 0.5).e));
    m.give(m.of(relay::divide(relay::subtract(x.e, mean.e), deviation)));
}

inline void collapse_step(program_maker& m) {
    const value x = m.number();
    shape s = x.shape;
    for (std::int64_t& d : s)
        if (m.choose.flip()) d = 1;
    if (m.choose.flip() && !s.empty()) s.erase(s.begin());
    m.give(m.of(relay::collapse_sum_like(x.e, m.operand(x.type, s).e)));
}

inline void sort_step(program_maker& m) {
    const value x = m.of_rank(1, 4);
    if (x.type == dtype::boolean) return m.give(x);
    const std::size_t axis = m.choose.index(x.rank());
    const dtype places = m.choose.flip() ? dtype::int32 : dtype::int64;
    if (m.choose.one_in(3))
        return m.give(m.of(
            relay::argsort(x.e, {.axis = m.negated(axis, x.rank()), .is_ascend = m.choose.flip(), .dtype = places})));
    const relay::topk_attributes a{.k = std::optional(relay::dim(m.choose.between(1, x.shape[axis]))),
                                   .axis = m.negated(axis, x.rank()),
                                   .is_ascend = m.choose.flip(),
                                   .dtype = places};
    for (const value& v : m.fields(relay::topk(x.e, a))) m.give(v);
}

inline void one_hot_step(program_maker& m) {
    const value at = m.operand(dtype::int32, m.any_shape(0, 2), elements::small);
    const dtype type = m.choose.of(float_types);
    m.give(m.of(relay::one_hot(at.e, m.scalar(type, 1).e, m.scalar(type, 0).e,
                               {.depth = m.choose.between(1, 4), .axis = m.axis(at.rank() + 1), .dtype = type})));
}

inline constexpr step shape_steps[]{
    transpose_step,  transpose_step,   layout_transform_step,
    reshape_step,    reshape_step,     axes_step,
    axes_step,       concatenate_step, stack_step,
    split_step,      slice_step,       slice_step,
    slice_like_step, take_step,        pad_step,
    repeat_step,     create_step,      reduce_step,
    reduce_step,     reduce_step,      normalise_step,
    collapse_step,   sort_step,        one_hot_step,
};

} // namespace tutti::relay::inline TUTTI_FORM::testing
