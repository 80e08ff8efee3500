#pragma once

#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/broadcast.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/groups.hpp>
#include <tutti/kernel/support/loops.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// The axes of a reduction and the form of its result.
struct reduction {
    std::optional<extents> axes{}; ///< Axes, which may count from the end; without a list, all axes.
    bool keepdims = false;         ///< True to keep each reduced axis with length 1.
    bool exclude = false;          ///< True to reduce all axes except `axes`.
};

namespace detail {

/// The accumulator type of a reduction of elements of type C: double for floating point, so that the rounded result is
/// almost exact.
template <class C>
using accumulator = std::conditional_t<std::floating_point<C>, double, C>;

/// Folds n elements into the accumulators of the sets: all elements into the first accumulator if `step` is 0, element
/// i into accumulator i if `step` is 1. `index` is the number of elements of each set that were folded before.
template <class C, class A>
using fold = void (*)(const C* x, std::int64_t n, A* sets, std::int64_t step, std::int64_t index);

/// Folds with Op: `element::add`, `element::multiply`, `element::maximum` or `element::minimum`.
template <class Op, class C>
constexpr void fold_with(const C* x, std::int64_t n, accumulator<C>* sets, std::int64_t step, std::int64_t) {
    using result = accumulator<C>;
    if (step != 0) {
        for (std::int64_t i = 0; i < n; ++i) sets[i] = Op{}(sets[i], static_cast<result>(x[i]));
        return;
    }
    constexpr std::int64_t lanes = 8; // independent accumulators
    result part[lanes];
    std::fill_n(+part, lanes,
                std::is_same_v<Op, element::add>        ? result{0}
                : std::is_same_v<Op, element::multiply> ? result{1}
                                                        : sets[0]);
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes)
        for (std::int64_t j = 0; j < lanes; ++j) part[j] = Op{}(part[j], static_cast<result>(x[i + j]));
    for (; i < n; ++i) part[0] = Op{}(part[0], static_cast<result>(x[i]));
    for (const result p : part) sets[0] = Op{}(sets[0], p);
}

template <class C>
struct place {
    C value{};
    std::int64_t index = -1;
};

/// Folds elements into the value and index of the largest or smallest element. NaN counts as more extreme than any
/// number. Among equal elements, the last one wins if `Last`, else the first.
template <bool Greatest, bool Last, class C>
constexpr void fold_place(const C* x, std::int64_t n, place<C>* sets, std::int64_t step, std::int64_t index) {
    for (std::int64_t i = 0; i < n; ++i) {
        place<C>& best = sets[i * step];
        const bool number = x[i] == x[i];
        const bool better = best.value == best.value && ((Greatest ? x[i] > best.value : x[i] < best.value) || !number);
        const bool equal = x[i] == best.value || (best.value != best.value && !number);
        if (best.index < 0 || better || (Last && equal)) best = {x[i], index + (step == 0 ? i : 0)};
    }
}

/// Checks and returns the axes of a reduction. Stores the shape of the result in `left`.
constexpr axis_set reduced_axes(std::string_view kernel, const tensor& data, const reduction& r, extents& left) {
    check_rank(kernel, data);
    axis_set reduced{};
    reduced.fill(!r.axes || r.exclude);
    if (r.axes)
        for (const std::int64_t axis : *r.axes) reduced[checked_axis(kernel, axis, data.rank())] = !r.exclude;
    left = without_axes<extents>(data.shape(), reduced, r.keepdims);
    return reduced;
}

/// Folds each set of elements, starting with `start`. The result for a set is `finish(accumulator, size of the set)`.
template <class C, class A, class R>
constexpr void reduce(const tensor& data, const axis_set& reduced, A start, fold<C, A> take,
                      R (*finish)(A, std::int64_t), tensor& out) {
    C room[block_length];
    R made[block_length];
    A sets[block_length];
    for (groups g(data.shape(), reduced); !g.done(); g.next()) {
        std::fill_n(+sets, g.count(), start);
        for (auto p = g.pieces(); !p.done(); p.next())
            take(read_block(data, p.first(), p.length(), +room), p.length(), +sets, g.step(), p.index());
        R* to = block_to_write(out, g.first(), +made);
        for (std::int64_t i = 0; i < g.count(); ++i) to[i] = finish(sets[i], g.set_size());
        write_block<R>(to, g.count(), out, g.first());
    }
}

template <class C>
constexpr C finish_plain(accumulator<C> a, std::int64_t) {
    return static_cast<C>(a);
}

template <class C>
constexpr C finish_mean(accumulator<C> sum, std::int64_t n) {
    return static_cast<C>(element::divide{}(sum, static_cast<accumulator<C>>(n)));
}

template <class C>
constexpr std::int64_t finish_place(place<C> p, std::int64_t) {
    return p.index;
}

