#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/layout.hpp>
#include <tutti/relay/onnx/write/call_writer.hpp>
#include <tutti/relay/onnx/write/elementwise_rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written {

// Operators that change shapes or move elements.

// Returns `wanted` with the codes of Relay's reshape replaced by sizes. Code 0 copies the next size of the data, -2
// copies all remaining sizes, -3 multiplies the next two sizes, and -4 splits the next size into the two numbers that
// follow the code.
inline value computed_shape(call_writer& c, const dims& wanted) {
    const value own = c.node("Shape", {c.in()});
    const auto rank = static_cast<std::int64_t>(c.rank());
    vector<value> parts;
    std::int64_t at = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i].is_any()) call_writer::refuse("a new shape with ?", "numbers");
        const std::int64_t code = wanted[i].value();
        if (code > 0 || code == -1) {
            parts.push_back(c.list({code}));
            ++at;
        } else if (code == 0) {
            parts.push_back(c.slice(own, 0, at, at + 1));
            ++at;
        } else if (code == -2) {
            parts.push_back(c.slice(own, 0, at, rank));
            at = rank;
        } else if (code == -3) {
            const value two = c.slice(own, 0, at, at + 2);
            const node_attributes keep = node_attributes().integer("keepdims", 1);
            parts.push_back(c.node("ReduceProd", {two}, keep));
            at += 2;
        } else if (i + 2 < wanted.size() && !wanted[i + 1].is_any() && !wanted[i + 2].is_any()) {
            const value whole = c.slice(own, 0, at, at + 1);
            const dim first = wanted[i + 1], second = wanted[i + 2];
            parts.push_back(first == dim(-1) ? c.node("Div", {whole, c.list({second})}) : c.list({first}));
            parts.push_back(second == dim(-1) ? c.node("Div", {whole, c.list({first})}) : c.list({second}));
            i += 2;
            ++at;
        } else {
            call_writer::refuse("a new shape with invalid code " + std::to_string(code),
                                "sizes, or complete codes from 0 to -4");
        }
    }
    return parts.size() == 1 ? parts[0] : c.node("Concat", parts, node_attributes().integer("axis", 0));
}

inline void reshape(call_writer& c) {
    const dims made = c.result_shape();
    if (is_static(made)) return c.result(c.reshaped(c.in(), made));
    // ONNX infers one unknown size, which is written as -1.
    std::size_t unknown = 0;
    dims shape = made;
    bool zero = false;
    for (dim& d : shape) {
        zero = zero || d == dim(0);
        if (!d.is_any()) continue;
        ++unknown;
        d = dim(-1);
    }
    if (unknown == 1 && !zero) return c.result(c.node("Reshape", {c.in(), c.list(shape)}));
    if (c.op().name != "reshape")
        call_writer::refuse("several unknown sizes, or one beside a size 0", "at most one, and no size 0");
    c.result(c.node("Reshape", {c.in(), computed_shape(c, c.attributes().numbers("newshape"))}));
}
inline void reshape_like(call_writer& c) {
    const dims made = c.result_shape();
    if (is_static(made)) return c.result(c.reshaped(c.in(), made));
    const attribute_values& a = c.attributes();
    if (a.integer("lhs_begin") != 0 || a.integer("rhs_begin") != 0 || !a.is_none("lhs_end") || !a.is_none("rhs_end"))
        return reshape(c);
    c.result(c.node("Reshape", {c.in(), c.node("Shape", {c.in(1)})}, node_attributes().integer("allowzero", 1)));
}
inline value as_int64(call_writer& c, std::size_t i) { return c.cast(c.in(i), c.element(i), dtype::int64); }
inline void dyn_reshape(call_writer& c) {
    const bool zero = c.attributes().flag("allowzero");
    c.result(c.node("Reshape", {c.in(), as_int64(c, 1)},
                    zero ? node_attributes().integer("allowzero", 1) : node_attributes()));
}
inline void batch_flatten(call_writer& c) { c.result(c.node("Flatten", {c.in()})); }

