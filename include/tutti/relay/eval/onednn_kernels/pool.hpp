#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/pool.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/relay/eval/onednn_kernels/call.hpp>
#include <tutti/relay/eval/onednn_kernels/conv.hpp>
#include <tutti/relay/op/invocation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <oneapi/dnnl/dnnl.hpp>

namespace tutti::relay::inline TUTTI_FORM::kernels::detail {

/// Prepares a float32 pooling, or declines it if a window lies entirely in the padding. If `whole` is true,
/// one window covers each image, and the window options in `given` are ignored.
inline void ready_pool(onednn_call& call, const invocation& c, const kernel::pool_options& given, bool maximum,
                       bool whole) {
    const tensor& data = c.input(0);
    const kernel::pool_options o = kernel::detail::with_layouts(given, data);
    if (data.type() != dtype::float32 || data.size() == 0) return call.leave(c);
    kernel::lettered_axes in = kernel::axes_in("pool", "data", kernel::lettered::data, o.layout, data.shape());
    const std::size_t rank = kernel::spatial_rank(o.layout);
    kernel::windows windows;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t axis = 3 - rank + i;
        windows[axis] = {.extent = in.space[axis].size, .size = in.space[axis].size};
        if (!whole)
            windows[axis] = {in.space[axis].size, o.size[i], o.strides[i], o.dilation[i], o.before[i], o.after[i]};
    }
    kernel::detail::check_windows("pool", windows, rank);
    kernel::lettered_axes out;
    out.outer.size = in.outer.size;
    out.channel.size = in.channel.size;
    for (std::size_t i = 3 - rank; i < 3; ++i) {
        kernel::window& w = windows[i];
        if (w.size == 1) w.dilation = 1;                 // a window of one cell has no gaps
        if (w.dilation > w.extent) return call.leave(c); // oneDNN rejects such a pooling
        const std::int64_t places = w.count(o.ceil_mode);
        out.space[i].size = places;
        // Pads up to the end of the last window. Declines if a window lies entirely in the padding: it has no maximum,
        // and its mean is a convention of this library.
        w.after = std::max<std::int64_t>(0, (places - 1) * w.stride + w.reach() - w.extent - w.before);
        for (const std::int64_t place : {std::int64_t{0}, places - 1})
            if (places == 0 || kernel::window_part(w, place).count == 0) return call.leave(c);
    }
    onednn_wanted wanted{.shape = kernel::place_result("pool", o.out_layout, out)};
    wanted.steps =
        kernel::steps(kernel::element_count(wanted.shape), windows[0].size, windows[1].size, windows[2].size);
    const auto images = described_images(in, rank, dnnl::memory::data_type::f32);
    const auto result = described_images(out, rank, dnnl::memory::data_type::f32);
    if (!images || !result) return call.leave(c);
    const dnnl::memory::desc& source = *images;
    wanted.result = *result;
    wanted.inputs = {{DNNL_ARG_SRC, 0, source}};
    wanted.as_they_lie = true;
    wanted.hides_nan = maximum;
    const onednn_windows w(windows, rank);
    const auto how = maximum               ? dnnl::algorithm::pooling_max
                     : o.count_include_pad ? dnnl::algorithm::pooling_avg_include_padding
                                           : dnnl::algorithm::pooling_avg_exclude_padding;
    using pooling = dnnl::pooling_v2_forward;
    call.make_ready<pooling>(c, wanted, [&](onednn_form) {
        return pooling::desc(dnnl::prop_kind::forward_inference, how, source, wanted.result, w.strides, w.sizes,
                             w.dilations, w.before, w.after);
    });
}

} // namespace tutti::relay::inline TUTTI_FORM::kernels::detail
