#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// A function of a module: its graph, and its function expression.
struct function {
    relay::graph graph;
    expr_id root = expr_id::none;
};

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END
