#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

// a - b * cos(2 pi n / size) + c * cos(4 pi n / size) for each n below the size: the size less one for a symmetric
// window.
inline expr cosine_window(node_context& c, double a, double b, double third) {
    const dtype type = c.type_of_number(c.integer("output_datatype", 1));
    const dtype wide = type == dtype::float64 ? type : dtype::float32;
    const expr size = relay::reshape(c.cast_to(c.input(0), wide), {.newshape = dims{}});
    const auto number = [&](double value) { return c.number(value, wide); };
    const expr places = relay::arange(number(0), size, number(1), {.dtype = wide});
    const expr whole = c.flag("periodic", true) ? size : relay::subtract(size, number(1));
    const expr angle = relay::divide(relay::multiply(places, number(2 * std::numbers::pi)), whole);
    expr window = relay::subtract(number(a), relay::multiply(number(b), relay::cos(angle)));
    if (third != 0)
        window = relay::add(window, relay::multiply(number(third), relay::cos(relay::multiply(angle, number(2)))));
    return c.cast_to(window, type);
}
inline expr import_hann_window(node_context& c) { return cosine_window(c, 0.5, 0.5, 0); }
inline expr import_hamming_window(node_context& c) { return cosine_window(c, 25.0 / 46, 21.0 / 46, 0); }
inline expr import_blackman_window(node_context& c) { return cosine_window(c, 0.42, 0.5, 0.08); }