inline void expand_dims(call_writer& c) {
    const std::int64_t n = c.attributes().integer("num_newaxis");
    const std::int64_t first =
        call_writer::from_front(c.attributes().integer("axis"), c.rank() + static_cast<std::size_t>(n));
    const std::int64_t begin = c.attributes().integer("axis") < 0 ? first - n + 1 : first;
    dims axes;
    for (std::int64_t i = 0; i < n; ++i) axes.push_back(begin + i);
    c.result(n == 0 ? c.in() : c.unsqueezed(c.in(), axes));
}
inline void squeeze(call_writer& c) {
    dims axes;
    const dims own = c.shape();
    if (c.attributes().is_none("axis")) {
        for (std::size_t i = 0; i < own.size(); ++i)
            if (own[i] == dim(1)) axes.push_back(static_cast<std::int64_t>(i));
    } else {
        for (const dim d : c.attributes().numbers("axis"))
            axes.push_back(call_writer::from_front(d.value(), own.size()));
    }
    c.result(axes.empty() ? c.in() : c.squeezed(c.in(), axes));
}
inline void transpose(call_writer& c) {
    dims order = c.attributes().numbers("axes");
    const std::size_t n = c.rank();
    for (dim& d : order) d = call_writer::from_front(d.value(), n);
    if (c.attributes().is_none("axes"))
        for (std::size_t i = n; i-- > 0;) order.push_back(static_cast<std::int64_t>(i));
    c.result(c.transposed(c.in(), order));
}
// Returns the axes of a layout in the order of `letters`, each followed by its blocks.
inline dims axes_by_letter(const kernel::layout& l, std::span<const kernel::layout::axis> letters) {
    dims order;
    for (const kernel::layout::axis letter : letters) {
        if (letter.block != 0) continue;
        order.push_back(static_cast<std::int64_t>(*l.find(letter.letter)));
        for (std::size_t i = 0; i < l.rank(); ++i)
            if (l.axes()[i].letter == letter.letter && l.axes()[i].block != 0)
                order.push_back(static_cast<std::int64_t>(i));
    }
    return order;
}
// Returns the sizes of axes in this order, or the products of each axis and its blocks.
inline dims sizes_by_letter(const kernel::layout& l, const dims& shape, const dims& order, bool joined) {
    dims sizes;
    for (const dim at : order) {
        const auto i = static_cast<std::size_t>(at.value());
        if (joined && l.axes()[i].block != 0)
            sizes.back() = sizes.back().value() * shape[i].value();
        else
            sizes.push_back(shape[i]);
    }
    return sizes;
}
inline void layout_transform(call_writer& c) {
    const auto from = kernel::layout::parse(c.attributes().text("src_layout"));
    const auto to = kernel::layout::parse(c.attributes().text("dst_layout"));
    const bool blocks = from->rank() != from->primal_rank() || to->rank() != to->primal_rank();
    if (blocks && (!is_static(c.shape()) || !is_static(c.result_shape())))
        call_writer::refuse("blocks of an unknown size", "known sizes");
    const dims own = axes_by_letter(*from, from->axes()), wanted = axes_by_letter(*to, from->axes());
    value x = c.transposed(c.in(), own);
    if (from->rank() != from->primal_rank()) x = c.reshaped(x, sizes_by_letter(*from, c.shape(), own, true));
    if (to->rank() != to->primal_rank()) x = c.reshaped(x, sizes_by_letter(*to, c.result_shape(), wanted, false));
    dims back(wanted.size(), dim(0));
    for (std::size_t i = 0; i < wanted.size(); ++i)
        back[static_cast<std::size_t>(wanted[i].value())] = static_cast<std::int64_t>(i);
    c.result(c.transposed(x, back));
}
inline void concatenate(call_writer& c) {
    const std::int64_t axis = call_writer::from_front(c.attributes().integer("axis"), c.result_shape().size());
    if (c.fields().size() == 1) return c.result(c.fields()[0]);
    c.result(c.node("Concat", c.fields(), node_attributes().integer("axis", axis)));
}
inline void stack(call_writer& c) {
    const std::int64_t axis = call_writer::from_front(c.attributes().integer("axis"), c.result_shape().size());
    vector<value> parts;
    for (const value& v : c.fields()) parts.push_back(c.unsqueezed(v, {axis}));
    c.result(parts.size() == 1 ? parts[0] : c.node("Concat", parts, node_attributes().integer("axis", axis)));
}
inline void split(call_writer& c) {
    const std::int64_t axis = c.axis("axis", c.rank());
    dims sizes;
    for (std::size_t k = 0; k < c.result_count(); ++k)
        sizes.push_back(c.result_shape(k)[static_cast<std::size_t>(axis)]);
    const node_attributes along = node_attributes().integer("axis", axis);
    if (sizes.size() == 1) return c.results({c.in()});
    if (is_static(sizes)) return c.results(c.nodes("Split", {c.in(), c.list(sizes)}, along, sizes.size()));
    if (c.attributes().is_list("indices_or_sections"))
        call_writer::refuse("parts of unknown size", "equal parts, or known sizes");
    c.need(18);
    c.results(c.nodes("Split", {c.in()},
                      node_attributes(along).integer("num_outputs", static_cast<std::int64_t>(sizes.size())),
                      sizes.size()));
}

