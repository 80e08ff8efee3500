#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/write/call_writer.hpp>
#include <tutti/relay/onnx/write/shape_rules.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written {

// Reductions, and operators that select elements.

// Returns the reduced axes, counted from the front.
inline dims reduced_axes(call_writer& c) {
    const std::size_t rank = c.rank();
    const attribute_values& a = c.attributes();
    dims given, chosen;
    for (const dim d : a.numbers("axis")) given.push_back(call_writer::from_front(d.value(), rank));
    const bool every = given.empty(); // None, or an empty list
    for (std::size_t i = 0; i < rank; ++i) {
        const bool named = std::find(given.begin(), given.end(), dim(static_cast<std::int64_t>(i))) != given.end();
        if (every || named != a.flag("exclude")) chosen.push_back(static_cast<std::int64_t>(i));
    }
    return chosen;
}
// Returns the type in which to reduce elements of type `t`. Most of ONNX's reductions support only integers of 32 and
// 64 bits.
inline dtype reducible(dtype t) {
    if (kernel::is_floating(t) || kernel::bytes(t) >= 4) return t;
    return dtype::int32;
}
inline value reduced(call_writer& c, std::string_view op_type, const value& x, const dims& axes, bool keeps) {
    if (axes.empty()) return x;
    node_attributes a = node_attributes().integer("keepdims", keeps ? 1 : 0);
    if (op_type == "ReduceSum" || c.opset() >= 18) return c.node(op_type, {x, c.list(axes)}, a);
    return c.node(op_type, {x}, a.integers("axes", axes));
}
inline void reduction(call_writer& c, std::string_view op_type) {
    const dtype t = c.element(), wide = reducible(t);
    const value x = c.cast(c.in(), t, wide);
    c.result(
        c.cast(reduced(c, op_type, x, reduced_axes(c), c.attributes().flag("keepdims")), wide, c.result_element()));
}
inline void sum(call_writer& c) { reduction(c, "ReduceSum"); }
inline void mean(call_writer& c) { reduction(c, "ReduceMean"); }
inline void prod(call_writer& c) { reduction(c, "ReduceProd"); }
inline void max(call_writer& c) { reduction(c, "ReduceMax"); }
inline void min(call_writer& c) { reduction(c, "ReduceMin"); }

inline void variance(call_writer& c) {
    const dims axes = reduced_axes(c);
    if (c.attributes().flag("unbiased")) call_writer::refuse("an unbiased variance", "unbiased=False");
    const value apart = c.node("Sub", {c.in(0), c.in(1)});
    c.result(reduced(c, "ReduceMean", c.node("Mul", {apart, apart}), axes, c.attributes().flag("keepdims")));
}
inline void arg_extreme(call_writer& c, std::string_view op_type) {
    const dims axes = reduced_axes(c);
    const bool keeps = c.attributes().flag("keepdims");
    value x = c.in();
    std::int64_t axis = 0;
    bool flat = false;
    if (axes.size() == 1) {
        axis = axes[0].value();
    } else if (axes.size() == c.rank()) {
        flat = true;
        x = c.node("Reshape", {x, c.list({-1})});
    } else {
        call_writer::refuse(std::to_string(axes.size()) + " axes", "one, or all");
    }
    node_attributes a = node_attributes().integer("axis", axis).integer("keepdims", keeps && !flat ? 1 : 0);
    if (c.attributes().flag("select_last_index")) a.integer("select_last_index", 1);
    const value found = c.cast(c.node(op_type, {x}, a), dtype::int64, c.result_element());
    c.result(flat && keeps ? c.reshaped(found, dims(c.rank(), dim(1))) : found);
}
inline void argmax(call_writer& c) { arg_extreme(c, "ArgMax"); }
inline void argmin(call_writer& c) { arg_extreme(c, "ArgMin"); }

