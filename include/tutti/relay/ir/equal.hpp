#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/structure.hpp>
#include <tutti/relay/ir/tensor_value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tutti::relay::inline TUTTI_FORM {

/// Options of `structural_equal` and `structural_hash`.
struct equality_options {
    /// Compare the names of variables.
    bool names = false;
    /// Compare inferred types. An inferred type differs from a missing one.
    bool inferred_types = false;
    /// Let each free variable of one graph match one free variable of the other, whatever their names. If false, a free
    /// variable matches only itself or, in another graph, the free variable of the same name.
    bool map_free_variables = false;
};

/// The two expressions, one per graph, at which a comparison failed.
struct difference {
    expr_id a = expr_id::none;
    expr_id b = expr_id::none;

    friend constexpr bool operator==(const difference&, const difference&) = default;
};

namespace detail {

/// Walks two graphs together, users before operands, and pairs their expressions.
class comparison {
public:
    constexpr comparison(const graph& a, const graph& b, const equality_options& options)
        : a_(&a)
        , b_(&b)
        , options_(options)
        , type_in_b_(a.types().size(), type_id::none)
        , attrs_in_b_(a.attrs().size(), attrs_id::none) {}

    constexpr std::optional<difference> run(expr_id root_a, expr_id root_b) {
        if (root_a == root_b && are_copies(root_a)) return std::nullopt;
        partner_in_b_.assign(a_->size(), expr_id::none);
        partner_in_a_.assign(b_->size(), expr_id::none);
        open_.push_back({root_a, root_b});
        while (!open_.empty()) {
            const difference pair = open_.back();
            open_.pop_back();
            if (!same(pair.a, pair.b)) return pair;
        }
        return std::nullopt;
    }

private:
    // True if both graphs are identical up to their roots, including ids and names, as after a copy. No walk is needed
    // then.
    constexpr bool are_copies(expr_id root) {
        if (!same_tables()) return false;
        for (std::uint32_t i = 0; i <= index(root); ++i)
            if (!is_copy(expr_id{i})) return false;
        return true;
    }

    constexpr bool same_tables() const {
        const type_table& types = a_->types();
        const type_table& others = b_->types();
        if (types.size() != others.size()) return false;
        for (std::uint32_t i = 0; i < types.size(); ++i) {
            const type_id t{i};
            const type_kind kind = types.kind(t);
            if (kind != others.kind(t) || !same_elements(types.members(t), others.members(t))) return false;
            if (kind == type_kind::tensor &&
                (types.element(t) != others.element(t) || !same_elements(types.shape(t), others.shape(t))))
                return false;
            const bool numbered = kind == type_kind::variable || kind == type_kind::incomplete;
            if (numbered && types.number(t) != others.number(t)) return false;
            if ((kind == type_kind::data || kind == type_kind::variable) && types.name(t) != others.name(t))
                return false;
        }
        return true;
    }

    // True if an expression is the same in both graphs. Requires: equal types have equal ids in both graphs.
    constexpr bool is_copy(expr_id e) {
        const expr_kind kind = a_->kind(e);
        if (kind != b_->kind(e) || !same_elements(a_->operands(e), b_->operands(e))) return false;
        if (options_.inferred_types && a_->type(e) != b_->type(e)) return false;
        switch (kind) {
        case expr_kind::variable:
            return a_->annotation(e) == b_->annotation(e) && a_->variable_name(e) == b_->variable_name(e);
        case expr_kind::function:
            return a_->type_params(e) == b_->type_params(e) && a_->result_annotation(e) == b_->result_annotation(e) &&
                   same_attributes(a_->function_attributes(e), b_->function_attributes(e));
        case expr_kind::match:
            return same_attributes(a_->patterns(e), b_->patterns(e));
        case expr_kind::call:
            return same_attributes(a_->call_attributes(e), b_->call_attributes(e));
        case expr_kind::projection:
            return a_->field(e) == b_->field(e);
        default:
            return same_leaf(kind, e, e);
        }
    }

    // True if two leaves of this kind refer to equal things, or if the kind is not a kind of leaf.
    constexpr bool same_leaf(expr_kind kind, expr_id x, expr_id y) const {
        switch (kind) {
        case expr_kind::global:
        case expr_kind::constructor:
            return a_->global_name(x) == b_->global_name(y);
        case expr_kind::constant:
            return same_value(a_->constant_value(x), b_->constant_value(y));
        case expr_kind::op:
            return &a_->op_definition(x) == &b_->op_definition(y);
        default:
            return true;
        }
    }