inline void strided_slice(call_writer& c) {
    const attribute_values& a = c.attributes();
    const dims own = c.shape(), made = c.result_shape();
    const dims begin = a.numbers("begin"), end = a.numbers("end"), strides = a.numbers("strides"),
               given = a.numbers("axes");
    const bool by_size = a.text("slice_mode") == "size";
    const std::size_t count = std::max(begin.size(), end.size());
    dims starts, ends, axes, steps;
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t axis =
            a.is_none("axes") ? static_cast<std::int64_t>(i) : call_writer::from_front(given[i].value(), own.size());
        const auto at = static_cast<std::size_t>(axis);
        const std::int64_t step = by_size || strides.empty() ? 1 : strides[std::min(i, strides.size() - 1)].value();
        std::int64_t first = i < begin.size() ? begin[i].value() : step < 0 ? call_writer::beyond : 0;
        std::int64_t last = i < end.size() ? end[i].value() : step < 0 ? -call_writer::beyond : call_writer::beyond;
        if (by_size && i < end.size()) last = end[i].value() == -1 ? call_writer::beyond : first + end[i].value();
        if (!own[at].is_any() && !made[at].is_any()) {
            // Exact bounds of the selected elements.
            const std::int64_t n = own[at].value(), length = made[at].value();
            if (first < 0) first += n;
            first = step > 0 ? std::clamp<std::int64_t>(first, 0, n) : std::clamp<std::int64_t>(first, -1, n - 1);
            if (first == 0 && step == 1 && length == n) continue; // the whole axis
            last = first + length * step;
            if (step < 0 && last < 0) last = -call_writer::beyond;
        }
        starts.push_back(first);
        ends.push_back(last);
        axes.push_back(axis);
        steps.push_back(step);
    }
    if (axes.empty()) return c.result(c.in());
    c.result(c.node("Slice", {c.in(), c.list(starts), c.list(ends), c.list(axes), c.list(steps)}));
}
inline void dyn_strided_slice(call_writer& c) {
    dims axes;
    const dims count = c.shape(1);
    for (std::int64_t i = 0; i < count[0].value(); ++i) axes.push_back(i);
    if (c.attributes().text("slice_mode") == "size") call_writer::refuse("slice_mode \"size\"", "\"end\"");
    c.result(c.node("Slice", {c.in(), as_int64(c, 1), as_int64(c, 2), c.list(axes), as_int64(c, 3)}));
}
inline void slice_like(call_writer& c) {
    const dims own = c.shape(), made = c.result_shape();
    dims named, starts, ends, axes;
    for (const dim d : c.attributes().numbers("axes")) named.push_back(call_writer::from_front(d.value(), own.size()));
    if (c.attributes().is_none("axes"))
        for (std::size_t i = 0; i < c.rank(1); ++i) named.push_back(static_cast<std::int64_t>(i));
    for (const dim axis : named) {
        const auto i = static_cast<std::size_t>(axis.value());
        if (own[i] == made[i] && !own[i].is_any()) continue;
        starts.push_back(0);
        ends.push_back(made[i]);
        axes.push_back(axis);
    }
    if (axes.empty()) return c.result(c.in());
    const value last = is_static(ends) ? c.list(ends) : c.node("Gather", {c.node("Shape", {c.in(1)}), c.list(axes)});
    c.result(c.node("Slice", {c.in(), c.list(starts), last, c.list(axes)}));
}
inline void reverse(call_writer& c) {
    const std::int64_t axis = c.axis("axis", c.rank());
    c.result(c.node("Slice", {c.in(), c.list({-1}), c.list({-call_writer::beyond}), c.list({axis}), c.list({-1})}));
}
inline void reverse_sequence(call_writer& c) {
    const dtype t = c.element(), moved = t == dtype::bfloat16 ? dtype::float32 : t;
    const value made = c.node("ReverseSequence", {c.cast(c.in(), t, moved), as_int64(c, 1)},
                              node_attributes()
                                  .integer("batch_axis", c.axis("batch_axis", c.rank()))
                                  .integer("time_axis", c.axis("seq_axis", c.rank())));
    c.result(c.cast(made, moved, t));
}

