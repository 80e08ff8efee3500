#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/testing/elementwise_steps.hpp>
#include <tutti/relay/testing/program_maker.hpp>
#include <tutti/relay/testing/shape_steps.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::relay::inline TUTTI_FORM::testing {

// Steps of networks: products, convolutions, pooling, normalisation.

/// Element types of products. Products of integers are exact.
inline constexpr dtype product_types[]{dtype::float32, dtype::float32, dtype::int32, dtype::float16,
                                       dtype::float64, dtype::int8,    dtype::int64};

/// Returns a value of this rank and a numeric type, with at most `most` elements.
inline value ranked(program_maker& m, std::size_t rank, std::int64_t most = 512) {
    const auto fits = [&](const value& v) {
        return v.rank() == rank && v.type != dtype::boolean && v.size() <= most && v.size() > 0;
    };
    if (!m.choose.one_in(4))
        if (auto v = m.find(fits)) return *v;
    shape s{m.choose.between(1, 2)};
    static constexpr std::int64_t channels[]{4, 2, 3, 8, 1, 16};
    if (rank > 1) s.push_back(m.choose.of(channels));
    while (s.size() < rank) s.push_back(m.choose.between(3, 6));
    return m.param(m.choose.of(product_types), s);
}

inline value dense_of(program_maker& m, const value& x, std::int64_t units, bool units_said) {
    const value w = m.operand(x.type, {units, x.shape.back()});
    relay::dense_attributes a;
    if (units_said) a.units = std::optional(relay::dim(units));
    if (x.type == dtype::int8 && m.choose.flip()) a.out_dtype = dtype::int32;
    return m.of(relay::nn::dense(x.e, w.e, a));
}

inline value flat(program_maker& m, const value& x) { return x.rank() == 2 ? x : m.of(relay::nn::batch_flatten(x.e)); }

inline void dense_step(program_maker& m) {
    m.give(dense_of(m, flat(m, ranked(m, 2 + m.choose.index(2))), m.choose.between(1, 6), m.choose.flip()));
}

inline void batch_matmul_step(program_maker& m) {
    const value x = ranked(m, 3);
    const relay::batch_matmul_attributes a{.transpose_a = m.choose.one_in(4), .transpose_b = m.choose.flip()};
    const std::int64_t inner = x.shape[a.transpose_a ? 1 : 2];
    const std::int64_t columns = m.choose.between(1, 4);
    const std::int64_t batch = m.choose.one_in(3) ? 1 : x.shape[0];
    const value y = m.operand(x.type, a.transpose_b ? shape{batch, columns, inner} : shape{batch, inner, columns});
    m.give(m.of(relay::nn::batch_matmul(x.e, y.e, a)));
}

/// The attributes of the windows of a convolution or pooling.
struct window {
    dims size;
    dims strides;
    dims padding;
    dims dilation;
};

/// Returns windows that fit a tensor with these spatial sizes.
inline window any_window(program_maker& m, const shape& spatial) {
    window w;
    const bool plain = m.choose.flip();
    const bool same = m.choose.flip(); // equal padding before and after
    dims before, after;
    for (const std::int64_t n : spatial) {
        const std::int64_t padding = m.choose.between(0, 1);
        const std::int64_t size = m.choose.between(1, std::min<std::int64_t>(3, n + padding));
        const std::int64_t dilation = plain || (size - 1) * 2 + 1 > n + padding ? 1 : m.choose.between(1, 2);
        w.size.push_back(size);
        w.strides.push_back(plain ? 1 : m.choose.between(1, 2));
        w.dilation.push_back(dilation);
        before.push_back(padding);
        after.push_back(same ? padding : m.choose.between(0, 1));
    }
    w.padding = before;
    for (const relay::dim d : after) w.padding.push_back(d);
    return w;
}

/// Returns the sizes of a tensor's spatial axes in a layout such as NCHW or NHWC.
inline shape spatial_sizes(const value& x, std::string_view layout) {
    shape s;
    for (const char axis : std::string_view("DHW"))
        if (const auto at = layout.find(axis); at != std::string_view::npos) s.push_back(x.shape[at]);
    return s;
}

