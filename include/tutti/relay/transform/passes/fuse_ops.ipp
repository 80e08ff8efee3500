#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/transform/analysis/dominator_tree.hpp>
#include <tutti/relay/transform/analysis/fusion_graph.hpp>
#include <tutti/relay/transform/analysis/fusion_groups.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The rule of FuseOps: members of a group refer to other expressions through parameters, and the root becomes a call
/// of the group's function.
class group_fuser {
public:
    /// With `link_params`, constants of other groups are copied into the function instead of becoming parameters.
    constexpr group_fuser(const rewriter& r, const fusion_graph& nodes, const fusion_groups& groups, bool link_params,
                          const pass_notes& notes)
        : nodes_(&nodes)
        , groups_(&groups)
        , link_params_(link_params)
        , made_(nodes.size())
        , left_alone_(r.from(), r.order().back(),
                      [&g = r.from()](expr_id e) { return g.kind(e) == expr_kind::function && stays(g, e); }) {
        if (notes.used()) find_refused(r.from(), notes);
    }

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (left_alone_.contain(e) || is_refused(e)) return r.rebuild(e);
        switch (from.kind(e)) {
        case expr_kind::call:
            return fuse_call(r, e);
        case expr_kind::tuple:
            return is_root(e) ? r.rebuild(e) : over_parameters(r, e);
        case expr_kind::projection:
            if (!is_root(e)) return over_parameters(r, e);
            return group(from.operand(e, 0)) == group(e) ? call_group(r, e, over_parameters(r, e)) : r.rebuild(e);
        default:
            return r.rebuild(e);
        }
    }

