#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/relay/ir/expr.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/type_agreement.hpp>
#include <tutti/relay/op/call_inference.hpp>

#include <cstdint>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// A growing graph that knows the types of its expressions. A type is inferred when it is first needed. Variables and
/// recursive functions must have declared types.
///
/// Cost: one type relation per call.
class typed_graph {
public:
    /// Sets the budget for new expressions. Each expression takes four units, plus one for each operand and each
    /// dimension of its type.
    explicit typed_graph(const budget& most = budget({"", "expressions", "", ~std::uint64_t{0}})) : left_(most) {}

    relay::graph& graph() { return graph_; }
    const relay::graph& graph() const { return graph_; }

    /// Returns an expression's type, and infers it if necessary.
    ///
    /// Throws: `tutti::error` if an expression added since the last inference is invalid, or its type cannot be
    ///         inferred.
    type_id type(expr_id e) {
        infer();
        return types_[index(e)];
    }

    /// Infers the types of all new expressions. Throws: `tutti::error` if inference fails or the budget is exhausted.
    void infer() {
        while (types_.size() < graph_.size()) {
            const expr_id e{static_cast<std::uint32_t>(types_.size())};
            types_.push_back(type_id::none);
            const type_id found = find(e);
            if (found == type_id::none && graph_.kind(e) != expr_kind::op)
                throw error("type", "cannot be inferred", "inputs with more precise types");
            types_[index(e)] = found;
            left_.take(4 + graph_.operands(e).size() + parts_of(found));
        }
    }
    /// Takes units from the budget for memory outside the graph. Throws: `tutti::error` if the budget is exhausted.
    void take(std::uint64_t count) { left_.take(count); }

    bool is_tensor(expr_id e) { return graph_.types().is_tensor(type(e)); }
    /// Returns a copy of the shape. Requires: the type of `e` is a tensor type.
    dims shape(expr_id e) { return dims(graph_.types().shape(type(e))); }
    dtype element(expr_id e) { return graph_.types().element(type(e)); }

private:
    // Returns the number of dimensions and fields of a type, which is the cost that it adds to the type relations of
    // its users.
    std::uint64_t parts_of(type_id t) const {
        const type_table& table = graph_.types();
        if (t == type_id::none) return 0;
        if (table.kind(t) == type_kind::tensor) return table.shape(t).size();
        std::uint64_t parts = 0;
        if (table.kind(t) == type_kind::tuple)
            for (const type_id field : table.fields(t))
                parts += table.is_tensor(field) ? 1 + table.shape(field).size() : 1;
        return parts;
    }

    type_id find(expr_id e) {
        type_table& table = graph_.types();
        switch (graph_.kind(e)) {
        case expr_kind::variable:
            return graph_.annotation(e);
        case expr_kind::constant:
            return type_of_constant(graph_, graph_.constant_value(e));
        case expr_kind::op:
        case expr_kind::global:
            return type_id::none;
        case expr_kind::call: {
            if (graph_.called_op(e) != nullptr) return infer_call(graph_, e, {types_.data(), types_.size()});
            const type_id callee = types_[index(graph_.callee(e))];
            return callee == type_id::none ? callee : table.result(callee);
        }
        case expr_kind::function: {
            plain_vector<type_id> params;
            for (const expr_id p : graph_.params(e)) params.push_back(types_[index(p)]);
            const type_id declared = graph_.result_annotation(e);
            return table.function(params.all(), declared != type_id::none ? declared : types_[index(graph_.body(e))]);
        }
        case expr_kind::tuple: {
            plain_vector<type_id> fields;
            for (const expr_id f : graph_.operands(e)) fields.push_back(types_[index(f)]);
            return table.tuple(fields.all());
        }
        case expr_kind::projection: {
            const type_id tuple = types_[index(graph_.operand(e, 0))];
            if (table.kind(tuple) != type_kind::tuple || graph_.field(e) >= table.fields(tuple).size())
                return type_id::none;
            return table.fields(tuple)[graph_.field(e)];
        }
        case expr_kind::let:
            return types_[index(graph_.operand(e, 2))];
        case expr_kind::conditional: {
            const type_id then = types_[index(graph_.operand(e, 1))];
            const type_id otherwise = types_[index(graph_.operand(e, 2))];
            if (then == otherwise) return then;
            return agree(table, then, otherwise) ? common_type(table, then, otherwise) : type_id::none;
        }
        default: // the importer creates no data types or references
            break;
        }
        return type_id::none;
    }

    relay::graph graph_;
    plain_vector<type_id> types_;
    budget left_;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
