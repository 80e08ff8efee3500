#pragma once

#include <tutti/relay/debug/numeric_difference.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/onnx/write/model_draft.hpp>
#include <tutti/relay/onnx/write_model.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/parser.hpp>

#include "made_model.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::test {

/// Parses a program whose text has no version line.
inline relay::ir_module program_of(std::string_view text) {
    return relay::parse("#[version = \"0.0.5\"]\n" + std::string(text));
}

/// Writes a program as a model. Returns the nodes, one per line: "Relu(x) -> out_0".
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

/// Writes a program as a model. Returns the elements of the model's constants in order: "[1, 2][0.5]".
inline std::string constants_of(const relay::ir_module& m, const relay::onnx::write_options& options = {}) {
    relay::ir_module typed = m;
    relay::infer_types(typed);
    const relay::onnx::model_draft draft(typed, options);
    std::string text;
    for (const kernel::named_tensor& c : draft.parts().constants()) {
        text += '[';
        for (std::int64_t i = 0; i < c.value.size(); ++i)
            text.append(i == 0 ? "" : ", ").append(relay::detail::element_text(c.value, i));
        text += ']';
    }
    return text;
}

} // namespace tutti::test