private:
    // True for functions for other compilers, and for functions made by FuseOps. The latter have the attribute
    // Primitive, whose value is 0 if the function contains no calls.
    static constexpr bool stays(const graph& g, expr_id function) {
        if (has_attribute(g, function, "Compiler") || has_nonzero_attribute(g, function, "Primitive")) return true;
        if (!has_attribute(g, function, "Primitive")) return false;
        for (const expr_id e : post_order(g, g.body(function)))
            if (g.kind(e) == expr_kind::call) return false;
        return true;
    }

    static constexpr std::uint32_t none = fusion_graph::none;

    // The function of a group.
    struct fused_function {
        std::uint32_t first = none; // index in parameters_ of its first parameter
        std::uint32_t last = none;
        std::uint32_t count = 0;
        bool has_calls = false;
        bool only_reshapes = true;
    };

    struct parameter {
        std::uint32_t group;
        expr_id argument;
        expr_id variable;
        std::uint32_t next;
    };

    // Asks for each group that becomes a function.
    [[gnu::cold]] constexpr void find_refused(const graph& g, const pass_notes& notes) {
        refused_.assign(nodes_->size(), 0);
        plain_vector<std::uint32_t> calls(nodes_->size(), 0); // indexed by the group's root
        plain_vector<char> becomes_one(nodes_->size(), 0);    // indexed by the group's root
        for (std::uint32_t i = 0; i < nodes_->size(); ++i) {
            const expr_id e = nodes_->expression(i);
            if (left_alone_.contain(e)) continue;
            const bool is_call = g.called_op(e) != nullptr;
            calls[groups_->root(i)] += is_call ? 1 : 0;
            if (is_call || (is_root(e) && g.kind(e) == expr_kind::projection && group(g.operand(e, 0)) == i))
                becomes_one[groups_->root(i)] = 1;
        }
        for (std::uint32_t i = 0; i < nodes_->size(); ++i)
            if (becomes_one[i] != 0 && !notes.may_apply(g, nodes_->expression(i), calls[i] > 1 ? "fused" : "alone"))
                refused_[i] = 1;
    }
    // True for a call, tuple or projection of a group that must not become a function.
    constexpr bool is_refused(expr_id e) const {
        return !refused_.empty() && nodes_->node(e) != none && refused_[group(e)] != 0;
    }

    constexpr std::uint32_t group(expr_id e) const { return groups_->root(nodes_->node(e)); }
    constexpr bool is_root(expr_id e) const { return nodes_->expression(group(e)) == e; }

    constexpr expr_id fuse_call(rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (from.called_op(e) == nullptr) return r.rebuild(e);
        if (calls<op::annotation::stop_fusion>(from, e)) return r[from.arguments(e)[0]];
        fused_function& f = made_[group(e)];
        f.has_calls = true;
        f.only_reshapes = f.only_reshapes && from.called_op(e)->reshapes;
        const expr_id call = over_parameters(r, e);
        return is_root(e) ? call_group(r, e, call) : call;
    }

    // Returns the expression with parameters in place of operands outside the group.
    constexpr expr_id over_parameters(rewriter& r, expr_id e) {
        const graph& from = r.from();
        operands_.clear();
        for (const expr_id o : from.operands(e)) {
            const bool in_place = group(o) == group(e) || from.kind(o) == expr_kind::op ||
                                  (link_params_ && r.to().kind(r[o]) == expr_kind::constant);
            operands_.push_back(in_place ? r[o] : parameter_for(r, group(e), o));
        }
        return r.to().add_like(from, e, operands_);
    }

    constexpr expr_id parameter_for(rewriter& r, std::uint32_t group, expr_id old) {
        const expr_id argument = r[old];
        fused_function& f = made_[group];
        const std::uint32_t place = places_.find_or_add(
            hash_combine(group, index(argument)),
            [&](std::uint32_t i) { return parameters_[i].group == group && parameters_[i].argument == argument; },
            [&] {
                const auto here = static_cast<std::uint32_t>(parameters_.size());
                const type_id type = r.from().type(old);
                f.only_reshapes = f.only_reshapes && r.from().types().is_tensor(type);
                parameters_.push_back({group, argument, add_variable(r.to(), f.count++, type), none});
                (f.last == none ? f.first : parameters_[f.last].next) = here;
                f.last = here;
            });
        return parameters_[place].variable;
    }

    // Adds the variable `%pN`, where N is `number`.
    static constexpr expr_id add_variable(graph& g, std::uint32_t number, type_id type) {
        char name[11]{};
        char* begin = std::end(name);
        do *--begin = static_cast<char>('0' + number % 10);
        while ((number /= 10) != 0);
        *--begin = 'p';
        return g.variable(std::string_view(begin, std::end(name)), type);
    }

    // Calls the function of the group whose root `e` became `body`.
    constexpr expr_id call_group(rewriter& r, expr_id e, expr_id body) {
        const fused_function& f = made_[group(e)];
        plain_vector<expr_id> variables;
        plain_vector<expr_id> arguments;
        for (std::uint32_t i = f.first; i != none; i = parameters_[i].next) {
            variables.push_back(parameters_[i].variable);
            arguments.push_back(parameters_[i].argument);
        }
        graph& to = r.to();
        plain_vector<attr_value> attributes{attr_value::of(to.strings().add("Primitive")),
                                            attr_value::of(dim(f.has_calls ? 1 : 0))};
        if (f.has_calls && f.only_reshapes) {
            attributes.push_back(attr_value::of(to.strings().add("relay.reshape_only")));
            attributes.push_back(attr_value::of(dim(1)));
        }
        return to.call(to.function(variables, body, r.from().type(e), to.attrs().add(attributes)), arguments);
    }

    const fusion_graph* nodes_;
    const fusion_groups* groups_;
    bool link_params_;
    plain_vector<fused_function> made_; // indexed by the group's root
    plain_vector<parameter> parameters_;
    intern_index places_;             // indexes parameters_ by group and argument
    enclosed_expressions left_alone_; // expressions in primitive functions and in functions for other compilers
    plain_vector<expr_id> operands_;
    plain_vector<char> refused_; // indexed by the group's root; empty if nothing decides
};