// Returns argument i as indices for ONNX: int32 or int64.
inline value indices(call_writer& c, std::size_t i) {
    const dtype t = c.element(i);
    return t == dtype::int32 || t == dtype::int64 ? c.in(i) : c.cast(c.in(i), t, dtype::int64);
}
inline bool are_within(const tensor& t, dim length) {
    if (length.is_any() || t.size() > 1 << 16) return false;
    for (std::int64_t i = 0; i < t.size(); ++i) {
        const double x = kernel::number::at(t, i).real();
        if (x < 0 || x >= static_cast<double>(length.value())) return false;
    }
    return true;
}
inline void take(call_writer& c) {
    if (c.attributes().integer("batch_dims") != 0) call_writer::refuse("batch_dims", "0");
    value x = c.in();
    const bool flat = c.attributes().is_none("axis");
    dims own = c.shape();
    std::int64_t axis = 0;
    dim length = dim::any();
    if (flat) {
        x = c.node("Reshape", {x, c.list({-1})});
        if (const auto n = element_count({own.begin(), own.size()})) length = *n;
    } else {
        axis = c.axis("axis", own.size());
        length = own[static_cast<std::size_t>(axis)];
    }
    value at = indices(c, 1);
    const dtype type = c.element(1) == dtype::int32 ? dtype::int32 : dtype::int64;
    const std::string_view mode = c.attributes().text("mode");
    const tensor* known = c.constant_argument(1);
    if (mode != "fast" && !(known != nullptr && are_within(*known, length))) {
        const value n =
            !length.is_any()
                ? c.scalar(static_cast<double>(length.value()), type)
                : c.cast(c.node("Gather", {c.node("Shape", {x}), c.scalar(static_cast<double>(axis), dtype::int64)}),
                         dtype::int64, type);
        if (mode == "wrap") {
            at = c.node("Mod", {at, n});
        } else {
            const value last = c.node("Sub", {n, c.scalar(1, type)});
            at = c.node("Max", {c.node("Min", {at, last}), c.scalar(0, type)});
        }
    }
    c.result(c.node("Gather", {x, at}, node_attributes().integer("axis", axis)));
}
inline void gather(call_writer& c) {
    c.result(
        c.node("GatherElements", {c.in(), indices(c, 1)}, node_attributes().integer("axis", c.axis("axis", c.rank()))));
}
// Moves the coordinates of the indices from the first axis, as in Relay, to the last axis, as in ONNX.
inline value coordinates_last(call_writer& c, std::size_t i) {
    dims order;
    for (std::size_t d = 1; d < c.rank(i); ++d) order.push_back(static_cast<std::int64_t>(d));
    order.push_back(0);
    return c.transposed(as_int64(c, i), order);
}
inline void gather_nd(call_writer& c) {
    c.result(c.node("GatherND", {c.in(), coordinates_last(c, 1)},
                    node_attributes().integer("batch_dims", c.attributes().integer("batch_dims"))));
}
inline void scatter_elements(call_writer& c, bool adds) {
    node_attributes a = node_attributes().integer("axis", c.axis("axis", c.rank()));
    if (adds) a.text("reduction", "add");
    c.result(c.node("ScatterElements", {c.in(0), indices(c, 1), c.in(2)}, a));
}
inline void scatter(call_writer& c) { scatter_elements(c, false); }
inline void scatter_add(call_writer& c) { scatter_elements(c, true); }
inline void scatter_nd(call_writer& c) {
    const std::string_view mode = c.attributes().text("mode");
    node_attributes a;
    if (mode == "max" || mode == "min") c.need(18);
    if (mode != "update") a.text("reduction", mode);
    c.result(c.node("ScatterND", {c.in(0), coordinates_last(c, 1), c.in(2)}, a));
}
// Writes OneHot, which supports few types and only indices of rank 1 or more. For a negative index, Relay sets no
// element to `on`, whereas ONNX counts from the end. Negative indices are therefore replaced with `depth`, which is out
// of range.
inline void hot(call_writer& c, const value& depth) {
    const dtype out = c.result_element(), computed = out == dtype::bfloat16 ? dtype::float32 : out;
    const auto one = [&](std::size_t i) { return c.unsqueezed(c.cast(c.in(i), c.element(i), computed), {0}); };
    const value off_on = c.node("Concat", {one(2), one(1)}, node_attributes().integer("axis", 0));
    value at = as_int64(c, 0);
    const bool scalar = c.rank() == 0;
    if (scalar) at = c.unsqueezed(at, {0});
    at = c.node("Where", {c.node("Less", {at, c.scalar(0, dtype::int64)}), depth, at});
    const value made = c.node("OneHot", {at, depth, off_on},
                              node_attributes().integer("axis", scalar ? -1 : c.attributes().integer("axis")));
    c.result(c.cast(scalar ? c.squeezed(made, {0}) : made, computed, out));
}
inline void one_hot(call_writer& c) {
    hot(c, c.scalar(static_cast<double>(c.attributes().integer("depth")), dtype::int64));
}
inline void dyn_one_hot(call_writer& c) { hot(c, c.rank(3) == 0 ? as_int64(c, 3) : c.reshaped(as_int64(c, 3), {})); }

