#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_table.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// The expressions of a function as nodes for fusion. Operands have smaller numbers than their users. Each node has its
/// users and a fusion pattern.
///
/// A user that fusion cannot analyse (a let, an if, a function, a call of a value) counts as outside.
///
/// Cost:   linear in the graph.
/// Source: patterns of calls are those of their operators; see `fusion_pattern`.
class fusion_graph {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    /// A user of a node, and the fusion pattern of the dependence.
    struct use {
        std::uint32_t user;
        fusion_pattern pattern;

        friend constexpr bool operator==(const use&, const use&) = default;
    };

    /// Numbers the expressions below `root` and collects their users. Requires: the expressions have types.
    constexpr fusion_graph(const graph& g, expr_id root)
        : g_(&g)
        , order_(post_order(g, root))
        , places_(g.size(), none)
        , patterns_(order_.size(), fusion_pattern::opaque)
        , used_outside_(order_.size(), 0) {
        for (std::uint32_t i = 0; i < size(); ++i) places_[index(order_[i])] = i;
        used_outside_[size() - 1] = 1;
        for (std::uint32_t i = 0; i < size(); ++i) add(i);
        sort();
    }

    constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(order_.size()); }
    constexpr expr_id expression(std::uint32_t node) const { return order_[node]; }
    /// Returns the node of an expression, or `none` if the expression is not below `root`.
    constexpr std::uint32_t node(expr_id e) const { return places_[index(e)]; }
    constexpr fusion_pattern pattern(std::uint32_t node) const { return patterns_[node]; }
    /// True if a node has users that fusion cannot analyse.
    constexpr bool used_outside(std::uint32_t node) const { return used_outside_[node] != 0; }
    /// Returns the users of a node without duplicates.
    constexpr std::span<const use> uses(std::uint32_t node) const {
        return {uses_.data() + first_use_[node], last_use_[node] - first_use_[node]};
    }

private:
    struct edge {
        std::uint32_t from;
        use to;
    };

    constexpr void add(std::uint32_t i) {
        const expr_id e = order_[i];
        switch (g_->kind(e)) {
        case expr_kind::constant:
            patterns_[i] = pattern_of_constant(g_->constant_value(e));
            break;
        case expr_kind::call:
            add_call(i, e);
            break;
        case expr_kind::tuple:
            patterns_[i] = fusion_pattern::tuple;
            for (const expr_id field : g_->operands(e)) {
                if (g_->types().is_tensor(g_->type(field)))
                    add_use(field, i, fusion_pattern::injective);
                else
                    use_outside(field);
            }
            break;
        case expr_kind::projection:
            add_projection(i, e);
            break;
        default:
            for (const expr_id o : g_->operands(e)) use_outside(o);
        }
    }

    // Returns elementwise for a constant that generated code can contain as a literal, and opaque for any other
    // constant. Opaque constants become arguments.
    static constexpr fusion_pattern pattern_of_constant(const tensor& value) {
        using kernel::dtype;
        if (value.rank() != 0) return fusion_pattern::opaque;
        switch (value.type()) {
        case dtype::int32:
        case dtype::int64:
        case dtype::float32:
        case dtype::float64:
        case dtype::boolean:
            return fusion_pattern::elementwise;
        default:
            return fusion_pattern::opaque;
        }
    }

    constexpr void add_call(std::uint32_t i, expr_id e) {
        if (const op_def* op = g_->called_op(e); op != nullptr && !gets_shape_from_values(*op, e))
            patterns_[i] = op->pattern;
        use_outside(g_->callee(e));
        for (const expr_id a : g_->arguments(e)) {
            // `?` counts as equal to `?`, as in the reference, though the argument may broadcast at run time. This only
            // affects the grouping of calls: a fused function is correct for all sizes.
            const bool elementwise = patterns_[i] == fusion_pattern::broadcast && g_->types().is_tensor(g_->type(a)) &&
                                     g_->types().is_tensor(g_->type(e)) &&
                                     same_elements(shape_of(*g_, a), shape_of(*g_, e));
            add_use(a, i, elementwise ? fusion_pattern::elementwise : patterns_[i]);
        }
    }

    // True if the shape function of a call's operator needs the values of the arguments, which do not exist before the
    // fused function runs.
    constexpr bool gets_shape_from_values(const op_def& op, expr_id e) const {
        return !op.static_form.attributes.empty() && g_->types().is_tensor(g_->type(e)) && !is_static(shape_of(*g_, e));
    }

    // Adds a projection. The arguments and results of a fused function must be tensors or unnested tuples of tensors.
    constexpr void add_projection(std::uint32_t i, expr_id e) {
        const expr_id tuple = g_->operand(e, 0);
        for (const type_id field : g_->types().fields(g_->type(tuple)))
            if (!g_->types().is_tensor(field)) return use_outside(tuple);
        patterns_[i] = fusion_pattern::injective;
        add_use(tuple, i, fusion_pattern::injective);
    }

    constexpr void add_use(expr_id used, std::uint32_t user, fusion_pattern pattern) {
        edges_.push_back({node(used), {user, pattern}});
    }
    constexpr void use_outside(expr_id e) { used_outside_[node(e)] = 1; }

    // Sorts the uses by operand. Merges uses by the same user and keeps their greatest pattern.
    constexpr void sort() {
        first_use_.assign(size() + 1, 0);
        for (const edge& e : edges_) ++first_use_[e.from];
        std::uint32_t end = 0;
        for (std::uint32_t& first : first_use_) first = end += first;
        uses_.assign(edges_.size(), use{});
        for (std::size_t i = edges_.size(); i-- > 0;) uses_[--first_use_[edges_[i].from]] = edges_[i].to;
        edges_ = {};
        last_use_ = first_use_;
        last_use_.pop_back();
        for (std::uint32_t i = 0; i < size(); ++i)
            for (std::uint32_t next = first_use_[i]; next < first_use_[i + 1]; ++next) {
                std::uint32_t& last = last_use_[i];
                if (last != first_use_[i] && uses_[last - 1].user == uses_[next].user)
                    uses_[last - 1].pattern = std::max(uses_[last - 1].pattern, uses_[next].pattern);
                else
                    uses_[last++] = uses_[next];
            }
    }

    const graph* g_;
    plain_vector<expr_id> order_;
    plain_vector<std::uint32_t> places_; // indexed by expression
    plain_vector<fusion_pattern> patterns_;
    plain_vector<char> used_outside_;
    plain_vector<edge> edges_; // in the order of users
    plain_vector<use> uses_;   // sorted by operand
    plain_vector<std::uint32_t> first_use_;
    plain_vector<std::uint32_t> last_use_; // indexed by node: one past its last use in `uses_`
};

} // namespace tutti::relay::inline TUTTI_FORM
