#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/testing/elementwise_steps.hpp>
#include <tutti/relay/testing/network_steps.hpp>
#include <tutti/relay/testing/program_maker.hpp>
#include <tutti/relay/testing/shape_steps.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::testing {

// Steps with operators that select elements by value or position, and with less common operators of networks.

/// Returns a constant of integers in [0, `end`).
inline value constant_places_below(program_maker& m, const shape& s, std::int64_t end, dtype type = dtype::int32) {
    kernel::tensor t(type, s);
    for (std::int64_t i = 0; i < t.size(); ++i) kernel::number(m.choose.between(0, end - 1)).put(t, i);
    return m.of(m.build().constant(t));
}

/// Returns integers in [0, `end`): a constant, a clipped parameter, or a call that returns zeros.
inline value places_below(program_maker& m, const shape& s, std::int64_t end, dtype type = dtype::int32) {
    const std::uint32_t way = m.choose.below(4);
    if (way < 2) return constant_places_below(m, s, end, type);
    if (way == 3) return m.of(relay::zeros(m.build(), {.shape = to_dims(s), .dtype = type}));
    return m.of(relay::clip(m.param(type, s, elements::small).e, {.a_min = 0, .a_max = static_cast<double>(end - 1)}));
}

// A column of the indices holds at most one number per axis of the data. The type of the indices must contain the
// length of a column.
inline void gather_nd_step(program_maker& m, const value& x) {
    const auto rank = static_cast<std::int64_t>(x.rank());
    const std::int64_t batch = m.choose.one_in(3) ? m.choose.between(0, rank - 1) : 0;
    shape s{m.choose.between(1, rank - batch)};
    std::int64_t end = x.shape[static_cast<std::size_t>(batch)];
    for (std::int64_t i = 0; i < s[0]; ++i) end = std::min(end, x.shape[static_cast<std::size_t>(batch + i)]);
    s.insert(s.end(), x.shape.begin(), x.shape.begin() + batch);
    if (batch == 0 || m.choose.flip()) s.push_back(m.choose.between(1, 3));
    const value at = constant_places_below(m, s, end, m.choose.flip() ? dtype::int32 : dtype::int64);
    m.give(m.of(relay::gather_nd(x.e, at.e, {.batch_dims = batch})));
}

inline void gather_step(program_maker& m) {
    const value x = m.of_rank(1, 4);
    if (m.choose.one_in(3)) return gather_nd_step(m, x);
    const std::size_t axis = m.choose.index(x.rank());
    shape s = x.shape;
    s[axis] = m.choose.between(1, 3);
    const value at = places_below(m, s, x.shape[axis], m.choose.flip() ? dtype::int32 : dtype::int64);
    m.give(m.of(relay::gather(x.e, at.e, {.axis = relay::dim(m.negated(axis, x.rank()))})));
}

inline void scatter_step(program_maker& m) {
    const value x = m.of_rank(1, 4);
    if (x.type == dtype::boolean) return m.give(x);
    const std::size_t axis = m.choose.index(x.rank());
    shape s = x.shape;
    s[axis] = 1; // no position occurs twice, so the order of updates does not matter
    const value at = places_below(m, s, x.shape[axis]);
    const value updates = m.operand(x.type, s);
    const relay::scatter_attributes a{.axis = relay::dim(static_cast<std::int64_t>(axis))};
    m.give(
        m.of(m.choose.flip() ? relay::scatter(x.e, at.e, updates.e, a) : relay::scatter_add(x.e, at.e, updates.e, a)));
}

inline void scan_step(program_maker& m) {
    const value x = m.number();
    if (x.rank() == 0) return m.give(x);
    const relay::dim axis = m.axis(x.rank());
    const bool exclusive = m.choose.flip();
    if (kernel::is_integer(x.type) && m.choose.one_in(3))
        return m.give(m.of(relay::cumprod(x.e, {.axis = axis, .exclusive = exclusive})));
    m.give(m.of(relay::cumsum(x.e, {.axis = axis, .exclusive = exclusive})));
}

