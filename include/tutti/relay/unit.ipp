#pragma once

#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/structure.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/graph.hpp>
#include <tutti/relay/text/print/function_printer.hpp>
#include <tutti/relay/text/print/naming.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/text_options.hpp>
#include <tutti/relay/text/write_metadata.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/unit/operator_counts.hpp>
#include <tutti/unit/unit_graph.hpp>

#include <string>
#include <string_view>

namespace tutti {

namespace detail {

inline void add_operators(const relay::function& f, operator_counts& counts) {
    for (const relay::expr_id e : relay::post_order(f.graph, f.root))
        if (const relay::op_def* op = f.graph.called_op(e)) ++counts[op->name];
}

} // namespace detail

TUTTI_INLINE std::string unit_traits<relay::function>::to_text(const relay::function& f) {
    return relay::to_text(relay::ir_module(f));
}
TUTTI_INLINE operator_counts unit_traits<relay::function>::count_operators(const relay::function& f) {
    relay::check_well_formed(f);
    operator_counts counts;
    detail::add_operators(f, counts);
    return counts;
}
TUTTI_INLINE unit_graph unit_traits<relay::function>::graph(const relay::function& f) {
    return relay::to_graph(relay::ir_module(f));
}
TUTTI_INLINE void unit_traits<relay::function>::verify(const relay::function& f) {
    relay::verify_structure(f.graph, f.root);
}

TUTTI_INLINE std::string unit_traits<relay::ir_module>::to_text(const relay::ir_module& m) { return relay::to_text(m); }
TUTTI_INLINE std::string unit_traits<relay::ir_module>::to_text(const relay::ir_module& m, std::string_view function) {
    std::string out;
    for (const auto& [global, f] : m)
        if (global == function) {
            relay::text::naming names;
            relay::text::function_printer(f.graph, names, {}, out).define(global, f.root);
        }
    return out;
}
TUTTI_INLINE std::string unit_traits<relay::ir_module>::to_full_text(const relay::ir_module& m) {
    return relay::to_text(m, {.metadata = relay::write_metadata});
}
TUTTI_INLINE operator_counts unit_traits<relay::ir_module>::count_operators(const relay::ir_module& m) {
    relay::check_well_formed(m);
    operator_counts counts;
    for (const auto& [global, f] : m) detail::add_operators(f, counts);
    return counts;
}
TUTTI_INLINE unit_graph unit_traits<relay::ir_module>::graph(const relay::ir_module& m) { return relay::to_graph(m); }
TUTTI_INLINE void unit_traits<relay::ir_module>::verify(const relay::ir_module& m) { relay::verify(m); }

} // namespace tutti
