#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/type_agreement.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/scatter.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

// Extends the pads of some axes to all axes. The other pads are 0.
inline dims pads_of_axes(node_context& c, std::size_t rank, const dims& some, const dims& axes) {
    if (some.size() != 2 * axes.size())
        c.refuse("pads of " + std::to_string(some.size()) + " numbers",
                 "two for each of " + std::to_string(axes.size()) + " axes");
    dims all(2 * rank, 0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto axis = static_cast<std::size_t>(c.axis_of(axes[i].value(), rank));
        all[axis] = some[i];
        all[axis + rank] = some[i + axes.size()];
    }
    return all;
}

// Pads each end of an axis with elements from the opposite end, which repeat as often as necessary.
inline expr wrapped(node_context& c, expr x, const vector<dims>& widths) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::int64_t before = widths[i][0].value(), behind = widths[i][1].value(), size = c.extent(x, i);
        if (before == 0 && behind == 0) continue;
        if (size == 0) c.refuse("an empty axis to wrap around", "an element or more");
        if (before + size + behind > 1 << 24)
            c.refuse("an axis of " + std::to_string(before + size + behind) + " elements to wrap around",
                     "2^24 at most");
        dims places;
        for (std::int64_t at = -before; at < size + behind; ++at) places.push_back((at % size + size) % size);
        x = relay::take(x, c.list(places), {.axis = dim(static_cast<std::int64_t>(i))});
    }
    return x;
}

// Pads like `wrapped`, with widths that are known only at run time. `before` and `behind` are int64 lists with one
// width for each axis. A negative width crops.
inline expr wrapped_by(node_context& c, expr x, expr before, expr behind) {
    const expr sizes = shape_list(c, x);
    for (std::int64_t i = 0; i < c.signed_rank(x); ++i) {
        const expr size = integer_at(c, sizes, i), first = integer_at(c, before, i);
        const expr count = relay::add(relay::add(first, size), integer_at(c, behind, i));
        const expr places = relay::floor_mod(relay::subtract(numbers_below(c, count), first), size);
        x = relay::take(x, places, {.axis = dim(i)});
    }
    return x;
}

// Crops or pads axes to sizes that are known only at run time.
inline expr center_crop_pad_to(node_context& c, expr x, const dims& axes) {
    const std::size_t rank = c.rank(x);
    const expr own = shape_list(c, x), given = c.cast_to(c.input(1), dtype::int64);
    const expr wanted = for_all_axes(c, given, axes, own);
    const expr none = int64_number(c, 0), two = int64_number(c, 2);
    const expr begin = relay::floor_divide(relay::maximum(relay::subtract(own, wanted), none), two);
    const expr end = relay::add(begin, relay::minimum(own, wanted));
    const expr cut = relay::dyn::strided_slice(x, begin, end, c.list(dims(rank, 1)));
    const expr more = relay::maximum(relay::subtract(wanted, own), none);
    const expr before = relay::floor_divide(more, two);
    return relay::dyn::nn::pad(cut, relay::stack(c.tuple({before, relay::subtract(more, before)}), {.axis = 1}),
                               c.number(0, c.element(x)), "constant");
}

// Imports CenterCropPad: crops or pads axes to the sizes in an input, equally at both ends. If the difference is odd,
// the extra element is cropped or added at the end.
inline expr import_center_crop_pad(node_context& c) {
    const expr x = c.input(0);
    const std::size_t rank = c.rank(x);
    dims every;
    for (std::size_t i = 0; i < rank; ++i) every.push_back(static_cast<std::int64_t>(i));
    const dims axes = c.integers("axes", every);
    const std::optional<dims> known = c.known_integers(1);
    if (!known || !all_known(known)) return center_crop_pad_to(c, x, axes);
    const dims& wanted = *known;
    if (axes.size() != wanted.size())
        c.refuse(std::to_string(wanted.size()) + " sizes for " + std::to_string(axes.size()) + " axes", "as many");
    vector<dims> widths(rank, dims{0, 0});
    dims begin(rank, 0), end(rank, std::int64_t{1} << 40);
    bool pads = false;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto axis = static_cast<std::size_t>(c.axis_of(axes[i].value(), rank));
        const std::int64_t size = c.size(x, axis), to = wanted[i].value();
        if (to < 0) c.refuse("a size of " + std::to_string(to), "0 or more");
        if (to < size) {
            begin[axis] = (size - to) / 2;
            end[axis] = (size - to) / 2 + to;
        } else if (to > size) {
            widths[axis] = dims{(to - size) / 2, to - size - (to - size) / 2};
            pads = true;
        }
    }
    const expr cut =
        relay::strided_slice(x, {.begin = begin, .end = end, .strides = dims(rank, 1), .axes = std::optional<dims>{}});
    return pads ? nn::pad(cut, c.number(0, c.element(x)), {.pad_width = widths}) : cut;
}