inline void broadcast_to(call_writer& c) {
    const dims made = c.result_shape();
    if (!is_static(made)) call_writer::refuse("a result of unknown size", "known sizes");
    c.result(c.node("Expand", {c.in(), c.list(made)}));
}
inline void broadcast_to_like(call_writer& c) {
    const dims made = c.result_shape();
    c.result(c.node("Expand", {c.in(), c.sizes(c.in(1), made)}));
}
inline void dyn_broadcast_to(call_writer& c) { c.result(c.node("Expand", {c.in(), as_int64(c, 1)})); }
inline void tile(call_writer& c) {
    dims reps = c.attributes().numbers("reps");
    const std::size_t n = c.rank();
    value x = c.in();
    for (std::size_t missing = n; missing < reps.size(); ++missing) x = c.unsqueezed(x, {0});
    while (reps.size() < n) {
        reps.push_back(1);
        std::rotate(reps.begin(), reps.end() - 1, reps.end());
    }
    c.result(c.node("Tile", {x, c.list(reps)}));
}
inline void dyn_tile(call_writer& c) {
    if (c.shape(1)[0] != dim(static_cast<std::int64_t>(c.rank())))
        call_writer::refuse("fewer or more repetitions than axes", "one for each axis");
    c.result(c.node("Tile", {c.in(), as_int64(c, 1)}));
}
inline void repeat(call_writer& c) {
    value x = c.in();
    dims own = c.shape();
    std::size_t at = 0;
    if (c.attributes().is_none("axis")) {
        x = c.node("Reshape", {x, c.list({-1})});
        const auto all = element_count({own.begin(), own.size()});
        own = dims{all ? dim(*all) : dim::any()};
    } else {
        at = static_cast<std::size_t>(c.axis("axis", own.size()));
    }
    const std::int64_t times = c.attributes().integer("repeats");
    // Gives each element an axis of its own, repeats this axis, and merges it again.
    dims expanded, merged;
    for (std::size_t i = 0; i < own.size(); ++i) {
        expanded.push_back(1);
        merged.push_back(own[i].is_any() ? dim(0) : own[i]);
        if (i == at) {
            expanded.push_back(times);
            merged[i] = own[i].is_any() ? dim(-1) : dim(own[i].value() * times);
        }
    }
    for (std::size_t i = at + 1; i < own.size(); ++i)
        if (own[i].is_any()) call_writer::refuse("unknown sizes after the axis", "known ones");
    if (merged[at] == dim(0)) call_writer::refuse("an axis without elements", "one or more");
    const value one = c.unsqueezed(x, {static_cast<std::int64_t>(at) + 1});
    c.result(c.node("Reshape", {c.node("Expand", {one, c.list(expanded)}), c.list(merged)}));
}

// New tensors.

