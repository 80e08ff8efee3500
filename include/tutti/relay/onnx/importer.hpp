#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/string_table.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/onnx/external_data.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/fold.hpp>
#include <tutti/relay/onnx/import_options.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/model_functions.hpp>
#include <tutti/relay/onnx/nchwc_block.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/node_order.hpp>
#include <tutti/relay/onnx/open_dimensions.hpp>
#include <tutti/relay/onnx/operator_index.hpp>
#include <tutti/relay/onnx/parameters.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/onnx/sparse_constant.hpp>
#include <tutti/relay/onnx/typed_graph.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Imports a model's graph as a function, node by node. An object can be used once.
class importer final : public import_services {
public:
    importer(const model& m, const import_options& options, rule_list standard)
        : model_(&m)
        , options_(&options)
        , standard_(standard)
        , external_(m.name(), options.external)
        , graph_(budget({"", "steps of import", "max_work", options.max_work}, m.file()->bytes().size())) {}

    /// Imports the graph as a function. Throws: `tutti::error` that names the node.
    function main() {
        kernel::allowance most(limit_on_constants(), {"", "steps", "", ~std::uint64_t{0}});
        const kernel::allowance::use here(most);
        const graph_view g = model_->graph();
        check_bindings(g);
        begin_scope(g);
        parameters& params = params_.emplace(graph_.graph(), *options_);
        for (const wire_field& f : g.inputs()) {
            const value_view input(f.payload);
            if (!is_initializer(input.name())) define(input.name(), params.add_input(input), "an input");
        }
        const bool all_parameters = options_->initializers == initializers::parameters;
        if (all_parameters || !options_->from.empty())
            for (const wire_field& f : g.initializers())
                if (const tensor_view t{message(f.payload)}; all_parameters || is_beginning(t.name()))
                    entry(t.name()).value = params.add_initializer(t);
        import_nodes(g.nodes());
        const plain_vector<expr_id> results = options_->to.empty() ? outputs_of(g) : chosen_results();
        for (const std::string& name : options_->from) static_cast<void>(value_named(name)); // throws if missing
        const expr_id body = results.size() == 1 ? results[0] : graph_.graph().tuple(results.all());
        const expr_id root = graph_.graph().function(used_parameters(body).all(), body);
        return {std::move(graph_.graph()), root};
    }

    // Services for import rules.

    std::optional<known_values> known(expr_id e) override {
        const relay::graph& g = graph_.graph();
        if (index(e) < partly_known_.size() && partly_known_[index(e)] != 0) return known_[partly_known_[index(e)] - 1];
        if (g.kind(e) != expr_kind::constant || g.constant_value(e).size() > known_values::most) return std::nullopt;
        if (kernel::is_narrow(g.constant_value(e).type())) return std::nullopt; // no model computes with such types
        return known_values_of(g.constant_value(e));
    }

    void note_known(expr_id e, known_values k) override {
        if (partly_known_.size() <= index(e)) partly_known_.resize(index(e) + 1);
        known_.push_back(std::move(k));
        graph_.take(known_.back().size());
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
        if (i != inputs.size() || g.count(field::graph::input) != i)
            throw error("graph `" + std::string(g.name()) + "`",
                        std::to_string(g.count(field::graph::input)) + " inputs", std::to_string(inputs.size()));
        import_nodes(g.nodes());
        plain_vector<expr_id> results = outputs_of(g);
        for (std::size_t k = hidden_.size(); k-- > 0;) values_[hidden_[k].name] = hidden_[k].value;
        hidden_ = outer;
        scope_ = outer_scope;
        return results;
    }

    tensor value_of(const tensor_view& t) override {
        return t.is_external() ? external_.value_of(t) : t.value(model_->file());
    }

    std::string open_dimensions() const override {
        const string_table names = relay::onnx::open_dimensions(model_->graph(), *options_);
        return names.size() == 0 ? "" : (names.size() == 1 ? "dimension " : "dimensions ") + listed(names);
    }

