#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/blocked/common/conv.hpp>
#include <tutti/kernel/blocked/common/product.hpp>
#include <tutti/kernel/blocked/integer/conv.hpp>
#include <tutti/kernel/blocked/integer/integers.hpp>
#include <tutti/kernel/blocked/integer/product.hpp>
#include <tutti/kernel/dense.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/conv.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/qnn.hpp>

#include <array>
#include <memory>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// True if a product's operands are integers. The type of a call's prepared data depends on this.
inline bool is_of_integers(const invocation& c) { return kernel::is_integer(c.input(0).type()); }

/// The reusable memory of a product, for floating-point or integer operands.
template <class Floats>
struct product_state {
    Floats floats{};
    kernel::blocked::integer_memory integers{};
};

inline const kernel::blocked::integer_weights* prepared_integers(const invocation& c) {
    return static_cast<const kernel::blocked::integer_weights*>(c.prepared);
}

/// Returns packed integer weights as prepared data of a call, or null if `packed` is empty.
inline std::shared_ptr<void> kept_integers(kernel::blocked::integer_weights packed) {
    if (packed.packed.empty()) return nullptr;
    return std::make_shared<kernel::blocked::integer_weights>(std::move(packed));
}

/// The zero points of a product of quantised tensors.
inline kernel::blocked::zero_points zero_points_of(const invocation& c) { return {&c.input(2), &c.input(3)}; }

/// Returns the zero points that are known before a run: those of the weights, and those of the data if constant.
inline kernel::blocked::zero_points known_zero_points(const invocation& c) {
    return {c.is_constant(2) ? &c.input(2) : nullptr, &c.input(3)};
}
inline bool is_quantized_by_constants(const invocation& c) { return c.is_constant(1) && c.is_constant(3); }

template <class Attributes>
kernel::batch_matmul_options product_options(const Attributes& a) {
    return {.transpose_a = a.transpose_a, .transpose_b = a.transpose_b, .out = a.out_dtype};
}

using conv_state = product_state<kernel::blocked::conv_memory>;
using matrix_state = product_state<kernel::blocked::product_memory>;

template <class Attributes>
bool conv_of_integers(const invocation& c, const Attributes& a, const kernel::blocked::zero_points& zeros) {
    conv_state own;
    return knows_layouts(a) && kernel::blocked::conv_integers(
                                   {c.input(0), c.input(1), zeros}, conv_options(a, kernel::conv_options{}), c.result(),
                                   kept_or(c, own).integers, {{c.after, c.on}, prepared_integers(c)});
}
template <class Attributes>
std::shared_ptr<void> packed_conv_of_integers(const invocation& c, const Attributes& a,
                                              const kernel::blocked::zero_points& zeros) {
    return knows_layouts(a) ? kept_integers(kernel::blocked::packed_conv_integers(
                                  c.input(0), c.input(1), zeros, conv_options(a, kernel::conv_options{})))
                            : nullptr;
}

inline bool dense_of_integers(const invocation& c, const dense_attributes& a,
                              const kernel::blocked::zero_points& zeros) {
    matrix_state own;
    return kernel::blocked::dense_integers({c.input(0), c.input(1), zeros}, a.out_dtype, c.result(),
                                           kept_or(c, own).integers, {{c.after, c.on}, prepared_integers(c)});
}
inline std::shared_ptr<void> packed_dense_of_integers(const invocation& c, const dense_attributes& a,
                                                      const kernel::blocked::zero_points& zeros) {
    return kept_integers(kernel::blocked::packed_dense_integers(c.input(0), c.input(1), zeros, a.out_dtype));
}

/// Multiplies two batches of integer matrices, or a batch with a single matrix.
template <class Attributes>
bool multiply_integers(const invocation& c, const Attributes& a, const kernel::blocked::zero_points& zeros) {
    matrix_state own;
    return kernel::blocked::batch_matmul_integers({c.input(0), c.input(1), zeros}, product_options(a), c.result(),
                                                  kept_or(c, own).integers, {{c.after, c.on}, prepared_integers(c)});
}
template <class Attributes>
std::shared_ptr<void> packed_factor_of_integers(const invocation& c, const Attributes& a,
                                                const kernel::blocked::zero_points& zeros) {
    return kept_integers(kernel::blocked::packed_factor_integers(c.input(0), c.input(1), zeros, product_options(a)));
}

/// Products of quantised tensors.
template <class = void>
inline constexpr std::array blocked_integer_product_kernels{
    kernel_for<op::qnn::batch_matmul>(
        [](const invocation& c, const batch_matmul_attributes& a) {
            return multiply_integers(c, a, zero_points_of(c));
        },
        [](const invocation& c, const batch_matmul_attributes& a) {
            return is_quantized_by_constants(c) ? packed_factor_of_integers(c, a, known_zero_points(c)) : nullptr;
        }),
    kernel_for<op::qnn::conv2d>(
        [](const invocation& c, const conv2d_attributes& a) { return conv_of_integers(c, a, zero_points_of(c)); },
        [](const invocation& c, const conv2d_attributes& a) {
            return is_quantized_by_constants(c) ? packed_conv_of_integers(c, a, known_zero_points(c)) : nullptr;
        }),
    kernel_for<op::qnn::dense>(
        [](const invocation& c, const dense_attributes& a) { return dense_of_integers(c, a, zero_points_of(c)); },
        [](const invocation& c, const dense_attributes& a) {
            return is_quantized_by_constants(c) ? packed_dense_of_integers(c, a, known_zero_points(c)) : nullptr;
        }),
};

} // namespace detail
} // namespace tutti::relay::inline TUTTI_FORM::kernels
