#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/onnx/write/call_writer.hpp>
#include <tutti/relay/onnx/write/model_node.hpp>
#include <tutti/relay/onnx/write/model_parts.hpp>
#include <tutti/relay/onnx/write/write_rules.hpp>
#include <tutti/relay/op/default_operators.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// A part of a module that ONNX cannot express.
struct not_written {
    std::string what{}; ///< the operator, or the kind of expression
    std::string node{}; ///< the name of the node from which it was imported, if known
    std::string why{};
    std::size_t count = 1;
};

/// Writes the expressions of a function as nodes. A call of a function is written as a Loop if the function is
/// tail-recursive, and otherwise as the nodes of the function's body. The branches of an if and the body of a Loop
/// become inner graphs, which may use values of the outer graph.
///
/// Cost: linear in the expressions and nodes; recursion only for nested ifs and functions.
class graph_writer {
public:
    using value = call_writer::value;
    using values = vector<value>;

    /// Requires: all arguments passed by reference outlive the writer; types are inferred.
    graph_writer(const ir_module& m, const graph& g, model_parts& parts, vector<model_node>& nodes,
                 vector<not_written>& refused, unsigned depth = 0)
        : module_(&m)
        , graph_(&g)
        , parts_(&parts)
        , nodes_(&nodes)
        , refused_(&refused)
        , depth_(depth)
        , values_(g.size())
        , uses_(g.size(), 0) {
        for (std::uint32_t i = 0; i < g.size(); ++i)
            for (const expr_id o : g.operands(expr_id{i})) ++uses_[index(o)];
    }

    /// Sets the values of an expression, such as a parameter.
    void bind(expr_id e, values v) {
        values_[index(e)] = std::move(v);
        bound_.push_back(e);
    }

    /// Records that an expression cannot be written. Binds it to placeholder names, so that errors in its users are
    /// also found.
    void refuse(expr_id e, std::string what, std::string why) {
        values names;
        const std::size_t count = std::max<std::size_t>(1, width(graph_->type(e)));
        for (std::size_t i = 0; i < count; ++i) names.push_back(parts_->fresh("missing"));
        bind(e, std::move(names));
        for (not_written& each : *refused_)
            if (each.what == what && each.why == why) {
                ++each.count;
                return;
            }
        refused_->push_back({std::move(what), std::string(graph_->source_name(e)), std::move(why)});
    }

    /// Returns the number of tensors in a type. Throws: `tutti::error` if the number is too large.
    std::size_t width(type_id t) const {
        std::size_t sum = 0;
        add_width(t, sum);
        return sum;
    }

    /// Returns the names of an expression's values, one for each tensor of a tuple. Writes nodes for them if necessary.
    const values& write(expr_id root) {
        plain_vector<walk_entry> path;
        if (!is_written(root)) path.push_back({root, 0});
        while (!path.empty()) {
            const walk_entry now = path.back();
            const expr_id next = operand(now.e, now.met);
            if (next == expr_id::none) {
                path.pop_back();
                if (!is_written(now.e)) finish(now.e);
                continue;
            }
            ++path.back().met;
            if (!is_written(next)) path.push_back({next, 0});
        }
        return values_[index(root)];
    }

private:
    struct walk_entry {
        expr_id e;
        std::uint32_t met;
    };
    // Limit on nesting. Deeper nesting is refused, because it could overflow the stack.
    static constexpr unsigned most_nested = 200;

    bool is_written(expr_id e) const {
        return !values_[index(e)].empty() || graph_->kind(e) == expr_kind::op ||
               graph_->kind(e) == expr_kind::function || graph_->kind(e) == expr_kind::global ||
               functions_.contains(index(e));
    }

    // Returns the i-th operand that must be written before an expression; none if there are no more.
    expr_id operand(expr_id e, std::uint32_t i) {
        const graph& g = *graph_;
        switch (g.kind(e)) {
        case expr_kind::call:
            return i + 1 < g.operand_count(e) ? g.operand(e, i + 1) : expr_id::none;
        case expr_kind::conditional:
            return i == 0 ? g.operand(e, 0) : expr_id::none;
        case expr_kind::let:
            if (i == 1) name_value(g.operand(e, 0), g.operand(e, 1));
            return i < 2 ? g.operand(e, i + 1) : expr_id::none;
        case expr_kind::tuple:
        case expr_kind::projection:
            return i < g.operand_count(e) ? g.operand(e, i) : expr_id::none;
        default:
            return expr_id::none;
        }
    }

