#pragma once

#include <tutti/relay/transform/passes.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/runtime/registry.hpp>
#include <tutti/runtime/standard_instruments.hpp>

namespace tutti::relay {

/// The passes over Relay modules by name; add your own to it.
///
/// Example: `const auto p = runtime::parse_pipeline("InferType,FoldConstant", relay::registered_passes());`
inline runtime::registry<ir_module> registered_passes() { return runtime::registry<ir_module>{passes}; }

/// The instruments for passes over Relay modules by name.
inline runtime::instrument_registry<ir_module> registered_instruments() {
    return runtime::standard_instruments<ir_module>();
}

} // namespace tutti::relay
