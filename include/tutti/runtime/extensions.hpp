#pragma once

#include <tutti/runtime/instrument_registry.hpp>
#include <tutti/runtime/registry.hpp>

namespace tutti::runtime {

/// The registries of a program, to which plugins add (`load_plugin`). Derive from it to offer more to plugins.
///
/// Example: `void add(tutti::runtime::extensions<mixer>& to) { to.passes.add<reverse_steps>(); }`
template <class Unit>
struct [[gnu::visibility("default")]] extensions {
    registry<Unit> passes{};
    instrument_registry<Unit> instruments{};
};

} // namespace tutti::runtime
