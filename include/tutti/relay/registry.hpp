#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/instrument/print_pass.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/layout/images_in.hpp>
#include <tutti/relay/transform/transforms.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/runtime/registry.hpp>
#include <tutti/runtime/standard_instruments.hpp>

#include <functional>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

// These functions are templates, so that the passes are compiled only where the functions are called.

/// Returns a registry of the passes over Relay modules, to which you can add your own passes. `PrintIR` passes its
/// output to `print`. `AlterOpLayout{target=…}` knows `image_layout_targets` and `targets`.
///
/// Requires: `print` is not empty; the targets' names outlive the registry and its passes.
/// Example:  `const auto p = runtime::parse_pipeline("InferType,FoldConstant", relay::registered_passes());`
template <class Module = ir_module>
runtime::registry<Module>
registered_passes(std::function<void(std::string_view)> print = tutti::internal::write_to_stderr{},
                  vector<named_layout_target> targets = {}) {
    targets.insert(targets.end(), std::begin(image_layout_targets), std::end(image_layout_targets));
    runtime::registry<Module> known;
    [&]<class... P>(tutti::passes<P...>) {
        const auto add = [&]<class Pass>(std::type_identity<Pass>) {
            if constexpr (std::is_same_v<Pass, alter_op_layout>)
                known.add(alter_op_layout{.targets = std::move(targets)});
            else
                known.template add<Pass>();
        };
        (add(std::type_identity<P>{}), ...);
    }(transforms);
    known.add(print_pass{std::move(print)});
    return known;
}

/// Returns a registry of the instruments for passes over Relay modules.
template <class Module = ir_module>
runtime::instrument_registry<Module> registered_instruments() {
    return runtime::standard_instruments<Module>();
}

} // namespace tutti::relay::inline TUTTI_FORM
