#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/blocked/common/any_conv.hpp>
#include <tutti/relay/eval/kernel_entry.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/conv.hpp>
#include <tutti/relay/eval/kernels/dense.hpp>
#include <tutti/relay/eval/kernels/qnn.hpp>

#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels::detail {

/// Convolutions and products of any type, in blocks.
template <class T = void>
inline constexpr kernel_table any_product_kernels{conv_kernels<kernel::blocked::convolve_in_blocks<T>, T>,
                                                  product_kernels<kernel::blocked::convolve_in_blocks<T>, T>,
                                                  qnn_product_kernels<kernel::blocked::convolve_in_blocks<T>, T>};

/// The kernels for types that the specialised convolutions and products do not support. A template like
/// `reference_set`.
template <class T = void>
struct any_product_set {
    /// Requires: `op` is one of these operators.
    static constexpr kernel_function named(std::string_view op) { return any_product_kernels<T>.find(op); }
};
using any_product = any_product_set<>;

} // namespace tutti::relay::inline TUTTI_FORM::kernels::detail
