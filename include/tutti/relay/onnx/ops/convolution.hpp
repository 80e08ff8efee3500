#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/conv_transpose.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// A node's sliding windows over spatial axes, for convolutions and pools.
struct window_attributes {
    dims kernel{}, strides{}, dilations{}, pads{}; ///< pads: before each axis, then after each
    bool is_same = false;                          ///< no padding is given; the result has size / stride
    bool more_in_front = false;                    ///< if the padding is odd

    std::size_t rank() const { return kernel.size(); }
};

/// Limit on the size, stride, dilation and padding of a window.
inline constexpr std::int64_t most_in_window = std::int64_t{1} << 24;

/// Throws: `tutti::error` if a list has another length than the spatial axes, or a number is invalid.
inline window_attributes read_window(node_context& c, const dims& kernel) {
    window_attributes w{.kernel = kernel};
    const std::size_t rank = kernel.size();
    const auto list = [&](std::string_view name, std::size_t count, std::int64_t otherwise) {
        dims given = c.integers(name, dims(count, otherwise));
        if (given.empty()) given = dims(count, otherwise); // some exporters write empty lists
        if (given.size() != count)
            c.refuse("attribute `" + std::string(name) + "` of " + std::to_string(given.size()) + " numbers",
                     std::to_string(count));
        for (const dim d : given)
            if (d.value() < (name == "pads" ? 0 : 1) || d.value() > most_in_window)
                c.refuse(std::to_string(d.value()) + " in attribute `" + std::string(name) + "`",
                         name == "pads" ? "0 or more" : "1 or more");
        return given;
    };
    for (const dim d : kernel)
        if (d.value() < 1 || d.value() > most_in_window)
            c.refuse("a window of size " + std::to_string(d.value()), "1 to 16,777,216");
    w.strides = list("strides", rank, 1);
    w.dilations = list("dilations", rank, 1);
    w.pads = list("pads", 2 * rank, 0);
    const std::string_view mode = c.text("auto_pad", "NOTSET");
    if (mode != "NOTSET" && !mode.empty()) {
        w.is_same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
        w.more_in_front = mode == "SAME_LOWER";
        if (!w.is_same && mode != "VALID")
            c.refuse("auto_pad `" + std::string(mode) + "`", "NOTSET, VALID, SAME_UPPER or SAME_LOWER");
        w.pads = dims(2 * rank, 0);
    }
    return w;
}

/// Divides the total padding of an axis.
inline void set_padding(window_attributes& w, std::size_t axis, std::int64_t total) {
    if (total < 0) total = 0;
    const std::int64_t less = total / 2;
    w.pads[axis] = w.more_in_front ? total - less : less;
    w.pads[axis + w.rank()] = w.more_in_front ? less : total - less;
}

/// Computes the padding for a result of size / stride, rounded up, if the node requests it.
inline void resolve_same(node_context& c, window_attributes& w, expr x) {
    if (!w.is_same) return;
    for (std::size_t i = 0; i < w.rank(); ++i) {
        const std::int64_t stride = w.strides[i].value();
        const std::int64_t size = stride == 1 ? 0 : c.extent(x, i + 2);
        const std::int64_t reach = (w.kernel[i].value() - 1) * w.dilations[i].value() + 1;
        set_padding(w, i, stride == 1 ? reach - 1 : ((size + stride - 1) / stride - 1) * stride + reach - size);
    }
}

