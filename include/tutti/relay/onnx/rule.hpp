#pragma once

#include <tutti/relay/ir/expr.hpp>

#include <cstddef>
#include <string_view>

namespace tutti::relay::onnx {

class node_context; // a node that is imported, relay/onnx/node_context.hpp

/// Makes Relay's expressions of a node, and returns what its first output is; others are said by `node_context::output`.
///
/// Throws: `tutti::error` for what it cannot import; the importer adds the file and the node.
using rule_function = expr (*)(node_context&);

/// How the nodes of one of ONNX's operators are imported. One's own are given in `import_options::rules`.
///
/// Example: `constexpr import_rule own[]{{"Mish", [](node_context& c) { return mish(c.input(0)); }, "com.example"}};`
struct import_rule {
    std::string_view op_type;
    rule_function import = nullptr;
    std::string_view domain{}; ///< "" for ONNX's own
};

/// An array of rules.
struct rule_list {
    const import_rule* first = nullptr;
    std::size_t count = 0;

    constexpr rule_list() = default;
    template <std::size_t N>
    constexpr rule_list(const import_rule (&rules)[N]) : first(rules), count(N) {}
    constexpr rule_list(const import_rule* rules, std::size_t n) : first(rules), count(n) {}

    /// The rule for that operator, or null.
    constexpr const import_rule* find(std::string_view op_type, std::string_view domain) const {
        for (std::size_t i = 0; i < count; ++i)
            if (first[i].op_type == op_type && first[i].domain == domain) return &first[i];
        return nullptr;
    }
};

} // namespace tutti::relay::onnx
