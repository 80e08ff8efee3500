#pragma once

#include <tutti/relay/ir/expr.hpp>
#include <tutti/relay/ir/graph.hpp>

#include <type_traits>
#include <utility>

namespace tutti::relay {

/// Adds a rank-0 constant of that element type.
///
/// Requires: `element` is not `none`, and an integer type can hold the value.
constexpr expr scalar_constant(graph& g, dtype element, double value) {
    tensor t(element, {});
    kernel::with_element_type(element, [&]<class T>(std::type_identity<T>) {
        if constexpr (std::is_same_v<T, kernel::float16>)
            t.mutable_data<T>()[0] = T(static_cast<float>(value));
        else
            t.mutable_data<T>()[0] = static_cast<T>(value);
    });
    return {&g, g.constant(std::move(t))};
}

} // namespace tutti::relay
