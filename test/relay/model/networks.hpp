#pragma once

#include <tutti/base/error.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/text/printer.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::test {

/// Returns the number of trained values. These are the elements of all parameters except the data and the statistics of
/// normalisations.
inline std::int64_t trained(const relay::ir_module& m) {
    const relay::function& f = *m.find("main");
    std::int64_t n = 0;
    for (const relay::expr_id p : f.graph.params(f.root)) {
        const std::string_view name = f.graph.variable_name(p);
        if (name == "data" || name.ends_with("_moving_mean") || name.ends_with("_moving_var")) continue;
        n += relay::element_count(relay::shape_of(f.graph, p)).value();
    }
    return n;
}

inline std::string result_type(const relay::ir_module& m) {
    const relay::function& f = *m.find("main");
    return relay::to_text(f.graph.types(), f.graph.type(f.graph.body(f.root)));
}

inline std::string parameter_type(const relay::ir_module& m, std::string_view name) {
    const relay::function& f = *m.find("main");
    for (const relay::expr_id p : f.graph.params(f.root))
        if (f.graph.variable_name(p) == name) return relay::to_text(f.graph.types(), f.graph.type(p));
    return "(no such parameter)";
}

/// Builds a network with these options. Returns the error.
template <class Options>
std::string refused(relay::ir_module (*network)(const Options&), const Options& options) {
    try {
        network(options);
    } catch (const error& e) {
        return e.what();
    }
    return "(not refused)";
}

} // namespace tutti::test