// Returns the first `count` elements in sorted order, and their indices.
inline vector<value> sorted(call_writer& c, std::int64_t axis, const value& count, bool ascending) {
    const dtype t = c.element(), computed = t == dtype::bfloat16  ? dtype::float32
                                            : t == dtype::boolean ? dtype::uint8
                                                                  : t;
    vector<value> found =
        c.nodes("TopK", {c.cast(c.in(), t, computed), count},
                node_attributes().integer("axis", axis).integer("largest", ascending ? 0 : 1).integer("sorted", 1), 2);
    found[0] = c.cast(found[0], computed, t);
    return found;
}
inline value length_of(call_writer& c, std::int64_t axis) {
    const dim n = c.shape()[static_cast<std::size_t>(axis)];
    return n.is_any() ? c.slice(c.node("Shape", {c.in()}), 0, axis, axis + 1) : c.list({n});
}
inline void set_top(call_writer& c, const vector<value>& found) {
    const std::string_view wanted = c.attributes().text("ret_type");
    const dtype type = c.result_element(wanted == "both" ? 1 : 0);
    if (wanted == "values") return c.result(found[0]);
    const value at = c.cast(found[1], dtype::int64, type);
    if (wanted == "indices") return c.result(at);
    c.results({found[0], at});
}
inline void topk(call_writer& c) {
    const std::int64_t axis = c.axis("axis", c.rank());
    const bool some = !c.attributes().is_none("k") && c.attributes().integer("k") > 0;
    set_top(c, sorted(c, axis, some ? c.list({c.attributes().number("k")}) : length_of(c, axis),
                      c.attributes().flag("is_ascend")));
}
inline void dyn_topk(call_writer& c) {
    const value count = c.reshaped(as_int64(c, 1), {1});
    set_top(c, sorted(c, c.axis("axis", c.rank()), count, c.attributes().flag("is_ascend")));
}
inline void sort(call_writer& c) {
    const std::int64_t axis = c.axis("axis", c.rank());
    c.result(sorted(c, axis, length_of(c, axis), c.attributes().flag("is_ascend"))[0]);
}
inline void argsort(call_writer& c) {
    const std::int64_t axis = c.axis("axis", c.rank());
    c.result(c.cast(sorted(c, axis, length_of(c, axis), c.attributes().flag("is_ascend"))[1], dtype::int64,
                    c.result_element()));
}
inline void argwhere(call_writer& c) {
    const value places = c.node("NonZero", {c.in()});
    c.result(c.cast(c.transposed(places, {1, 0}), dtype::int64, c.result_element()));
}
inline void scan(call_writer& c) {
    const bool product = c.op().name == "cumprod";
    if (product) c.need(26);
    const bool flat = c.attributes().is_none("axis");
    const dtype out = c.result_element(), computed = reducible(out);
    const value x = c.cast(c.cast(c.in(), c.element(), out), out, computed);
    const std::int64_t axis = flat ? 0 : c.axis("axis", c.rank());
    const bool exclusive = !c.attributes().is_none("exclusive") && c.attributes().flag("exclusive");
    const value made =
        c.node(product ? "CumProd" : "CumSum",
               {flat ? c.node("Reshape", {x, c.list({-1})}) : x, c.scalar(static_cast<double>(axis), dtype::int64)},
               node_attributes().integer("exclusive", exclusive ? 1 : 0));
    c.result(c.cast(made, computed, out));
}
inline void trilu(call_writer& c) {
    c.result(c.node("Trilu", {c.in(), as_int64(c, 1)},
                    node_attributes().integer("upper", c.attributes().flag("upper") ? 1 : 0)));
}
inline void einsum(call_writer& c) {
    const dtype out = c.result_element(), computed = out == dtype::bfloat16 ? dtype::float32 : out;
    vector<value> terms;
    for (const value& each : c.fields()) terms.push_back(c.cast(each, out, computed));
    const node_attributes how = node_attributes().text("equation", c.attributes().text("equation"));
    c.result(c.cast(c.node("Einsum", terms, how), computed, out));
}
inline void unique(call_writer& c) {
    if (c.element() == dtype::bfloat16) call_writer::refuse("elements of bfloat16", "a type that Unique supports");
    const vector<value> found =
        c.nodes("Unique", {c.in()}, node_attributes().integer("sorted", c.attributes().flag("sorted") ? 1 : 0), 4);
    const value size = c.node("Shape", {c.in()}), count = c.node("Shape", {found[0]});
    const auto as_int32 = [&](const value& v) { return c.cast(v, dtype::int64, dtype::int32); };
    // Relay's results are as long as the data: values and counts are padded with zeros, indices with the data's size.
    const value missing = c.node("Sub", {size, count});
    const value pads = c.node("Concat", {c.list({0}), missing}, node_attributes().integer("axis", 0));
    const auto padded = [&](std::size_t k, const value& with) { return c.node("Pad", {found[k], pads, with}); };
    vector<value> results{padded(0, c.scalar(0, c.element())), as_int32(padded(1, c.node("Squeeze", {size}))),
                          as_int32(found[2]), as_int32(count)};
    if (c.result_count() == 5) results.push_back(as_int32(padded(3, c.scalar(0, dtype::int64))));
    c.results(results);
}
inline void suppress_boxes(call_writer& c) {
    // Relay's operator also drops boxes whose overlap equals the threshold; ONNX keeps such boxes.
    const value found = c.node("NonMaxSuppression", {c.in(0), c.in(1), c.reshaped(as_int64(c, 2), {1}),
                                                     c.reshaped(c.in(3), {1}), c.reshaped(c.in(4), {1})});
    const value count = c.slice(c.node("Shape", {found}), 0, 0, 1);
    const dim rows = c.result_shape()[0];
    if (rows.is_any()) call_writer::refuse("unknown numbers of boxes", "known sizes");
    const value missing = c.node("Sub", {c.list({rows}), count});
    const value pads = c.node("Concat", {c.list({0, 0}), missing, c.list({0})}, node_attributes().integer("axis", 0));
    c.results({c.node("Pad", {found, pads, c.scalar(0, dtype::int64)}), count});
}

/// Rules for reductions, and for operators that select elements. `all` and `any` reduce bool as int32.
inline constexpr write_rule index_rules[]{
    {"all", {}, min},
    {"any", {}, max},
    {"argmax", {}, argmax},
    {"argmin", {}, argmin},
    {"argsort", {}, argsort},
    {"argwhere", {}, argwhere},
    {"cumprod", {}, scan},
    {"cumsum", {}, scan},
    {"dyn.one_hot", {}, dyn_one_hot},
    {"dyn.topk", {}, dyn_topk},
    {"einsum", {}, einsum},
    {"gather", {}, gather},
    {"gather_nd", {}, gather_nd},
    {"max", {}, max},
    {"mean", {}, mean},
    {"min", {}, min},
    {"one_hot", {}, one_hot},
    {"prod", {}, prod},
    {"scatter", {}, scatter},
    {"scatter_add", {}, scatter_add},
    {"scatter_nd", {}, scatter_nd},
    {"sort", {}, sort},
    {"sum", {}, sum},
    {"take", {}, take},
    {"topk", {}, topk},
    {"trilu", {}, trilu},
    {"unique", {}, unique},
    {"variance", {}, variance},
    {"vision.all_class_non_max_suppression", {}, suppress_boxes},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written
