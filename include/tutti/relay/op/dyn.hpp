#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/image.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of dyn.expand_dims: the number of new axes of size 1.
struct dyn_expand_dims_attributes {
    std::int64_t num_newaxis = 1;

    static constexpr option_list<&dyn_expand_dims_attributes::num_newaxis> options{"num_newaxis"};
};

namespace op::dyn {

// Operators that take arguments in place of attributes, such as a tensor that holds a shape. Sizes of the result that
// depend on such an argument are `?`.

/// Base of operators that can become the operator `Static`. They have its fusion pattern and its attributes, most of
/// which are unused. The arguments of `Static` come first, then the arguments that replace attributes.
template <class Static>
struct dynamic {
    using attributes = typename Static::attributes;
    static constexpr fusion_pattern pattern = Static::pattern;
    static constexpr bool rounds = definition<Static>.rounds;

    /// The index of the first argument that replaces an attribute.
    static constexpr std::size_t first = Static::arguments.size();
    /// Limit on the number of dimensions if an argument's length determines it.
    static constexpr std::int64_t most_dimensions = 64;

    /// Returns a static form in which each argument after those of `Static` replaces the attribute of the same name.
    /// `dropped` is an attribute that `Static` lacks.
    static constexpr relay::static_form by_name(std::span<const std::string_view> arguments,
                                                std::string_view dropped = {}) {
        return {&definition<Static>, first, arguments.subspan(first), dropped};
    }

    /// Returns the length of a vector argument. Requires: `r.knows(i)`.
    static constexpr std::size_t length(const relation& r, std::size_t i = first) {
        const dims shape = r.shape(i);
        if (shape.size() != 1 || shape[0].is_any()) r.refuse(i, "a vector whose length is known");
        if (shape[0].value() < 0 || shape[0].value() > most_dimensions) r.refuse(i, "a vector of 0 to 64 elements");
        return static_cast<std::size_t>(shape[0].value());
    }
    static constexpr dims unknown(std::size_t rank) { return dims(rank, dim::any()); }

    static constexpr bool knows_all(const relation& r) {
        for (std::size_t i = 0; i < r.argument_count(); ++i)
            if (!r.knows(i)) return false;
        return true;
    }
};

/// Base of operators whose first argument after those of `Static` is the result's shape. The result has the element
/// type of argument `Elements`.
template <class Static, std::size_t Elements = 0>
struct shaped : dynamic<Static> {
    static constexpr type_id infer(relation& r, const auto&) {
        using base = dynamic<Static>;
        return base::knows_all(r) ? r.tensor(base::unknown(base::length(r)), r.element(Elements)) : type_id::none;
    }
};

struct broadcast_to : shaped<op::broadcast_to> {
    static constexpr std::string_view name = "dyn.broadcast_to";
    static constexpr std::array<std::string_view, 2> arguments{"data", "shape"};
    using attributes = create_attributes;
    static constexpr auto precision = precision_rule::follow;
    static constexpr auto static_form = by_name(arguments, "dtype");
};

struct expand_dims : dynamic<op::expand_dims> {
    static constexpr std::string_view name = "dyn.expand_dims";
    static constexpr std::array<std::string_view, 2> arguments{"data", "axis"};
    using attributes = dyn_expand_dims_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr bool reshapes = true;
    static constexpr std::string_view kept_as = "relay.attrs.DynExpandDimsAttrs";
    static constexpr auto static_form = by_name(arguments);
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

struct full : dynamic<op::full> {
    static constexpr std::string_view name = "dyn.full";
    static constexpr std::array<std::string_view, 2> arguments{"fill_value", "shape"};
    static constexpr auto precision = precision_rule::follow;
    static constexpr auto static_form = by_name(arguments);
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

struct one_hot : dynamic<op::one_hot> {
    static constexpr std::string_view name = "dyn.one_hot";
    static constexpr std::array<std::string_view, 4> arguments{"indices", "on_value", "off_value", "depth"};
    static constexpr auto static_form = by_name(arguments);
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

template <class Static>
struct creation : dynamic<Static> {
    static constexpr std::array<std::string_view, 1> arguments{"shape"};
    static constexpr auto static_form = creation::by_name(arguments);
    static constexpr type_id infer(relation& r, const create_attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"float32\"");
        return r.tensor(creation::unknown(creation::length(r)), a.dtype);
    }
};
struct ones : creation<op::ones>, named<"dyn.ones"> {};
struct zeros : creation<op::zeros>, named<"dyn.zeros"> {};

struct reshape : shaped<op::reshape> {
    static constexpr std::string_view name = "dyn.reshape";
    static constexpr std::array<std::string_view, 2> arguments{"data", "newshape"};
    static constexpr auto precision = precision_rule::follow;
    static constexpr bool reshapes = true;
    static constexpr auto static_form = by_name(arguments);
};

struct sparse_to_dense : shaped<op::sparse_to_dense, 1> {
    static constexpr std::string_view name = "dyn.sparse_to_dense";
    static constexpr std::array<std::string_view, 4> arguments{"sparse_indices", "sparse_values", "default_value",
                                                               "output_shape"};
    using attributes = no_attributes;
    static constexpr auto static_form = by_name(arguments);
};

struct squeeze : dynamic<op::squeeze> {
    static constexpr std::string_view name = "dyn.squeeze";
    static constexpr std::array<std::string_view, 2> arguments{"data", "axes"};
    static constexpr std::array<std::string_view, 1> said_by_axes{"axis"};
    static constexpr relay::static_form static_form{&definition<op::squeeze>, first, said_by_axes};
    static constexpr bool reshapes = true;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

struct strided_slice : dynamic<op::strided_slice> {
private:
    /// Larger than the size of any axis.
    static constexpr std::int64_t beyond = std::int64_t{1} << 31;

