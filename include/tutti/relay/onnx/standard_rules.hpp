#pragma once

#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/rule.hpp>

#include <cstddef>

namespace tutti::relay::onnx {

namespace detail {

/// Several arrays of rules as one.
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

inline constexpr std::initializer_list<rule_list> rule_families{elementwise_rules};
inline constexpr joined_rules<count_rules(rule_families)> all_rules{rule_families};

} // namespace detail

/// The rules for ONNX's own operators.
inline constexpr rule_list standard_rules{detail::all_rules.all};

} // namespace tutti::relay::onnx