    std::int64_t nchwc_block() override {
        if (options_->nchwc_block != 0) return options_->nchwc_block;
        if (!block_) block_ = relay::onnx::nchwc_block(model_->graph());
        return *block_;
    }

private:
    // The value that a name refers to.
    struct named_value {
        expr_id value = expr_id::none;
        file_part initializer{}; // the initialiser's message; `value` is set at its first use
        bool is_sparse = false;  // the initialiser is sparse
        std::uint32_t scope = 0; // the graph that defines the name, from 1; 0 if none does
    };
    struct hidden {
        std::uint32_t name;
        named_value value;
    };

    limit limit_on_constants() const {
        const std::uint64_t known = 4 * model_->file()->bytes().size();
        const std::uint64_t most = options_->max_bytes;
        return {"", "bytes of constants", "max_bytes", most > ~known ? ~std::uint64_t{0} : most + known};
    }

    void check_bindings(const graph_view& g) const {
        for (const dim_binding& bound : options_->dims) {
            bool there = false;
            string_table names;
            for (const wire_field& f : g.inputs()) {
                for (const wire_field& d : value_view(f.payload).dimensions()) {
                    const std::string_view name = message(d.payload).text(field::dimension::dim_param);
                    there = there || name == bound.name;
                    if (!name.empty()) names.add(name);
                }
            }
            if (bound.size < 0 || bound.size > std::int64_t{1} << 60)
                throw error("dimension `" + bound.name + "`", "a size of " + std::to_string(bound.size), "0 to 2^60");
            if (!there)
                throw error("dimension `" + bound.name + "`", "no input has it",
                            names.size() == 0 ? "no sizes, since the inputs' dimensions have no names" : listed(names));
        }
        for (const input_shapes& given : options_->inputs) {
            string_table names;
            bool there = false;
            for (const wire_field& f : g.inputs()) {
                const std::string_view name = value_view(f.payload).name();
                there = there || name == given.name;
                names.add(name);
            }
            if (!there) throw error("input `" + given.name + "`", "the model has no such input", listed(names));
        }
    }

    // Returns the first 50 names as "`a`, `b`" and the number of further names.
    static std::string listed(const string_table& names) {
        constexpr std::uint32_t most = 50;
        std::string text;
        for (std::uint32_t i = 0; i < names.size() && i < most; ++i)
            text.append(i == 0 ? "`" : ", `").append(names[string_id{i}]).append("`");
        if (names.size() > most) text += " or one of " + std::to_string(names.size() - most) + " more";
        return text;
    }

    // Import of a part of the model, from `import_options::from` to `import_options::to`.

    // True for a value of the outermost graph that `import_options::from` names.
    bool is_beginning(std::string_view name) const {
        return scope_ == 1 && std::ranges::find(options_->from, name) != options_->from.end();
    }
    // Returns a parameter that replaces a node's output.
    expr_id beginning(std::string_view name, expr_id computed) {
        const type_id type = graph_.type(computed);
        if (!graph_.graph().types().is_tensor(type))
            throw error("value `" + std::string(name) + "`", "is not a tensor",
                        "names of tensors in import_options::from");
        return params_->add_value(name, type);
    }

    expr_id value_named(const std::string& name) {
        const std::uint32_t known = names_.size();
        if (const expr_id value = find(name); value != expr_id::none) return value;
        tutti::internal::nearest_name meant(name);
        for (std::uint32_t i = 0; i < known; ++i) meant.offer(names_[string_id{i}]);
        const std::string nearest(meant.found());
        throw error("value `" + name + "`",
                    "the model has no such value" + (nearest.empty() ? "" : "; did you mean `" + nearest + "`?"));
    }
    plain_vector<expr_id> chosen_results() {
        plain_vector<expr_id> results;
        for (const std::string& name : options_->to) results.push_back(value_named(name));
        return results;
    }
    // Returns all parameters. If `import_options::from` is set, returns only those that a result needs.
    plain_vector<expr_id> used_parameters(expr_id body) {
        if (options_->from.empty()) return params_->all();
        each_once reached(graph_.graph().size());
        for (const expr_id e : post_order(graph_.graph(), body)) reached(e);
        plain_vector<expr_id> used;
        for (const expr_id p : params_->all())
            if (!reached(p)) used.push_back(p);
        return used;
    }