template <auto Call, class Attributes>
value conv_of(program_maker& m, const value& x, std::string_view layout) {
    const std::size_t rank = layout.size() - 2;
    const std::int64_t in = x.shape[layout.find('C')];
    Attributes a;
    const window w = any_window(m, spatial_sizes(x, layout));
    a.strides = w.strides;
    a.padding = w.padding;
    a.dilation = w.dilation;
    a.data_layout = layout;
    std::int64_t out = m.choose.between(1, 4);
    shape weight{out, in};
    if (m.choose.one_in(3) && in > 1) {
        a.groups = m.choose.flip() || in % 2 != 0 ? in : 2;
        out = a.groups * m.choose.between(1, 2);
        weight = {out, in / a.groups};
        if (rank == 2 && a.groups == in && m.choose.one_in(3)) weight = {in, out / in}; // the reference's form
    }
    for (const relay::dim d : w.size) weight.push_back(d.value());
    a.channels = relay::dim(out);
    a.kernel_size = w.size;
    if (a.groups == 1 && m.choose.one_in(3)) {
        a.channels.reset();
        a.kernel_size.reset();
    }
    if (layout.ends_with('C')) { // the channels are also last in the weight
        a.kernel_layout = rank == 1 ? "WIO" : rank == 2 ? "HWIO" : "DHWIO";
        const bool is_swapped = rank == 2 && a.groups != 1 && m.choose.flip();
        if (is_swapped) a.kernel_layout = "HWOI";
        shape moved(weight.begin() + 2, weight.end());
        moved.push_back(weight[is_swapped ? 0 : 1]);
        moved.push_back(weight[is_swapped ? 1 : 0]);
        weight = moved;
    }
    if (x.type == dtype::int8) a.out_dtype = m.choose.flip() ? dtype::int32 : dtype::int16;
    const value k = m.operand(x.type, weight);
    return m.of(Call(x.e, k.e, a));
}

inline value conv2d_of(program_maker& m, const value& x, std::string_view layout) {
    return conv_of<relay::nn::conv2d, relay::conv2d_attributes>(m, x, layout);
}

inline void conv2d_step(program_maker& m) {
    const value x = ranked(m, 4);
    m.give(conv2d_of(m, x, m.choose.one_in(3) ? "NHWC" : "NCHW"));
}
inline void conv1d_step(program_maker& m) {
    const value x = ranked(m, 3);
    m.give(conv_of<relay::nn::conv1d, relay::conv1d_attributes>(m, x, m.choose.one_in(3) ? "NWC" : "NCW"));
}
inline void conv3d_step(program_maker& m) {
    const value x = ranked(m, 5);
    m.give(conv_of<relay::nn::conv3d, relay::conv3d_attributes>(m, x, m.choose.one_in(3) ? "NDHWC" : "NCDHW"));
}

inline relay::conv2d_transpose_attributes transposed_attributes(program_maker& m, std::int64_t in, shape& weight) {
    relay::conv2d_transpose_attributes a;
    if (m.choose.one_in(3) && in % 2 == 0) a.groups = 2;
    const std::int64_t out = m.choose.between(1, 3);
    weight = {in, out, m.choose.between(1, 3), m.choose.between(1, 3)};
    a.channels = relay::dim(out * a.groups);
    a.kernel_size = dims{weight[2], weight[3]};
    a.strides = {m.choose.between(1, 2), m.choose.between(1, 2)};
    a.padding = {m.choose.between(0, weight[2] - 1) / 2, 0, 0, m.choose.between(0, weight[3] - 1) / 2};
    a.kernel_layout = "IOHW";
    if (a.strides[0].value() == 2) a.output_padding = {m.choose.between(0, 1), 0};
    if (m.choose.one_in(3)) {
        a.kernel_layout = "OIHW";
        std::swap(weight[0], weight[1]);
    }
    return a;
}

inline void conv2d_transpose_step(program_maker& m) {
    const value x = ranked(m, 4);
    shape weight;
    const auto a = transposed_attributes(m, x.shape[1], weight);
    m.give(m.of(relay::nn::conv2d_transpose(x.e, m.operand(x.type, weight).e, a)));
}

