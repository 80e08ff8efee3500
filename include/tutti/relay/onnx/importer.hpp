#pragma once

#include <tutti/error.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/string_table.hpp>
#include <tutti/relay/onnx/external_data.hpp>
#include <tutti/relay/onnx/fold.hpp>
#include <tutti/relay/onnx/import_options.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/node_order.hpp>
#include <tutti/relay/onnx/parameter_name.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/onnx/typed_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::relay::onnx {

/// Makes a function of a model's graph, node by node. One that was used is to be thrown away.
class importer final : public import_services {
public:
    importer(const model& m, const import_options& options, rule_list standard)
        : model_(&m), options_(&options), standard_(standard), external_(m.name()) {}

    /// Throws: `tutti::error` that names the node.
    function main() {
        const graph_view g = model_->graph();
        check_bindings(g);
        begin_scope(g);
        plain_vector<expr_id> params;
        for (const wire_field& f : g.inputs()) {
            const value_view input(f.payload);
            if (is_initializer(input.name())) continue;
            params.push_back(parameter(input));
            define(input.name(), params.back(), "an input");
        }
        if (options_->initializers == initializers::parameters)
            for (const wire_field& f : g.initializers())
                params.push_back(parameter_of(tensor_view(message(f.payload))));
        import_nodes(g);
        const plain_vector<expr_id> results = outputs_of(g);
        const expr_id body = results.size() == 1 ? results[0] : graph_.graph().tuple(results.all());
        const expr_id root = graph_.graph().function(params.all(), body);
        return {std::move(graph_.graph()), root};
    }

    // For rules.

    std::optional<known_values> known(expr_id e) override {
        const relay::graph& g = graph_.graph();
        if (index(e) < partly_known_.size() && partly_known_[index(e)] != 0) return known_[partly_known_[index(e)] - 1];
        if (g.kind(e) != expr_kind::constant || g.constant_value(e).size() > known_values::most) return std::nullopt;
        return known_values_of(g.constant_value(e));
    }

    void note_known(expr_id e, known_values k) override {
        if (partly_known_.size() <= index(e)) partly_known_.resize(index(e) + 1);
        known_.push_back(std::move(k));
        partly_known_[index(e)] = static_cast<std::uint32_t>(known_.size());
    }

    plain_vector<expr_id> import_subgraph(const graph_view& g, std::span<const expr_id> inputs) override {
        const plain_vector<hidden> outer = std::exchange(hidden_, {});
        const std::uint32_t outer_scope = std::exchange(scope_, ++scopes_);
        begin_scope(g);
        std::size_t i = 0;
        for (const wire_field& f : g.inputs()) {
            if (i == inputs.size()) break;
            define(value_view(f.payload).name(), inputs[i++], "an input");
        }
        if (i != inputs.size() || g.count(11) != i)
            throw error("graph `" + std::string(g.name()) + "`", std::to_string(g.count(11)) + " inputs",
                        std::to_string(inputs.size()));
        import_nodes(g);
        plain_vector<expr_id> results = outputs_of(g);
        for (std::size_t k = hidden_.size(); k-- > 0;) values_[hidden_[k].name] = hidden_[k].value;
        hidden_ = outer;
        scope_ = outer_scope;
        return results;
    }

    tensor value_of(const tensor_view& t) override {
        return t.is_external() ? external_.value_of(t) : t.value(model_->file());
    }

private:
    // What a name stands for.
    struct named_value {
        expr_id value = expr_id::none;
        file_part initializer{}; // not made a constant yet
        std::uint32_t scope = 0; // which graph defines it, from 1; 0 if none does
    };
    struct hidden {
        std::uint32_t name;
        named_value value;
    };

    void check_bindings(const graph_view& g) const {
        for (const dim_binding& bound : options_->dims) {
            bool there = false;
            std::string names;
            for (const wire_field& f : g.inputs()) {
                for (const wire_field& d : value_view(f.payload).dimensions()) {
                    const std::string_view name = message(d.payload).text(2);
                    there = there || name == bound.name;
                    if (!name.empty() && names.find("`" + std::string(name) + "`") == std::string::npos)
                        names += (names.empty() ? "`" : ", `") + std::string(name) + "`";
                }
            }
            if (bound.size < 0 || bound.size > std::int64_t{1} << 60)
                throw error("dimension `" + bound.name + "`", "a size of " + std::to_string(bound.size), "0 to 2^60");
            if (!there)
                throw error("dimension `" + bound.name + "`", "no input has it",
                            names.empty() ? "none: the inputs' dimensions have no names" : names);
        }
    }

    // Names.

    named_value& entry(std::string_view name) {
        const std::uint32_t i = index(names_.add(name));
        if (i >= values_.size()) values_.resize(i + 1);
        return values_[i];
    }

    // The place of a name in this graph, which nothing may have defined there yet.
    named_value& fresh(std::string_view name, std::string_view what) {
        named_value& v = entry(name);
        if (v.scope == scope_)
            throw error(std::string(what) + " `" + std::string(name) + "`", "the name is defined twice",
                        "a name of its own for each value");
        hidden_.push_back({static_cast<std::uint32_t>(&v - values_.data()), v});
        v = {};
        v.scope = scope_;
        return v;
    }
    void define(std::string_view name, expr_id value, std::string_view what) { fresh(name, what).value = value; }

    bool is_initializer(std::string_view name) {
        const named_value& v = entry(name);
        return v.scope == scope_ && v.initializer.data != nullptr;
    }

    void begin_scope(const graph_view& g) {
        for (const wire_field& f : g.initializers()) {
            const tensor_view t{message(f.payload)};
            fresh(t.name(), "initializer").initializer = f.payload;
        }
    }