    // True if two expressions are equal except for their operands, which are added to `open_`.
    constexpr bool same(expr_id x, expr_id y) {
        const expr_kind kind = a_->kind(x);
        if (kind != b_->kind(y)) return false;
        if (options_.inferred_types && !same_type(a_->type(x), b_->type(y))) return false;
        switch (kind) {
        case expr_kind::global:
        case expr_kind::constructor:
        case expr_kind::constant:
        case expr_kind::op:
            return same_leaf(kind, x, y);
        case expr_kind::variable:
            return is_paired(x, y) ? are_partners(x, y) : may_be_free(x, y) && pair_variables(x, y);
        default:
            break;
        }
        if (is_paired(x, y)) return are_partners(x, y);
        if (a_->operand_count(x) != b_->operand_count(y) || !same_payload(kind, x, y)) return false;
        pair(x, y);
        for (std::size_t i = a_->operand_count(x); i-- > 0;) open_.push_back({a_->operand(x, i), b_->operand(y, i)});
        return true;
    }

    // Compares the payloads. Pairs the variables that the expressions bind, before any use of them is compared.
    constexpr bool same_payload(expr_kind kind, expr_id x, expr_id y) {
        switch (kind) {
        case expr_kind::call:
            return same_attributes(a_->call_attributes(x), b_->call_attributes(y));
        case expr_kind::projection:
            return a_->field(x) == b_->field(y);
        case expr_kind::let:
            return pair_variables(a_->operand(x, 0), b_->operand(y, 0));
        case expr_kind::match: {
            if (!same_attributes(a_->patterns(x), b_->patterns(y))) return false;
            bool same = true;
            for_each_bound(*a_, x,
                           [&](std::size_t i) { same = same && pair_variables(a_->operand(x, i), b_->operand(y, i)); });
            return same;
        }
        case expr_kind::function:
            if (!same_type_params(a_->type_params(x), b_->type_params(y))) return false;
            if (!same_type(a_->result_annotation(x), b_->result_annotation(y))) return false;
            if (!same_attributes(a_->function_attributes(x), b_->function_attributes(y))) return false;
            for (std::size_t i = 0; i + 1 < a_->operand_count(x); ++i)
                if (!pair_variables(a_->operand(x, i), b_->operand(y, i))) return false;
            return true;
        default:
            return true;
        }
    }

    constexpr bool is_paired(expr_id x, expr_id y) const {
        return partner_in_b_[index(x)] != expr_id::none || partner_in_a_[index(y)] != expr_id::none;
    }
    constexpr bool are_partners(expr_id x, expr_id y) const {
        return partner_in_b_[index(x)] == y && partner_in_a_[index(y)] == x;
    }
    constexpr void pair(expr_id x, expr_id y) {
        partner_in_b_[index(x)] = y;
        partner_in_a_[index(y)] = x;
    }

    constexpr bool pair_variables(expr_id x, expr_id y) {
        if (is_paired(x, y) || !same_type(a_->annotation(x), b_->annotation(y))) return false;
        if (options_.names && a_->variable_name(x) != b_->variable_name(y)) return false;
        pair(x, y);
        return true;
    }

    constexpr bool may_be_free(expr_id x, expr_id y) const {
        if (options_.map_free_variables) return true;
        return a_ == b_ ? x == y : a_->variable_name(x) == b_->variable_name(y);
    }

    constexpr bool same_type_params(type_id x, type_id y) {
        if (x == type_id::none || y == type_id::none) return x == y;
        const auto xs = a_->types().members(x);
        const auto ys = b_->types().members(y);
        if (xs.size() != ys.size()) return false;
        for (std::size_t i = 0; i < xs.size(); ++i) type_in_b_[index(xs[i])] = ys[i];
        return true;
    }

    // Each pair of types is compared once, because equal types have equal ids within a graph.
    constexpr bool same_type(type_id x, type_id y) {
        if (x == type_id::none || y == type_id::none) return x == y;
        if (type_in_b_[index(x)] == y) return true;
        open_types_.clear();
        open_types_.push_back({x, y});
        while (!open_types_.empty()) {
            const auto [s, t] = open_types_.back();
            open_types_.pop_back();
            type_id& known = type_in_b_[index(s)];
            if (known == t) continue;
            if (known != type_id::none || !same_outside(s, t)) return false;
            known = t;
        }
        return true;
    }

