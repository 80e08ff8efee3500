#pragma once

#include <tutti/instrument/print_pass.hpp>
#include <tutti/relay/transform/transforms.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/runtime/registry.hpp>
#include <tutti/runtime/standard_instruments.hpp>

#include <functional>
#include <string_view>
#include <utility>

namespace tutti::relay {

// These are templates, so that all passes are compiled where they are called, and not wherever this is included.

/// The passes over Relay modules by name; add your own to it. `PrintIR` calls `print` with its texts.
///
/// Requires: `print` is not empty.
/// Example:  `const auto p = runtime::parse_pipeline("InferType,FoldConstant", relay::registered_passes());`
template <class Module = ir_module>
runtime::registry<Module> registered_passes(std::function<void(std::string_view)> print = write_to_stderr{}) {
    runtime::registry<Module> known{transforms};
    known.add(print_pass{std::move(print)});
    return known;
}

/// The instruments for passes over Relay modules by name.
template <class Module = ir_module>
runtime::instrument_registry<Module> registered_instruments() {
    return runtime::standard_instruments<Module>();
}

} // namespace tutti::relay
