#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/float16.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tutti::relay {

<<<<<<< HEAD
/// The built-in operators that round, in the order of their names; the others give elements that they were given, or exact answers.
inline constexpr std::string_view rounding_operators[]{
    "acos",
    "acosh",
    "add",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "collapse_sum_like",
    "collapse_sum_to",
    "cos",
    "cosh",
    "divide",
    "dyn.image.resize2d",
    "dyn.nn.upsampling",
    "dyn.nn.upsampling3d",
    "erf",
    "exp",
    "fast_erf",
    "fast_exp",
    "fast_tanh",
    "floor_divide",
    "floor_mod",
    "image.affine_grid",
    "image.crop_and_resize",
    "image.dilation2d",
    "image.grid_sample",
    "image.resize1d",
    "image.resize2d",
    "image.resize3d",
    "log",
    "log10",
    "log2",
    "mean",
    "mod",
    "multiply",
    "nn.adaptive_avg_pool1d",
    "nn.adaptive_avg_pool2d",
    "nn.adaptive_avg_pool3d",
    "nn.avg_pool1d",
    "nn.avg_pool2d",
    "nn.avg_pool3d",
    "nn.batch_matmul",
    "nn.batch_norm",
    "nn.bias_add",
    "nn.contrib_conv2d_NCHWc",
    "nn.contrib_depthwise_conv2d_NCHWc",
    "nn.conv1d",
    "nn.conv1d_transpose",
    "nn.conv2d",
    "nn.conv2d_transpose",
    "nn.conv3d",
    "nn.conv3d_transpose",
    "nn.correlation",
    "nn.deformable_conv2d",
    "nn.dense",
    "nn.fast_softmax",
    "nn.global_avg_pool2d",
    "nn.group_norm",
    "nn.instance_norm",
    "nn.l2_normalize",
    "nn.layer_norm",
    "nn.leaky_relu",
    "nn.log_softmax",
    "nn.lrn",
    "nn.prelu",
    "nn.softmax",
    "nn.upsampling",
    "nn.upsampling3d",
    "power",
    "prod",
    "qnn.simulated_dequantize",
    "qnn.simulated_quantize",
    "relay.op.annotation.simulated_quantize",
    "rsqrt",
    "sigmoid",
    "sin",
    "sinh",
    "sqrt",
    "subtract",
    "sum",
    "tan",
    "tanh",
    "trunc_divide",
    "trunc_mod",
    "variance",
    "vision.multibox_prior",
    "vision.multibox_transform_loc",
    "vision.proposal",
    "vision.roi_align",
};

=======
>>>>>>> main
/// Whether an operator rounds. One that brings its own kernel may.
constexpr bool is_rounding(const op_def& op) { return op.evaluate != nullptr || op.rounds; }

/// How far a floating-point type's numbers are apart beside 1; 0 for others.
constexpr double spacing_of(dtype element) {
    switch (element) {
    case dtype::float16:
        return 0x1p-10;
    case dtype::float32:
        return 0x1p-23;
    case dtype::float64:
        return 0x1p-52;
    default:
        return 0;
    }
}

/// The same of the least precise type that a module computes with; 0 if it computes with integers only.
///
/// Requires: its types are inferred.
/// Cost:     linear in the module.
inline double coarsest_spacing(const ir_module& m) {
    double coarsest = 0;
    for (const auto& [name, f] : m) {
        const graph& g = f.graph;
        for (std::uint32_t i = 0; i < g.size(); ++i) {
            const type_id t = g.type(expr_id{i});
            if (t != type_id::none && g.types().is_tensor(t))
                coarsest = std::max(coarsest, spacing_of(g.types().element(t)));
        }
    }
    return coarsest;
}

/// Sees a program's operators and puts what they round off by some units in the last place, each time differently: where the results of
/// several runs differ, so may those of a program that computes the same in another order; where they do not, they may not.
///
/// Source: Parker, "Monte Carlo Arithmetic: exploiting randomness in floating-point arithmetic", 1997.
class rounding_noise {
    static constexpr double units = 4;
    std::uint64_t state_;

    double next() { // in [-1, 1)
        state_ += 0x9E3779B97F4A7C15U;
        return static_cast<double>(hash_finish(state_) >> 11) * 0x1p-52 - 1;
    }
    template <class T>
    void disturb_elements(T* values, std::int64_t count, double spacing) {
        using wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
        for (std::int64_t i = 0; i < count; ++i) {
            const double x = static_cast<double>(static_cast<wide>(values[i]));
            values[i] = static_cast<T>(static_cast<wide>(x + next() * units * std::abs(x) * spacing));
        }
    }

public:
    explicit rounding_noise(std::uint64_t seed) : state_(seed) {}

    /// Puts a tensor's elements off. Requires: they are not shared.
    void disturb(tensor& t) {
        const double spacing = spacing_of(t.type());
        if (t.type() == dtype::float16) disturb_elements(t.mutable_data<kernel::float16>(), t.size(), spacing);
        if (t.type() == dtype::float32) disturb_elements(t.mutable_data<float>(), t.size(), spacing);
        if (t.type() == dtype::float64) disturb_elements(t.mutable_data<double>(), t.size(), spacing);
    }
    /// A copy that is put off.
    tensor disturbed(const tensor& t) {
        tensor copy;
        copy.reset(t.type(), t.shape());
        std::copy_n(static_cast<const unsigned char*>(t.memory()),
                    static_cast<std::size_t>(t.size()) * kernel::bytes(t.type()),
                    static_cast<unsigned char*>(copy.mutable_memory()));
        disturb(copy);
        return copy;
    }

    void after_call(const op_def& op, const invocation& call) {
        if (!is_rounding(op)) return;
        for (tensor& result : call.results)
            if (!result.is_shared()) disturb(result);
    }
};

} // namespace tutti::relay
