#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/attributes.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tutti::relay::inline TUTTI_FORM {

/// The size of a program. Programs are compared by the number of calls, then by the following members in order.
struct program_size {
    std::uint64_t calls = 0;
    std::uint64_t others = 0;     ///< functions, lets, ifs, tuples, projections, references to functions of the module
    std::uint64_t leaves = 0;     ///< variables and constants
    std::uint64_t values = 0;     ///< constants other than zeros and ones
    std::uint64_t attributes = 0; ///< attributes that differ from their defaults
    std::uint64_t elements = 0;   ///< elements of parameters and constants

    friend constexpr auto operator<=>(const program_size&, const program_size&) = default;
};

/// True if all elements are 0, or all are 1.
inline bool is_zeros_or_ones(const tensor& t) {
    return kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        const auto all = t.elements<T>();
        for (const T& each : all)
            if (std::memcmp(&each, all.data(), sizeof(T)) != 0) return false;
        if (all.empty()) return true;
        const double first = kernel::number::at(t, 0).real();
        return first == 0 || first == 1;
    });
}

/// Returns the size of a program. Shared expressions count once.
///
/// Cost: linear in the module and its constants.
inline program_size size_of(const ir_module& m) {
    program_size size;
    constexpr std::uint64_t unknown = 1 << 10; // number of elements to assume if a dimension is unknown
    for (const auto& [name, f] : m) {
        const graph& g = f.graph;
        for (const expr_id e : post_order(g, f.root)) switch (g.kind(e)) {
            case expr_kind::call:
                ++size.calls;
                if (const op_def* op = g.called_op(e))
                    size.attributes += static_cast<std::uint64_t>(std::popcount(op->printed(g, g.call_attributes(e))));
                break;
            case expr_kind::variable:
                ++size.leaves;
                if (const type_id type = g.annotation(e); g.types().is_tensor(type))
                    size.elements += static_cast<std::uint64_t>(
                        element_count(g.types().shape(type)).value_or(static_cast<std::int64_t>(unknown)));
                break;
            case expr_kind::constant:
                ++size.leaves;
                size.elements += static_cast<std::uint64_t>(g.constant_value(e).size());
                if (!is_zeros_or_ones(g.constant_value(e))) ++size.values;
                break;
            case expr_kind::function:
                ++size.others;
                size.attributes += g.attrs()[g.function_attributes(e)].size() / 2;
                break;
            case expr_kind::op:
                break;
            default:
                ++size.others;
            }
    }
    return size;
}

} // namespace tutti::relay::inline TUTTI_FORM
