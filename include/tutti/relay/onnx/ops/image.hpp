#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/scatter.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

// Imports AffineGrid. Each element of the grid is theta * (x, y, 1) or theta * (x, y, z, 1). The coordinates x, y and z
// are those of the element's centre, between -1 and 1.
inline expr import_affine_grid(node_context& c) {
    const expr theta = c.input(0), size = c.input(1);
    const dtype type = c.element(theta);
    const std::int64_t axes = c.size(size, 0) - 2;
    if (axes != 2 && axes != 3) c.refuse("a size of " + std::to_string(axes + 2) + " numbers", "4 or 5");
    if (c.rank(theta) != 3 || c.size(theta, 1) != axes || c.size(theta, 2) != axes + 1)
        c.refuse("matrices of another shape",
                 "(batch, " + std::to_string(axes) + ", " + std::to_string(axes + 1) + ")");
    const bool corners = c.flag("align_corners");
    const auto column = [&](std::int64_t i) {
        dims shape(static_cast<std::size_t>(axes) + 2, 1);
        shape[0] = -1;
        shape[static_cast<std::size_t>(axes) + 1] = axes;
        return relay::reshape(relay::take(theta, c.list(dims{i}), {.axis = dim(2)}), {.newshape = shape});
    };
    const expr one = int64_number(c, 1), two = int64_number(c, 2);
    expr grid = column(axes);
    for (std::int64_t i = 0; i < axes; ++i) { // the last axis is x
        const expr count = integer_at(c, size, axes + 1 - i);
        const expr last = relay::subtract(count, one);
        const expr places = relay::subtract(relay::multiply(numbers_below(c, count), two), last);
        const expr range = corners ? relay::maximum(last, one) : count;
        dims shape(static_cast<std::size_t>(axes) + 2, 1);
        shape[static_cast<std::size_t>(axes - i)] = -1;
        const expr centres = relay::divide(c.cast_to(places, type), c.cast_to(range, type));
        grid = relay::add(grid, relay::multiply(column(i), relay::reshape(centres, {.newshape = shape})));
    }
    return grid;
}

/// Imports Col2Im: adds the elements of sliding blocks to an image, each at the position from which it was taken.
class col2im {
public:
    explicit col2im(node_context& c)
        : c_(&c)
        , axes_(c.size(c.input(1), 0))
        , image_(c.input(1))
        , block_(c.input(2))
        , place_(c.number(0, dtype::int64))
        , inside_(c.number(1, dtype::boolean)) {}

    expr operator()() {
        node_context& c = *c_;
        const expr data = c.input(0);
        if (c.rank(data) != 3) c.refuse("data of rank " + std::to_string(c.rank(data)), "3");
        if (axes_ < 1 || c.size(block_, 0) != axes_)
            c.refuse("blocks of " + std::to_string(c.size(block_, 0)) + " axes", "as many as the image, at least 1");
        for (std::int64_t i = 0; i < axes_; ++i) add_axis(i);

        // elements outside the image are added to an extra row, which is cut off
        const expr count = product_of(image_), in_block = product_of(block_);
        const expr last = relay::reshape(count, {.newshape = dims{1}});
        const expr rows_and_one = relay::add(last, c.list(dims{1}));
        const expr places = relay::reshape(relay::where(inside_, place_, count), {.newshape = dims{1, -1}});
        const expr sizes = shape_list(c, data);
        const expr batch = relay::take(sizes, c.list(dims{0}), {.axis = dim(0)});
        const expr channels = relay::floor_divide(relay::take(sizes, c.list(dims{1}), {.axis = dim(0)}), in_block);
        const expr columns = relay::multiply(batch, channels);
        const expr all = relay::dyn::reshape(
            data,
            relay::concatenate(c.tuple(
                {columns, relay::reshape(relay::multiply(in_block, integer_at(c, sizes, 2)), {.newshape = dims{1}})})));
        const expr empty = relay::dyn::zeros(relay::concatenate(c.tuple({rows_and_one, columns})), c.element(data));
        const expr summed = relay::scatter_nd(empty, places, relay::transpose(all, {.axes = dims{1, 0}}), "add");
        const expr kept = relay::dyn::strided_slice(summed, c.list(dims{0, 0}),
                                                    relay::concatenate(c.tuple({last, columns})), c.list(dims{1, 1}));
        const expr shape = relay::concatenate(c.tuple({batch, channels, c.cast_to(image_, dtype::int64)}));
        return relay::dyn::reshape(relay::transpose(kept, {.axes = dims{1, 0}}), shape);
    }

private:
    expr product_of(expr list) { return relay::prod(c_->cast_to(list, dtype::int64), {.axis = dims{0}}); }

    // Extends `place_` and `inside_`, of shape (elements of a block, blocks), by an axis of the image.
    void add_axis(std::int64_t i) {
        node_context& c = *c_;
        const auto at = static_cast<std::size_t>(i), count = static_cast<std::size_t>(axes_);
        const auto number = [&](std::int64_t n) { return int64_number(c, n); };
        const auto given = [&](std::string_view name, std::size_t size, std::int64_t otherwise) {
            const dims all = c.integers(name, dims(size, otherwise));
            if (all.size() != size)
                c.refuse(std::to_string(all.size()) + " " + std::string(name), std::to_string(size));
            return all;
        };
        const dims pads = given("pads", 2 * count, 0);
        const std::int64_t stride = given("strides", count, 1)[at].value();
        const std::int64_t dilation = given("dilations", count, 1)[at].value();
        if (stride < 1 || dilation < 1) c.refuse("a stride or dilation below 1", "positive ones");
        const expr image = integer_at(c, image_, i), block = integer_at(c, block_, i), one = number(1);
        const expr reach = relay::add(relay::multiply(relay::subtract(block, one), number(dilation)), one);
        const expr padded = relay::add(image, number(pads[at].value() + pads[at + count].value()));
        const expr blocks = relay::add(relay::floor_divide(relay::subtract(padded, reach), number(stride)), one);
        const expr within = relay::multiply(numbers_below(c, block), number(dilation));
        const expr first =
            relay::subtract(relay::multiply(numbers_below(c, blocks), number(stride)), number(pads[at].value()));
        const expr here = relay::add(relay::expand_dims(within, {.axis = 1}), relay::expand_dims(first, {.axis = 0}));
        const expr there = relay::logical_and(relay::greater_equal(here, number(0)), relay::less(here, image));
        if (i == 0) {
            place_ = here;
            inside_ = there;
            return;
        }
        const auto spread = [&](expr before) {
            return relay::expand_dims(relay::expand_dims(before, {.axis = 1}), {.axis = 3});
        };
        const auto inner = [&](expr own) {
            return relay::expand_dims(relay::expand_dims(own, {.axis = 0}), {.axis = 2});
        };
        const auto merged = [&](expr all) { return relay::reshape(all, {.newshape = dims{-3, -3}}); };
        place_ = merged(relay::add(relay::multiply(spread(place_), image), inner(here)));
        inside_ = merged(relay::logical_and(spread(inside_), inner(there)));
    }

    node_context* c_;
    std::int64_t axes_;
    expr image_, block_;  // the sizes along each spatial axis
    expr place_, inside_; // for each block element: its index in the image, and true if it is inside the image
};
inline expr import_col2im(node_context& c) { return col2im(c)(); }

} // namespace detail

/// Rules for operators that assemble images from blocks or create grids for sampling.
inline constexpr import_rule image_rules[]{
    {"AffineGrid", detail::import_affine_grid},
    {"Col2Im", detail::import_col2im},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
