#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/expr.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

class node_context; // relay/onnx/node_context.hpp

/// Converts a node to expressions and returns its first output. `node_context::output` sets the other outputs.
///
/// Throws: `tutti::error` for unsupported nodes. The importer adds the file and the node to the error.
using rule_function = expr (*)(node_context&);

/// The newest version of ONNX's own operators that the rules implement. Later versions are treated like this one.
inline constexpr std::int64_t newest_opset = 28;

/// A rule that imports an ONNX operator. Custom rules go into `import_options::rules`.
///
/// Example: `constexpr import_rule own[]{{"Mish", [](node_context& c) { return mish(c.input(0)); }, "com.example"}};`
struct import_rule {
    std::string_view op_type;
    rule_function import = nullptr;
    std::string_view domain{}; ///< "" for ONNX's own operators
};

/// A view of an array of rules.
struct rule_list {
    const import_rule* first = nullptr;
    std::size_t count = 0;

    constexpr rule_list() = default;
    template <std::size_t N>
    constexpr rule_list(const import_rule (&rules)[N]) : first(rules), count(N) {}
    constexpr rule_list(const import_rule* rules, std::size_t n) : first(rules), count(n) {}

    /// Returns the rule for an operator, or null.
    constexpr const import_rule* find(std::string_view op_type, std::string_view domain) const {
        for (std::size_t i = 0; i < count; ++i)
            if (first[i].op_type == op_type && first[i].domain == domain) return &first[i];
        return nullptr;
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