// The sizes and the elements of a new tensor. Braces fix the order in which a rule writes the two: the order of a function's
// arguments depends on the compiler, and with it the names of values.
struct filling {
    value sizes, number;
};
inline value filled(call_writer& c, const filling& of) { return c.node("Expand", {of.number, of.sizes}); }
inline value number_of(call_writer& c, double n) { return c.scalar(n, c.result_element()); }
inline value made_sizes(call_writer& c) {
    const dims made = c.result_shape();
    if (!is_static(made)) call_writer::refuse("a result of unknown size", "known sizes");
    return c.list(made);
}
inline void zeros(call_writer& c) { c.result(filled(c, {made_sizes(c), number_of(c, 0)})); }
inline void ones(call_writer& c) { c.result(filled(c, {made_sizes(c), number_of(c, 1)})); }
inline void full(call_writer& c) {
    c.result(filled(c, {made_sizes(c), c.cast(c.in(), c.element(), c.result_element())}));
}
inline void zeros_like(call_writer& c) { c.result(filled(c, {c.sizes(c.in(), c.shape()), number_of(c, 0)})); }
inline void ones_like(call_writer& c) { c.result(filled(c, {c.sizes(c.in(), c.shape()), number_of(c, 1)})); }
inline void full_like(call_writer& c) {
    c.result(filled(c, {c.sizes(c.in(), c.shape()), c.cast(c.in(1), c.element(1), c.result_element())}));
}
inline void dyn_zeros(call_writer& c) { c.result(filled(c, {as_int64(c, 0), number_of(c, 0)})); }
inline void dyn_ones(call_writer& c) { c.result(filled(c, {as_int64(c, 0), number_of(c, 1)})); }
inline void dyn_full(call_writer& c) {
    c.result(filled(c, {as_int64(c, 1), c.cast(c.in(), c.element(), c.result_element())}));
}
inline void arange(call_writer& c) {
    // ONNX's Range supports few types.
    const dtype type = c.element(); // the type of all three arguments
    const bool direct = type == dtype::float32 || type == dtype::float64 || type == dtype::int16 ||
                        type == dtype::int32 || type == dtype::int64;
    const dtype computed = direct ? type : kernel::is_floating(type) ? dtype::float32 : dtype::int64;
    vector<value> bounds;
    for (std::size_t i = 0; i < 3; ++i) bounds.push_back(c.cast(c.in(i), type, computed));
    c.result(c.cast(c.node("Range", bounds), computed, c.result_element()));
}
inline void shape_of(call_writer& c) {
    // For rank 0, Relay's result is a single 0, and ONNX's is empty.
    if (c.rank() == 0) return c.result(number_of(c, 0));
    c.result(c.cast(c.node("Shape", {c.in()}), dtype::int64, c.result_element()));
}
inline void ndarray_size(call_writer& c) {
    c.result(c.cast(c.node("Size", {c.in()}), dtype::int64, c.result_element()));
}

inline void pad(call_writer& c) {
    const bool mirror = c.op().name == "nn.mirror_pad";
    const std::string_view given = c.attributes().text(mirror ? "mode" : "pad_mode");
    const std::string_view mode = given == "REFLECT" ? "reflect" : given;
    if (mode == "SYMMETRIC") call_writer::refuse("mode SYMMETRIC", "constant, edge or reflect");
    const dims width = c.attributes().numbers("pad_width");
    dims pads;
    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t i = side; i < width.size(); i += 2) pads.push_back(width[i]);
    vector<value> inputs{c.in(), c.list(pads)};
    if (mode == "constant") {
        const value number = c.cast(c.in(1), c.element(1), c.element());
        inputs.push_back(c.rank(1) == 0 ? number : c.reshaped(number, {}));
    }
    c.result(c.node("Pad", inputs, mode == "constant" ? node_attributes() : node_attributes().text("mode", mode)));
}
inline void dyn_pad(call_writer& c) {
    const std::string_view mode = c.attributes().text("pad_mode");
    const value pairs = c.transposed(as_int64(c, 1), {1, 0});
    vector<value> inputs{c.in(), c.node("Reshape", {pairs, c.list({-1})})};
    if (mode == "constant") inputs.push_back(c.cast(c.in(2), c.element(2), c.element()));
    c.result(c.node("Pad", inputs, node_attributes().text("mode", mode)));
}

inline void move_pixels(call_writer& c, std::string_view op_type, bool has_mode) {
    const bool last = c.attributes().text("layout") == "NHWC";
    if (!last && c.attributes().text("layout") != "NCHW")
        call_writer::refuse("layout " + std::string(c.attributes().text("layout")), "NCHW or NHWC");
    node_attributes a = node_attributes().integer("blocksize", c.attributes().integer("block_size"));
    if (has_mode)
        a.text("mode", c.attributes().text("mode"));
    else if (c.attributes().text("mode") == "CRD")
        call_writer::refuse("mode CRD", "DCR");
    // Relay's operators drop a remainder that does not fill a block. ONNX requires whole blocks.
    const dims own = c.shape();
    const std::int64_t block = c.attributes().integer("block_size"), whole = has_mode ? block * block : block;
    for (std::size_t i = 1; i < own.size(); ++i)
        if ((has_mode == (i == (last ? 3U : 1U))) && !own[i].is_any() && own[i].value() % whole != 0)
            call_writer::refuse("a size of " + std::to_string(own[i].value()),
                                "a multiple of " + std::to_string(whole));
    const value x = last ? c.transposed(c.in(), {0, 3, 1, 2}) : c.in();
    const value made = c.node(op_type, {x}, a);
    c.result(last ? c.transposed(made, {0, 2, 3, 1}) : made);
}
inline void depth_to_space(call_writer& c) { move_pixels(c, "DepthToSpace", true); }
inline void space_to_depth(call_writer& c) { move_pixels(c, "SpaceToDepth", false); }