template <auto Max, auto Average, class MaxAttributes, class AverageAttributes>
value pool_of(program_maker& m, const value& x, std::string_view layout, const window& w) {
    const auto fill = [&](auto a) {
        a.pool_size = w.size;
        a.strides = w.strides;
        a.padding = w.padding;
        a.dilation = w.dilation;
        a.layout = layout;
        a.ceil_mode = m.choose.one_in(3);
        return a;
    };
    if (m.choose.flip()) return m.of(Max(x.e, fill(MaxAttributes())));
    AverageAttributes a = fill(AverageAttributes());
    a.count_include_pad = m.choose.flip();
    return m.of(Average(x.e, a));
}
inline value pool2d_of(program_maker& m, const value& x, std::string_view layout) {
    return pool_of<relay::nn::max_pool2d, relay::nn::avg_pool2d, relay::max_pool2d_attributes,
                   relay::avg_pool2d_attributes>(m, x, layout, any_window(m, spatial_sizes(x, layout)));
}

inline void pool_step(program_maker& m) {
    const value x = ranked(m, 3 + m.choose.index(3));
    const bool last = m.choose.one_in(3);
    if (x.rank() == 4) return m.give(pool2d_of(m, x, last ? "NHWC" : "NCHW"));
    const std::string_view layout = x.rank() == 3 ? (last ? "NWC" : "NCW") : (last ? "NDHWC" : "NCDHW");
    const window w = any_window(m, spatial_sizes(x, layout));
    if (x.rank() == 3)
        m.give(pool_of<relay::nn::max_pool1d, relay::nn::avg_pool1d, relay::max_pool1d_attributes,
                       relay::avg_pool1d_attributes>(m, x, layout, w));
    else
        m.give(pool_of<relay::nn::max_pool3d, relay::nn::avg_pool3d, relay::max_pool3d_attributes,
                       relay::avg_pool3d_attributes>(m, x, layout, w));
}

inline void global_pool_step(program_maker& m) {
    const value x = ranked(m, 4);
    const relay::global_pool2d_attributes a{.layout = m.choose.one_in(3) ? "NHWC" : "NCHW"};
    m.give(m.of(m.choose.flip() ? relay::nn::global_avg_pool2d(x.e, a) : relay::nn::global_max_pool2d(x.e, a)));
}

inline void adaptive_pool_step(program_maker& m) {
    const value x = ranked(m, 4);
    const relay::adaptive_pool2d_attributes a{.output_size = {m.choose.between(1, 4), m.choose.between(1, 4)},
                                              .layout = m.choose.one_in(3) ? "NHWC" : "NCHW"};
    m.give(m.of(m.choose.flip() ? relay::nn::adaptive_avg_pool2d(x.e, a) : relay::nn::adaptive_max_pool2d(x.e, a)));
}

inline void pixel_step(program_maker& m) {
    const value x = ranked(m, 4, 256);
    const bool last = m.choose.one_in(3);
    const relay::pixel_block_attributes a{.block_size = 2, .layout = last ? "NHWC" : "NCHW"};
    const bool deep = x.shape[last ? 3 : 1] % 4 == 0;
    if (deep) return m.give(m.of(relay::nn::depth_to_space(x.e, a)));
    if (x.shape[last ? 1 : 2] < 2 || x.shape[last ? 2 : 3] < 2) return m.give(x);
    m.give(m.of(relay::nn::space_to_depth(x.e, a)));
}

inline void softmax_step(program_maker& m) {
    const value x = m.floating();
    if (x.rank() == 0) return m.give(x);
    const relay::softmax_attributes a{.axis = m.axis(x.rank())};
    switch (m.choose.below(3)) {
    case 0:
        return m.give(m.of(relay::nn::softmax(x.e, a)));
    case 1:
        return m.give(m.of(relay::nn::log_softmax(x.e, a)));
    default:
        return m.give(m.of(relay::nn::fast_softmax(x.e, a)));
    }
}

inline value batch_norm_of(program_maker& m, const value& x, std::size_t axis) {
    const shape channels{x.shape[axis]};
    const value gamma = m.operand(x.type, channels, elements::small);
    const value beta = m.operand(x.type, channels, elements::small);
    const value mean = m.operand(x.type, channels, elements::small);
    const value variance = m.operand(x.type, channels, elements::positive);
    const relay::batch_norm_attributes a{.axis = m.negated(axis, x.rank()),
                                         .epsilon = m.choose.flip() ? 1e-5 : 1e-3,
                                         .center = !m.choose.one_in(4),
                                         .scale = !m.choose.one_in(4)};
    return m.of(relay::nn::batch_norm(x.e, gamma.e, beta.e, mean.e, variance.e, a)[0]);
}