constexpr void fill_with_sums(const tensor& data, const axis_set& reduced, bool mean, tensor& out) {
    with_arithmetic(data.type(), [&]<class C>(std::type_identity<C>) {
        reduce<C, accumulator<C>, C>(data, reduced, accumulator<C>{0}, fold_with<element::add, C>,
                                     mean ? finish_mean<C> : finish_plain<C>, out);
    });
}

constexpr void reduce_sum(std::string_view kernel, const tensor& data, const reduction& r, bool mean, tensor& out) {
    extents shape;
    const axis_set reduced = reduced_axes(kernel, data, r, shape);
    check_arithmetic(kernel, data);
    make_result(kernel, data.type(), shape, out);
    fill_with_sums(data, reduced, mean, out);
}

constexpr void reduce_product(std::string_view kernel, const tensor& data, const reduction& r, tensor& out) {
    extents shape;
    const axis_set reduced = reduced_axes(kernel, data, r, shape);
    check_arithmetic(kernel, data);
    make_result(kernel, data.type(), shape, out);
    with_arithmetic(data.type(), [&]<class C>(std::type_identity<C>) {
        reduce<C, accumulator<C>, C>(data, reduced, accumulator<C>{1}, fold_with<element::multiply, C>, finish_plain<C>,
                                     out);
    });
}

/// Returns the neutral element of a maximum (minus infinity or the least integer) if `least`, else of a minimum.
template <class A>
constexpr A end_of(dtype type, bool least) {
    if constexpr (std::floating_point<A>) {
        return least ? -std::numeric_limits<A>::infinity() : std::numeric_limits<A>::infinity();
    } else {
        if (type == dtype::uint64) return least ? A{0} : std::numeric_limits<A>::max();
        const integer_range range = values_of(type);
        return static_cast<A>(least ? range.least : range.greatest);
    }
}

constexpr void reduce_extreme(std::string_view kernel, const tensor& data, const reduction& r, bool greatest,
                              tensor& out) {
    extents shape;
    const axis_set reduced = reduced_axes(kernel, data, r, shape);
    check_numbers(kernel, data);
    make_result(kernel, data.type(), shape, out);
    with_arithmetic(data.type(), [&]<class C>(std::type_identity<C>) {
        reduce<C, accumulator<C>, C>(data, reduced, end_of<accumulator<C>>(data.type(), greatest),
                                     greatest ? fold_with<element::maximum, C> : fold_with<element::minimum, C>,
                                     finish_plain<C>, out);
    });
}

constexpr void reduce_place(std::string_view kernel, const tensor& data, const reduction& r, bool greatest, bool last,
                            tensor& out) {
    extents shape;
    const axis_set reduced = reduced_axes(kernel, data, r, shape);
    check_numbers(kernel, data);
    std::int64_t places = 1;
    for (std::size_t d = 0; d < data.rank(); ++d)
        if (reduced[d]) places *= data.shape()[d];
    if (places - 1 > std::numeric_limits<std::int32_t>::max())
        fail(kernel, {"indices among ", places, " elements"}, "indices that fit an int32");
    make_result(kernel, dtype::int32, shape, out);
    with_arithmetic(data.type(), [&]<class C>(std::type_identity<C>) {
        const auto find = greatest ? (last ? fold_place<true, true, C> : fold_place<true, false, C>)
                                   : (last ? fold_place<false, true, C> : fold_place<false, false, C>);
        reduce<C, place<C>, std::int64_t>(data, reduced, place<C>{}, find, finish_place<C>, out);
    });
}

} // namespace detail

// Reductions along axes. Without elements, the sum is 0, the product 1, the mean NaN (0 for integers), the maximum
// minus infinity (the least value for integers), and the minimum plus infinity (the greatest value for integers). If an
// element is NaN, the result is NaN. Floating point is accumulated in double. All functions throw tutti::error if there
// is no such axis, or if they do not support the element type.

/// Sums integers, which wrap, or floating-point numbers. For bool, true if any element is true, as in the reference.
constexpr void sum(const tensor& data, const reduction& r, tensor& out) {
    if (data.type() == dtype::boolean) return detail::reduce_extreme("sum", data, r, true, out);
    detail::reduce_sum("sum", data, r, false, out);
}

/// Averages integers or floating-point numbers. For integers, divides the sum modulo 2^64 and rounds toward zero.
constexpr void mean(const tensor& data, const reduction& r, tensor& out) {
    detail::reduce_sum("mean", data, r, true, out);
}

/// Multiplies integers, which wrap, or floating-point numbers.
constexpr void prod(const tensor& data, const reduction& r, tensor& out) {
    detail::reduce_product("prod", data, r, out);
}

