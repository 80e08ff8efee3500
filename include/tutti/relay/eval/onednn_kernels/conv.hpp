#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/blocked/common/depthwise.hpp>
#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/layout.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/relay/eval/onednn_kernels/call.hpp>
#include <tutti/relay/op/invocation.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <oneapi/dnnl/dnnl.hpp>

namespace tutti::relay::inline TUTTI_FORM::kernels::detail {

/// The sizes and strides of a tensor's axes in oneDNN's order: groups if there are several, the outer axis, channels,
/// spatial axes.
struct onednn_axes {
    dnnl::memory::dims sizes;
    dnnl::memory::dims strides;

    void push(std::int64_t size, std::int64_t stride) {
        sizes.push_back(size);
        strides.push_back(stride);
    }
    onednn_axes(const kernel::lettered_axes& axes, std::size_t rank, std::int64_t groups = 1) {
        if (groups > 1) push(groups, axes.outer.size / groups * axes.outer.stride());
        push(axes.outer.size / groups, axes.outer.stride());
        push(axes.channel.size, axes.channel.stride());
        for (std::size_t i = 3 - rank; i < 3; ++i) push(axes.space[i].size, axes.space[i].stride());
    }
};

/// Returns oneDNN's description of images. The axes may be in any order, and the innermost may be a block of 8 or 16
/// channels (NCHW8c). Returns nothing for other blocks.
inline std::optional<dnnl::memory::desc> described_images(const kernel::lettered_axes& axes, std::size_t rank,
                                                          dnnl::memory::data_type type) {
    if (axes.channel.parts <= 1) {
        const onednn_axes plain(axes, rank);
        return described(plain.sizes, plain.strides, type);
    }
    using tag = dnnl::memory::format_tag;
    const kernel::lettered_axis::part& inner = axes.channel.part_of[1];
    const std::int64_t pixels = axes.places() * inner.length;
    if (axes.channel.parts != 2 || inner.stride != 1 || (inner.length != 8 && inner.length != 16) ||
        axes.channel.part_of[0].stride != pixels || axes.space[2].stride() != inner.length)
        return std::nullopt;
    dnnl::memory::dims sizes{axes.outer.size, axes.channel.size};
    for (std::size_t i = 3 - rank; i < 3; ++i) sizes.push_back(axes.space[i].size);
    constexpr std::array eight{tag::nCw8c, tag::nChw8c, tag::nCdhw8c};
    constexpr std::array sixteen{tag::nCw16c, tag::nChw16c, tag::nCdhw16c};
    return dnnl::memory::desc(sizes, type, (inner.length == 8 ? eight : sixteen)[rank - 1]);
}

/// True if a pixel's channels, or a block of them, are contiguous.
inline bool channels_are_innermost(const kernel::lettered_axes& axes) {
    return axes.channel.part_of[axes.channel.parts - 1].stride == 1;
}

/// Returns the channel axis and strides of images in this layout.
inline onednn_channels channels_of_images(std::string_view images) {
    onednn_channels c;
    const kernel::layout l = *kernel::layout::parse(images);
    const std::int64_t block = l.block('C');
    for (const kernel::layout::axis a : l.axes()) c.strides.push_back(a.letter != 'C' ? 0 : a.block != 0 ? 1 : block);
    return c;
}

/// The windows along the innermost `rank` spatial axes, in oneDNN's form.
struct onednn_windows {
    dnnl::memory::dims sizes, strides, dilations, before, after;

    onednn_windows(const kernel::windows& all, std::size_t rank) {
        for (std::size_t i = 3 - rank; i < 3; ++i) {
            sizes.push_back(all[i].size);
            strides.push_back(all[i].stride);
            dilations.push_back(all[i].dilation - 1);
            before.push_back(all[i].before);
            after.push_back(all[i].after);
        }
    }
};

/// Returns oneDNN's element type for float32, int32, int8 and uint8; `undef` for other types.
inline dnnl::memory::data_type onednn_type(dtype type) {
    switch (type) {
    case dtype::float32:
        return dnnl::memory::data_type::f32;
    case dtype::int32:
        return dnnl::memory::data_type::s32;
    case dtype::int8:
        return dnnl::memory::data_type::s8;
    case dtype::uint8:
        return dnnl::memory::data_type::u8;
    default:
        return dnnl::memory::data_type::undef;
    }
}

/// True if the processor sums products of bytes in 32 bits. On other processors, oneDNN sums pairs of products in
/// 16 bits, which may overflow.
inline bool sums_bytes_exactly() {
    const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
    const auto with_vnni = static_cast<unsigned>(dnnl::cpu_isa::avx2_vnni);
    const auto wide_with_vnni = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_vnni);
    return (isa & with_vnni) == with_vnni || (isa & wide_with_vnni) == wide_with_vnni;
}

/// True if oneDNN can replace the reference for these element types: all are float32, or the data is int8 or uint8, the
/// weight int8 and the result an exact int32 sum. `out` is the result's type; `none` stands for the data's type. False
/// for empty tensors.
inline bool onednn_multiplies(const tensor& data, const tensor& weight, dtype out) {
    if (out == dtype::none) out = data.type();
    if (data.size() == 0 || weight.size() == 0) return false;
    if (data.type() == dtype::float32) return weight.type() == dtype::float32 && out == dtype::float32;
    return (data.type() == dtype::int8 || data.type() == dtype::uint8) && weight.type() == dtype::int8 &&
           out == dtype::int32 && sums_bytes_exactly();
}

