#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/unit/unit_graph.hpp>

namespace tutti::relay::inline TUTTI_FORM {

/// Converts a module to a drawable graph with a node for each call, parameter and result. A node shows its line in the
/// module's text below its source name.
///
/// A function created by fusion or partitioning is one node at its call. A tuple's field is an edge with the field's
/// index. Each use of a constant has its own node. Nodes are grouped by the fusion class of their operator, such as
/// "elementwise" or "convolution".
///
/// Cost:   linear in the module, except that a function's name is built for each of its calls; no recursion.
/// Throws: `tutti::error` if the module is malformed; see `check_well_formed`.
TUTTI_INLINE unit_graph to_graph(const ir_module& m);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/text/graph.ipp>
#endif