inline void sequence_step(program_maker& m) {
    const value x = m.of_rank(2, 4);
    switch (m.choose.below(4)) {
    case 0:
        return m.give(m.of(relay::reverse(x.e, {.axis = relay::dim(m.axis(x.rank()))})));
    case 1: {
        const value lengths = places_below(m, {x.shape[0]}, x.shape[1] + 1);
        return m.give(m.of(relay::reverse_sequence(x.e, lengths.e)));
    }
    case 2: {
        const std::int64_t axis = m.choose.between(0, 1);
        const value lengths = places_below(m, {x.shape[axis == 0 ? 1 : 0]}, x.shape[axis == 0 ? 0 : 1] + 1);
        return m.give(m.of(relay::sequence_mask(x.e, lengths.e, {.mask_value = 1, .axis = axis})));
    }
    default: {
        shape more = x.shape;
        const std::size_t axis = m.choose.index(x.rank());
        more[axis] += m.choose.between(1, 2);
        const value buffer = m.operand(x.type, more);
        return m.give(m.of(relay::nn::fifo_buffer(x.e, buffer.e, {.axis = static_cast<std::int64_t>(axis)})));
    }
    }
}

inline void diagonal_step(program_maker& m) {
    const value x = m.of_rank(2, 4);
    if (m.choose.flip())
        return m.give(m.of(relay::trilu(x.e, m.scalar(dtype::int32, static_cast<double>(m.choose.between(-2, 2))).e,
                                        {.upper = m.choose.flip()})));
    shape s(x.shape.begin(), x.shape.end() - 2);
    s.push_back(std::min(x.shape[x.rank() - 2], x.shape.back()));
    m.give(m.of(relay::matrix_set_diag(x.e, m.operand(x.type, s).e)));
}

inline void search_step(program_maker& m) {
    const value x = m.of_rank(1, 3);
    if (x.type == dtype::boolean) return m.give(x);
    switch (m.choose.below(4)) {
    case 0: {
        const value sorted = m.of(relay::sort(m.operand(x.type, {m.choose.between(1, 5)}).e));
        return m.give(m.of(relay::searchsorted(sorted.e, x.e, {.right = m.choose.flip()})));
    }
    case 1: {
        const value flat = m.of(relay::reshape(x.e, {.newshape = dims{-1}}));
        const bool counted = m.choose.flip();
        for (const value& v : m.fields(relay::unique(flat.e, {.sorted = m.choose.flip(), .return_counts = counted})))
            m.give(v);
        return;
    }
    case 2: {
        const value places = m.operand(dtype::int64, {m.choose.between(1, 4)}, elements::small);
        const value sizes = places_below(m, {m.choose.between(1, 3)}, 4);
        return m.give(m.of(relay::unravel_index(places.e, relay::add(sizes.e, m.scalar(dtype::int32, 1).e))));
    }
    default: {
        const value order =
            m.of(relay::argsort(m.operand(x.type, {m.choose.between(1, 5)}).e, {.dtype = dtype::int32}));
        return m.give(m.of(relay::invert_permutation(order.e)));
    }
    }
}

inline void grid_step(program_maker& m) {
    vector<value> vectors;
    const dtype type = m.choose.of(all_types);
    for (std::int64_t n = m.choose.between(1, 3); n != 0; --n) vectors.push_back(m.operand(type, m.any_shape(0, 1)));
    for (const value& v : m.fields(relay::meshgrid(m.tuple(vectors), {.indexing = m.choose.flip() ? "ij" : "xy"})))
        m.give(v);
}

inline void einsum_step(program_maker& m) {
    const value x = ranked(m, 2 + m.choose.index(2));
    const std::int64_t inner = x.shape.back();
    static constexpr std::string_view of_two[]{"ij,jk->ik", "ij,jk->ki", "...j,jk", "ij,jk->j"};
    static constexpr std::string_view of_three[]{"aij,jk->aik", "...j,jk->...k", "aij,jk->k"};
    const value w = m.operand(x.type, {inner, m.choose.between(1, 3)});
    m.give(m.of(
        relay::einsum(m.tuple({x, w}), {.equation = x.rank() == 2 ? m.choose.of(of_two) : m.choose.of(of_three)})));
}

