#pragma once

#include <tutti/operator_counts.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>
#include <tutti/unit_traits.hpp>

#include <string>
#include <string_view>

namespace tutti {

/// What instruments may ask of a Relay module.
template <>
struct unit_traits<relay::ir_module> {
    static constexpr std::string_view name = "module";

    static std::string to_text(const relay::ir_module& m) { return relay::to_text(m); }

    /// The text with the values of all constants, which the parser reads back.
    static std::string to_full_text(const relay::ir_module& m) {
        return relay::to_text(m, {.metadata = relay::write_metadata});
    }

    /// The calls of each operator, in all functions; what several expressions share counts once.
    static operator_counts count_operators(const relay::ir_module& m) {
        operator_counts counts;
        for (const auto& [global, f] : m)
            for (const relay::expr_id e : relay::post_order(f.graph, f.root))
                if (const relay::op_def* op = f.graph.called_op(e)) ++counts[op->name];
        return counts;
    }

    static void verify(const relay::ir_module& m) { relay::verify(m); }
};

} // namespace tutti
