#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/write/wire_writer.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Builds the encoded attributes of a node.
///
/// Example: `node_attributes().integer("axis", 1).text("mode", "DCR")`
class node_attributes {
public:
    const std::string& bytes() const { return all_.bytes(); }

    node_attributes& integer(std::string_view name, std::int64_t value) {
        return add(named(name, attribute_type::integer).number(field::attribute::i, value));
    }
    node_attributes& real(std::string_view name, double value) {
        return add(named(name, attribute_type::real).real(field::attribute::f, static_cast<float>(value)));
    }
    node_attributes& text(std::string_view name, std::string_view value) {
        return add(named(name, attribute_type::text).text(field::attribute::s, value));
    }
    node_attributes& integers(std::string_view name, const dims& values) {
        wire_writer w = named(name, attribute_type::integers);
        for (const dim d : values) w.number(field::attribute::ints, d.value());
        return add(w);
    }
    node_attributes& graph(std::string_view name, const wire_writer& value) {
        return add(named(name, attribute_type::graph).message(field::attribute::g, value));
    }

private:
    static wire_writer named(std::string_view name, attribute_type type) {
        return wire_writer()
            .text(field::attribute::name, name)
            .number(field::attribute::type, static_cast<std::int64_t>(type));
    }
    node_attributes& add(const wire_writer& attribute) {
        all_.message(field::node::attribute, attribute);
        return *this;
    }

    wire_writer all_;
};

/// A node to write. Each input reads the output of the same name.
struct model_node {
    std::string op_type;
    vector<std::string> inputs{};
    vector<std::string> outputs{};
    std::string attributes{}; ///< encoded, see `node_attributes::bytes`
    std::string domain{};
    std::string name{}; ///< the source's name, which `model_parts::name_nodes` makes unique
};

/// Returns the node encoded as a protocol buffers message.
inline wire_writer message_of(const model_node& n) {
    wire_writer w;
    for (const std::string& i : n.inputs) w.text(field::node::input, i);
    for (const std::string& o : n.outputs) w.text(field::node::output, o);
    if (!n.name.empty()) w.text(field::node::name, n.name);
    w.text(field::node::op_type, n.op_type).fields(n.attributes);
    if (!n.domain.empty()) w.text(field::node::domain, n.domain);
    return w;
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
