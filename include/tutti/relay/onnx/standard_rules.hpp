#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/ops/attention.hpp>
#include <tutti/relay/onnx/ops/carried_state.hpp>
#include <tutti/relay/onnx/ops/control.hpp>
#include <tutti/relay/onnx/ops/convolution.hpp>
#include <tutti/relay/onnx/ops/einsum.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/ops/fourier.hpp>
#include <tutti/relay/onnx/ops/fused.hpp>
#include <tutti/relay/onnx/ops/image.hpp>
#include <tutti/relay/onnx/ops/index.hpp>
#include <tutti/relay/onnx/ops/movement.hpp>
#include <tutti/relay/onnx/ops/nchwc.hpp>
#include <tutti/relay/onnx/ops/normalise.hpp>
#include <tutti/relay/onnx/ops/padding.hpp>
#include <tutti/relay/onnx/ops/pool.hpp>
#include <tutti/relay/onnx/ops/product.hpp>
#include <tutti/relay/onnx/ops/quantized.hpp>
#include <tutti/relay/onnx/ops/recurrent.hpp>
#include <tutti/relay/onnx/ops/reduce.hpp>
#include <tutti/relay/onnx/ops/resize.hpp>
#include <tutti/relay/onnx/ops/sequence.hpp>
#include <tutti/relay/onnx/ops/signal.hpp>
#include <tutti/relay/onnx/ops/training.hpp>
#include <tutti/relay/onnx/ops/vision.hpp>
#include <tutti/relay/onnx/rule.hpp>

#include <cstddef>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

/// Joins arrays of rules into one array.
template <std::size_t N>
struct joined_rules {
    import_rule all[N]{};

    constexpr joined_rules(std::initializer_list<rule_list> lists) {
        std::size_t at = 0;
        for (const rule_list& list : lists)
            for (std::size_t i = 0; i < list.count; ++i) all[at++] = list.first[i];
    }
};

constexpr std::size_t count_rules(std::initializer_list<rule_list> lists) {
    std::size_t count = 0;
    for (const rule_list& list : lists) count += list.count;
    return count;
}

inline constexpr std::initializer_list<rule_list> rule_families{
    attention_rules, carried_state_rules, control_rules,  convolution_rules, einsum_rules,    elementwise_rules,
    fourier_rules,   fused_rules,         image_rules,    index_rules,       movement_rules,  nchwc_rules,
    normalise_rules, padding_rules,       pool_rules,     product_rules,     quantized_rules, recurrent_rules,
    reduce_rules,    resize_rules,        sequence_rules, signal_rules,      training_rules,  vision_rules};
inline constexpr joined_rules<count_rules(rule_families)> all_rules{rule_families};

} // namespace detail

/// The rules for operators of ONNX and of ONNX Runtime.
inline constexpr rule_list standard_rules{detail::all_rules.all};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