    // Binds the variable of a let to the let's value.
    void name_value(expr_id variable, expr_id bound) {
        if (graph_->kind(bound) == expr_kind::function || graph_->kind(bound) == expr_kind::global ||
            functions_.contains(index(bound)))
            functions_[index(variable)] = bound;
        else
            bind(variable, values_[index(bound)]);
    }

    void finish(expr_id e) {
        const graph& g = *graph_;
        switch (g.kind(e)) {
        case expr_kind::constant:
            return bind(e, {parts_->constant(g.constant_value(e))});
        case expr_kind::tuple: {
            values all;
            for (const expr_id o : g.operands(e)) {
                parts_->note_fields(values_[index(o)].size());
                all.insert(all.end(), values_[index(o)].begin(), values_[index(o)].end());
            }
            if (all.empty()) return refuse(e, "an empty tuple", "ONNX has none");
            return bind(e, std::move(all));
        }
        case expr_kind::projection:
            return finish_projection(e);
        case expr_kind::let:
            return bind(e, values_[index(g.operand(e, 2))]);
        case expr_kind::conditional:
            return finish_conditional(e);
        case expr_kind::call:
            if (g.called_op(e) != nullptr) return finish_operator(e);
            return finish_function(e);
        case expr_kind::variable:
            return refuse(e, "variable %" + std::string(g.variable_name(e)), "has no tensor value");
        default:
            return refuse(e, std::string(to_string(g.kind(e))), "ONNX has no such expression");
        }
    }

    void add_width(type_id t, std::size_t& sum) const {
        if (t == type_id::none || graph_->types().kind(t) != type_kind::tuple)
            model_parts::check_fields(++sum);
        else
            for (const type_id field : graph_->types().fields(t)) add_width(field, sum);
    }

    void finish_projection(expr_id e) {
        const expr_id tuple = graph_->operand(e, 0);
        const auto fields = graph_->types().fields(graph_->type(tuple));
        std::size_t first = 0;
        for (std::uint32_t i = 0; i < graph_->field(e); ++i) first += width(fields[i]);
        const std::size_t count = width(fields[graph_->field(e)]);
        const values& all = values_[index(tuple)];
        const auto at = all.begin() + static_cast<std::ptrdiff_t>(first);
        bind(e, values(at, at + static_cast<std::ptrdiff_t>(count)));
    }

    void finish_operator(expr_id e) {
        const graph& g = *graph_;
        const op_def& op = *g.called_op(e);
        const write_rule* const rule = is_built_in(op) ? find_write_rule(op.name) : nullptr;
        if (rule == nullptr) return refuse(e, std::string(op.name), "ONNX has no such operator");
        call_writer c(*parts_, *nodes_, g, e, values_, uses_);
        const std::size_t before = nodes_->size();
        try {
            if (rule->write != nullptr) {
                rule->write(c);
            } else {
                values inputs;
                for (std::size_t i = 0; i < c.count(); ++i) inputs.push_back(c.in(i));
                c.result(c.node(rule->same_as, std::move(inputs)));
            }
            parts_->need(rule->opset);
            if (c.has_bfloat16())
                for (std::size_t i = before; i < nodes_->size(); ++i)
                    parts_->need(opset_of_bfloat16((*nodes_)[i].op_type));
        } catch (const error& bad) {
            nodes_->resize(before);
            return refuse(e, std::string(op.name),
                          std::string(bad.problem()) +
                              (bad.expected().empty() ? "" : "; expected " + std::string(bad.expected())));
        }
        bind(e, c.written());
    }

    // Returns a graph for an attribute of a node. `write_nodes` writes the graph's nodes and returns its results.
    template <class Write>
    wire_writer inner_graph(std::string_view name, const Write& write_nodes) {
        vector<model_node> inner;
        const std::size_t mark = bound_.size();
        vector<model_node>* const outer = std::exchange(nodes_, &inner);
        ++depth_;
        values named;
        // Each result must be computed in the inner graph itself, so an Identity node copies it.
        for (const value& r : write_nodes()) {
            named.push_back(parts_->fresh("result"));
            inner.push_back({"Identity", {r}, {named.back()}});
        }
        --depth_;
        nodes_ = outer;
        forget(mark);
        wire_writer made;
        parts_->drop_unused(inner, named);
        parts_->name_nodes(inner, false);
        for (const model_node& n : inner) made.message(field::graph::node, message_of(n));
        made.text(field::graph::name, name);
        for (const value& r : named) made.message(field::graph::output, wire_writer().text(field::value_info::name, r));
        return made;
    }