    // What a name stands for, or none.
    expr_id find(std::string_view name) {
        named_value& v = entry(name);
        if (v.scope != 0 && v.value == expr_id::none && v.initializer.data != nullptr) {
            const tensor value = value_of(tensor_view(message(v.initializer)));
            v.value = graph_.graph().constant(value);
        }
        return v.scope == 0 ? expr_id::none : v.value;
    }

    // Parameters.

    expr_id parameter(const value_view& input) {
        const std::string where = "input `" + std::string(input.name()) + "`";
        if (!input.is_tensor())
            throw error(where, "is no tensor", "a tensor: sequences, maps and optionals have no type here");
        const dtype element = dtype_of_element(input.element());
        if (element == dtype::none)
            throw error(where, "elements of type " + std::string(name_of_element(input.element())),
                        "a type of numbers, or bool");
        if (!input.has_shape()) throw error(where, "has no shape", "a shape, whose dimensions may have names");
        dims shape;
        for (const wire_field& f : input.dimensions()) {
            const message d(f.payload);
            dim size = dim::any();
            if (d.has(1) && d.integer(1) >= 0) {
                if (d.integer(1) > std::int64_t{1} << 60)
                    throw error(where, "a dimension of " + std::to_string(d.integer(1)), "2^60 at most");
                size = d.integer(1);
            }
            for (const dim_binding& bound : options_->dims)
                if (bound.name == d.text(2)) size = bound.size;
            shape.push_back(size);
        }
        return variable(input.name(), shape, element);
    }

    expr_id parameter_of(const tensor_view& t) {
        dims shape;
        for (const std::int64_t d : t.shape()) shape.push_back(d);
        if (t.type() == dtype::none)
            t.refuse("of elements of type " + std::string(name_of_element(t.element())), "numbers or bool");
        return entry(t.name()).value = variable(t.name(), shape, t.type());
    }

    expr_id variable(std::string_view name, const dims& shape, dtype element) {
        relay::graph& g = graph_.graph();
        const type_id type = g.types().tensor({shape.begin(), shape.size()}, element);
        return g.variable(fresh_parameter(name), type);
    }

    // One that is different from the others.
    std::string fresh_parameter(std::string_view name) {
        const std::string text = parameter_name(name);
        std::string tried = text;
        for (int n = 1; !parameters_added(tried); ++n) tried = text + "_" + std::to_string(n);
        return tried;
    }
    bool parameters_added(const std::string& name) {
        const std::uint32_t before = parameter_names_.size();
        parameter_names_.add(name);
        return parameter_names_.size() != before;
    }

    // Nodes.

    void import_nodes(const graph_view& g) {
        for (const file_part& part : in_order(g)) {
            const node_view node(part);
            try {
                import_node(node);
            } catch (const error& e) {
                if (dynamic_cast<const node_error*>(&e) != nullptr) throw;
                throw node_error(node.label() + (e.where().empty() ? "" : ", " + e.where()), e.problem(), e.expected());
            }
        }
    }

    // An error that names its node.
    struct node_error : error {
        using error::error;
    };

    void import_node(const node_view& node) {
        const import_rule* rule = options_->rules.find(node.op_type(), node.domain());
        if (rule == nullptr) rule = standard_.find(node.op_type(), node.domain());
        const std::int64_t opset = model_->opset(node.domain());
        node_context c(*this, graph_, node, opset);
        for (const wire_field& f : node.inputs()) {
            const std::string_view name = f.payload.text();
            const expr_id value = name.empty() ? expr_id::none : find(name);
            if (!name.empty() && value == expr_id::none)
                throw error("input `" + std::string(name) + "`", "nothing defines it",
                            "an input, an initializer, or an output of a node");
            c.add_input(value);
        }
        std::optional<known_values> result = fold(c);
        if (result && result->complete()) {
            c.output(0, c.constant(tensor_of(*result)));
        } else {
            const expr first = rule->import(c);
            if (first.id != expr_id::none) c.output(0, first);
            graph_.infer();
            if (result && c.output_count() != 0) note_known(c.output_of(0), std::move(*result));
        }
        std::size_t i = 0;
        for (const wire_field& f : node.outputs()) {
            const expr_id value = c.output_of(i++);
            if (f.payload.size == 0) continue;
            if (value == expr_id::none)
                throw error("", "output " + std::to_string(i - 1) + " is not computed here",
                            "a model that does not use it");
            define(f.payload.text(), value, "output");
        }
    }

    plain_vector<expr_id> outputs_of(const graph_view& g) {
        plain_vector<expr_id> results;
        for (const wire_field& f : g.outputs()) {
            const std::string_view name = value_view(f.payload).name();
            const expr_id value = find(name);
            if (value == expr_id::none)
                throw error("output `" + std::string(name) + "`", "nothing defines it",
                            "an input, an initializer, or an output of a node");
            results.push_back(value);
        }
        if (results.empty()) throw error("graph `" + std::string(g.name()) + "`", "has no outputs", "one or more");
        return results;
    }

    const model* model_;
    const import_options* options_;
    rule_list standard_;
    external_files external_;
    typed_graph graph_;
    string_table names_;
    plain_vector<named_value> values_; // by name
    plain_vector<hidden> hidden_;      // what this graph's names stood for before
    std::uint32_t scope_ = 1;
    std::uint32_t scopes_ = 1;
    string_table parameter_names_;
    plain_vector<std::uint32_t> partly_known_; // by expression: 0, or one more than the place in known_
    std::vector<known_values> known_;
};

} // namespace tutti::relay::onnx
