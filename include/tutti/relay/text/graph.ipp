#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/structure.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/text/graph.hpp>
#include <tutti/relay/text/print/function_printer.hpp>
#include <tutti/relay/text/print/naming.hpp>
#include <tutti/relay/text/print/values.hpp>
#include <tutti/unit/unit_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Draws one function.
class graph_drawer {
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    const graph* g_;
    unit_graph* out_;
    std::string text_;
    plain_vector<printed_place> places_;
    plain_vector<std::uint32_t> place_; // indexed by expression: the index of its place in `places_`
    plain_vector<std::uint32_t> node_;  // indexed by expression: the index of its node
    plain_vector<expr_id> value_;       // indexed by variable: the value that a let binds to it

    // True for a function that is drawn as one node, without its contents.
    bool is_closed(expr_id e) const {
        return g_->kind(e) == expr_kind::function &&
               (has_nonzero_attribute(*g_, e, "Primitive") || has_attribute(*g_, e, "Composite") ||
                has_attribute(*g_, e, "Compiler"));
    }
    std::string_view text_of(expr_id e) const {
        if (place_[index(e)] == none) return {};
        const printed_place& at = places_[place_[index(e)]];
        return std::string_view{text_}.substr(at.begin, at.end - at.begin);
    }
    std::string type_of(expr_id e) const {
        type_id type = g_->type(e);
        if (type == type_id::none && g_->kind(e) == expr_kind::variable) type = g_->annotation(e);
        return type == type_id::none ? std::string{} : to_text(g_->types(), type);
    }
    std::uint32_t add(expr_id e, std::string_view label, std::string_view group) {
        std::string text{text_of(e)};
        if (const std::string_view source = g_->source_name(e); !source.empty())
            text.insert(0, comment_of(source) + "\n");
        return out_->add({std::string{label}, type_of(e), std::move(text), std::string{group}});
    }
    void connect(std::uint32_t from, std::uint32_t to, std::string_view label = {}) {
        out_->edges.push_back({from, to, std::string{label}});
    }

    // Returns the name of a function that is drawn as one node: its attribute `Composite`, or its operators joined, as
    // in `nn.conv2d + nn.relu`.
    std::string name_of_closed(expr_id function) const {
        if (const attr_value* name = find_attribute(*g_, function, "Composite");
            name != nullptr && name->kind == attr_kind::string)
            return std::string{g_->strings()[name->string()]};
        std::string label;
        for (const expr_id e : post_order(*g_, function))
            if (const op_def* op = g_->called_op(e)) label.append(label.empty() ? "" : " + ").append(op->name);
        return label.empty() ? "fn" : label;
    }
    static std::string_view group_of(fusion_pattern pattern) {
        switch (pattern) {
        case fusion_pattern::elementwise:
        case fusion_pattern::broadcast:
            return "elementwise";
        case fusion_pattern::injective:
        case fusion_pattern::tuple:
            return "reshaping";
        case fusion_pattern::comm_reduce:
            return "comm_reduce";
        case fusion_pattern::out_elementwise_fusable:
            return "convolution";
        case fusion_pattern::opaque:
            break;
        }
        return "opaque";
    }

    // Returns the source of a value. Follows lets and the variables that they bind.
    expr_id source(expr_id e) const {
        for (std::uint32_t steps = 0; steps <= g_->size(); ++steps) {
            if (g_->kind(e) == expr_kind::let)
                e = g_->operand(e, 2);
            else if (g_->kind(e) == expr_kind::variable && value_[index(e)] != expr_id::none)
                e = value_[index(e)];
            else
                break;
        }
        return e;
    }
    // Draws the edge of an operand. The edge of a tuple's field starts at the tuple. Each use of a constant has its own
    // node.
    void use(expr_id operand, std::uint32_t by, std::string_view what = {}) {
        std::string label{what};
        std::string fields;
        expr_id e = source(operand);
        std::uint32_t steps = 0; // a let may bind a field of its own variable: an endless chain
        for (; g_->kind(e) == expr_kind::projection && steps < g_->size(); ++steps) {
            fields.insert(0, "." + std::to_string(g_->field(e)));
            e = source(g_->operand(e, 0));
        }
        if (steps == g_->size()) {
            fields.clear();
            while (g_->kind(e) == expr_kind::projection) e = g_->operand(e, 0);
        }
        if (!fields.empty()) label.append(label.empty() ? "" : " ").append(fields);
        std::uint32_t from = node_[index(e)];
        if (from == none) from = leaf(e);
        connect(from, by, label);
    }
    std::uint32_t leaf(expr_id e) {
        switch (g_->kind(e)) {
        case expr_kind::constant:
            return constant(e);
        case expr_kind::op:
            return add(e, g_->op_definition(e).name, "function");
        case expr_kind::constructor:
            return add(e, g_->global_name(e), "function");
        case expr_kind::global:
            return add(e, "@" + std::string{g_->global_name(e)}, "function");
        case expr_kind::function:
            return node_[index(e)] = add(e, name_of_closed(e), "function");
        case expr_kind::variable: // unbound, or bound by a let to itself only
            return node_[index(e)] = add(e, "%" + std::string{g_->variable_name(e)}, "input");
        default: // a let bound to itself
            return node_[index(e)] = add(e, to_string(g_->kind(e)), "input");
        }
    }
    std::uint32_t constant(expr_id e) {
        const tensor& value = g_->constant_value(e);
        unit_graph::node made{.label = "constant", .type = {}, .text = {}, .group = "constant"};
        if (has_literal(value)) {
            made.label.clear();
            append_literal(made.label, value);
            made.type = kernel::name(value.type());
        } else {
            made.type = "Tensor[(";
            for (const std::int64_t size : value.shape()) {
                if (!made.type.ends_with('(')) made.type += ", ";
                append_number(made.type, size);
            }
            made.type.append("), ").append(kernel::name(value.type())).append("]");
        }
        return out_->add(std::move(made));
    }

