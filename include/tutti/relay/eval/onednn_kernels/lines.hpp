#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/normalize.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/relay/eval/onednn_kernels/call.hpp>
#include <tutti/relay/op/invocation.hpp>

#include <cstddef>
#include <cstdint>

#include <oneapi/dnnl/dnnl.hpp>

// Kernels that work on lines along an axis: softmax and layer_norm. There is none for log_softmax, because oneDNN's has
// errors of 1e-6 near 0 and the blocked kernel does not.

namespace tutti::relay::inline TUTTI_FORM::kernels::detail {

/// Returns the description of a dense float32 tensor in row-major order.
inline dnnl::memory::desc described_as_it_lies(const tensor& t) {
    const kernel::extents strides = kernel::row_major_strides(t.shape());
    return described({t.shape().begin(), t.shape().end()}, {strides.begin(), strides.end()});
}

/// Returns the index of `axis` counted from the front, or the rank if the axis does not exist.
inline std::size_t axis_from_front(const tensor& t, std::int64_t axis) {
    const auto rank = static_cast<std::int64_t>(t.rank());
    if (axis < 0) axis += rank;
    return static_cast<std::size_t>(axis >= 0 && axis < rank ? axis : rank);
}

/// Prepares a float32 softmax, or declines it.
inline void ready_softmax(onednn_call& call, const invocation& c, std::int64_t axis) {
    const tensor& data = c.input(0);
    const std::size_t along = axis_from_front(data, axis);
    if (data.type() != dtype::float32 || data.size() == 0 || along == data.rank()) return call.leave(c);
    onednn_wanted wanted{.shape = kernel::extents(data.shape())};
    wanted.result = described_as_it_lies(data);
    wanted.inputs = {{DNNL_ARG_SRC, 0, wanted.result}};
    wanted.as_they_lie = true;
    wanted.hides_nan = true; // softmax uses a maximum and an exponential
    using softmax = dnnl::softmax_v2_forward;
    call.make_ready<softmax>(c, wanted, [&](onednn_form) {
        return softmax::desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::softmax_accurate, wanted.result,
                             wanted.result, static_cast<int>(along));
    });
}

/// Prepares a float32 layer_norm along the last axis, or declines it.
inline void ready_layer_norm(onednn_call& call, const invocation& c, const kernel::norm_options& o) {
    const tensor& data = c.input(0);
    if (data.type() != dtype::float32 || data.size() == 0 || data.rank() < 2 ||
        axis_from_front(data, o.axis) != data.rank() - 1)
        return call.leave(c);
    const std::int64_t n = data.shape().back();
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
        if (c.input(i).type() != dtype::float32 || c.input(i).rank() != 1 || c.input(i).size() != n)
            return call.leave(c);
    onednn_wanted wanted{.shape = kernel::extents(data.shape())};
    wanted.result = described_as_it_lies(data);
    const dnnl::memory::desc line({n}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a);
    auto flags = dnnl::normalization_flags::none;
    wanted.inputs = {{DNNL_ARG_SRC, 0, wanted.result}};
    if (o.scale) {
        flags |= dnnl::normalization_flags::use_scale;
        wanted.inputs.push_back({DNNL_ARG_SCALE, 1, line});
    }
    if (o.center) {
        flags |= dnnl::normalization_flags::use_shift;
        wanted.inputs.push_back({DNNL_ARG_SHIFT, 2, line});
    }
    wanted.as_they_lie = true;
    using normalization = dnnl::layer_normalization_forward;
    call.make_ready<normalization>(c, wanted, [&](onednn_form) {
        return normalization::desc(dnnl::prop_kind::forward_inference, wanted.result, static_cast<float>(o.epsilon),
                                   flags);
    });
}

} // namespace tutti::relay::inline TUTTI_FORM::kernels::detail
