#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/convert.hpp>
#include <tutti/kernel/letters.hpp>
#include <tutti/kernel/numbers.hpp>
#include <tutti/kernel/resize.hpp>
#include <tutti/kernel/shape_rules.hpp>
#include <tutti/kernel/view.hpp>
#include <tutti/kernel/workspace.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/image.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/image.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::relay::kernels {

namespace detail {

/// As many numbers of any type as an argument is to have. Throws: tutti::error if it has others; `what` names it.
template <std::size_t N>
constexpr std::array<double, N> reals(std::string_view kernel, std::string_view what, const tensor& t) {
    if (t.rank() != 1 || t.size() != static_cast<std::int64_t>(N))
        kernel::detail::fail(kernel, {what, " is ", t}, {"a vector of ", N, " numbers"});
    std::array<double, N> values{};
    for (std::size_t i = 0; i < N; ++i) values[i] = kernel::number::at(t, static_cast<std::int64_t>(i)).real();
    return values;
}

/// Resizes to that size; false if there is no kernel for it.
template <class Attributes>
constexpr bool resize_to(const invocation& c, const Attributes& a, std::span<const std::int64_t> size) {
    const auto options = resize_options(a, size);
    if (!options) return false;
    kernel::workspace own;
    kernel::resize(c.input(0), *options, c.result(), kept_or(c, own));
    return true;
}

/// Resizes by the scales that the arguments after the first give, one for each spatial axis, to the nearest size.
template <class Op>
inline constexpr kernel_entry scale = kernel_for<Op>([](const invocation& c, const auto& a) {
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

/// The operators that make images larger or smaller by what arguments say.
inline constexpr std::array dyn_image_kernels{
    kernel_for<op::dyn::image::resize2d>([](const invocation& c, resize2d_attributes a) {
        kernel::extents size;
        for (const double d : detail::reals<2>("resize", "size", c.input(1)))
            size.push_back(kernel::convert<std::int64_t>(d));
        if (a.coordinate_transformation_mode == "tf_crop_and_resize") {
            const auto region = detail::reals<4>("resize", "roi", c.input(2));
            a.roi = std::vector<double>(region.begin(), region.end());
        }
        return detail::resize_to(c, a, size);
    }),
    detail::scale<op::dyn::nn::upsampling>,
    detail::scale<op::dyn::nn::upsampling3d>,
};

} // namespace tutti::relay::kernels