inline void dyn_expand_dims(call_writer& c) {
    if (c.attributes().integer("num_newaxis") != 1) call_writer::refuse("several new axes", "one");
    c.result(c.node("Unsqueeze", {c.in(), c.reshaped(as_int64(c, 1), {1})}));
}
inline void dyn_squeeze(call_writer& c) { c.result(c.node("Squeeze", {c.in(), as_int64(c, 1)})); }

// Sums along the axes that the result's shape lacks, and those in which the result has size 1.
inline void collapse_sum(call_writer& c) {
    const dims own = c.shape(), made = c.result_shape();
    dims axes;
    const std::size_t more = own.size() - made.size();
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (i < more || (made[i - more] == dim(1) && own[i] != dim(1)))
            axes.push_back(static_cast<std::int64_t>(i));
        else if (made[i - more] != own[i] || own[i].is_any())
            call_writer::refuse("unknown sizes", "known ones");
    }
    if (!kernel::is_floating(c.element()) && kernel::bytes(c.element()) < 4)
        call_writer::refuse("sums of " + std::string(kernel::name(c.element())), "32 or 64 bits");
    const value sums =
        axes.empty() ? c.in() : c.node("ReduceSum", {c.in(), c.list(axes)}, node_attributes().integer("keepdims", 1));
    c.result(is_static(made) ? c.reshaped(sums, made) : sums);
}
inline void meshgrid(call_writer& c) {
    const std::size_t n = c.fields().size();
    if (c.attributes().text("indexing") == "xy" && n >= 2) call_writer::refuse("indexing xy", "ij");
    vector<value> all;
    for (std::size_t i = 0; i < n; ++i) {
        const dims made = c.result_shape(i);
        if (!is_static(made)) call_writer::refuse("unknown sizes", "known ones");
        dims shape(n, dim(1));
        shape[i] = made[i];
        all.push_back(c.node("Expand", {c.reshaped(c.fields()[i], shape), c.list(made)}));
    }
    c.results(all);
}

/// Rules for operators that change shapes, move elements or create tensors.
inline constexpr write_rule shape_rules[]{
    {"arange", {}, arange},
    {"broadcast_to", {}, broadcast_to},
    {"broadcast_to_like", {}, broadcast_to_like},
    {"collapse_sum_like", {}, collapse_sum},
    {"collapse_sum_to", {}, collapse_sum},
    {"concatenate", {}, concatenate},
    {"contrib_reverse_reshape", {}, reshape},
    {"dyn.broadcast_to", {}, dyn_broadcast_to},
    {"dyn.expand_dims", {}, dyn_expand_dims},
    {"dyn.full", {}, dyn_full},
    {"dyn.nn.pad", {}, dyn_pad},
    {"dyn.ones", {}, dyn_ones},
    {"dyn.reshape", {}, dyn_reshape},
    {"dyn.squeeze", {}, dyn_squeeze},
    {"dyn.strided_slice", {}, dyn_strided_slice},
    {"dyn.tile", {}, dyn_tile},
    {"dyn.zeros", {}, dyn_zeros},
    {"expand_dims", {}, expand_dims},
    {"full", {}, full},
    {"full_like", {}, full_like},
    {"layout_transform", {}, layout_transform},
    {"meshgrid", {}, meshgrid},
    {"ndarray_size", {}, ndarray_size},
    {"nn.batch_flatten", {}, batch_flatten},
    {"nn.depth_to_space", {}, depth_to_space},
    {"nn.mirror_pad", {}, pad},
    {"nn.pad", {}, pad},
    {"nn.space_to_depth", {}, space_to_depth},
    {"ones", {}, ones},
    {"ones_like", {}, ones_like},
    {"repeat", {}, repeat},
    {"reshape", {}, reshape},
    {"reshape_like", {}, reshape_like},
    {"reverse", {}, reverse},
    {"reverse_sequence", {}, reverse_sequence},
    {"shape_of", {}, shape_of},
    {"slice_like", {}, slice_like},
    {"split", {}, split},
    {"squeeze", {}, squeeze},
    {"stack", {}, stack},
    {"strided_slice", {}, strided_slice},
    {"tile", {}, tile},
    {"transpose", {}, transpose},
    {"zeros", {}, zeros},
    {"zeros_like", {}, zeros_like},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written
