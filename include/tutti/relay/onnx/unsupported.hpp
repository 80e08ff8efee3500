#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/import_options.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/model_functions.hpp>
#include <tutti/relay/onnx/operator_index.hpp>
#include <tutti/relay/onnx/rule.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// The uses of an operator in a model.
struct operator_use {
    std::string_view op_type;
    std::string_view domain;
    std::size_t count = 0;
    vector<std::string_view> nodes; ///< the names of the first three nodes
    bool supported = false;         ///< true if a rule or a function of the model exists
};

namespace detail {

inline void count_uses(const wire_fields& nodes, operator_index& names, vector<operator_use>& uses) {
    for (const wire_field& f : nodes) {
        const node_view node(f.payload);
        const std::uint32_t at = names.add(node.op_type(), node.domain());
        if (at == uses.size()) uses.push_back({node.op_type(), node.domain(), 0, {}, false});
        ++uses[at].count;
        if (uses[at].nodes.size() < 3) uses[at].nodes.push_back(node.name_or_output());
        for (const wire_field& a : node.fields(field::node::attribute))
            for (const wire_field& inner : message(a.payload).fields(field::attribute::g))
                count_uses(graph_view(message(inner.payload)).nodes(), names, uses);
    }
}

} // namespace detail

/// Returns the operators of a model's nodes, including the nodes of nested graphs and of the functions that are used,
/// in the order of their first use. Names are views into the model's bytes.
///
/// Cost: linear in the number of nodes; each function counts once.
inline vector<operator_use> operators_of(const model& m, rule_list own, rule_list standard) {
    vector<operator_use> uses;
    operator_index names;
    model_functions functions(m);
    detail::count_uses(m.graph().nodes(), names, uses);
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const std::string_view op_type = uses[i].op_type, domain = uses[i].domain;
        const bool has_own = own.find(op_type, domain) != nullptr;
        const function_view written = has_own ? function_view() : functions.find(op_type, domain);
        uses[i].supported = has_own || written.exists() || standard.find(op_type, domain) != nullptr;
        if (written.exists()) detail::count_uses(written.fields(field::function::node), names, uses);
    }
    return uses;
}

/// Rejects a model if an operator has no rule, or if the model imports no version of ONNX's own operators. The error
/// lists the operators without a rule, each with the number of its nodes and the names of the first three.
inline void check_supported(const model& m, const import_options& options, rule_list standard) {
    const std::int64_t opset = m.opset();
    std::string missing;
    bool own_domain = false;
    for (const operator_use& u : operators_of(m, options.rules, standard)) {
        own_domain = own_domain || u.domain.empty();
        if (u.supported) continue;
        missing += missing.empty() ? "" : ", ";
        missing += (u.domain.empty() ? "" : std::string(u.domain) + ".") + std::string(u.op_type);
        missing += " (" + std::to_string(u.count) + (u.count == 1 ? " node: " : " nodes: ");
        for (std::size_t i = 0; i < u.nodes.size(); ++i)
            missing += (i == 0 ? "`" : ", `") + std::string(u.nodes[i]) + "`";
        missing += u.count > u.nodes.size() ? ", …)" : ")";
    }
    if (own_domain && opset < 1)
        throw error("opset_import",
                    opset == 0 ? "no version of ONNX's own operators" : "version " + std::to_string(opset),
                    "1 or more");
    if (!missing.empty())
        throw error("", "operators that cannot be imported: " + missing,
                    "others, or rules for them in `import_options::rules`");
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