/// Computes whether any element is true (`any`) or all elements are (`all`). Supports only bool. Without elements,
/// `any` is false and `all` is true.
constexpr void any(const tensor& data, const reduction& r, tensor& out) {
    if (data.type() != dtype::boolean) detail::fail_type("any", data, "bool");
    detail::reduce_extreme("any", data, r, true, out);
}
constexpr void all(const tensor& data, const reduction& r, tensor& out) {
    if (data.type() != dtype::boolean) detail::fail_type("all", data, "bool");
    detail::reduce_extreme("all", data, r, false, out);
}

/// Takes the maximum of elements of any type that is not narrow.
constexpr void max(const tensor& data, const reduction& r, tensor& out) {
    detail::reduce_extreme("max", data, r, true, out);
}
constexpr void min(const tensor& data, const reduction& r, tensor& out) {
    detail::reduce_extreme("min", data, r, false, out);
}

/// Finds the index of the largest element, in row-major order over the reduced axes; -1 if there are no elements. The
/// result is int32. The first of equal elements wins, or the last if `select_last_index`. NaN counts as the largest.
/// Supports all element types that are not narrow.
///
/// Throws: as the other reductions, and tutti::error if an index does not fit an int32.
constexpr void argmax(const tensor& data, const reduction& r, bool select_last_index, tensor& out) {
    detail::reduce_place("argmax", data, r, true, select_last_index, out);
}

/// Finds the index of the smallest element, by the rules of `argmax`, except that NaN counts as the smallest.
constexpr void argmin(const tensor& data, const reduction& r, bool select_last_index, tensor& out) {
    detail::reduce_place("argmin", data, r, false, select_last_index, out);
}

/// Reverses broadcasting: each element of the result is the sum of the elements to which broadcasting would copy it.
/// Supports integers, which wrap, and floating point.
///
/// Throws: as the other reductions, and tutti::error if the new shape does not broadcast to the data's.
constexpr void collapse_sum(const tensor& data, std::span<const std::int64_t> shape, tensor& out) {
    constexpr std::string_view kernel = "collapse_sum";
    detail::check_rank(kernel, data);
    detail::check_arithmetic(kernel, data);
    if (!stretches(shape, data.shape()))
        detail::fail(kernel, {"data is ", data, " and the new shape is ", shape},
                     "a shape that broadcasts to the data's");
    axis_set reduced{};
    const std::size_t added = data.rank() - shape.size();
    for (std::size_t d = 0; d < data.rank(); ++d)
        reduced[d] = d < added || (shape[d - added] == 1 && data.shape()[d] != 1);
    detail::make_result(kernel, data.type(), shape, out);
    detail::fill_with_sums(data, reduced, false, out);
}

namespace detail {

template <class C>
constexpr void variance(const tensor& data, const tensor& mean, const axis_set& reduced, std::int64_t less,
                        tensor& out) {
    C room[block_length];
    C middle[block_length];
    C made[block_length];
    double sets[block_length];
    for (groups g(data.shape(), reduced, broadcast_strides(mean.shape(), data.shape())); !g.done(); g.next()) {
        const std::int64_t step = g.step();
        std::fill_n(+sets, g.count(), 0.0);
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const C* x = read_block(data, p.first(), p.length(), +room);
            const C* m = row_block(mean, p.other(), p.other_step(), 0, p.length(), +middle);
            for (std::int64_t i = 0; i < p.length(); ++i) {
                const double distance = static_cast<double>(x[i]) - static_cast<double>(m[i]);
                sets[i * step] += distance * distance;
            }
        }
        C* to = block_to_write(out, g.first(), +made);
        for (std::int64_t i = 0; i < g.count(); ++i)
            to[i] = static_cast<C>(sets[i] / static_cast<double>(g.set_size() - less));
        write_block<C>(to, g.count(), out, g.first());
    }
}

} // namespace detail

/// Computes the mean of the squared distances from `mean`, which is broadcast to the data. If `unbiased`, divides by
/// one less than the number of elements. Supports only floating point.
///
/// Throws: as the other reductions, and tutti::error if the mean has another element type or does not broadcast to the
///         data.
constexpr void variance(const tensor& data, const tensor& mean, const reduction& r, bool unbiased, tensor& out) {
    extents shape;
    const axis_set reduced = detail::reduced_axes("variance", data, r, shape);
    detail::check_floating("variance", data);
    if (mean.type() != data.type() || !stretches(mean.shape(), data.shape()))
        detail::fail_pair("variance", "data", data, "mean", mean,
                          "a mean of the same element type that broadcasts to the data");
    detail::make_result("variance", data.type(), shape, out);
    if (data.type() == dtype::float64)
        detail::variance<double>(data, mean, reduced, unbiased ? 1 : 0, out);
    else
        detail::variance<float>(data, mean, reduced, unbiased ? 1 : 0, out);
}

} // namespace tutti::kernel
