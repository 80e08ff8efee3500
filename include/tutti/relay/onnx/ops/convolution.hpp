#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/type_agreement.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/conv_transpose.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/image_sampling.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// The attributes of a node's sliding windows, for convolutions and pools.
struct window_attributes {
    dims kernel{}, strides{}, dilations{}, pads{}; ///< pads: before each axis, then after each axis
    bool is_same = false;                          ///< true for SAME padding, which gives a result of size / stride
    bool more_in_front = false;                    ///< true to put the odd element of padding before the axis

    std::size_t rank() const { return kernel.size(); }
};

/// Limit on each size, stride, dilation and padding of a window.
inline constexpr std::int64_t most_in_window = std::int64_t{1} << 24;

/// Reads the attributes of a node's window.
///
/// Throws: `tutti::error` if the length of a list does not match the number of spatial axes, or a number is invalid.
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

/// Splits the total padding of an axis between its beginning and its end.
inline void set_padding(window_attributes& w, std::size_t axis, std::int64_t total) {
    if (total < 0) total = 0;
    const std::int64_t less = total / 2;
    w.pads[axis] = w.more_in_front ? total - less : less;
    w.pads[axis + w.rank()] = w.more_in_front ? less : total - less;
}

/// If the node requests SAME padding, computes the padding for a result of size / stride, rounded up.
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

// Returns the window's size: the node's attribute, or the spatial sizes of the weight.
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

