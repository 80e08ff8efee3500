#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/unit/operator_counts.hpp>
#include <tutti/unit/unit_graph.hpp>

#include <string>
#include <string_view>

// Defines the functions of unit_traits that relay/ir/ir_module.hpp and relay/ir/function.hpp declare.

#ifndef TUTTI_COMPILED
#include <tutti/relay/unit.ipp>
#endif