inline void norm_step(program_maker& m) {
    const value x = m.floating();
    if (x.rank() < 2) return m.give(x);
    const std::size_t axis = m.choose.index(x.rank());
    switch (m.choose.below(6)) {
    case 0:
    case 1:
        return m.give(batch_norm_of(m, x, axis));
    case 2:
    case 3: {
        const value gamma = m.operand(x.type, {x.shape[axis]}, elements::small);
        const value beta = m.operand(x.type, {x.shape[axis]}, elements::small);
        if (m.choose.flip())
            return m.give(m.of(relay::nn::layer_norm(
                x.e, gamma.e, beta.e, {.axis = m.negated(axis, x.rank()), .epsilon = 0.5, .scale = m.choose.flip()})));
        return m.give(m.of(relay::nn::group_norm(x.e, gamma.e, beta.e,
                                                 {.num_groups = x.shape[axis] % 2 == 0 ? 2 : 1,
                                                  .axis = m.negated(axis, x.rank()),
                                                  .epsilon = 0.5,
                                                  .center = m.choose.flip()})));
    }
    case 4: {
        const value gamma = m.operand(x.type, {x.shape[axis]}, elements::small);
        const value beta = m.operand(x.type, {x.shape[axis]}, elements::small);
        relay::instance_norm_attributes a;
        a.axis = static_cast<std::int64_t>(axis);
        a.epsilon = 0.5;
        return m.give(m.of(relay::nn::instance_norm(x.e, gamma.e, beta.e, a)));
    }
    default:
        return m.give(m.of(relay::nn::l2_normalize(x.e, {.eps = 1e-2, .axis = std::optional(dims{m.axis(x.rank())})})));
    }
}

inline void bias_add_step(program_maker& m) {
    const value x = m.of_rank(1, 5);
    if (x.type == dtype::boolean) return m.give(x);
    const std::size_t axis = m.choose.index(x.rank());
    const shape along{x.shape[axis]};
    const value b = m.choose.one_in(3) ? m.filled(x.type, along) : m.operand(x.type, along);
    if (m.choose.one_in(3)) return m.give(m.of(relay::nn::prelu(x.e, b.e, {.axis = m.negated(axis, x.rank())})));
    m.give(m.of(relay::nn::bias_add(x.e, b.e, {.axis = m.negated(axis, x.rank())})));
}

template <auto Call, class Attributes>
void resize_step(program_maker& m, const value& x) {
    Attributes a;
    dims size;
    for (std::size_t i = 2; i < x.rank(); ++i) size.push_back(m.choose.between(1, 6));
    a.size = size;
    a.method = m.choose.flip() ? "linear" : "nearest_neighbor";
    a.coordinate_transformation_mode = m.choose.flip() ? "half_pixel" : "asymmetric";
    a.rounding_method = m.choose.flip() ? "round" : "floor";
    m.give(m.of(Call(x.e, a)));
}

inline void image_step(program_maker& m) {
    const value x = ranked(m, m.choose.one_in(4) ? 3 + 2 * m.choose.index(2) : 4, 256);
    if (!kernel::is_floating(x.type)) return pool_step(m);
    if (x.rank() == 3) return resize_step<relay::image::resize1d, relay::resize1d_attributes>(m, x);
    if (x.rank() == 5) return resize_step<relay::image::resize3d, relay::resize3d_attributes>(m, x);
    static constexpr std::string_view methods[]{"nearest_neighbor", "bilinear"};
    if (m.choose.flip())
        return m.give(m.of(relay::nn::upsampling(
            x.e, {.scale_h = 2.0, .scale_w = 1.0, .method = m.choose.of(methods), .align_corners = m.choose.flip()})));
    resize_step<relay::image::resize2d, relay::resize2d_attributes>(m, x);
}

inline constexpr step network_steps[]{
    dense_step,    dense_step,  batch_matmul_step,
    conv2d_step,   conv2d_step, conv2d_step,
    conv1d_step,   conv3d_step, conv2d_transpose_step,
    pool_step,     pool_step,   global_pool_step,
    softmax_step,  norm_step,   norm_step,
    bias_add_step, image_step,  adaptive_pool_step,
    pixel_step,
};

} // namespace tutti::relay::inline TUTTI_FORM::testing