// Imports Pad if the axes are known only at run time.
inline expr pad_along(node_context& c, expr x, expr value, std::string_view mode) {
    const auto rank = c.signed_rank(x);
    const std::int64_t count = c.size(c.input(3), 0);
    const expr axes = from_front(c, c.cast_to(c.input(3), dtype::int64), int64_number(c, rank));
    const auto all = [&](std::int64_t first) {
        const expr some = relay::strided_slice(
            c.cast_to(c.input(1), dtype::int64),
            {.begin = dims{first}, .end = dims{first + count}, .strides = dims{1}, .axes = dims{0}});
        return relay::scatter(c.list(dims(static_cast<std::size_t>(rank), 0)), axes, some, {.axis = 0});
    };
    const expr before = all(0), behind = all(count);
    if (mode == "wrap") return wrapped_by(c, x, before, behind);
    return relay::dyn::nn::pad(x, relay::stack(c.tuple({before, behind}), {.axis = 1}), value, mode);
}

inline expr import_pad(node_context& c) {
    const expr x = c.input(0);
    const std::size_t rank = c.rank(x);
    const std::string_view mode = c.text("mode", "constant");
    if (mode != "constant" && mode != "edge" && mode != "reflect" && mode != "wrap")
        c.refuse("mode `" + std::string(mode) + "`", "constant, reflect, edge or wrap");
    const bool by_inputs = c.opset() >= 11;
    const dtype type = c.element(x);
    expr value = c.number(by_inputs ? 0 : c.real("value", 0), type);
    if (by_inputs && c.has(2)) {
        value = c.cast_to(c.input(2), type);
        if (c.rank(value) != 0) value = relay::reshape(value, {.newshape = dims{}});
    }
    std::optional<dims> pads = by_inputs ? c.known_integers(1) : c.integers(c.opset() < 2 ? "paddings" : "pads");
    const std::optional<dims> axes = by_inputs ? c.known_integers(3) : std::nullopt;
    if (axes && all_known(axes) && all_known(pads))
        pads = pads_of_axes(c, rank, *pads, *axes);
    else if (by_inputs && c.has(3))
        return pad_along(c, x, value, mode);
    if (by_inputs && !all_known(pads)) {
        const dims shape = c.shape(c.input(1));
        if (shape.size() != 1 || !agree(shape[0], 2 * c.signed_rank(x)))
            c.refuse("pads of the wrong shape", "two for each axis, " + std::to_string(2 * rank));
        const expr both = relay::reshape(c.input(1), {.newshape = dims{2, c.signed_rank(x)}});
        if (mode == "wrap") {
            const expr widths = c.cast_to(both, dtype::int64);
            return wrapped_by(c, x, relay::take(widths, int64_number(c, 0), {.axis = dim(0)}),
                              relay::take(widths, int64_number(c, 1), {.axis = dim(0)}));
        }
        return relay::dyn::nn::pad(x, relay::transpose(both), value, mode);
    }
    if (!pads || pads->size() != 2 * rank)
        c.refuse("pads of " + std::to_string(pads ? pads->size() : 0) + " numbers",
                 "two for each axis, " + std::to_string(2 * rank));
    vector<dims> widths;
    dims begin, end;
    bool cuts = false;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::int64_t before = (*pads)[i].value(), behind = (*pads)[i + rank].value();
        widths.push_back(dims{std::max<std::int64_t>(before, 0), std::max<std::int64_t>(behind, 0)});
        begin.push_back(std::max<std::int64_t>(-before, 0));
        end.push_back(behind < 0 ? dim(behind) : dim(std::int64_t{1} << 40));
        cuts = cuts || before < 0 || behind < 0;
    }
    if (mode == "wrap" && !cuts) return wrapped(c, x, widths);
    if (mode == "wrap") c.refuse("mode `wrap` with negative pads", "pads of 0 or more");
    const expr cut =
        !cuts ? x
              : relay::strided_slice(
                    x, {.begin = begin, .end = end, .strides = dims(rank, 1), .axes = std::optional<dims>{}});
    return nn::pad(cut, value, {.pad_width = widths, .pad_mode = mode});
}

} // namespace detail

/// Rules for operators that add elements around a tensor, or cut elements off.
inline constexpr import_rule padding_rules[]{
    {"CenterCropPad", detail::import_center_crop_pad},
    {"Pad", detail::import_pad},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