    void finish_conditional(expr_id e) {
        if (depth_ == most_nested) return refuse(e, "if", "is nested too deeply");
        node_attributes branches;
        for (std::size_t side = 1; side <= 2; ++side)
            branches.graph(side == 1 ? "then_branch" : "else_branch",
                           inner_graph(side == 1 ? "then" : "else", [&] { return write(graph_->operand(e, side)); }));
        add_node(e, "If", {values_[index(graph_->operand(e, 0))][0]}, branches, width(graph_->type(e)));
    }

    // Adds a node whose outputs become the values of an expression.
    void add_node(expr_id e, std::string_view op_type, values inputs, const node_attributes& attributes,
                  std::size_t outputs) {
        model_node n{
            std::string(op_type), std::move(inputs), {}, attributes.bytes(), {}, std::string(graph_->source_name(e))};
        for (std::size_t i = 0; i < outputs; ++i) n.outputs.push_back(parts_->fresh(op_type));
        nodes_->push_back(n);
        bind(e, std::move(n.outputs));
    }

    // A tail-recursive function. Its body is a conditional: one branch ends in a call of the function, and the other
    // branch is the result.
    struct loop {
        expr_id condition = expr_id::none;
        expr_id again = expr_id::none; // the recursive call
        expr_id result = expr_id::none;
        bool goes_on_if = true;
        plain_vector<expr_id> lets{}; // lets around the recursive call
    };
    template <class IsCalled>
    loop loop_of(expr_id function, const IsCalled& calls_itself) const {
        const graph& g = *graph_;
        const expr_id body = g.body(function);
        if (g.kind(body) != expr_kind::conditional) return {};
        for (const std::size_t side : {1U, 2U}) {
            loop l{g.operand(body, 0), g.operand(body, side), g.operand(body, 3 - side), side == 1};
            for (; g.kind(l.again) == expr_kind::let; l.again = g.operand(l.again, 2)) l.lets.push_back(l.again);
            if (g.kind(l.again) == expr_kind::call && calls_itself(l.again)) return l;
        }
        return {};
    }

    void bind_params(expr_id function, const values& all) {
        std::size_t at = 0;
        for (const expr_id p : graph_->params(function)) {
            const std::size_t count = width(graph_->type(p));
            const auto first = all.begin() + static_cast<std::ptrdiff_t>(at);
            bind(p, values(first, first + static_cast<std::ptrdiff_t>(count)));
            at += count;
        }
    }
    // Returns the condition for another iteration. `state` holds the values of the parameters.
    value goes_on(const loop& l, expr_id function, const values& state) {
        const std::size_t mark = bound_.size();
        bind_params(function, state);
        value condition = write(l.condition)[0];
        forget(mark);
        if (l.goes_on_if) return condition;
        nodes_->push_back({"Not", {condition}, {parts_->fresh("Not")}});
        return nodes_->back().outputs[0];
    }
    void declare_state(wire_writer& body, const value& name, std::span<const dim> shape, dtype element) {
        const wire_writer type = type_message(shape, element, [](std::size_t) { return std::string(); });
        body.message(field::graph::input,
                     wire_writer().text(field::value_info::name, name).message(field::value_info::type, type));
    }

    // Writes a Loop whose state is the function's parameters. Returns the values of the result, or nothing if the
    // function cannot be written as a Loop.
    values write_loop(const loop& l, expr_id function, const values& state, std::string_view source) {
        const graph& g = *graph_;
        wire_writer inputs;
        const value step = parts_->fresh("step"), before = parts_->fresh("goes_on");
        declare_state(inputs, step, {}, dtype::int64);
        declare_state(inputs, before, {}, dtype::boolean);
        values inner;
        for (const expr_id p : g.params(function)) {
            if (!g.types().is_tensor(g.type(p))) return {};
            inner.push_back(parts_->fresh("state"));
            declare_state(inputs, inner.back(), g.types().shape(g.type(p)), g.types().element(g.type(p)));
        }
        values given{{}, goes_on(l, function, state)};
        wire_writer body = inner_graph("body", [&] {
            const std::size_t mark = bound_.size();
            bind_params(function, inner);
            for (const expr_id let : l.lets) {
                write(g.operand(let, 1));
                name_value(g.operand(let, 0), g.operand(let, 1));
            }
            values next;
            for (const expr_id a : g.arguments(l.again)) next.push_back(write(a)[0]);
            forget(mark); // the condition may share expressions with the state, but is computed from the next state
            values all{goes_on(l, function, next)};
            all.insert(all.end(), next.begin(), next.end());
            return all;
        });
        body.fields(inputs.bytes());
        given.insert(given.end(), state.begin(), state.end());
        model_node n{"Loop", std::move(given),   {}, node_attributes().graph("body", body).bytes(),
                     {},     std::string(source)};
        for (std::size_t i = 0; i < state.size(); ++i) n.outputs.push_back(parts_->fresh("Loop"));
        const values last = n.outputs;
        nodes_->push_back(std::move(n));
        const std::size_t mark = bound_.size();
        bind_params(function, last);
        values results = write(l.result);
        forget(mark);
        return results;
    }
    values arguments_of(expr_id call) const {
        values all;
        for (const expr_id a : graph_->arguments(call))
            all.insert(all.end(), values_[index(a)].begin(), values_[index(a)].end());
        return all;
    }
    void bind_loop(expr_id e, values results) {
        if (results.empty()) return refuse(e, "a loop", "has state other than tensors");
        bind(e, std::move(results));
    }

