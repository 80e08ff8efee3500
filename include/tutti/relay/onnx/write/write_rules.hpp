#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/write/elementwise_rules.hpp>
#include <tutti/relay/onnx/write/image_rules.hpp>
#include <tutti/relay/onnx/write/index_rules.hpp>
#include <tutti/relay/onnx/write/network_rules.hpp>
#include <tutti/relay/onnx/write/quantized_rules.hpp>
#include <tutti/relay/onnx/write/shape_rules.hpp>

#include <algorithm>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Returns the rule for a built-in operator, or null. Cost: logarithmic in the number of rules.
inline const write_rule* find_write_rule(std::string_view op) {
    const std::span<const write_rule> lists[]{detail::written::elementwise_rules, detail::written::image_rules,
                                              detail::written::index_rules,       detail::written::network_rules,
                                              detail::written::quantized_rules,   detail::written::shape_rules};
    for (const std::span<const write_rule> list : lists) {
        const auto at = std::lower_bound(list.begin(), list.end(), op,
                                         [](const write_rule& r, std::string_view name) { return r.op < name; });
        if (at != list.end() && at->op == op) return &*at;
    }
    return nullptr;
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
