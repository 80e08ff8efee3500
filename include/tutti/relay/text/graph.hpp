#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/unit/unit_graph.hpp>

namespace tutti::relay::inline TUTTI_FORM {

/// Converts a module to a drawable graph with a node for each call, parameter and result. A node shows its line in the
/// module's text below its source name.
///
/// A function made by fusion or partitioning is one node at its call; a tuple's field is an edge with the field's
/// number; each use of a constant has its own node. Nodes are grouped by the kind of their operator in fusion, such as
/// "elementwise" or "convolution".
///
/// Cost:   linear in the module, except that a function is named for each of its calls; no recursion.
/// Throws: `tutti::error` if the module is malformed; see `check_well_formed`.
TUTTI_INLINE unit_graph to_graph(const ir_module& m);

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/text/graph.ipp>
#endif
