#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

/// A number of elements, which is known at import or computed at run time.
struct extent {
    std::optional<std::int64_t> known;
    expr computed; // int64 of rank 0

    extent(node_context& c, std::int64_t n) : known(n), computed(int64_number(c, n)) {}
    explicit extent(expr n) : computed(n) {}
};

/// Imports a discrete Fourier transform along axis 1 of (outer, elements, inner, parts), as products with cosines and
/// sines. There is 1 part if the elements are real, and 2 parts if they are complex.
///
/// Source: the operator's description in ONNX 1.23.
class fourier {
public:
    /// Creates a transform of `x`, whose axis 1 has `size` elements. `length` is the number of elements of the signal.
    /// It defaults to `size`, or to 2 * (size - 1) for a one-sided inverse transform.
    fourier(node_context& c, expr x, extent size, std::optional<extent> length, bool inverse, bool onesided)
        : c_(&c)
        , x_(x)
        , size_(size)
        , length_(size)
        , inverse_(inverse)
        , type_(c.element(x))
        , parts_(c.size(x, 3))
        , to_real_(inverse && onesided) {
        if (!kernel::is_floating(type_)) c.refuse("a signal of integers", "floating-point numbers");
        if (parts_ != 1 && parts_ != 2)
            c.refuse("elements of " + std::to_string(parts_) + " parts", "1 (real) or 2 (complex)");
        if (onesided && !inverse && parts_ == 2) c.refuse("half of the spectrum of a complex signal", "onesided=0");
        if (to_real_ && parts_ != 2) c.refuse("half of a spectrum with real elements", "complex elements (2 parts)");
        if (length)
            length_ = *length;
        else if (to_real_)
            length_ = size.known ? extent(c, 2 * (*size.known - 1))
                                 : extent(relay::multiply(relay::subtract(size.computed, number(1)), number(2)));
        if (length_.known && (*length_.known < 1 || *length_.known > 16'384))
            c.refuse("a length of " + std::to_string(*length_.known), "1 to 16,384");
        results_ = onesided && !inverse ? half(length_) : length_;
        use(to_real_ ? half(length_) : length_);
    }

    /// The number of elements of the result along axis 1.
    const extent& results() const { return *results_; }
    /// The number of parts of each element of the result: 1 if it is real, 2 if it is complex.
    std::int64_t result_parts() const { return to_real_ ? 1 : 2; }

    expr operator()() {
        node_context& c = *c_;
        const expr turns =
            relay::mod(relay::multiply(counted(*results_, 1), counted(size_, 0)), length_.computed); // (results, size)
        const expr angle = relay::divide(relay::multiply(c.cast_to(turns, dtype::float64), real(2 * std::numbers::pi)),
                                         c.cast_to(length_.computed, dtype::float64));
        expr cosines = relay::cos(angle), sines = relay::sin(angle);
        if (to_real_) { // every element except the first and the middle one counts twice, because of its mirror image
            const expr place = counted(size_, 0);
            const expr once = relay::logical_or(relay::equal(place, number(0)),
                                                relay::equal(relay::multiply(place, number(2)), length_.computed));
            const expr weight = relay::where(once, real(1), real(2));
            cosines = relay::multiply(cosines, weight);
            sines = relay::multiply(sines, weight);
        }
        cosines = c.cast_to(cosines, type_);
        sines = c.cast_to(sines, type_);
        const expr reals = part(0);
        expr a = nn::dense(reals, cosines);
        if (to_real_) {
            a = relay::subtract(a, nn::dense(part(1), sines));
            return relay::expand_dims(finished(a), {.axis = 3});
        }
        expr b = nn::dense(reals, sines); // minus the imaginary part of a forward transform
        if (!inverse_) b = relay::negative(b);
        if (parts_ == 2) {
            const expr imaginary = part(1), turned = nn::dense(imaginary, sines);
            a = inverse_ ? relay::subtract(a, turned) : relay::add(a, turned);
            b = relay::add(b, nn::dense(imaginary, cosines));
        }
        return relay::stack(c.tuple({finished(a), finished(b)}), {.axis = -1});
    }

private:
    expr number(std::int64_t n) { return int64_number(*c_, n); }
    expr real(double value) { return c_->number(value, dtype::float64); }
    extent half(const extent& n) {
        if (n.known) return {*c_, *n.known / 2 + 1};
        return extent(relay::add(relay::floor_divide(n.computed, number(2)), number(1)));
    }

    // Keeps at most the first `most` elements. A shorter signal needs no padding, because missing elements count as
    // zeros.
    void use(const extent& most) {
        node_context& c = *c_;
        if (size_.known && most.known) {
            if (*most.known >= *size_.known) return;
            size_ = most;
            x_ = relay::strided_slice(
                x_, {.begin = dims{0}, .end = dims{*most.known}, .strides = dims{1}, .axes = dims{1}});
            return;
        }
        size_ = extent(relay::minimum(size_.computed, most.computed));
        const expr sizes = shape_list(c, x_);
        const expr end = relay::where(c.list(dims{0, 1, 0, 0}, dtype::boolean), size_.computed, sizes);
        x_ = relay::dyn::strided_slice(x_, c.list(dims{0, 0, 0, 0}), end, c.list(dims{1, 1, 1, 1}));
    }

    // Returns 0 to n - 1 as a column if `axis` is 1, and as a row if `axis` is 0.
    expr counted(const extent& n, std::int64_t axis) {
        return relay::expand_dims(numbers_below(*c_, n.computed), {.axis = axis});
    }
    // Returns part `i`, the real or the imaginary numbers, as (outer, inner, size).
    expr part(std::int64_t i) {
        return relay::transpose(relay::take(x_, number(i), {.axis = dim(3)}), {.axes = dims{0, 2, 1}});
    }
    expr finished(expr rows) {
        if (inverse_) rows = relay::divide(rows, c_->cast_to(length_.computed, type_));
        return relay::transpose(rows, {.axes = dims{0, 2, 1}});
    }

    node_context* c_;
    expr x_;
    extent size_, length_;
    std::optional<extent> results_;
    bool inverse_;
    dtype type_;
    std::int64_t parts_;
    bool to_real_;
};

/// Returns the extent that a scalar input holds.
inline extent extent_of_input(node_context& c, std::size_t i) {
    if (const std::optional<double> known = c.known_number_of(i)) return {c, static_cast<std::int64_t>(*known)};
    return extent(c.cast_to(relay::reshape(c.input(i), {.newshape = dims{}}), dtype::int64));
}

inline expr import_dft(node_context& c) {
    const expr x = c.input(0);
    const std::size_t rank = c.rank(x);
    if (rank < 3) c.refuse("a signal of rank " + std::to_string(rank), "3 or more: batch, elements, parts");
    const std::optional<extent> length = c.has(1) ? std::optional(extent_of_input(c, 1)) : std::nullopt;
    const bool inverse = c.flag("inverse"), onesided = c.flag("onesided");
    const std::optional<double> given_axis = c.opset() < 20 ? static_cast<double>(c.integer("axis", 1))
                                             : c.has(2)     ? c.known_number_of(2)
                                                            : -2;
    const dims shape = c.shape(x);
    const auto signed_rank = static_cast<std::int64_t>(rank);
    std::optional<std::int64_t> axis;
    if (given_axis) {
        axis = c.axis_of(static_cast<std::int64_t>(*given_axis), rank);
        if (*axis + 1 == signed_rank) c.refuse("the axis of real and imaginary parts", "another one");
    }
    if (axis && is_static({shape.begin(), shape.size()}) && (!length || length->known)) {
        const auto at = static_cast<std::size_t>(*axis);
        const dim outer = product({shape.begin(), at});
        const dim inner = product({shape.begin() + at + 1, rank - at - 2});
        const expr split =
            relay::reshape(x, {.newshape = dims{outer, shape[at], inner, shape[rank - 1]}, .allowzero = true});
        fourier transform(c, split, {c, c.extent(x, at)}, length, inverse, onesided);
        dims result = shape;
        result[at] = *transform.results().known;
        result[rank - 1] = transform.result_parts();
        return relay::reshape(transform(), {.newshape = result, .allowzero = true});
    }
    // the combined size of the axes before the transformed axis, its own size, and that of the axes after it
    dims numbers;
    for (std::int64_t i = 0; i + 1 < signed_rank; ++i) numbers.push_back(i);
    const expr places = c.list(numbers);
    const expr at = axis ? int64_number(c, *axis)
                         : from_front(c, c.cast_to(relay::reshape(c.input(2), {.newshape = dims{}}), dtype::int64),
                                      int64_number(c, signed_rank));
    const expr sizes = first_of(shape_list(c, x), signed_rank - 1);
    const auto size_where = [&](expr mask) {
        return relay::prod(relay::where(mask, sizes, int64_number(c, 1)), {.axis = dims{0}, .keepdims = true});
    };
    const expr here = relay::equal(places, at), size = size_where(here);
    const expr split = relay::dyn::reshape(
        x, relay::concatenate(c.tuple({size_where(relay::less(places, at)), size,
                                       size_where(relay::greater(places, at)), c.list(dims{c.size(x, rank - 1)})})));
    const expr rows = relay::reshape(split, {.newshape = dims{0, 0, 0, c.size(x, rank - 1)}});
    fourier transform(c, rows, extent(relay::reshape(size, {.newshape = dims{}})), length, inverse, onesided);
    const expr made = transform();
    const expr result = relay::where(here, transform.results().computed, sizes);
    return relay::dyn::reshape(made, relay::concatenate(c.tuple({result, c.list(dims{transform.result_parts()})})));
}

// Imports STFT: cuts a signal into overlapping frames and transforms each frame.
inline expr import_stft(node_context& c) {
    const expr signal = c.input(0);
    if (c.rank(signal) != 3)
        c.refuse("a signal of rank " + std::to_string(c.rank(signal)), "3: batch, elements, parts");
    if (!c.has(2) && !c.has(3)) c.refuse("has neither a window nor a frame_length", "one of them");
    const expr step = extent_of_input(c, 1).computed;
    const extent length = c.has(3) ? extent_of_input(c, 3) : extent(c, c.size(c.input(2), 0));
    const expr size = integer_at(c, shape_list(c, signal), 1);
    const expr frames =
        relay::add(relay::floor_divide(relay::subtract(size, length.computed), step), int64_number(c, 1));
    const expr begin = relay::expand_dims(relay::multiply(numbers_below(c, frames), step), {.axis = 0});
    const expr places = relay::add(relay::expand_dims(numbers_below(c, length.computed), {.axis = 1}), begin);
    expr x = relay::take(signal, places, {.axis = dim(1)}); // (batch, elements, frames, parts)
    if (c.has(2)) x = relay::multiply(x, relay::reshape(c.input(2), {.newshape = dims{1, -1, 1, 1}}));
    fourier transform(c, x, length, std::nullopt, false, c.flag("onesided", true));
    return relay::transpose(transform(), {.axes = dims{0, 2, 1, 3}});
}

} // namespace detail

/// Fourier transforms.
inline constexpr import_rule fourier_rules[]{
    {"DFT", detail::import_dft},
    {"STFT", detail::import_stft},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
