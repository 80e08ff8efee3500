#pragma once

#include <tutti/relay/ir/graph.hpp>

#include <string>
#include <string_view>

namespace program {

/// Returns the name of a call's source, such as a model's node. For a call without a source, returns `what` and the
/// call's position in the text: "exp 3:8".
inline std::string layer_name(const tutti::relay::graph& g, tutti::relay::expr_id call, std::string_view what) {
    if (const std::string_view name = g.source_name(call); !name.empty()) return std::string(name);
    const tutti::relay::source_location at = g.location(call);
    std::string name(what);
    if (at.line != 0) name += ' ' + std::to_string(at.line) + ':' + std::to_string(at.column);
    return name;
}

} // namespace program