// Computes a discrete Fourier transform as products with cosines and sines.
// Source: the operator's description in ONNX 1.12.
inline expr import_dft(node_context& c) {
    const expr x = c.input(0);
    const std::size_t rank = c.rank(x);
    const dtype type = c.element(x);
    if (rank < 3 || !kernel::is_floating(type))
        c.refuse("a signal of rank " + std::to_string(rank), "floating-point numbers with a batch axis first, and "
                                                             "real and imaginary parts last");
    const std::int64_t parts = c.size(x, rank - 1);
    if (parts != 1 && parts != 2)
        c.refuse("elements of " + std::to_string(parts) + " parts", "1 (real) or 2 (complex)");
    const std::int64_t given_axis = c.opset() < 20 ? c.integer("axis", 1)
                                    : c.has(2)     ? c.static_integers(2, "the axis")[0].value()
                                                   : -2;
    const auto axis = static_cast<std::size_t>(c.axis_of(given_axis, rank));
    if (axis + 1 == rank) c.refuse("the axis of real and imaginary parts", "another one");
    const std::int64_t given = c.extent(x, axis);
    const std::int64_t length = c.has(1) ? c.static_integers(1, "dft_length")[0].value() : given;
    if (length < 1 || length > 16'384) c.refuse("a length of " + std::to_string(length), "1 to 16,384");
    const bool inverse = c.flag("inverse");
    if (inverse && c.flag("onesided")) c.refuse("onesided with inverse", "one of them");
    const std::int64_t kept = c.flag("onesided") ? length / 2 + 1 : length;
    // rows of this length, the axis last
    dims order, shape;
    for (std::size_t i = 0; i + 1 < rank; ++i)
        if (i != axis) order.push_back(static_cast<std::int64_t>(i));
    order.push_back(static_cast<std::int64_t>(axis));
    const dims sizes = c.shape(x);
    for (const dim i : order) shape.push_back(sizes[static_cast<std::size_t>(i.value())]);
    for (const dim d : shape)
        if (d.is_any()) c.refuse_unknown("sizes that are not known");
    const auto rows_of = [&](std::int64_t part) {
        expr rows = relay::take(x, c.number(static_cast<double>(part), dtype::int64),
                                {.axis = dim(static_cast<std::int64_t>(rank) - 1)});
        rows = relay::reshape(relay::transpose(rows, {.axes = order}), {.newshape = dims{-1, given}});
        if (length < given)
            rows = relay::strided_slice(rows,
                                        {.begin = dims{0}, .end = dims{length}, .strides = dims{1}, .axes = dims{1}});
        if (length > given)
            rows = nn::pad(rows, c.number(0, type), {.pad_width = vector<dims>{{0, 0}, {0, length - given}}});
        return rows;
    };
    const auto count_to = [&](std::int64_t end, const dims& as) {
        const expr all = relay::arange(c.number(0, dtype::int64), c.number(static_cast<double>(end), dtype::int64),
                                       c.number(1, dtype::int64), {.dtype = dtype::int64});
        return relay::reshape(all, {.newshape = as});
    };
    const expr turns = relay::mod(relay::multiply(count_to(kept, dims{kept, 1}), count_to(length, dims{1, length})),
                                  c.number(static_cast<double>(length), dtype::int64));
    const expr angle = relay::multiply(c.cast_to(turns, dtype::float64),
                                       c.number(2 * std::numbers::pi / static_cast<double>(length), dtype::float64));
    const expr cosines = c.cast_to(relay::cos(angle), type), sines = c.cast_to(relay::sin(angle), type);
    const expr real = rows_of(0);
    expr a = nn::dense(real, cosines), b = nn::dense(real, sines); // the real part, and the negated imaginary part
    if (!inverse) b = relay::negative(b);
    if (parts == 2) {
        const expr imaginary = rows_of(1);
        const expr turned = nn::dense(imaginary, sines);
        a = inverse ? relay::subtract(a, turned) : relay::add(a, turned);
        b = relay::add(b, nn::dense(imaginary, cosines));
    }
    shape[rank - 2] = kept;
    dims back(rank - 1, 0);
    for (std::size_t i = 0; i + 1 < rank; ++i)
        back[static_cast<std::size_t>(order[i].value())] = static_cast<std::int64_t>(i);
    const auto as_given = [&](expr rows) {
        if (inverse) rows = relay::divide(rows, c.number(static_cast<double>(length), type));
        return relay::transpose(relay::reshape(rows, {.newshape = shape, .allowzero = true}), {.axes = back});
    };
    return relay::stack(c.tuple({as_given(a), as_given(b)}), {.axis = -1});
}

// A bank of triangular filters, evenly spaced in mel: weights of frequencies (rows) in filters (columns).
// Source: the operator's description in ONNX 1.12.
inline expr import_mel_weight_matrix(node_context& c) {
    const dtype type = dtype::float64;
    const auto given = [&](std::size_t i) { return relay::reshape(c.input(i), {.newshape = dims{}}); };
    const auto number = [&](double value) { return c.number(value, type); };
    const auto mel = [&](expr hertz) {
        const expr ratio = relay::divide(c.cast_to(hertz, type), number(700));
        return relay::multiply(number(2595), relay::log10(relay::add(number(1), ratio)));
    };
    const expr filters = c.cast_to(given(0), type), length = c.cast_to(given(1), type),
               rate = c.cast_to(given(2), type);
    const expr low = mel(given(3)), high = mel(given(4));
    const auto counted = [&](expr end) { return relay::arange(number(0), end, number(1), {.dtype = type}); };

    // edge `n` of the triangles, as a row of the spectrum
    const auto edges = [&](double n) {
        const expr step = relay::divide(relay::subtract(high, low), relay::add(filters, number(2)));
        const expr mels = relay::add(relay::multiply(relay::add(counted(filters), number(n)), step), low);
        const expr hertz = relay::multiply(
            number(700), relay::subtract(relay::power(number(10), relay::divide(mels, number(2595))), number(1)));
        return relay::floor(relay::divide(relay::multiply(relay::add(length, number(1)), hertz), rate));
    };
    const expr start = edges(0), peak = edges(1), end = edges(2);
    const expr rows = relay::floor(relay::divide(length, number(2)));
    const expr row = relay::expand_dims(counted(relay::add(rows, number(1))), {.axis = 1});
    const auto between = [&](expr first, expr last) {
        return relay::logical_and(relay::greater_equal(row, first), relay::less_equal(row, last));
    };
    const auto share = [&](expr part, expr whole) { // 1 at the peak of a side without width
        return relay::where(relay::equal(whole, number(0)), number(1), relay::divide(part, whole));
    };
    const expr rise = share(relay::subtract(row, start), relay::subtract(peak, start));
    const expr fall = share(relay::subtract(end, row), relay::subtract(end, peak));
    const expr weights = relay::where(between(start, peak), rise, relay::where(between(peak, end), fall, number(0)));
    return c.cast_to(weights, c.type_of_number(c.integer("output_datatype", 1)));
}

} // namespace detail

/// Operators on signals.
inline constexpr import_rule signal_rules[]{
    {"BlackmanWindow", detail::import_blackman_window},    {"DFT", detail::import_dft},
    {"HammingWindow", detail::import_hamming_window},      {"HannWindow", detail::import_hann_window},
    {"MelWeightMatrix", detail::import_mel_weight_matrix},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