    // Names.

    named_value& entry(std::string_view name) {
        const std::uint32_t i = index(names_.add(name));
        if (i >= values_.size()) values_.resize(i + 1);
        return values_[i];
    }

    // Returns a new entry for a name in the current graph. Throws if the graph has already defined the name.
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
        for (const wire_field& f : g.fields(field::graph::sparse_initializer)) {
            named_value& v =
                fresh(message(f.payload).child(field::sparse_tensor::values).text(field::tensor::name), "initializer");
            v.initializer = f.payload;
            v.is_sparse = true;
        }
    }

    // Returns the expression that a name refers to, or none.
    expr_id find(std::string_view name) {
        named_value& v = entry(name);
        if (v.scope >= outermost_ && v.value == expr_id::none && v.initializer.data != nullptr) {
            if (v.is_sparse)
                v.value = sparse_constant(graph_.graph(), *this, message(v.initializer)).id;
            else
                v.value = graph_.graph().constant(value_of(tensor_view(message(v.initializer))));
            if (!name.empty()) graph_.graph().set_source_name(v.value, name);
        }
        return v.scope < outermost_ ? expr_id::none : v.value;
    }
    // True if a name is an input of a function, and the caller omits that input.
    bool is_left_out(std::string_view name) {
        return entry(name).scope >= outermost_ && entry(name).value == expr_id::none;
    }

    // Nodes.

    void import_nodes(const wire_fields& nodes) {
        for (const file_part& part : in_order(nodes)) {
            const node_view node(part);
            try {
                import_node(node);
            } catch (const error& e) {
                if (dynamic_cast<const node_error*>(&e) != nullptr) throw;
                throw node_error(node.label() + (e.where().empty() ? "" : ", " + e.where()), e.problem(), e.expected());
            }
        }
    }

    // An error that already names its node.
    struct node_error : error {
        using error::error;
    };

    void import_node(const node_view& node) {
        graph_.take(16); // counted again in each iteration of an unrolled loop
        const import_rule* rule = options_->rules.find(node.op_type(), node.domain());
        function_view written;
        if (rule == nullptr) written = model_functions_.find(node.op_type(), node.domain());
        if (rule == nullptr && !written.exists()) rule = standard_.find(node.op_type(), node.domain());
        if (rule == nullptr && !written.exists())
            throw error("", "there is no rule for the operator", "one in `import_options::rules`");
        std::int64_t version = opset_of(node.domain());
        // Newer versions are treated like `newest_opset`, because most operators have not changed.
        if (node.domain().empty()) version = std::min(version, newest_opset);
        node_context c(*this, graph_, node, version, caller_);
        for (const wire_field& f : node.inputs()) {
            const std::string_view name = f.payload.text();
            const expr_id value = name.empty() ? expr_id::none : find(name);
            if (!name.empty() && value == expr_id::none && !is_left_out(name))
                throw error("input `" + std::string(name) + "`", "nothing defines it",
                            "an input, an initializer, or an output of a node");
            c.add_input(value);
        }
        const std::uint32_t before = graph_.graph().size();
        std::optional<known_values> result;
        if (!written.exists()) result = fold(c);
        if (written.exists()) {
            import_function(c, written);
        } else if (result && result->complete()) {
            c.output(0, c.constant(tensor_of(*result)));
        } else {
            const expr first = rule->import(c);
            if (first.id != expr_id::none) c.output(0, first);
            graph_.infer();
            if (result && c.output_count() != 0) note_known(c.output_of(0), std::move(*result));
        }
        name_since(before, node.name_or_output());
        std::size_t i = 0;
        for (const wire_field& f : node.outputs()) {
            const expr_id value = c.output_of(i++);
            if (f.payload.size == 0) continue;
            if (value == expr_id::none)
                throw error("", "output " + std::to_string(i - 1) + " is not supported",
                            "a model that does not use it");
            const std::string_view name = f.payload.text();
            define(name, is_beginning(name) ? beginning(name, value) : value, "output");
        }
    }

    // Gives the node's name to the expressions that it created. Expressions of nested nodes already have names.
    void name_since(std::uint32_t first, std::string_view name) {
        graph& g = graph_.graph();
        if (name.empty()) return;
        for (std::uint32_t i = first; i < g.size(); ++i)
            if (const expr_kind kind = g.kind(expr_id{i});
                kind != expr_kind::op && kind != expr_kind::variable && !g.has_source(expr_id{i}))
                g.set_source_name(expr_id{i}, name);
    }

    // Caches the result by domain, because the lookup scans the model's fields.
    std::int64_t opset_of(std::string_view domain) {
        if (function_.exists()) return imported_opset(function_.fields(field::function::opset_import), domain);
        const std::uint32_t at = domains_.add({}, domain);
        if (at == opsets_.size()) opsets_.push_back(model_->opset(domain));
        return opsets_[at];
    }

    // Imports the nodes of a function in place of its call. The nodes see the names of the function's inputs, and no
    // names of the caller.
    void import_function(node_context& c, const function_view& f) {
        if (++functions_ > most_functions)
            c.refuse("more than " + std::to_string(most_functions) + " calls of model functions", "fewer");
        if (depth_ == most_depth)
            c.refuse("functions nested more than " + std::to_string(most_depth) + " deep",
                     "functions without recursion");
        if (c.input_count() > f.count(field::function::input) || c.output_count() > f.count(field::function::output))
            c.refuse(std::to_string(c.input_count()) + " inputs and " + std::to_string(c.output_count()) + " outputs",
                     "those of the model's function, " + std::to_string(f.count(field::function::input)) + " and " +
                         std::to_string(f.count(field::function::output)) + " at most");
        if (const std::int64_t set = imported_opset(f.fields(field::function::opset_import), {}); set < 0)
            c.refuse("a function that imports opset " + std::to_string(set), "1 or more");
        plain_vector<hidden> outer_hidden = std::exchange(hidden_, {});
        const std::uint32_t outer_scope = std::exchange(scope_, ++scopes_);
        const std::uint32_t outermost = std::exchange(outermost_, scope_);
        const function_view outer = std::exchange(function_, f);
        const node_context* const caller = std::exchange(caller_, &c);
        ++depth_;
        std::size_t i = 0;
        for (const wire_field& input : f.inputs()) {
            define(input.payload.text(), c.has(i) ? c.input(i).id : expr_id::none, "an input");
            ++i;
        }
        import_nodes(f.fields(field::function::node));
        i = 0;
        for (const wire_field& output : f.outputs()) {
            const expr_id value = find(output.payload.text());
            if (value != expr_id::none) c.output(i, c.of(value));
            ++i;
        }
        --depth_;
        caller_ = caller;
        function_ = outer;
        for (std::size_t k = hidden_.size(); k-- > 0;) values_[hidden_[k].name] = hidden_[k].value;
        scope_ = outer_scope;
        outermost_ = outermost;
        hidden_ = std::move(outer_hidden);
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
    std::optional<parameters> params_;
    string_table names_;
    plain_vector<named_value> values_; // indexed by name
    plain_vector<hidden> hidden_;      // meanings that names have outside the current graph, if it redefines them
    std::uint32_t scope_ = 1;
    std::uint32_t scopes_ = 1;
    std::uint32_t outermost_ = 1; // the outermost visible graph: nodes of a function do not see the graphs around it
    // State for the model's functions: limits, the current function, its call, and the nesting depth.
    static constexpr std::size_t most_functions = 100'000;
    static constexpr std::size_t most_depth = 64;
    function_view function_{};
    const node_context* caller_ = nullptr;
    std::size_t depth_ = 0;
    std::size_t functions_ = 0;
    operator_index domains_;
    plain_vector<std::int64_t> opsets_; // indexed by domain
    model_functions model_functions_{*model_};
    plain_vector<std::uint32_t> partly_known_; // indexed by expression: 0, or 1 + an index in `known_`
    vector<known_values> known_;
    std::optional<std::int64_t> block_; // block size of nchwc operators, determined at its first use
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
