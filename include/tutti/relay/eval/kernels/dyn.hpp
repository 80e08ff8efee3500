#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/broadcast_to.hpp>
#include <tutti/kernel/create.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/new_shape.hpp>
#include <tutti/kernel/pad.hpp>
#include <tutti/kernel/repeat.hpp>
#include <tutti/kernel/resize.hpp>
#include <tutti/kernel/shape.hpp>
#include <tutti/kernel/slice.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convert.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/image.hpp>
#include <tutti/relay/eval/kernels/index.hpp>
#include <tutti/relay/eval/kernels/pad.hpp>
#include <tutti/relay/eval/kernels/slice.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/dyn.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Returns the rows of a matrix with two columns as pairs.
constexpr pairs pairs_of(const tensor& t) {
    if (t.rank() != 2 || t.shape()[1] != 2 || t.shape()[0] > static_cast<std::int64_t>(kernel::max_rank))
        kernel::detail::fail("pad", {"pad_width is ", t}, "a row of two integers for each of at most 32 axes");
    pairs all;
    for (std::int64_t i = 0; i < t.shape()[0]; ++i) {
        std::array<std::int64_t, 2> row{};
        kernel::detail::read_integers("pad", "pad_width", t, 2 * i, row);
        all.before.push_back(row[0]);
        all.after.push_back(row[1]);
    }
    return all;
}

/// Returns the N numbers in `t`, an argument with the name `what`.
///
/// Throws: tutti::error if `t` is not a vector of N numbers.
template <std::size_t N>
constexpr std::array<double, N> reals(std::string_view kernel, std::string_view what, const tensor& t) {
    if (t.rank() != 1 || t.size() != static_cast<std::int64_t>(N))
        kernel::detail::fail(kernel, {what, " is ", t}, {"a vector of ", N, " numbers"});
    std::array<double, N> values{};
    for (std::size_t i = 0; i < N; ++i) values[i] = kernel::number::at(t, static_cast<std::int64_t>(i)).real();
    return values;
}

/// Resizes the first argument to `size`. False if the attributes are unsupported.
template <class Attributes>
constexpr bool resize_to(const invocation& c, const Attributes& a, std::span<const std::int64_t> size) {
    const auto options = resize_options(a, size);
    if (!options) return false;
    kernel::workspace own;
    kernel::resize(c.input(0), *options, c.result(), kept_or(c, own));
    return true;
}

/// Resizes the first argument. The other arguments are the scales, one per spatial axis. Sizes are rounded to the
/// nearest integer.
template <class Op>
inline constexpr kernel_row scale = kernel_for<Op>([](const invocation& c, const auto& a) {
    if (a.layout.empty() || !knows_data(a.layout)) return false;
    const auto in = kernel::axes_in(Op::name, "data", kernel::lettered::data, a.layout, c.input(0).shape());
    const std::size_t rank = kernel::spatial_rank(a.layout);
    kernel::extents size;
    for (std::size_t i = 0; i < rank; ++i) {
        const double by = kernel::scalar("resize", "a scale", c.input(i + 1)).real();
        if (!(by >= 0) || by > 1e9) kernel::detail::fail("resize", {"a scale of ", by}, "a number from 0 to 1e9");
        size.push_back(kernel::scaled_size(in.space[3 - rank + i].size, by));
    }
    return resize_to(c, a, size);
});

} // namespace detail

