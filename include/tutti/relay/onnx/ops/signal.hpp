#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>

#include <cstddef>
#include <numbers>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

// Returns a - b * cos(2 pi n / d) + third * cos(4 pi n / d) for each n below the window's size. d is the size, or size
// - 1 for a symmetric window.
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

// Imports MelWeightMatrix: a bank of triangular filters that are evenly spaced in mel. The matrix holds the weight of
// each frequency (row) in each filter (column).
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

    // for each triangle, the row of the spectrum at its edge `n`: 0 is the start, 1 the peak, 2 the end
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
    const auto share = [&](expr part, expr whole) { // 1 if `whole` is 0
        return relay::where(relay::equal(whole, number(0)), number(1), relay::divide(part, whole));
    };
    const expr rise = share(relay::subtract(row, start), relay::subtract(peak, start));
    const expr fall = share(relay::subtract(end, row), relay::subtract(end, peak));
    const expr weights = relay::where(between(start, peak), rise, relay::where(between(peak, end), fall, number(0)));
    return c.cast_to(weights, c.type_of_number(c.integer("output_datatype", 1)));
}

} // namespace detail

/// Rules for operators on signals.
inline constexpr import_rule signal_rules[]{
    {"BlackmanWindow", detail::import_blackman_window},
    {"HammingWindow", detail::import_hamming_window},
    {"HannWindow", detail::import_hann_window},
    {"MelWeightMatrix", detail::import_mel_weight_matrix},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
