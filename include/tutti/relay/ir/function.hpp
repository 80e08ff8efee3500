#pragma once

#include <tutti/relay/ir/graph.hpp>

namespace tutti::relay {

/// A function of a module: its graph, and its function expression.
struct function {
    relay::graph graph;
    expr_id root = expr_id::none;
};

} // namespace tutti::relay