/// Emits remarks about fused calls, and about calls that were nearly fused, with the reason.
class fusion_notes {
public:
    constexpr fusion_notes(const graph& g, const fusion_graph& nodes, const fusion_groups& groups,
                           std::size_t max_depth, const pass_notes& notes)
        : g_(&g)
        , nodes_(&nodes)
        , groups_(&groups)
        , max_depth_(max_depth)
        , notes_(&notes)
        , ways_(nodes)
        , members_(nodes.size(), 0)
        , calls_(nodes.size(), 0) {
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            ++members_[groups.root(i)];
            if (is_call(i)) ++calls_[groups.root(i)];
        }
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if (groups.root(i) != i) continue;
            if (calls_[i] > 1) {
                std::string text = "one function with ";
                append_number(text, calls_[i] - (is_call(i) ? 1 : 0));
                notes.applied(g, nodes.expression(i), "fused", text += " before it");
            }
            if (is_call(i)) note_miss(i);
        }
    }

private:
    constexpr bool is_call(std::uint32_t i) const { return g_->called_op(nodes_->expression(i)) != nullptr; }

    // Emits a remark with the reason why a call does not join its user. Considers only calls with a user that is
    // elementwise, broadcast or injective: other users, such as convolutions, never join their operands.
    constexpr void note_miss(std::uint32_t i) const {
        using enum fusion_pattern;
        bool near = false;
        for (const auto& [user, dependence] : nodes_->uses(i))
            near = near || (is_call(user) && nodes_->pattern(user) <= injective);
        if (!near) return;
        const std::uint32_t sink = ways_.parent(i);
        std::string text = "not joined: ";
        if (nodes_->pattern(i) == opaque) {
            text += "it is computed alone";
        } else if (nodes_->used_outside(i) || (sink != fusion_graph::none && nodes_->pattern(sink) == tuple)) {
            text += "the result is used outside";
        } else if (sink == fusion_graph::none) {
            text += "its users have no common successor";
        } else if (nodes_->pattern(i) == comm_reduce) {
            text += "nothing after a reduction joins it";
        } else if (members_[i] + members_[groups_->root(sink)] > max_depth_) {
            text += "the function would have more nodes than max_depth, ";
            append_number(text, static_cast<std::int64_t>(max_depth_));
        } else {
            const expr_id e = nodes_->expression(sink);
            (text += "not everything between it and ") +=
                is_call(sink) ? g_->called_op(e)->name : to_string(g_->kind(e));
            (text += " at ") += notes_->where(*g_, e);
            text += nodes_->pattern(i) == out_elementwise_fusable ? " is elementwise, of one shape" : " is elementwise";
        }
        notes_->missed(*g_, nodes_->expression(i), text);
    }

    const graph* g_;
    const fusion_graph* nodes_;
    const fusion_groups* groups_;
    std::size_t max_depth_;
    const pass_notes* notes_;
    dominator_tree ways_;
    plain_vector<std::uint32_t> members_; // indexed by a group's root: number of nodes in the group
    plain_vector<std::uint32_t> calls_;   // indexed by a group's root: number of operator calls in the group
};

} // namespace detail

TUTTI_CONSTEXPR void fuse_ops::apply(ir_module& m, module_context&& ctx, const settings& given) {
    const std::size_t most = static_cast<std::size_t>(given.max_depth < 0 ? 0 : given.max_depth);
    transform_functions(m, ctx, info, [&](const function& f, const pass_notes& notes) {
        const fusion_graph nodes(f.graph, f.root);
        const fusion_groups groups(nodes, given.level, most);
        if (notes.heard() && given.level == 0) notes.missed("fuse_opt_level 0 leaves each operator alone");
        if (notes.heard() && given.level != 0) detail::fusion_notes(f.graph, nodes, groups, most, notes);
        rewriter r(f);
        return r.rewrite(detail::group_fuser(r, nodes, groups, given.link_params, notes));
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
