#pragma once

#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/onnx/write_model.hpp>
#include <tutti/relay/text/parser.hpp>

#include "made_model.hpp"

#include <string>
#include <string_view>

namespace tutti::test {

/// Parses a program without its version line.
inline relay::ir_module program_of(std::string_view text) {
    return relay::parse("#[version = \"0.0.5\"]\n" + std::string(text));
}

/// Returns the nodes of a program's model, one in a line: "Relu(x) -> out_0".
inline std::string nodes_of(const relay::ir_module& m, const relay::onnx::write_options& options = {}) {
    const relay::onnx::model written = model_of(relay::onnx::model_bytes(m, options));
    std::string text;
    for (const relay::onnx::wire_field& f : written.graph().nodes()) {
        const relay::onnx::node_view n(f.payload);
        text += std::string(n.op_type()) + '(';
        const char* comma = "";
        for (const relay::onnx::wire_field& i : n.inputs()) {
            text.append(comma).append(i.payload.text());
            comma = ", ";
        }
        text += ") ->";
        for (const relay::onnx::wire_field& o : n.outputs()) text.append(" ").append(o.payload.text());
        text += '\n';
    }
    return text;
}

} // namespace tutti::test
