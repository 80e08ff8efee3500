#pragma once

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/image.hpp>
#include <tutti/kernel/product.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace tutti::kernel {

/// How a convolution slides, and how its operands are laid out.
struct conv2d_options {
    size2d strides{};
    padding2d padding{};
    size2d dilation{};
    std::int64_t groups = 1;
    image_layout data_layout = image_layout::nchw;
    kernel_layout weight_layout = kernel_layout::oihw;
    dtype out = dtype::none; ///< The result's element type, over `tensor`; `none`: the data's.
};

/// The windows of a convolution along the rows and the columns.
struct conv2d_windows {
    window h;
    window w;
};

constexpr conv2d_windows windows_of(const conv2d_options& o, const image_axes& data,
                                    const kernel_axes& weight) {
    return {{data.h, weight.h, o.strides.h, o.dilation.h, o.padding.top, o.padding.bottom},
            {data.w, weight.w, o.strides.w, o.dilation.w, o.padding.left, o.padding.right}};
}

namespace detail {

/// A convolution as products of matrices. A block of output pixels is a matrix whose row k holds, for each
/// pixel, the input that the k-th weight meets there (padding is zero); the weights of the output channels
/// are the other. What is gathered is used for many channels, and the gathering knows about strides, padding,
/// dilation and layouts so that the product need not.
template <class T, class Out>
class conv2d_blocks {
    using sum = sum_type<T, Out>;
    static constexpr std::int64_t pixels = 64;
    static constexpr std::int64_t depth = 128;
    static constexpr std::int64_t channels = 128;
    static_assert(pixels % tile_columns == 0 && channels % tile_rows == 0);

    /// Pixels of a block that are neighbours in one row of the result.
    struct run {
        std::int64_t first;
        std::int64_t count;
        std::int64_t h; // where their windows begin
        std::int64_t w;
    };

public:
    constexpr conv2d_blocks(view<const T> data, view<const T> weight, const conv2d_options& o, view<Out> out)
        : in_(image_axes_of(data.shape, o.data_layout))
        , in_stride_(image_axes_of(row_major_strides(data.shape), o.data_layout))
        , weights_(kernel_axes_of(weight.shape, o.weight_layout))
        , weight_stride_(kernel_axes_of(row_major_strides(weight.shape), o.weight_layout))
        , out_(image_axes_of(out.shape, o.data_layout))
        , out_stride_(image_axes_of(row_major_strides(out.shape), o.data_layout))
        , window_(windows_of(o, in_, weights_))
        , channels_first_(o.weight_layout == kernel_layout::oihw)
        , data_(data.data)
        , weight_(weight.data)
        , result_(out.data) {}

    constexpr void run_group(std::int64_t n, std::int64_t group, std::int64_t groups) {
        const std::int64_t out_channels = out_.c / groups;
        const T* image = data_ + n * in_stride_.n + group * weights_.i * in_stride_.c;
        for (std::int64_t first = 0; first < out_.h * out_.w; first += pixels) {
            const std::int64_t count = std::min(pixels, out_.h * out_.w - first);
            find_runs(first, count);
            for (std::int64_t c = 0; c < out_channels; c += channels) {
                const std::int64_t channel = group * out_channels + c;
                const std::int64_t block = std::min(channels, out_channels - c);
                multiply(image, weight_ + channel * weight_stride_.o, block, count);
                store(result_ + n * out_stride_.n + channel * out_stride_.c, first, block, count);
            }
        }
    }

private:
    constexpr void find_runs(std::int64_t first, std::int64_t count) {
        run_count_ = 0;
        for (std::int64_t p = 0; p < count;) {
            const std::int64_t row = (first + p) / out_.w;
            const std::int64_t column = (first + p) % out_.w;
            const std::int64_t length = std::min(count - p, out_.w - column);
            runs_[run_count_++] = {p, length, row * window_.h.stride - window_.h.before,
                                   column * window_.w.stride - window_.w.before};
            p += length;
        }
    }

    /// The products of a block of output channels with a block of pixels, summed over all weights, into
    /// `sums_`.
    constexpr void multiply(const T* image, const T* weight, std::int64_t block, std::int64_t count) {
        const std::int64_t total = weights_.i * weights_.h * weights_.w;
        const std::int64_t step = channels_first_ ? weight_stride_.w : weight_stride_.i;
        const std::int64_t rows = (block + tile_rows - 1) / tile_rows * tile_rows;
        for (std::int64_t c = 0; c < rows; ++c) std::fill_n(sums_ + c * pixels, pixels, sum{});
        for (std::int64_t k = 0; k < total; k += depth) {
            const std::int64_t deep = std::min(depth, total - k);
            gather(image, k, deep, count);
            for (std::int64_t c = 0; c < block; c += tile_rows) {
                std::array<const T*, tile_rows> row{}; // the last tile repeats its last row
                for (std::int64_t r = 0; r < tile_rows; ++r)
                    row[static_cast<std::size_t>(r)] =
                        weight + std::min(c + r, block - 1) * weight_stride_.o + k * step;
                for (std::int64_t p = 0; p < count; p += tile_columns)
                    multiply_tile(row, step, deep, patch_ + p, pixels, sums_ + c * pixels + p, pixels);
            }
        }
    }

    /// The inputs that weights k … k + deep meet at each pixel of the block, into `patch_`.
    constexpr void gather(const T* image, std::int64_t k, std::int64_t deep, std::int64_t count) {
        const std::int64_t padded = (count + tile_columns - 1) / tile_columns * tile_columns;
        for (std::int64_t i = 0; i < deep; ++i) {
            const auto [c, h, w] = weight_at(k + i);
            sum* row = patch_ + i * pixels;
            for (std::int64_t r = 0; r < run_count_; ++r)
                gather_run(image + c * in_stride_.c, runs_[r].h + h * window_.h.dilation,
                           runs_[r].w + w * window_.w.dilation, row + runs_[r].first, runs_[r].count);
            std::fill(row + count, row + padded, sum{});
        }
    }

