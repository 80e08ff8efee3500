#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/walk.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Default limit on the number of expressions that a pass copies when it substitutes parts of a program. Copies of
/// copies could otherwise grow without bound.
inline constexpr std::uint32_t most_copies = 1U << 21;

/// Describes the expressions counted against the limit, for error messages.
inline constexpr std::string_view copies_counted = "expressions copied beyond the size of the program";

/// Copies expressions into the same or another graph, with substitutions.
///
/// Copies keep inferred types and source locations. A variable bound inside the copied expression becomes a new
/// variable. Within one graph, everything else is shared: variables bound outside, constants, operators, functions of
/// the module. In another graph, unbound variables become new ones.
///
/// Requires: the copied graph is well-formed; see `check_well_formed`.
/// Cost: linear in the copied expressions; no recursion. Copying into another graph also visits types, strings and
///       attributes, each once.
class copier {
public:
    constexpr copier(const graph& from, graph& to) : from_(&from), to_(&to) {}

    /// Substitutes `by` for `old` in copies.
    constexpr void replace(expr_id old, expr_id by) { note(old, by); }

    /// Returns the copy of an expression; `none` if it has no copy.
    constexpr expr_id operator[](expr_id old) const {
        return index(old) < made_.size() ? made_[index(old)] : expr_id::none;
    }

    /// Copies `root` and returns the copy. Expressions copied earlier are shared, not copied again.
    constexpr expr_id copy(expr_id root) {
        walk(*from_, root, [&](expr_id e) { return enter(e); }, [&](expr_id e) { note(e, make(e)); });
        return (*this)[root];
    }

    /// Forgets all copies and substitutions, so that the next copy shares nothing with earlier copies.
    constexpr void forget() {
        for (const expr_id e : noted_) made_[index(e)] = expr_id::none;
        noted_.clear();
    }

    /// Forgets everything and directs later copies into another graph. Cost: linear in the number of copies.
    constexpr void retarget(graph& to) {
        forget();
        to_ = &to;
        types_.clear();
        attrs_.clear();
    }

private:
    constexpr bool in_place() const { return from_ == to_; }

    constexpr void note(expr_id old, expr_id by) {
        if (made_.size() <= index(old)) made_.resize(from_->size(), expr_id::none);
        made_[index(old)] = by;
        noted_.push_back(old);
    }

    // True if the expression has operands to copy. Copies leaves, and the variables that the expression binds,
    // immediately.
    constexpr bool enter(expr_id e) {
        if ((*this)[e] != expr_id::none) return false;
        switch (from_->kind(e)) {
        case expr_kind::variable:
        case expr_kind::global:
        case expr_kind::constructor:
        case expr_kind::constant:
        case expr_kind::op:
            note(e, in_place() ? e : make(e));
            return false;
        case expr_kind::let:
            bind(from_->operand(e, 0));
            return true;
        case expr_kind::function:
            for (const expr_id p : from_->params(e)) bind(p);
            return true;
        case expr_kind::match:
            for_each_bound(*from_, e, [&](std::size_t i) { bind(from_->operand(e, i)); });
            return true;
        default:
            return true;
        }
    }

    constexpr void bind(expr_id variable) {
        if ((*this)[variable] == expr_id::none) note(variable, make(variable));
    }

    constexpr expr_id make(expr_id e) {
        operands_.clear();
        for (const expr_id o : from_->operands(e)) operands_.push_back((*this)[o]);
        const expr_id made = in_place() ? to_->add_like(*from_, e, operands_) : add(e);
        if (!in_place()) to_->copy_source(made, *from_, e);
        to_->set_type(made, type(from_->type(e)));
        return made;
    }

    constexpr expr_id add(expr_id e) {
        const std::span<const expr_id> operands(operands_);
        switch (from_->kind(e)) {
        case expr_kind::variable:
            return to_->variable(from_->variable_name(e), type(from_->annotation(e)));
        case expr_kind::global:
            return to_->global(from_->global_name(e));
        case expr_kind::constant:
            return to_->constant(from_->constant_value(e));
        case expr_kind::op:
            return to_->op(from_->op_definition(e));
        case expr_kind::call:
            return to_->call(operands[0], operands.subspan(1), attributes(from_->call_attributes(e)));
        case expr_kind::function:
            return to_->function(operands.first(operands.size() - 1), operands.back(),
                                 type(from_->result_annotation(e)), attributes(from_->function_attributes(e)),
                                 type(from_->type_params(e)));
        case expr_kind::tuple:
            return to_->tuple(operands);
        case expr_kind::projection:
            return to_->projection(operands[0], from_->field(e));
        case expr_kind::let:
            return to_->let(operands[0], operands[1], operands[2]);
        case expr_kind::conditional:
            return to_->conditional(operands[0], operands[1], operands[2]);
        case expr_kind::constructor:
            return to_->constructor(from_->global_name(e));
        case expr_kind::match:
            return to_->match(operands, attributes(from_->patterns(e)));
        case expr_kind::ref_create:
            return to_->ref_create(operands[0]);
        case expr_kind::ref_read:
            return to_->ref_read(operands[0]);
        case expr_kind::ref_write:
            return to_->ref_write(operands[0], operands[1]);
        }
        return expr_id::none;
    }

    constexpr type_id type(type_id t) {
        if (in_place() || t == type_id::none) return t;
        if (types_.size() <= index(t)) types_.resize(from_->types().size(), type_id::none);
        type_id& known = types_[index(t)];
        if (known == type_id::none) known = to_->types().import(from_->types(), t);
        return known;
    }

    constexpr attrs_id attributes(attrs_id list) {
        if (list == attrs_id::none) return list;
        if (attrs_.size() <= index(list)) attrs_.resize(from_->attrs().size(), attrs_id::none);
        attrs_id& known = attrs_[index(list)];
        if (known != attrs_id::none) return known;
        plain_vector<attr_value> values;
        for (const attr_value& v : from_->attrs()[list])
            values.push_back(
                v.kind == attr_kind::string ? attr_value::of(to_->strings().add(from_->strings()[v.string()])) : v);
        return known = to_->attrs().add(values);
    }

    const graph* from_;
    graph* to_;
    plain_vector<expr_id> made_; // indexed by expression of `from`
    plain_vector<expr_id> noted_;
    plain_vector<expr_id> operands_;
    plain_vector<type_id> types_; // indexed by type of `from`
    plain_vector<attrs_id> attrs_;
};

} // namespace tutti::relay::inline TUTTI_FORM
