#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// A value computed by an operator.
struct computed_value {
    const tensor* value = nullptr;
    std::size_t result = 0;           ///< index among the operator's results
    std::size_t results = 1;          ///< number of the operator's results
    std::string_view op{};            ///< the operator's name
    std::string_view function{};      ///< the module's function that contains the call
    std::string_view name{};          ///< the variable that a let binds to the value, without `%`, or empty
    std::string_view source{};        ///< the source of the call, such as a model's node, or empty
    source_location where{};          ///< position of the call in the text; line 0 if unknown
    const invocation* call = nullptr; ///< the call, with its inputs
};

/// Returns the place of a value in the text or model: "@main 3:8 %y, exp", "@main conv1, nn.conv2d", "@main split,
/// result 1".
inline std::string place_of(const computed_value& v) {
    std::string text = "@" + std::string(v.function) + ' ';
    if (v.where.line != 0) text += std::to_string(v.where.line) + ':' + std::to_string(v.where.column) + ' ';
    if (!v.name.empty()) text += '%' + std::string(v.name) + ", ";
    if (!v.source.empty()) text += std::string(v.source) + ", ";
    text += v.op;
    if (v.results != 1) text += ", result " + std::to_string(v.result);
    return text;
}

/// An observer of evaluations that calls `see(const computed_value&)` with each result of each operator, in the order
/// of computation. An exception ends the evaluation.
///
/// Requires: the module is the evaluator's module (`evaluator::module()`), and outlives the observer.
/// Cost:     construction is linear in the module. Evaluations without an observer cost nothing extra.
/// Example:  `relay::computed_values trace{e.module(), [](const relay::computed_value& v) { … }}; e.run(inputs,
/// trace);`
template <std::invocable<const computed_value&> See>
class computed_values {
    struct known_graph {
        const graph* in;
        std::string_view function;
        plain_vector<expr_id> bound{}; // indexed by expression: the variable that a let binds to it
    };

    vector<known_graph> graphs_;
    See see_;

public:
    computed_values(const ir_module& m, See see) : see_(std::move(see)) {
        for (const auto& [name, f] : m) {
            known_graph& g = graphs_.emplace_back(known_graph{&f.graph, name});
            for (std::uint32_t i = 0; i < f.graph.size(); ++i) {
                if (f.graph.kind(expr_id{i}) != expr_kind::let) continue;
                if (g.bound.empty()) g.bound.assign(f.graph.size(), expr_id::none);
                g.bound[index(f.graph.operand(expr_id{i}, 1))] = f.graph.operand(expr_id{i}, 0);
            }
        }
    }

    void after_call(const op_def& op, const invocation& call) {
        computed_value v{.results = call.results.size(), .op = op.name, .call = &call};
        for (const known_graph& each : graphs_) {
            if (each.in != call.program) continue;
            v.function = each.function;
            v.where = each.in->location(call.expression);
            v.source = each.in->source_name(call.expression);
            const expr_id variable = each.bound.empty() ? expr_id::none : each.bound[index(call.expression)];
            if (variable != expr_id::none) v.name = each.in->variable_name(variable);
        }
        for (const tensor& t : call.results) {
            v.value = &t;
            see_(std::as_const(v));
            ++v.result;
        }
    }
};

} // namespace tutti::relay::inline TUTTI_FORM
