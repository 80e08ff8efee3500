#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/blocked/integer/quantize.hpp>
#include <tutti/kernel/blocked/integer/quantized_arithmetic.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/qnn.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/qnn.hpp>

#include <array>
#include <cstddef>
#include <memory>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

template <class Op, auto F>
inline constexpr kernel_row blocked_quantized_binary =
    kernel_for<Op>([](const invocation& c, const qnn_broadcast_attributes& a) {
        return F({c.input(0), quantization_at(c, 2, a.lhs_axis), c.input(1), quantization_at(c, 4, a.rhs_axis)},
                 quantization_at(c, 6), c.result(), c.on);
    });

/// A requantisation with constant parameters.
struct prepared_requantization {
    tensor room{};
    kernel::blocked::requantization how{};
};
inline bool set_requantization(const invocation& c, const requantize_attributes& a,
                               kernel::blocked::requantization& how, tensor& room) {
    const auto options = requantizing(a);
    const dtype type = a.out_dtype == dtype::none ? c.input(0).type() : a.out_dtype;
    return options && how.set(c.input(0), quantization_at(c, 1, a.axis), quantization_at(c, 3), *options, type, room);
}

/// Elementwise operators on quantised tensors.
template <class = void>
inline constexpr std::array blocked_qnn_kernels{
    blocked_quantized_binary<op::qnn::add, kernel::blocked::quantized_add>,
    blocked_quantized_binary<op::qnn::mul, kernel::blocked::quantized_multiply>,
    blocked_quantized_binary<op::qnn::subtract, kernel::blocked::quantized_subtract>,
    kernel_for<op::qnn::concatenate>([](const invocation& c, const concatenate_attributes& a) {
        quantized_memory own;
        concatenate_quantized(
            c, a, kept_or(c, own),
            [&](const tensor& part, const kernel::quantization& from, const kernel::quantization& to, tensor& out) {
                tensor none; // a single scale needs no working memory
                kernel::blocked::requantization how;
                if (from.scale.size() == 1 && from.zero_point.size() == 1 &&
                    how.set(part, from, to, {}, part.type(), none))
                    how.run(part, out, c.on);
                else
                    kernel::requantize(part, from, to, {}, part.type(), out);
            });
        return true;
    }),
    kernel_for<op::qnn::dequantize>([](const invocation& c, const dequantize_attributes& a) {
        tensor own;
        return kernel::blocked::dequantize(c.input(0), quantization_at(c, 1, a.axis), c.result(), kept_or(c, own),
                                           c.on);
    }),
    kernel_for<op::qnn::quantize>([](const invocation& c, const quantize_attributes& a) {
        tensor own;
        return kernel::blocked::quantize(c.input(0), quantization_at(c, 1, a.axis), a.out_dtype, c.result(),
                                         kept_or(c, own), c.on);
    }),
    kernel_for<op::qnn::requantize>(
        [](const invocation& c, const requantize_attributes& a) {
            const auto* const ready = static_cast<const prepared_requantization*>(c.prepared);
            if (ready != nullptr && ready->how.is_for(c.input(0))) {
                ready->how.run(c.input(0), c.result(), c.on);
                return true;
            }
            tensor own;
            kernel::blocked::requantization how;
            if (!set_requantization(c, a, how, kept_or(c, own))) return false;
            how.run(c.input(0), c.result(), c.on);
            return true;
        },
        [](const invocation& c, const requantize_attributes& a) -> std::shared_ptr<void> {
            for (std::size_t i = 1; i < 5; ++i)
                if (!c.is_constant(i)) return nullptr;
            auto made = std::make_shared<prepared_requantization>();
            if (!set_requantization(c, a, made->how, made->room)) return nullptr;
            return made;
        }),
};

} // namespace detail
} // namespace tutti::relay::inline TUTTI_FORM::kernels
