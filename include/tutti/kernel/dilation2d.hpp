#pragma once

#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/kernel/tensor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// Strides, padding and layouts of `dilation2d`.
struct dilation2d_options {
    spatial strides{1, 1, 1};
    spatial dilation{1, 1, 1};
    spatial before{}; ///< Padding before rows and columns.
    spatial after{};  ///< Padding after rows and columns.
    std::string_view data_layout = "NCHW";
    std::string_view weight_layout = "IHW"; ///< I is the axis of the data's channels.
    dtype out = dtype::none;                ///< The result's element type; the data's if `none`.
};

namespace detail {

/// Axes and windows of a dilation.
struct dilation_plan {
    lettered_axes in;
    lettered_axes out;
    windows window;
    std::array<std::int64_t, 3> weight; // strides along I, H and W
};

template <class T>
constexpr void dilate_images(const dilation_plan& p, const T* data, const T* weight, T* out) {
    const window& high = p.window[1];
    const window& wide = p.window[2];
    const auto greatest = [&](const T* image, const T* w, std::int64_t i, std::int64_t j) {
        T top{};
        for (std::int64_t y = 0; y < high.size; ++y)
            for (std::int64_t x = 0; x < wide.size; ++x) {
                const std::int64_t row = i * high.stride - high.before + y * high.dilation;
                const std::int64_t column = j * wide.stride - wide.before + x * wide.dilation;
                const bool inside = row >= 0 && column >= 0 && row < high.extent && column < wide.extent;
                const T cell = inside ? image[row * p.in.space[1].stride() + column * p.in.space[2].stride()] : T{0};
                const T sum = element::add{}(cell, w[y * p.weight[1] + x * p.weight[2]]);
                top = y + x == 0 ? sum : element::maximum{}(top, sum);
            }
        return top;
    };
    for (std::int64_t n = 0; n < p.out.outer.size; ++n)
        for (std::int64_t c = 0; c < p.out.channel.size; ++c)
            for (std::int64_t i = 0; i < p.out.space[1].size; ++i)
                for (std::int64_t j = 0; j < p.out.space[2].size; ++j)
                    out[p.out.outer.at(n) + p.out.channel.at(c) + i * p.out.space[1].stride() +
                        j * p.out.space[2].stride()] =
                        greatest(data + p.in.outer.at(n) + p.in.channel.at(c), weight + c * p.weight[0], i, j);
}

} // namespace detail

/// Grey-scale dilation of images: the maximum, over the cells of a window, of the cell plus its weight. Each channel
/// has its own weights. Cells in the padding count as 0.
///
/// Requires: `out` is neither an operand nor in `space`.
/// Throws:   tutti::error if the operands do not fit their layouts, if their element types differ or are bool, if their
///           numbers of channels differ, or if the window exceeds the padded image.
constexpr void dilation2d(const tensor& data, const tensor& weight, const dilation2d_options& o, tensor& out,
                          scratch space = {}) {
    constexpr std::string_view kernel = "dilation2d";
    detail::check_arithmetic(kernel, data);
    detail::dilation_plan p;
    p.in = axes_in(kernel, "data", lettered::data, o.data_layout, data.shape());
    const std::string_view letters = o.weight_layout;
    bool good = letters.size() == 3 && weight.rank() == 3 && weight.type() == data.type() && o.data_layout.size() == 4;
    for (const char letter : {'I', 'H', 'W'}) good = good && letters.find(letter) != std::string_view::npos;
    if (!good)
        detail::fail_pair(kernel, "data", data, "weight", weight,
                          "images such as NCHW and weights such as IHW of one element type");
    const extents strides = row_major_strides(weight.shape());
    std::int64_t sizes[3]{};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t at = letters.find("IHW"[i]);
        p.weight[i] = strides[at];
        sizes[i] = weight.shape()[at];
    }
    if (sizes[0] != p.in.channel.size)
        detail::fail_pair(kernel, "data", data, "weight", weight, "the same number of channels in both");
    for (std::size_t i = 0; i < 2; ++i)
        p.window[1 + i] = {p.in.space[1 + i].size, sizes[1 + i], o.strides[i], o.dilation[i], o.before[i], o.after[i]};
    detail::check_windows(kernel, p.window, 2);
    p.out.outer.size = p.in.outer.size;
    p.out.channel.size = p.in.channel.size;
    for (std::size_t i = 1; i < 3; ++i) p.out.space[i].size = p.window[i].count();
    const extents shape = place_result(kernel, o.data_layout, p.out);
    spend(steps(p.out.outer.size, p.out.channel.size, p.out.places(), sizes[1], sizes[2]));
    const dtype type = o.out == dtype::none ? data.type() : o.out;
    detail::with_arithmetic(data.type(), [&]<class T>(std::type_identity<T>) {
        const T* from = detail::as_type(data, dtype_of<T>, space->data).template data<T>();
        const T* by = detail::as_type(weight, dtype_of<T>, space->weight).template data<T>();
        detail::with_result_as(kernel, type, dtype_of<T>, shape, space->result, out, [&](tensor& to) {
            if (to.size() != 0) detail::dilate_images<T>(p, from, by, to.mutable_data<T>());
        });
    });
}

} // namespace tutti::kernel