// Returns the node's convolution with `weight`. Adds the node's bias, if any.
inline expr convolved(node_context& c, expr weight) {
    const expr x = c.input(0);
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

inline expr import_conv(node_context& c) { return convolved(c, c.input(1)); }

// Applies the activation of a fused operator, if it has one.
inline expr activated(node_context& c, expr x, const plain_vector<float>& parameters) {
    const std::string_view activation = c.text("activation", "");
    const auto parameter = [&](std::size_t i) {
        if (i >= parameters.size()) c.refuse("missing activation parameters", "those of " + std::string(activation));
        return static_cast<double>(parameters[i]);
    };
    if (activation.empty()) return x;
    if (activation == "Relu") return nn::relu(x);
    if (activation == "Sigmoid") return relay::sigmoid(x);
    if (activation == "Tanh") return relay::tanh(x);
    if (activation == "LeakyRelu") return nn::leaky_relu(x, {.alpha = parameter(0)});
    if (activation == "Clip") return relay::clip(x, {.a_min = parameter(0), .a_max = parameter(1)});
    if (activation == "HardSigmoid") return hard_sigmoid(c, x, parameter(0), parameter(1));
    c.refuse("activation `" + std::string(activation) + "`", "Relu, Sigmoid, Tanh, LeakyRelu, Clip or HardSigmoid");
}

// Imports ONNX Runtime's fusion of a convolution, the addition of an optional fourth input, and an activation.
inline expr fused_convolution(node_context& c, expr weight) {
    expr x = convolved(c, weight);
    if (c.has(3)) x = relay::add(x, c.input(3));
    return activated(c, x, c.reals("activation_params"));
}
inline expr import_fused_conv(node_context& c) { return fused_convolution(c, c.input(1)); }

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
            if (total < 0) { // the requested size exceeds the reach of the windows
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

/// Imports DeformConv, a convolution of images or volumes. An input moves the positions that the windows read, and a
/// mask weights the elements. Within a pixel beyond the border, the image fades to zero, unlike in
/// nn.deformable_conv2d.
///
/// Source: Zhu et al., "Deformable ConvNets v2".
class deform_conv {
public:
    explicit deform_conv(node_context& c)
        : c_(&c)
        , x_(c.input(0))
        , weight_(c.input(1))
        , offset_(c.input(2))
        , window_(read_window(c, kernel_of(c, weight_)))
        , axes_(window_.rank()) {}

    expr operator()() {
        node_context& c = *c_;
        if (axes_ != 2 && axes_ != 3)
            c.refuse("a deformable convolution over " + std::to_string(axes_) + " axes", "2 or 3");
        if (c.rank(x_) != axes_ + 2 || c.rank(offset_) != axes_ + 2)
            c.refuse("data of rank " + std::to_string(c.rank(x_)) + " and offsets of rank " +
                         std::to_string(c.rank(offset_)),
                     std::to_string(axes_ + 2) + ", as the weight has");
        channels_ = c.extent(x_, 1);
        offset_groups_ = c.integer("offset_group", 1);
        if (offset_groups_ < 1 || channels_ < 1 || channels_ % offset_groups_ != 0)
            c.refuse(std::to_string(offset_groups_) + " groups of offsets for " + std::to_string(channels_) +
                         " channels",
                     "groups of the same size");
        cells_ = product({window_.kernel.begin(), axes_}).value();
        for (std::size_t i = 0; i < axes_; ++i) set_size(i);
        check(offset_, "offsets", static_cast<std::int64_t>(axes_));
        if (c.has(4)) check(c.input(4), "a mask", 1);
        const expr y = convolved(c.has(4) ? relay::multiply(sampled(), mask()) : sampled());
        return c.has(3) ? nn::bias_add(y, c.input(3)) : y;
    }

private:
    // Appends the size of the result's spatial axis `i`.
    void set_size(std::size_t i) {
        const std::int64_t reach = (window_.kernel[i].value() - 1) * window_.dilations[i].value() + 1;
        const std::int64_t padded = c_->extent(x_, i + 2) + window_.pads[i].value() + window_.pads[i + axes_].value();
        if (padded < reach || c_->extent(x_, i + 2) == 0)
            c_->refuse("a window of " + std::to_string(reach) + " elements on an axis of " + std::to_string(padded),
                       "an axis that is as long");
        size_.push_back((padded - reach) / window_.strides[i].value() + 1);
    }

    // Refuses `e` unless it holds `numbers` numbers for each offset group, window cell and position of the result.
    void check(expr e, std::string_view what, std::int64_t numbers) const {
        dims wanted{c_->shape(x_)[0], times(times(offset_groups_, numbers), cells_)};
        for (const dim d : size_) wanted.push_back(d);
        const dims given = c_->shape(e);
        type_table& types = c_->graph().graph().types();
        const auto said = [&](const dims& shape) {
            return to_text(types, types.tensor({shape.begin(), shape.size()}, c_->element(e)));
        };
        if (!agree({given.begin(), given.size()}, {wanted.begin(), wanted.size()}))
            c_->refuse(std::string(what) + " of type " + said(given), said(wanted));
    }

    // Concatenates lists of dimensions into a shape.
    static dims joined(std::initializer_list<dims> lists) {
        dims all;
        for (const dims& list : lists)
            for (const dim d : list) all.push_back(d);
        return all;
    }

    // Returns the sampling positions along an axis, for each window cell at each position of the result. The shape is
    // (groups, window, result). The image spans -1 to 1.
    expr places(std::size_t axis, expr offsets) {
        node_context& c = *c_;
        const auto along = [&](const dims& sizes, std::size_t before, std::size_t behind) {
            dims shape(before + axes_ + behind, 1);
            shape[before + axis] = sizes[axis];
            return relay::reshape(c.counted(0, sizes[axis].value(), dtype::float32), {.newshape = shape});
        };
        const auto number = [&](dim n) { return c.number(static_cast<double>(n.value()), dtype::float32); };
        const expr cell = relay::multiply(along(window_.kernel, 1, axes_), number(window_.dilations[axis]));
        const expr first = relay::multiply(along(size_, 1 + axes_, 0), number(window_.strides[axis]));
        const expr still = relay::subtract(relay::add(cell, first), number(window_.pads[axis]));
        const expr own = relay::take(offsets, int64_number(c, static_cast<std::int64_t>(axis)),
                                     {.axis = dim(static_cast<std::int64_t>(1 + axes_))});
        const expr moved = relay::add(own, still);
        const expr twice = relay::add(relay::multiply(moved, number(2)), number(1));
        return relay::subtract(relay::divide(twice, number(c.extent(x_, axis + 2))), number(1));
    }

    // Returns the elements that the windows read, of shape (batch, groups, channels, cells, result).
    expr sampled() {
        node_context& c = *c_;
        const dims moves = joined({{-1}, window_.kernel, {static_cast<std::int64_t>(axes_)}, size_});
        const expr offsets = relay::reshape(c.cast_to(offset_, dtype::float32), {.newshape = moves});
        plain_vector<expr_id> coordinates; // the last axis first
        for (std::size_t i = axes_; i-- > 0;) coordinates.push_back(places(i, offsets).id);
        dims columns{-1, static_cast<std::int64_t>(axes_), times(cells_, size_[0])};
        dims images{-1, channels_ / offset_groups_};
        for (std::size_t i = 0; i < axes_; ++i) {
            if (i != 0) columns.push_back(size_[i]);
            images.push_back(c.extent(x_, i + 2));
        }
        const expr grid = relay::reshape(relay::stack(c.tuple(coordinates), {.axis = 1}), {.newshape = columns});
        const expr samples =
            relay::image::grid_sample(relay::reshape(x_, {.newshape = images}), grid,
                                      {.layout = axes_ == 2 ? "NCHW" : "NCDHW", .align_corners = false});
        return relay::reshape(samples,
                              {.newshape = joined({{-1, offset_groups_, channels_ / offset_groups_, cells_}, size_})});
    }

    expr mask() { return relay::reshape(c_->input(4), {.newshape = joined({{-1, offset_groups_, 1, cells_}, size_})}); }

    // Multiplies the weight by the elements that the windows read. This is a convolution with windows of one element.
    expr convolved(expr samples) {
        node_context& c = *c_;
        const dims one(axes_, 1);
        const dim outputs = c.size(weight_, 0);
        const expr columns = relay::reshape(samples, {.newshape = joined({{-1, times(channels_, cells_)}, size_})});
        const expr weight =
            relay::reshape(weight_, {.newshape = joined({{outputs, times(c.extent(weight_, 1), cells_)}, one})});
        const window_attributes w{.kernel = one, .strides = one, .dilations = one, .pads = dims(2 * axes_, 0)};
        if (axes_ == 2) return nn::conv2d(columns, weight, conv_attributes_of<conv2d_attributes>(c, w, outputs));
        return nn::conv3d(columns, weight, conv_attributes_of<conv3d_attributes>(c, w, outputs));
    }

    node_context* c_;
    expr x_, weight_, offset_;
    window_attributes window_;
    std::size_t axes_;
    std::int64_t channels_ = 0, offset_groups_ = 0, cells_ = 0;
    dims size_{}; // the spatial sizes of the result
};

inline expr import_deform_conv(node_context& c) { return deform_conv(c)(); }

} // namespace detail

/// Convolutions.
inline constexpr import_rule convolution_rules[]{
    {"Conv", detail::import_conv},
    {"ConvTranspose", detail::import_conv_transpose},
    {"DeformConv", detail::import_deform_conv},
    {"FusedConv", detail::import_fused_conv, "com.microsoft"},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