namespace detail {

// Returns a window's size from the node or its weight.
inline dims kernel_of(node_context& c, expr weight) {
    const dims shape = c.shape(weight);
    if (shape.size() < 3) c.refuse("a weight of rank " + std::to_string(shape.size()), "3, 4 or 5");
    dims kernel = c.integers("kernel_shape", {});
    if (!kernel.empty() && kernel.size() != shape.size() - 2)
        c.refuse("a window of " + std::to_string(kernel.size()) + " axes", "those of the weight");
    if (kernel.empty())
        for (std::size_t i = 2; i < shape.size(); ++i) kernel.push_back(c.size(weight, i));
    return kernel;
}

inline expr with_bias(node_context& c, expr result) { return c.has(2) ? nn::bias_add(result, c.input(2)) : result; }

template <class Attributes>
Attributes conv_attributes_of(node_context& c, const window_attributes& w, dim channels) {
    Attributes a;
    a.strides = w.strides;
    a.dilation = w.dilations;
    a.padding = w.pads;
    a.groups = c.integer("group", 1);
    a.channels = channels;
    a.kernel_size = w.kernel;
    return a;
}

inline expr import_conv(node_context& c) {
    const expr x = c.input(0), weight = c.input(1);
    window_attributes w = read_window(c, kernel_of(c, weight));
    if (c.rank(x) != w.rank() + 2)
        c.refuse("data of rank " + std::to_string(c.rank(x)), std::to_string(w.rank() + 2) + ", as the weight has");
    resolve_same(c, w, x);
    const dim channels = c.shape(weight)[0];
    switch (w.rank()) {
    case 1:
        return with_bias(c, nn::conv1d(x, weight, conv_attributes_of<conv1d_attributes>(c, w, channels)));
    case 2:
        return with_bias(c, nn::conv2d(x, weight, conv_attributes_of<conv2d_attributes>(c, w, channels)));
    case 3:
        return with_bias(c, nn::conv3d(x, weight, conv_attributes_of<conv3d_attributes>(c, w, channels)));
    default:
        c.refuse("a convolution over " + std::to_string(w.rank()) + " axes", "1, 2 or 3");
    }
}

inline expr import_conv_transpose(node_context& c) {
    const expr x = c.input(0), weight = c.input(1);
    window_attributes w = read_window(c, kernel_of(c, weight));
    const std::size_t rank = w.rank();
    if (c.rank(x) != rank + 2) c.refuse("data of rank " + std::to_string(c.rank(x)), "that of the weight");
    dims output_padding = c.integers("output_padding", dims(rank, 0));
    dims output_shape = c.integers("output_shape", {});
    if (output_padding.size() != rank || (!output_shape.empty() && output_shape.size() != rank))
        c.refuse("output_padding or output_shape of another length", "a number for each spatial axis");
    if (w.is_same || !output_shape.empty()) {
        for (std::size_t i = 0; i < rank; ++i) {
            const std::int64_t stride = w.strides[i].value(), size = c.extent(x, i + 2);
            const std::int64_t wanted = output_shape.empty() ? size * stride : output_shape[i].value();
            const std::int64_t reach = (w.kernel[i].value() - 1) * w.dilations[i].value() + 1;
            std::int64_t total = stride * (size - 1) + output_padding[i].value() + reach - wanted;
            if (total < 0) { // cut at the end
                output_padding[i] = output_padding[i].value() - total;
                total = 0;
            }
            if (w.is_same || c.text("auto_pad", "NOTSET") != "NOTSET") {
                set_padding(w, i, total);
            } else { // the larger part in front
                w.pads[i] = total - total / 2;
                w.pads[i + rank] = total / 2;
            }
        }
    }
    const dim channels = times(c.shape(weight)[1], c.integer("group", 1));
    const auto transposed = [&](auto a, std::string_view kernel_layout) {
        a.output_padding = output_padding;
        a.kernel_layout = kernel_layout;
        return a;
    };
    switch (rank) {
    case 1:
        return with_bias(
            c, nn::conv1d_transpose(
                   x, weight, transposed(conv_attributes_of<conv1d_transpose_attributes>(c, w, channels), "IOW")));
    case 2:
        return with_bias(
            c, nn::conv2d_transpose(
                   x, weight, transposed(conv_attributes_of<conv2d_transpose_attributes>(c, w, channels), "IOHW")));
    case 3:
        return with_bias(
            c, nn::conv3d_transpose(
                   x, weight, transposed(conv_attributes_of<conv3d_transpose_attributes>(c, w, channels), "IODHW")));
    default:
        c.refuse("a transposed convolution over " + std::to_string(rank) + " axes", "1, 2 or 3");
    }
}

// A convolution of images whose elements are read at places that an input moves.
inline expr import_deform_conv(node_context& c) {
    const expr x = c.input(0), weight = c.input(1);
    const window_attributes w = read_window(c, kernel_of(c, weight));
    if (c.rank(x) != 4 || w.rank() != 2) c.refuse("data of rank " + std::to_string(c.rank(x)), "images, of rank 4");
    if (c.has(4)) c.refuse("a mask", "none");
    auto a = conv_attributes_of<deformable_conv2d_attributes>(c, w, c.shape(weight)[0]);
    a.deformable_groups = c.integer("offset_group", 1);
    const expr y = nn::deformable_conv2d(x, c.input(2), weight, a);
    return c.has(3) ? nn::bias_add(y, c.input(3)) : y;
}

} // namespace detail

/// Convolutions.
inline constexpr import_rule convolution_rules[]{
    {"Conv", detail::import_conv},
    {"ConvTranspose", detail::import_conv_transpose},
    {"DeformConv", detail::import_deform_conv},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