    // True if no slice ends before it begins. If one does, the dynamic operator returns an empty slice, whereas the
    // static operator throws.
    static constexpr bool all_end_past_begin(const graph& g, expr_id call) {
        const auto given = g.arguments(call);
        const type_id data = g.type(given[0]);
        const auto mode = get_attributes<attributes>(g, g.call_attributes(call)).slice_mode;
        if (mode == "size" || !g.types().is_tensor(data)) return true;
        kernel::extents places[3];
        for (std::size_t i = 0; i < 3; ++i) {
            const kernel::tensor& t = g.constant_value(given[first + i]);
            if (t.rank() != 1 || t.size() > static_cast<std::int64_t>(kernel::max_rank) ||
                kernel::is_floating(t.type()))
                return true; // the static operator reports the error
            places[i] = kernel::integers(name, arguments[first + i], t);
        }
        const auto shape = g.types().shape(data);
        for (std::size_t i = 0; i < shape.size() && i < places[0].size() && i < places[1].size(); ++i) {
            const std::int64_t step = i < places[2].size() ? places[2][i] : 1;
            if (step != 0 && !rises(shape[i], places[0][i], places[1][i], step)) return false;
        }
        return true;
    }
    static constexpr bool rises(dim size, std::int64_t begin, std::int64_t end, std::int64_t step) {
        if (!size.is_any())
            return kernel::slice_of(size.value(), begin, end, step, kernel::slice_end::place).length >= 0;
        const bool from_front = begin == 0 && step > 0;
        if (step < 0) std::swap(begin, end);
        return (begin < 0) == (end < 0) ? begin <= end : from_front || begin <= -beyond || end >= beyond - 1;
    }

public:
    static constexpr std::string_view name = "dyn.strided_slice";
    static constexpr std::array<std::string_view, 4> arguments{"data", "begin", "end", "strides"};
    static constexpr auto precision = precision_rule::follow;
    static constexpr relay::static_form static_form{&definition<op::strided_slice>, first,
                                                    std::span(arguments).subspan(first), "axes", &all_end_past_begin};
    /// Infers a type in which the axes for which positions are given have the size `?`.
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

struct tile : dynamic<op::tile> {
    static constexpr std::string_view name = "dyn.tile";
    static constexpr std::array<std::string_view, 2> arguments{"data", "reps"};
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto precision = precision_rule::follow;
    static constexpr auto static_form = by_name(arguments);
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

struct topk : dynamic<op::topk> {
    static constexpr std::string_view name = "dyn.topk";
    static constexpr std::array<std::string_view, 2> arguments{"data", "k"};
    static constexpr auto static_form = by_name(arguments);
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& given);
};

namespace image {
struct resize2d : dynamic<op::image::resize2d> {
    static constexpr std::string_view name = "dyn.image.resize2d";
    static constexpr std::array<std::string_view, 3> arguments{"data", "size", "roi"};
    static constexpr auto static_form = by_name(arguments);
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& given);
};
} // namespace image

namespace nn {

/// Pads by widths known only at run time. Becomes static only if the padding value is also a constant, as in the
/// reference.
struct pad : dynamic<op::nn::pad> {
    static constexpr std::string_view name = "dyn.nn.pad";
    static constexpr std::array<std::string_view, 3> arguments{"data", "pad_width", "pad_val"};
    static constexpr std::array<std::string_view, 2> said{"pad_width", ""};
    static constexpr relay::static_form static_form{&definition<op::nn::pad>, 1, said};
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

template <class Static>
struct scaling : dynamic<Static> {
    static constexpr type_id infer(relation& r, const typename Static::attributes& a) {
        if (!scaling::knows_all(r)) return type_id::none;
        return r.tensor(Static::resized(r, a.layout, [](dim, std::size_t) { return dim::any(); }), r.element(0));
    }
};
struct upsampling : scaling<op::nn::upsampling> {
    static constexpr std::string_view name = "dyn.nn.upsampling";
    static constexpr std::array<std::string_view, 3> arguments{"data", "scale_h", "scale_w"};
    static constexpr auto static_form = by_name(arguments);
};
struct upsampling3d : scaling<op::nn::upsampling3d> {
    static constexpr std::string_view name = "dyn.nn.upsampling3d";
    static constexpr std::array<std::string_view, 4> arguments{"data", "scale_d", "scale_h", "scale_w"};
    static constexpr auto static_form = by_name(arguments);
};

} // namespace nn

} // namespace op::dyn

/// Operators with shapes known only at run time.
using dyn_ops = op_list<op::dyn::broadcast_to, op::dyn::expand_dims, op::dyn::full, op::dyn::image::resize2d,
                        op::dyn::nn::pad, op::dyn::nn::upsampling, op::dyn::nn::upsampling3d, op::dyn::one_hot,
                        op::dyn::ones, op::dyn::reshape, op::dyn::sparse_to_dense, op::dyn::squeeze,
                        op::dyn::strided_slice, op::dyn::tile, op::dyn::topk, op::dyn::zeros>;

namespace dyn {

TUTTI_CONSTEXPR expr broadcast_to(expr data, expr shape);
TUTTI_CONSTEXPR expr expand_dims(expr data, expr axis, const dyn_expand_dims_attributes& attributes = {});
TUTTI_CONSTEXPR expr full(expr fill_value, expr shape, dtype element = dtype::none);
TUTTI_CONSTEXPR expr one_hot(expr indices, expr on_value, expr off_value, expr depth,
                             const one_hot_attributes& attributes);
TUTTI_CONSTEXPR expr ones(expr shape, dtype element);
TUTTI_CONSTEXPR expr zeros(expr shape, dtype element);
TUTTI_CONSTEXPR expr reshape(expr data, expr newshape, const reshape_attributes& attributes = {});
TUTTI_CONSTEXPR expr sparse_to_dense(expr sparse_indices, expr sparse_values, expr default_value, expr output_shape);
/// Calls dyn.squeeze with an empty list as its attribute, like the reference's builder function.
TUTTI_CONSTEXPR expr squeeze(expr data, expr axes);
TUTTI_CONSTEXPR expr strided_slice(expr data, expr begin, expr end, expr strides, std::string_view slice_mode = "end");
TUTTI_CONSTEXPR expr tile(expr data, expr reps);
TUTTI_CONSTEXPR expr topk(expr data, expr k, const topk_attributes& attributes);

namespace image {
/// Calls dyn.image.resize2d with empty lists as size and region of interest, like the reference's builder function.
TUTTI_CONSTEXPR expr resize2d(expr data, expr size, expr roi, resize2d_attributes attributes = {});
} // namespace image

namespace nn {
TUTTI_CONSTEXPR expr pad(expr data, expr pad_width, expr pad_val, std::string_view pad_mode = "constant");
TUTTI_CONSTEXPR expr upsampling(expr data, expr scale_h, expr scale_w, const upsampling_attributes& attributes = {});
TUTTI_CONSTEXPR expr upsampling3d(expr data, expr scale_d, expr scale_h, expr scale_w,
                                  const upsampling3d_attributes& attributes = {});
} // namespace nn

} // namespace dyn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/dyn.ipp>
#endif