    void finish_function(expr_id e) {
        const graph& g = *graph_;
        expr_id callee = g.callee(e), variable = expr_id::none;
        while (g.kind(callee) == expr_kind::variable) {
            const auto at = functions_.find(index(callee));
            if (at == functions_.end()) return refuse(e, "a call of a value", "ONNX has no first-class functions");
            variable = std::exchange(callee, at->second);
        }
        if (g.kind(callee) == expr_kind::global) return finish_global(e, g.global_name(callee));
        if (g.kind(callee) != expr_kind::function)
            return refuse(e, "a call of a " + std::string(to_string(g.kind(callee))), "ONNX has no such call");
        if (open_.contains(index(callee)) || depth_ == most_nested)
            return refuse(e, "a function that is recursive, or nested too deeply",
                          "only tail recursion becomes a Loop");
        const auto calls_itself = [&](expr_id end) { return g.callee(end) == variable; };
        if (const loop l = loop_of(callee, calls_itself); l.again != expr_id::none) {
            open_.insert(index(callee));
            parts_->note_body();
            bind_loop(e, write_loop(l, callee, arguments_of(e), g.source_name(e)));
            open_.erase(index(callee));
            return;
        }
        const std::size_t mark = bound_.size();
        open_.insert(index(callee));
        ++depth_;
        for (std::size_t i = 0; i < g.params(callee).size(); ++i)
            bind(g.params(callee)[i], values_[index(g.arguments(e)[i])]);
        const values results = write(g.body(callee));
        --depth_;
        open_.erase(index(callee));
        forget(mark);
        bind(e, results);
    }

    void finish_global(expr_id e, std::string_view name) {
        const function* const f = module_->find(name);
        if (f == nullptr) return refuse(e, "@" + std::string(name), "the module has no such function");
        bool refused = depth_ == most_nested;
        for (const graph_writer* w = this; w != nullptr; w = w->outer_) refused = refused || w->global_ == name;
        if (refused) return refuse(e, "@" + std::string(name), "is recursive, or nested too deeply");
        parts_->note_body();
        graph_writer inner(*module_, f->graph, *parts_, *nodes_, *refused_, depth_ + 1);
        inner.outer_ = this;
        inner.global_ = name;
        const graph& g = f->graph;
        const auto calls_itself = [&](expr_id end) {
            return g.kind(g.callee(end)) == expr_kind::global && g.global_name(g.callee(end)) == name;
        };
        if (const loop l = inner.loop_of(f->root, calls_itself); l.again != expr_id::none)
            return bind_loop(e, inner.write_loop(l, f->root, arguments_of(e), graph_->source_name(e)));
        for (std::size_t i = 0; i < f->graph.params(f->root).size(); ++i)
            inner.bind(f->graph.params(f->root)[i], values_[index(graph_->arguments(e)[i])]);
        bind(e, inner.write(f->graph.body(f->root)));
    }

    // Forgets the values of expressions bound since `mark`, because their graph or function is complete.
    void forget(std::size_t mark) {
        for (; bound_.size() > mark; bound_.pop_back()) values_[index(bound_.back())].clear();
    }

    const ir_module* module_;
    const graph* graph_;
    model_parts* parts_;
    vector<model_node>* nodes_;
    vector<not_written>* refused_;
    unsigned depth_;
    const graph_writer* outer_ = nullptr;                  // writer of the function that calls this one
    std::string_view global_{};                            // name of the function being written, unless it is main
    vector<values> values_;                                // indexed by expression
    plain_vector<std::uint32_t> uses_;                     // indexed by expression
    plain_vector<expr_id> bound_;                          // expressions with values, in the order of binding
    std::unordered_map<std::uint32_t, expr_id> functions_; // functions, indexed by variable
    std::unordered_set<std::uint32_t> open_;               // functions that are being written
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