inline void apart_step(program_maker& m) {
    const value x = m.of_rank(1, 4);
    if (x.size() > 128) return m.give(x);
    dims strides;
    vector<dims> width;
    for (std::size_t i = 0; i < x.rank(); ++i) {
        strides.push_back(m.choose.between(1, 2));
        width.push_back({m.choose.between(0, x.shape[i] - 1), m.choose.between(0, x.shape[i] - 1)});
    }
    if (m.choose.flip()) return m.give(m.of(relay::nn::dilate(x.e, {.strides = strides, .dilation_value = 1})));
    const value padded =
        m.of(relay::nn::mirror_pad(x.e, {.mode = m.choose.flip() ? "SYMMETRIC" : "REFLECT", .pad_width = width}));
    m.give(padded.size() > most_elements ? x : padded);
}

template <auto Call, class Attributes>
void conv_transpose_step(program_maker& m, const value& x) {
    Attributes a;
    const std::int64_t out = m.choose.between(1, 3);
    shape weight{x.shape[1], out};
    dims size, strides;
    for (std::size_t i = 2; i < x.rank(); ++i) {
        size.push_back(m.choose.between(1, 3));
        strides.push_back(m.choose.between(1, 2));
        weight.push_back(size[i - 2].value());
    }
    a.channels = relay::dim(out);
    a.kernel_size = size;
    a.strides = strides;
    a.kernel_layout = x.rank() == 3 ? "IOW" : "IODHW";
    m.give(m.of(Call(x.e, m.operand(x.type, weight).e, a)));
}

inline void rare_network_step(program_maker& m) {
    switch (m.choose.below(6)) {
    case 0: {
        const value x = ranked(m, 4);
        if (!kernel::is_floating(x.type)) return m.give(x);
        return m.give(m.of(relay::nn::lrn(x.e, {.size = 3, .axis = 1, .bias = 2, .alpha = 0.5, .beta = 0.75})));
    }
    case 1: {
        const value x = ranked(m, 3 + 2 * m.choose.index(2), 256);
        if (x.rank() == 3)
            return conv_transpose_step<relay::nn::conv1d_transpose, relay::conv1d_transpose_attributes>(m, x);
        return conv_transpose_step<relay::nn::conv3d_transpose, relay::conv3d_transpose_attributes>(m, x);
    }
    case 2: {
        const value x = ranked(m, 3);
        const relay::adaptive_pool1d_attributes a{.output_size = {m.choose.between(1, 4)}};
        return m.give(
            m.of(m.choose.flip() ? relay::nn::adaptive_avg_pool1d(x.e, a) : relay::nn::adaptive_max_pool1d(x.e, a)));
    }
    case 3: {
        const value x = ranked(m, 4, 128);
        if (!kernel::is_floating(x.type)) return m.give(x);
        const value y = m.operand(x.type, x.shape);
        return m.give(m.of(relay::nn::correlation(x.e, y.e,
                                                  {.kernel_size = m.choose.flip() ? 1 : 3,
                                                   .stride1 = m.choose.between(1, 2),
                                                   .padding = dims{2, 2},
                                                   .is_multiply = m.choose.flip()})));
    }
    case 4: {
        const value x = ranked(m, 4, 256);
        const window w = any_window(m, spatial_sizes(x, "NCHW"));
        const value weight = m.operand(x.type, {x.shape[1], w.size[0].value(), w.size[1].value()});
        return m.give(m.of(relay::image::dilation2d(
            x.e, weight.e, {.strides = w.strides, .padding = w.padding, .dilations = w.dilation})));
    }
    default: {
        const value x = ranked(m, 2);
        const value w = m.operand(x.type, {x.shape[1], m.choose.between(1, 4)});
        return m.give(m.of(relay::nn::matmul(x.e, w.e)));
    }
    }
}

inline constexpr step data_steps[]{
    gather_step, scatter_step, scan_step,   sequence_step, diagonal_step,
    search_step, grid_step,    einsum_step, apart_step,    rare_network_step,
};

} // namespace tutti::relay::inline TUTTI_FORM::testing