    // Returns the callee of a call if it is a global, a constructor or a function that is drawn as one node, else none.
    expr_id called(expr_id call) const {
        const expr_id callee = source(g_->callee(call));
        const bool named =
            g_->kind(callee) == expr_kind::global || g_->kind(callee) == expr_kind::constructor || is_closed(callee);
        return named ? callee : expr_id::none;
    }
    void add_node(expr_id e) {
        std::uint32_t made = none;
        switch (g_->kind(e)) {
        case expr_kind::call: {
            const expr_id callee = called(e);
            if (const op_def* op = g_->called_op(e)) {
                made = add(e, op->name, group_of(op->pattern));
            } else if (callee == expr_id::none) {
                made = add(e, "call", "function");
            } else if (g_->kind(callee) == expr_kind::constructor) {
                made = add(e, g_->global_name(callee), "reshaping");
            } else if (g_->kind(callee) == expr_kind::global) {
                made = add(e, "@" + std::string{g_->global_name(callee)}, "function");
            } else {
                made = add(e, name_of_closed(callee), "function");
                std::string inside{text_of(callee)};
                if (!inside.empty()) out_->nodes[made].text = inside.append("\n").append(out_->nodes[made].text);
            }
            break;
        }
        case expr_kind::function:
            if (is_closed(e)) return; // drawn at the call
            made = add(e, "fn", "function");
            break;
        case expr_kind::tuple:
            made = add(e, "tuple", "reshaping");
            break;
        case expr_kind::conditional:
            made = add(e, "if", "function");
            break;
        case expr_kind::match:
        case expr_kind::ref_create:
        case expr_kind::ref_read:
        case expr_kind::ref_write:
            made = add(e, to_string(g_->kind(e)), "function");
            if (g_->kind(e) == expr_kind::match) draw_bound(e);
            break;
        default:
            return;
        }
        node_[index(e)] = made;
    }
    void add_edges(expr_id e) {
        const std::uint32_t to = node_[index(e)];
        switch (g_->kind(e)) {
        case expr_kind::call:
            if (g_->called_op(e) == nullptr && called(e) == expr_id::none) use(g_->callee(e), to, "callee");
            for (const expr_id a : g_->arguments(e)) use(a, to);
            break;
        case expr_kind::function:
            if (to != none) use(g_->body(e), to, "body");
            break;
        case expr_kind::tuple:
            for (const expr_id field : g_->operands(e)) use(field, to);
            break;
        case expr_kind::conditional:
            use(g_->operand(e, 0), to, "condition");
            use(g_->operand(e, 1), to, "then");
            use(g_->operand(e, 2), to, "else");
            break;
        case expr_kind::match:
            use(g_->operand(e, 0), to, "data");
            for_each_clause(*g_, e, [&](const match_clause& c) {
                for (std::size_t i = c.first_variable; i < c.body; ++i) connect(to, node_[index(g_->operand(e, i))]);
                use(g_->operand(e, c.body), to, "clause");
            });
            break;
        case expr_kind::ref_create:
        case expr_kind::ref_read:
        case expr_kind::ref_write:
            for (const expr_id o : g_->operands(e)) use(o, to);
            break;
        default:
            break;
        }
    }
    void draw_bound(expr_id match) {
        for_each_bound(*g_, match, [&](std::size_t i) {
            const expr_id v = g_->operand(match, i);
            node_[index(v)] = add(v, "%" + std::string{g_->variable_name(v)}, "input");
        });
    }
    void draw_parameters(expr_id function) {
        for (const expr_id p : g_->params(function)) {
            const std::string_view written = text_of(p);
            const std::size_t end = written.find_first_of(": ");
            node_[index(p)] = add(p, written.substr(0, end), "input");
        }
    }

public:
    explicit graph_drawer(const graph& g, unit_graph& out) : g_(&g), out_(&out) {}

    void draw(std::string_view name, expr_id root, naming& shared) {
        text_.clear();
        places_.clear();
        function_printer(*g_, shared, {}, text_).define(name, root, &places_);
        place_.assign(g_->size(), none);
        for (std::uint32_t i = static_cast<std::uint32_t>(places_.size()); i-- > 0;) place_[index(places_[i].e)] = i;
        node_.assign(g_->size(), none);
        value_.assign(g_->size(), expr_id::none);
        each_once first_time(g_->size());
        plain_vector<expr_id> order;
        const auto enter = [&](expr_id e) {
            if (!first_time(e)) return false;
            if (g_->kind(e) == expr_kind::let) value_[index(g_->operand(e, 0))] = g_->operand(e, 1);
            if (is_closed(e) && e != root) return false;
            if (g_->kind(e) == expr_kind::function) draw_parameters(e);
            return true;
        };
        walk(*g_, root, enter, [&](expr_id e) { order.push_back(e); });
        for (const expr_id e : order)
            if (e != root) add_node(e);
        for (const expr_id e : order)
            if (e != root) add_edges(e);
        const std::uint32_t result = out_->add({"@" + std::string{name}, type_of(g_->body(root)), {}, "output"});
        use(g_->body(root), result);
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::text

namespace tutti::relay::inline TUTTI_FORM {

TUTTI_INLINE unit_graph to_graph(const ir_module& m) {
    check_well_formed(m);
    unit_graph drawn;
    text::naming shared;
    for (const auto& [name, f] : m) text::graph_drawer(f.graph, drawn).draw(name, f.root, shared);
    return drawn;
}

} // namespace tutti::relay::inline TUTTI_FORM
