#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// What convolution and pooling share: the order of an image batch's axes, and windows that slide over them.

namespace tutti::kernel {

/// The order of the axes of a batch of images: N images, C channels, H rows, W columns.
enum class image_layout : std::uint8_t { nchw, nhwc };

/// The order of the axes of a convolution's weights: O output channels, I input channels of a group, H rows,
/// W columns.
enum class kernel_layout : std::uint8_t { oihw, hwio, ohwi };

/// One number for each axis of a batch of images: their sizes, or their strides.
struct image_axes {
    std::int64_t n = 0;
    std::int64_t c = 0;
    std::int64_t h = 0;
    std::int64_t w = 0;
};

/// Four numbers in the layout's order, told apart. Requires: four of them.
constexpr image_axes image_axes_of(std::span<const std::int64_t> axes, image_layout layout) {
    if (layout == image_layout::nchw) return {axes[0], axes[1], axes[2], axes[3]};
    return {axes[0], axes[3], axes[1], axes[2]};
}

/// The same in the layout's order.
constexpr extents in_layout(const image_axes& axes, image_layout layout) {
    extents ordered;
    for (const std::int64_t v : layout == image_layout::nchw ? std::array{axes.n, axes.c, axes.h, axes.w}
                                                             : std::array{axes.n, axes.h, axes.w, axes.c})
        ordered.push_back(v);
    return ordered;
}

/// One number for each axis of a convolution's weights.
struct kernel_axes {
    std::int64_t o = 0;
    std::int64_t i = 0;
    std::int64_t h = 0;
    std::int64_t w = 0;
};

/// Four numbers in the layout's order, told apart. Requires: four of them.
constexpr kernel_axes kernel_axes_of(std::span<const std::int64_t> axes, kernel_layout layout) {
    switch (layout) {
    case kernel_layout::oihw:
        return {axes[0], axes[1], axes[2], axes[3]};
    case kernel_layout::hwio:
        return {axes[3], axes[2], axes[0], axes[1]};
    case kernel_layout::ohwi:
        break;
    }
    return {axes[0], axes[3], axes[1], axes[2]};
}

/// Rows and columns: of a stride, a dilation, a window.
struct size2d {
    std::int64_t h = 1;
    std::int64_t w = 1;
};

/// How much is added on each side of an image.
struct padding2d {
    std::int64_t top = 0;
    std::int64_t left = 0;
    std::int64_t bottom = 0;
    std::int64_t right = 0;
};

/// A window of `size` cells, `dilation` apart, that slides by `stride` along one axis of `extent` cells
/// padded on both sides.
struct window {
    std::int64_t extent = 0;
    std::int64_t size = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t before = 0;
    std::int64_t after = 0;

    /// How many cells one window covers, from its first to its last.
    constexpr std::int64_t reach() const { return (size - 1) * dilation + 1; }

    /// At how many places the window fits; with `ceil_mode`, one that begins inside may hang over the end by
    /// less than a stride.
    constexpr std::int64_t count(bool ceil_mode = false) const {
        return (extent + before + after - reach() + (ceil_mode ? stride - 1 : 0)) / stride + 1;
    }
};

namespace detail {

/// Throws: tutti::error unless the window's numbers make sense and the window fits in the padded axis.
constexpr void check_window(std::string_view kernel, std::string_view axis, const window& w) {
    constexpr std::int64_t limit = std::int64_t{1} << 31;
    const auto number = [&](std::string_view what, std::int64_t value, std::int64_t least) {
        if (value < least || value >= limit)
            fail(kernel, std::string(axis) + ": a " + std::string(what) + " of " + std::to_string(value),
                 "from " + std::to_string(least) + " to 2^31 - 1");
    };
    number("window", w.size, 1);
    number("stride", w.stride, 1);
    number("dilation", w.dilation, 1);
    number("padding", w.before, 0);
    number("padding", w.after, 0);
    if (w.reach() > w.extent + w.before + w.after)
        fail(kernel,
             std::string(axis) + ": a window that reaches over " + std::to_string(w.reach()) + " cells",
             "at most the " + std::to_string(w.extent + w.before + w.after) + " of the padded image");
}

constexpr void check_image(std::string_view kernel, const tensor& t) {
    if (t.rank() != 4) fail(kernel, "data is " + text(t), "a tensor of rank 4");
}

} // namespace detail
} // namespace tutti::kernel
