#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/relay/eval/onednn_kernels/nan_watch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <oneapi/dnnl/dnnl.hpp>

// Turns an epilogue into parts of a oneDNN primitive: a bias and post-operations.

namespace tutti::relay::inline TUTTI_FORM::kernels::detail {

/// The channels of a result. `axis` is the channel axis in oneDNN. `strides` holds, for each axis of the tensor, the
/// stride in a vector with one element per channel: 0, 8, 0, 0, 1 for NCHW8c.
struct onednn_channels {
    std::size_t axis = 1;
    kernel::extents strides{};
};

/// Returns the channels of a tensor whose channels are all on one axis.
inline onednn_channels channels_along(std::size_t rank, std::size_t axis, std::size_t onednn_axis = 1) {
    onednn_channels c{.axis = onednn_axis};
    for (std::size_t d = 0; d < rank; ++d) c.strides.push_back(d == axis ? 1 : 0);
    return c;
}

/// The leading steps of an epilogue that oneDNN supports.
///
/// oneDNN supports relu, leaky_relu and clip, and with the accuracy of `kernels::blocked` also sqrt, abs, exp, tanh and
/// sigmoid. It supports sums, differences, products, quotients, maxima and minima if the other operand is one number,
/// one number per channel, or a tensor of the result's shape.
class onednn_post_operations {
public:
    /// Treatment of operands with the result's shape.
    enum class tensors : unsigned char {
        none, ///< not supported
        read, ///< read as a separate operand
        sum,  ///< the first added tensor is copied to the result beforehand; more of oneDNN's code supports this
    };

    /// A step's other operand: the index of the step, the primitive's argument, and oneDNN's description.
    struct operand {
        std::size_t step;
        int argument;
        dnnl::memory::desc like;
    };

    onednn_post_operations() = default;

    /// Selects steps for a float32 result of this shape. `described` describes the result outside the primitive.
    /// If `bias` is true and the first step adds a vector of channels, that vector becomes the bias.
    onednn_post_operations(std::span<const kernel::epilogue_step> steps, const kernel::extents& shape,
                           const onednn_channels& channels, const dnnl::memory::desc& described, bool bias,
                           tensors alike) {
        kernel::extents strides;
        for (std::size_t d = 0; d < shape.size(); ++d) strides.push_back(0);
        const kernel::block_source single(shape, strides);
        const kernel::block_source by_channel(shape, channels.strides);
        const dnnl::memory::dims sizes = described.dims();
        for (const kernel::epilogue_step& s : steps) {
            if (s.what.one != nullptr) {
                if (!take_function(s)) return;
            } else {
                const auto kind = kind_of(s);
                if (!kind) return;
                const bool hides = *kind == dnnl::algorithm::binary_max || *kind == dnnl::algorithm::binary_min;
                if (hides && !nan_watch::available) return;
                dnnl::memory::dims ones(sizes.size(), 1);
                std::optional<dnnl::memory::desc> like;
                if (*s.source == single) {
                    like = row_major(ones);
                } else if (*s.source == by_channel) {
                    if (bias && count_ == 0 && *kind == dnnl::algorithm::binary_add) {
                        operands_.push_back({count_++, DNNL_ARG_BIAS, row_major({sizes[channels.axis]})});
                        bias_ = true;
                        continue;
                    }
                    ones[channels.axis] = sizes[channels.axis];
                    like = row_major(ones);
                } else if (s.source->same() && alike == tensors::sum && !summed_ &&
                           *kind == dnnl::algorithm::binary_add) {
                    summed_ = count_++;
                    ops_.append_sum();
                    continue;
                } else if (s.source->same() && alike != tensors::none) {
                    like = described;
                    reads_added_ = reads_added_ || *kind == dnnl::algorithm::binary_add;
                } else {
                    return;
                }
                hides_nan_ = hides_nan_ || hides;
                operands_.push_back({count_, DNNL_ARG_ATTR_MULTIPLE_POST_OP(ops_.len()) | DNNL_ARG_SRC_1, *like});
                ops_.append_binary(*kind, *like);
            }
            ++count_;
        }
    }

    /// Returns the number of supported steps.
    std::size_t count() const { return count_; }
    /// True if a supported step may turn NaN into a number. Such steps are supported only if `nan_watch` is
    /// available.
    bool hides_nan() const { return hides_nan_; }
    /// True if the first step is a bias.
    bool has_bias() const { return bias_; }
    /// The step whose operand must be copied to the result, if any.
    std::optional<std::size_t> summed() const { return summed_; }
    /// True if the tensor of an addition is read as a separate operand, but could be summed in the result.
    bool could_sum() const { return reads_added_; }
    std::span<const operand> operands() const { return operands_; }
    const dnnl::post_ops& ops() const { return ops_; }

private:
    static dnnl::memory::desc row_major(const dnnl::memory::dims& sizes) {
        dnnl::memory::dims strides(sizes.size(), 1);
        for (std::size_t d = sizes.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * sizes[d + 1];
        return {sizes, dnnl::memory::data_type::f32, strides};
    }

    bool take_function(const kernel::epilogue_step& s) {
        using enum kernel::block_function;
        struct entry {
            kernel::block_function function;
            dnnl::algorithm kind;
            bool hides_nan;
        };
        static constexpr std::array known{
            entry{relu, dnnl::algorithm::eltwise_relu, true},  entry{leaky_relu, dnnl::algorithm::eltwise_relu, false},
            entry{clip, dnnl::algorithm::eltwise_clip, true},  entry{abs, dnnl::algorithm::eltwise_abs, false},
            entry{sqrt, dnnl::algorithm::eltwise_sqrt, false}, entry{exp, dnnl::algorithm::eltwise_exp, true},
            entry{tanh, dnnl::algorithm::eltwise_tanh, true},  entry{sigmoid, dnnl::algorithm::eltwise_logistic, true},
        };
        for (const entry& e : known)
            if (e.function == s.what.function) {
                if (e.hides_nan && !nan_watch::available) return false;
                // For a slope of 0, oneDNN computes relu, but minus infinity times 0 is NaN.
                if (e.function == leaky_relu && s.parameters[0] == 0) return false;
                hides_nan_ = hides_nan_ || e.hides_nan;
                ops_.append_eltwise(1.F, e.kind, s.parameters[0],
                                    s.parameters[1]); // unused parameters are 0
                return true;
            }
        return false;
    }

    static std::optional<dnnl::algorithm> kind_of(const kernel::epilogue_step& s) {
        using enum kernel::block_function;
        struct entry {
            kernel::block_function function;
            dnnl::algorithm kind;
            bool either_order;
        };
        static constexpr std::array known{
            entry{add, dnnl::algorithm::binary_add, true},       entry{multiply, dnnl::algorithm::binary_mul, true},
            entry{subtract, dnnl::algorithm::binary_sub, false}, entry{divide, dnnl::algorithm::binary_div, false},
            entry{maximum, dnnl::algorithm::binary_max, true},   entry{minimum, dnnl::algorithm::binary_min, true},
        };
        for (const entry& e : known)
            if (e.function == s.what.function && (e.either_order || !s.other_first)) return e.kind;
        return std::nullopt;
    }

    dnnl::post_ops ops_;
    vector<operand> operands_;
    std::size_t count_ = 0;
    std::optional<std::size_t> summed_{};
    bool reads_added_ = false;
    bool hides_nan_ = false;
    bool bias_ = false;
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels::detail