/// Returns the image layout that oneDNN chooses for a typical convolution with a 3x3 window.
inline std::string_view onednn_image_layout() {
    using convolution = dnnl::convolution_forward;
    using tag = dnnl::memory::format_tag;
    const dnnl::memory::dims images{1, 64, 56, 56};
    const dnnl::memory::dims one{1, 1};
    const auto any = [](const dnnl::memory::dims& sizes) {
        return dnnl::memory::desc(sizes, dnnl::memory::data_type::f32, tag::any);
    };
    try {
        const convolution::desc wanted(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                       any(images), any({64, 64, 3, 3}), any(images), one, one, one);
        const dnnl::memory::desc chosen = convolution::primitive_desc(wanted, onednn_engine()).src_desc();
        constexpr auto type = dnnl::memory::data_type::f32;
        if (chosen == dnnl::memory::desc(images, type, tag::nChw8c)) return "NCHW8c";
        if (chosen == dnnl::memory::desc(images, type, tag::nChw16c)) return "NCHW16c";
    } catch (const dnnl::error&) {
        // oneDNN has no such convolution, so it prefers no layout
    }
    return "NHWC";
}

/// True for a depthwise convolution with contiguous rows that fill most of a vector. oneDNN requires contiguous
/// channels, and converting to them takes longer than the blocked kernel.
inline bool is_faster_by_rows(const kernel::detail::conv_plan& p) {
    namespace blocked = kernel::blocked;
    return blocked::detail::is_depthwise(p) && p.out_channels() == 1 && blocked::detail::depthwise_rows<>::suits(p) &&
           !channels_are_innermost(p.in) && !channels_are_innermost(p.out) && 2 * p.out.space[2].size > blocked::lanes;
}

/// True if a window at an end of an axis lies entirely in the padding.
inline bool has_window_in_padding(const kernel::detail::conv_plan& p) {
    for (std::size_t i = 0; i < 3; ++i)
        for (const std::int64_t place : {std::int64_t{0}, p.out.space[i].size - 1})
            if (kernel::window_part(p.window[i], place).count == 0) return true;
    return false;
}

/// Prepares a convolution, or declines it. Declines blocked weights, unsupported types, and depthwise convolutions with
/// contiguous rows. Also declines 8-bit data with a window in the padding, because oneDNN 2's depthwise code then
/// computes wrong results.
inline void ready_conv(onednn_call& call, const invocation& c, const kernel::conv_options& given) {
    const tensor& data = c.input(0);
    const tensor& weight = c.input(1);
    const kernel::conv_options o = kernel::detail::with_layouts(given, data, weight);
    kernel::detail::conv_plan p = kernel::detail::plan_conv("conv", data, weight, o);
    onednn_wanted wanted{.shape = kernel::place_result("conv", o.out_layout, p.out)};
    if (p.weight.outer.parts > 1 || p.weight.channel.parts > 1) return call.leave(c);
    if (!onednn_multiplies(data, weight, o.out) || kernel::element_count(wanted.shape) == 0) return call.leave(c);
    if (data.type() == dtype::float32 && is_faster_by_rows(p)) return call.leave(c);
    if (data.type() != dtype::float32 && has_window_in_padding(p)) return call.leave(c);
    wanted.type = o.out == dtype::none ? data.type() : o.out;
    wanted.steps = kernel::detail::steps_of(p);
    const std::size_t rank = kernel::spatial_rank(o.data_layout);
    const onednn_axes by(p.weight, rank, p.groups);
    const dnnl::memory::desc weights = described(by.sizes, by.strides, onednn_type(weight.type()));
    const auto images = described_images(p.in, rank, onednn_type(data.type()));
    const auto result = described_images(p.out, rank, onednn_type(wanted.type));
    if (!images || !result) return call.leave(c);
    const dnnl::memory::desc& from = *images;
    wanted.result = *result;
    wanted.inputs = {{DNNL_ARG_SRC, 0, from}, {DNNL_ARG_WEIGHTS, 1, weights}};
    // Grouped 1x1 convolutions are matrix products. oneDNN has better code for them without reordering.
    const bool products =
        p.groups > 1 && p.weight.channel.size > 1 && p.weight.places() == 1 && p.in.channel.parts <= 1;
    wanted.as_they_lie = products || (channels_are_innermost(p.in) && channels_are_innermost(p.out));
    if (wanted.type == dtype::float32) wanted.channels = channels_of_images(o.out_layout);
    wanted.bias = true;
    const onednn_windows w(p.window, rank);
    using convolution = dnnl::convolution_forward;
    call.make_ready<convolution>(c, wanted, [&](onednn_form form) {
        const dnnl::memory::desc data_desc = form.as_they_lie ? from : any_order(from);
        const dnnl::memory::desc out_desc = form.as_they_lie ? wanted.result : any_order(wanted.result);
        constexpr auto kind = dnnl::prop_kind::forward_inference;
        constexpr auto how = dnnl::algorithm::convolution_direct;
        if (form.bias)
            return convolution::desc(kind, how, data_desc, any_order(weights), bias_of(p.out.channel.size), out_desc,
                                     w.strides, w.dilations, w.before, w.after);
        return convolution::desc(kind, how, data_desc, any_order(weights), out_desc, w.strides, w.dilations, w.before,
                                 w.after);
    });
}

} // namespace tutti::relay::inline TUTTI_FORM::kernels::detail
