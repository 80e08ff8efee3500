#pragma once

#include <tutti/base/error.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/printer.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tutti::test {

/// Builds a function whose parameters are the free variables of `result`, in order of first use.
constexpr relay::function closed(relay::builder& b, relay::expr result) {
    tutti::vector<relay::expr> params;
    for (const relay::expr_id v : relay::free_variables(b.graph(), result.id)) params.push_back({&b.graph(), v});
    return b.function(params, result);
}

/// Returns the printed form of the type that is inferred for `result`.
inline std::string inferred(relay::builder& b, relay::expr result) {
    relay::ir_module m(closed(b, result));
    relay::infer_types(m);
    const relay::function& f = *m.find("main");
    return relay::to_text(f.graph.types(), f.graph.type(f.graph.body(f.root)));
}

/// Returns the error that `action(module)` throws, or a note that it throws none. Adds a note if the module has
/// changed. Requires: `action` throws nothing but `tutti::error`.
template <class Action>
std::string refusal(relay::ir_module& m, Action&& action) {
    const std::string before = relay::to_text(m);
    std::string said = "(not refused)";
    try {
        action(m);
    } catch (const error& e) {
        said = e.what();
    }
    if (relay::to_text(m) != before) said += " (the module is not as it was)";
    return said;
}

/// Returns the error of type inference for a function that computes `result`.
inline std::string inference_refusal(relay::builder& b, relay::expr result) {
    relay::ir_module m(closed(b, result));
    return refusal(m, [](relay::ir_module& it) { relay::infer_types(it); });
}

/// Returns the printed form of a module without the version line and the note on metadata.
inline std::string bare_text(const relay::ir_module& m, bool types = false) {
    return relay::to_text(m, {.version_line = false, .type_comments = types, .metadata_note = false});
}

} // namespace tutti::test