/// Operators that take arguments in place of attributes.
template <class = void>
inline constexpr std::array dyn_kernels{
    kernel_for<op::dyn::broadcast_to>([](const invocation& c, const auto&) {
        kernel::broadcast_to(c.input(0), kernel::integers("broadcast_to", "shape", c.input(1)), c.result());
    }),
    kernel_for<op::dyn::expand_dims>([](const invocation& c, const dyn_expand_dims_attributes& a) {
        kernel::expand_dims(c.input(0), kernel::integer("expand_dims", "axis", c.input(1)), a.num_newaxis, c.result());
    }),
    kernel_for<op::dyn::full>([](const invocation& c, const create_attributes& a) {
        kernel::full(kernel::scalar("full", "the value", c.input(0)),
                     a.dtype == dtype::none ? c.input(0).type() : a.dtype,
                     kernel::integers("full", "shape", c.input(1)), c.result());
    }),
    kernel_for<op::dyn::one_hot>([](const invocation& c, const one_hot_attributes& a) {
        kernel::one_hot(c.input(0), kernel::scalar("one_hot", "on_value", c.input(1)),
                        kernel::scalar("one_hot", "off_value", c.input(2)),
                        kernel::integer("one_hot", "depth", c.input(3)), a.axis, a.dtype, c.result());
    }),
    kernel_for<op::dyn::ones>([](const invocation& c, const create_attributes& a) {
        kernel::full(std::int64_t{1}, a.dtype, kernel::integers("full", "shape", c.input(0)), c.result());
    }),
    kernel_for<op::dyn::zeros>([](const invocation& c, const create_attributes& a) {
        kernel::full(std::int64_t{0}, a.dtype, kernel::integers("full", "shape", c.input(0)), c.result());
    }),
    kernel_for<op::dyn::reshape>([](const invocation& c, const reshape_attributes& a) {
        const kernel::extents code = kernel::integers("reshape", "newshape", c.input(1));
        kernel::reshape_by_code(c.input(0), code, kernel::shape_code::from_left,
                                a.allowzero ? kernel::zero_code::size : kernel::zero_code::keeps, c.result());
        if (c.result().rank() != code.size())
            kernel::detail::fail("reshape", {"newshape ", code, " is ", c.result().shape()},
                                 "as many sizes as there are numbers");
    }),
    kernel_for<op::dyn::squeeze>([](const invocation& c, const auto&) {
        const kernel::extents axes = kernel::integers("squeeze", "axes", c.input(1));
        kernel::squeeze(c.input(0), axes, c.result());
    }),
    kernel_for<op::dyn::strided_slice>([](const invocation& c, const strided_slice_attributes& a) {
        const kernel::extents begin = kernel::integers("strided_slice", "begin", c.input(1));
        const kernel::extents end = kernel::integers("strided_slice", "end", c.input(2));
        const kernel::extents strides = kernel::integers("strided_slice", "strides", c.input(3));
        const auto mode = detail::slice_mode(a.slice_mode);
        if (!mode) return false;
        kernel::strided_slice(c.input(0),
                              {.begin = begin,
                               .end = end,
                               .strides = strides,
                               .axes = {},
                               .mode = *mode,
                               .backward = kernel::backward_slice::empty},
                              c.result());
        return true;
    }),
    kernel_for<op::dyn::tile>([](const invocation& c, const auto&) {
        kernel::tile(c.input(0), kernel::integers("tile", "reps", c.input(1)), c.result());
    }),
    kernel_for<op::dyn::topk>([](const invocation& c, const topk_attributes& a) {
        return detail::topk(c, a, kernel::integer("topk", "k", c.input(1)));
    }),
    kernel_for<op::dyn::sparse_to_dense>([](const invocation& c, const auto&) {
        kernel::sparse_to_dense(c.input(0), c.input(1), kernel::scalar("sparse_to_dense", "default_value", c.input(2)),
                                kernel::integers("sparse_to_dense", "output_shape", c.input(3)), c.result());
    }),
    kernel_for<op::dyn::nn::pad>([](const invocation& c, const pad_attributes& a) {
        const auto mode = detail::pad_mode(a.pad_mode);
        if (!mode) return false;
        kernel::pad(c.input(0), detail::pairs_of(c.input(1)), *mode, kernel::scalar("pad", "the value", c.input(2)),
                    c.result());
        return true;
    }),
    kernel_for<op::dyn::image::resize2d>([](const invocation& c, resize2d_attributes a) {
        kernel::extents size;
        for (const double d : detail::reals<2>("resize", "size", c.input(1)))
            size.push_back(kernel::convert<std::int64_t>(d));
        if (a.coordinate_transformation_mode == "tf_crop_and_resize") {
            const auto region = detail::reals<4>("resize", "roi", c.input(2));
            a.roi = vector<double>(region.begin(), region.end());
        }
        return detail::resize_to(c, a, size);
    }),
    detail::scale<op::dyn::nn::upsampling>,
    detail::scale<op::dyn::nn::upsampling3d>,
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