    constexpr std::array<std::int64_t, 3> weight_at(std::int64_t k) const {
        if (channels_first_)
            return {k / (weights_.h * weights_.w), k / weights_.w % weights_.h, k % weights_.w};
        return {k % weights_.i, k / weights_.i / weights_.w, k / weights_.i % weights_.w};
    }

    /// `count` inputs of row h, a window's stride apart, from column w on; zero outside of the image.
    constexpr void gather_run(const T* channel, std::int64_t h, std::int64_t w, sum* to,
                              std::int64_t count) const {
        const std::int64_t stride = window_.w.stride;
        const std::int64_t begin =
            h < 0 || h >= in_.h ? count : std::min(count, w < 0 ? (stride - 1 - w) / stride : 0);
        const std::int64_t end =
            std::max(begin, w < in_.w ? std::min(count, (in_.w - 1 - w) / stride + 1) : 0);
        std::fill(to, to + begin, sum{});
        if (begin < end) {
            const T* from = channel + h * in_stride_.h;
            if (stride * in_stride_.w == 1)
                for (std::int64_t i = begin; i < end; ++i) to[i] = static_cast<sum>(from[w + i]);
            else
                for (std::int64_t i = begin; i < end; ++i)
                    to[i] = static_cast<sum>(from[(w + i * stride) * in_stride_.w]);
        }
        std::fill(to + end, to + count, sum{});
    }

    constexpr void store(Out* to, std::int64_t first, std::int64_t block, std::int64_t count) const {
        for (std::int64_t c = 0; c < block; ++c)
            for (std::int64_t p = 0; p < count; ++p)
                to[c * out_stride_.c + (first + p) * out_stride_.w] = convert<Out>(sums_[c * pixels + p]);
    }

    image_axes in_;
    image_axes in_stride_;
    kernel_axes weights_;
    kernel_axes weight_stride_;
    image_axes out_;
    image_axes out_stride_;
    conv2d_windows window_;
    bool channels_first_;
    const T* data_;
    const T* weight_;
    Out* result_;

    run runs_[pixels];
    std::int64_t run_count_ = 0;
    alignas(64) sum patch_[depth * pixels];
    alignas(64) sum sums_[channels * pixels];
};

} // namespace detail

/// Two-dimensional convolution (in the networks' sense: a correlation).
///
/// Sums are taken in `sum_type<T, Out>`: float32 in float32, in blocks of 128 products; integers wrap.
/// Padding is made of zeros that take part, so that an infinite weight makes NaN of them.
///
/// Requires: shapes that `conv2d_shape` accepts and that `out` has; `out` overlaps no operand.
/// Cost:     multiply-adds, and about 1/128 of that for gathering; 64 KiB of stack for float32; no
/// allocation.
template <class T, class Out = T>
constexpr void conv2d(view<const T> data, view<const T> weight, const conv2d_options& options,
                      view<Out> out) {
    if (out.size() == 0) return;
    detail::conv2d_blocks<T, Out> blocks(data, weight, options, out);
    for (std::int64_t n = 0; n < data.shape[0]; ++n)
        for (std::int64_t g = 0; g < options.groups; ++g) blocks.run_group(n, g, options.groups);
}

/// The shape of a convolution's result, in the data's layout.
///
/// Throws: tutti::error, naming both shapes, if data and weight do not fit, and if a window does not fit in
/// the padded image.
constexpr extents conv2d_shape(const tensor& data, const tensor& weight, const conv2d_options& options) {
    if (data.rank() != 4 || weight.rank() != 4)
        detail::fail_pair("conv2d", "data", data, "weight", weight, "two tensors of rank 4");
    const image_axes in = image_axes_of(data.shape(), options.data_layout);
    const kernel_axes kernel = kernel_axes_of(weight.shape(), options.weight_layout);
    if (options.groups < 1) detail::fail("conv2d", std::to_string(options.groups) + " groups", "at least 1");
    if (in.c % options.groups != 0 || in.c / options.groups != kernel.i)
        detail::fail_pair("conv2d", "data", data, "weight", weight,
                          std::to_string(kernel.i * options.groups) +
                              " channels of data: " + std::to_string(kernel.i) + " for each of the " +
                              std::to_string(options.groups) + " groups");
    if (kernel.o % options.groups != 0)
        detail::fail_pair("conv2d", "data", data, "weight", weight,
                          "a multiple of " + std::to_string(options.groups) +
                              " output channels, as there are groups");
    const conv2d_windows windows = windows_of(options, in, kernel);
    detail::check_window("conv2d", "height", windows.h);
    detail::check_window("conv2d", "width", windows.w);
    return in_layout({in.n, kernel.o, windows.h.count(), windows.w.count()}, options.data_layout);
}

/// The same over tensors. The result's element type is the data's, or the one in the options.
///
/// Throws: tutti::error, naming both, if shapes or element types do not fit; see `with_product_type` for
/// those that do.
constexpr tensor conv2d(const tensor& data, const tensor& weight, const conv2d_options& options = {}) {
    const extents shape = conv2d_shape(data, weight, options);
    return detail::with_product_type("conv2d", data, weight, options.out, [&]<class T, class Out>() {
        tensor out = detail::make_result("conv2d", dtype_of<Out>, shape);
        conv2d<T, Out>(view_of<T>(data), view_of<T>(weight), options, mutable_view_of<Out>(out));
        return out;
    });
}

} // namespace tutti::kernel