    // True if two types are equal except for their members, which are added to `open_types_`.
    constexpr bool same_outside(type_id s, type_id t) {
        const type_table& from = a_->types();
        const type_table& to = b_->types();
        const type_kind kind = from.kind(s);
        if (kind != to.kind(t)) return false;
        if (kind == type_kind::tensor)
            return from.element(s) == to.element(t) && same_elements(from.shape(s), to.shape(t));
        const auto members = from.members(s);
        const auto others = to.members(t);
        if (members.size() != others.size()) return false;
        if ((kind == type_kind::data || kind == type_kind::variable) && from.name(s) != to.name(t)) return false;
        if (kind == type_kind::variable && from.number(s) != to.number(t)) return false;
        if (kind == type_kind::generic)
            for (std::size_t i = 0; i + 1 < members.size(); ++i) type_in_b_[index(members[i])] = others[i];
        for (std::size_t i = members.size(); i-- > 0;) open_types_.push_back({members[i], others[i]});
        return true;
    }

    constexpr bool same_attributes(attrs_id x, attrs_id y) {
        if (x == attrs_id::none) return b_->attrs()[y].empty();
        attrs_id& known = attrs_in_b_[index(x)];
        if (y != attrs_id::none && known == y) return true;
        const auto values = a_->attrs()[x];
        const auto others = b_->attrs()[y];
        if (values.size() != others.size()) return false;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const attr_value& v = values[i];
            const attr_value& w = others[i];
            const bool texts = v.kind == attr_kind::string && w.kind == attr_kind::string;
            if (!(texts ? a_->strings()[v.string()] == b_->strings()[w.string()] : v == w)) return false;
        }
        known = y;
        return true;
    }

    struct type_pair {
        type_id in_a;
        type_id in_b;
    };

    const graph* a_;
    const graph* b_;
    equality_options options_;
    plain_vector<expr_id> partner_in_b_;
    plain_vector<expr_id> partner_in_a_;
    plain_vector<type_id> type_in_b_;
    plain_vector<attrs_id> attrs_in_b_;
    plain_vector<difference> open_; // pairs still to be compared
    plain_vector<type_pair> open_types_;
};

} // namespace detail

/// Returns the first pair of expressions at which `a` and `b` differ structurally, or nothing if they are equal. Users
/// are compared before their operands.
///
/// Throws: `tutti::error` if a graph is malformed; see `check_well_formed`.
constexpr std::optional<difference> first_difference(const graph& a, expr_id root_a, const graph& b, expr_id root_b,
                                                     const equality_options& options = {}) {
    check_well_formed(a, root_a);
    check_well_formed(b, root_b);
    return detail::comparison(a, b, options).run(root_a, root_b);
}

/// True if two expressions are the same program, up to the names of variables.
///
/// As in the reference, bound variables are equal if they are bound at the same place. Sharing counts: an expression
/// used twice differs from two equal expressions (they print differently). Constants compare by value, operators by
/// the address of their description, functions of the module by name. Annotations count, and `5i64` differs from 5.
/// Inferred types and source locations do not count. Attributes compare by value, so an omitted default differs from an
/// explicit one.
///
/// Cost:   linear in the graphs and the constants; no recursion.
/// Throws: `tutti::error` if a graph is malformed; see `check_well_formed`.
[[nodiscard]] constexpr bool structural_equal(const graph& a, expr_id root_a, const graph& b, expr_id root_b,
                                              const equality_options& options = {}) {
    return !first_difference(a, root_a, b, root_b, options);
}
[[nodiscard]] constexpr bool structural_equal(const function& a, const function& b,
                                              const equality_options& options = {}) {
    return structural_equal(a.graph, a.root, b.graph, b.root, options);
}
/// True if two modules have equal functions of the same names, and equal data types.
[[nodiscard]] constexpr bool structural_equal(const ir_module& a, const ir_module& b,
                                              const equality_options& options = {}) {
    check_well_formed(a.data_types());
    check_well_formed(b.data_types());
    if (a.size() != b.size() || !(a.data_types() == b.data_types())) return false;
    auto other = b.begin();
    for (const ir_module::definition& f : a) {
        const ir_module::definition& g = *other++;
        if (f.name != g.name || !structural_equal(f.function, g.function, options)) return false;
    }
    return true;
}

} // namespace tutti::relay::inline TUTTI_FORM
