#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/language.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/transform/layout/call_alteration.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Adds layout conversions to a graph, without duplicates.
class layout_transforms {
public:
    /// Returns the index of a layout. Adds a new layout first.
    constexpr std::uint32_t number(const layout& l) {
        std::uint32_t n = 0;
        while (n < layouts_.size() && layouts_[n] != l) ++n;
        if (n == layouts_.size()) layouts_.push_back(l);
        return n;
    }
    constexpr const layout& operator[](std::uint32_t number) const { return layouts_[number]; }

    /// Returns the expression in the layout `to`, or none if there is no conversion. Adds missing axes, unless the
    /// inferred type has a single element.
    constexpr expr_id transform(graph& g, expr_id e, const layout& from, const layout& to) {
        if (from == to) return e;
        const std::uint32_t a = number(from);
        const std::uint32_t b = number(to);
        const std::uint64_t hash = hash_combine(hash_combine(index(e), a), b);
        const std::uint32_t place = index_.find_or_add(
            hash, [&](std::uint32_t i) { return made_[i].of == e && made_[i].from == a && made_[i].to == b; },
            [&] { made_.push_back({e, a, b, make(g, e, layout(from), layout(to))}); });
        return made_[place].result;
    }

    /// True if tensors can be converted between two layouts in both directions.
    static constexpr bool go_over(const layout& a, const layout& b) {
        const auto covers = [](const layout& x, const layout& y) {
            for (const layout::axis& axis : x.axes())
                if (!y.find(axis.letter)) return false;
            return true;
        };
        return a == b || (covers(a, b) && covers(b, a) && covers(a, a) && covers(b, b));
    }

private:
    struct transformed {
        expr_id of;
        std::uint32_t from;
        std::uint32_t to;
        expr_id result;
    };

    static constexpr bool is_one_element(const graph& g, type_id type) {
        if (type == type_id::none || !g.types().is_tensor(type)) return false;
        for (const dim d : g.types().shape(type))
            if (!d.same_number(1)) return false;
        return true;
    }

    static constexpr expr_id make(graph& g, expr_id e, layout from, const layout& to) {
        if (from.primal_rank() < to.primal_rank()) {
            if (is_one_element(g, g.type(e))) return e; // broadcasts in any layout
            layout expanded;
            for (const layout::axis& a : to.axes())
                if (a.block == 0 && !from.find(a.letter)) expanded.push_back(a);
            const std::size_t count = expanded.rank();
            if (count != to.primal_rank() - from.primal_rank()) return expr_id::none;
            for (const layout::axis& a : from.axes())
                if (!expanded.push_back(a)) return expr_id::none;
            from = expanded;
            const expr_id arguments[]{e};
            e = add_call<op::expand_dims>(g, arguments, {.axis = 0, .num_newaxis = static_cast<std::int64_t>(count)});
            if (from == to) return e;
        }
        if (!go_over(from, to)) return expr_id::none;
        const expr_id arguments[]{e};
        return add_call<op::layout_transform>(g, arguments, {.src_layout = from.text(), .dst_layout = to.text()});
    }

    vector<layout> layouts_;
    vector<transformed> made_;
    intern_index index_;
};

/// Alters calls, propagates the new layouts through operators that support them, and converts tensors back for the
/// other users. `find` finds the operators' layout rules.
class layout_rewriter {
public:
    constexpr layout_rewriter(const rewriter& r, layout_rule_finder find, call_alteration& alter,
                              const pass_notes& notes)
        : find_(find)
        , alter_(&alter)
        , notes_(&notes)
        , states_(r.from().size())
        , parts_of_(r.from().size(), none)
        , realized_(r.from().size(), expr_id::none)
        , may_have_effects_(may_have_effects(r.from(), r.order().back())) {}

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& from = r.from();
        switch (from.kind(e)) {
        case expr_kind::call:
            return from.called_op(e) != nullptr ? rewrite_call(r, e) : rebuild(r, e);
        case expr_kind::tuple:
            return gather(r, e);
        case expr_kind::projection: {
            const expr_id tuple = from.operand(e, 0);
            // A projection of a tuple literal stays if the function may have effects, to keep other fields' effects.
            if (may_have_effects_ && from.kind(tuple) == expr_kind::tuple) return rebuild(r, e);
            if (parts_of_[index(tuple)] == none || from.field(e) >= part_count(from, tuple)) return rebuild(r, e);
            if (from.kind(tuple) == expr_kind::tuple && !notes_->may_apply(from, e, "field")) return rebuild(r, e);
            const part& p = parts_[parts_of_[index(tuple)] + from.field(e)];
            states_[index(e)] = p.layouts;
            parts_of_[index(e)] = p.parts;
            if (p.parts != none) realized_[index(e)] = p.value;
            return p.value;
        }
        default:
            return rebuild(r, e);
        }
    }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    /// The indices of the old and new layout of a value.
    struct layout_pair {
        std::uint32_t was = none;
        std::uint32_t is = none;
    };
    struct part {
        expr_id value;
        layout_pair layouts;
        type_id type;
        std::uint32_t parts = none; // if the part is a tuple: index of its own first part
    };

    static constexpr std::size_t part_count(const graph& from, expr_id tuple) {
        return from.kind(tuple) == expr_kind::tuple ? from.operand_count(tuple)
                                                    : from.types().fields(from.type(tuple)).size();
    }

    constexpr std::span<const part> parts(const graph& from, expr_id tuple) const {
        return {parts_.data() + parts_of_[index(tuple)], part_count(from, tuple)};
    }

    constexpr expr_id back(rewriter& r, const part& p) {
        if (p.layouts.was == p.layouts.is) return p.value;
        const layout was = transforms_[p.layouts.was];
        const layout is = transforms_[p.layouts.is];
        return transforms_.transform(r.to(), p.value, is, was);
    }

    /// Returns the replacement of an expression, converted back to the expression's old layout.
    constexpr expr_id realize(rewriter& r, expr_id e) {
        expr_id& known = realized_[index(e)];
        if (known != expr_id::none) return known;
        if (parts_of_[index(e)] == none) return known = back(r, {r[e], states_[index(e)], r.from().type(e)});
        vector<expr_id> fields;
        for (const part& p : parts(r.from(), e)) fields.push_back(back(r, p));
        return known = r.to().tuple(fields);
    }

    /// Rebuilds an expression with its operands converted back to their old layouts.
    constexpr expr_id rebuild(rewriter& r, expr_id e) {
        vector<expr_id> operands;
        bool same = true;
        for (const expr_id o : r.from().operands(e)) {
            operands.push_back(realize(r, o));
            same = same && operands.back() == r[o];
        }
        return same ? r.rebuild(e) : r.to().add_like(r.from(), e, operands);
    }

    constexpr expr_id gather(rewriter& r, expr_id e) {
        const auto first = static_cast<std::uint32_t>(parts_.size());
        for (const expr_id o : r.from().operands(e)) {
            const bool plain = parts_of_[index(o)] == none;
            parts_.push_back({plain ? r[o] : realize(r, o), plain ? states_[index(o)] : layout_pair{}, r.from().type(o),
                              parts_of_[index(o)]});
        }
        parts_of_[index(e)] = first;
        bool same = true;
        for (const part& p : parts(r.from(), e)) same = same && p.layouts.was == p.layouts.is;
        return same ? realized_[index(e)] = rebuild(r, e) : expr_id::none; // the tuple is built when needed
    }

    /// Collects the properties of a call's arguments, one per field of a tuple. False unless all are tensors or known
    /// tuples of tensors.
    constexpr bool collect(rewriter& r, expr_id e, vector<part>& inputs) const {
        const graph& from = r.from();
        for (const expr_id a : from.arguments(e)) {
            if (parts_of_[index(a)] == none)
                inputs.push_back({r[a], states_[index(a)], from.type(a)});
            else
                for (const part& p : parts(from, a)) inputs.push_back(p);
        }
        for (const part& p : inputs)
            if (!from.types().is_tensor(p.type)) return false;
        return true;
    }

    static constexpr bool complete(const layout_query& q) {
        bool known = q.in.size() == q.arguments.size();
        for (const maybe_layout& l : q.in) known = known && l;
        for (const maybe_layout& l : q.out) known = known && l;
        return known;
    }

    /// True if the layout of each result has the result's rank.
    static constexpr bool fits(const graph& from, expr_id e, std::span<const maybe_layout> out) {
        const type_table& types = from.types();
        const type_id type = from.type(e);
        if (types.is_tensor(type)) return out.size() == 1 && out[0]->rank() == types.shape(type).size();
        if (types.kind(type) != type_kind::tuple || types.fields(type).size() != out.size()) return false;
        for (std::size_t i = 0; i < out.size(); ++i) {
            const type_id field = types.fields(type)[i];
            if (!types.is_tensor(field) || out[i]->rank() != types.shape(field).size()) return false;
        }
        return true;
    }

    constexpr expr_id rewrite_call(rewriter& r, expr_id e) {
        const graph& from = r.from();
        vector<part> inputs;
        const layout_rule rule = find_(*from.called_op(e));
        if (rule == nullptr) return leave(r, e, false, "there is no layout rule for this operator");
        if (!collect(r, e, inputs)) return leave(r, e, false, "not all arguments are tensors");

        vector<type_id> types;
        vector<maybe_layout> was;
        for (const part& p : inputs) {
            types.push_back(p.type);
            was.push_back(p.layouts.was == none ? std::nullopt : maybe_layout(transforms_[p.layouts.was]));
        }
        layout_query before{.graph = &r.to(),
                            .op = from.called_op(e),
                            .attributes = from.call_attributes(e),
                            .arguments = types,
                            .old_in = was};
        if (!rule(before) || !complete(before) || !fits(from, e, before.out))
            return leave(r, e, false, "its layout is not known");

        vector<maybe_layout> is;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            is.push_back(inputs[i].layouts.is == none ? before.in[i] : maybe_layout(transforms_[inputs[i].layouts.is]));
        const vector<maybe_layout> came = is;
        layout_change change{&r.to(), &from, e, before.op, before.attributes, {}, is};
        for (const part& p : inputs) change.arguments.push_back(p.value);
        (*alter_)(change, *notes_);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (is[i] == came[i]) continue;
            change.arguments[i] = transforms_.transform(r.to(), change.arguments[i], *came[i], *is[i]);
            if (change.arguments[i] == expr_id::none)
                return leave(r, e, true, "there is no conversion between the layouts");
        }
        const bool altered = change.op != before.op || change.attributes != from.call_attributes(e);
        const layout_rule other = find_(*change.op);
        if (other == nullptr || change.arguments.size() != inputs.size())
            return leave(r, e, altered, "there is no layout rule for its replacement");
        const auto can_return = [](const auto& a, const auto& b) {
            bool can = a.size() == b.size();
            for (std::size_t i = 0; can && i < a.size(); ++i) can = layout_transforms::go_over(*a[i], *b[i]);
            return can;
        };
        for (std::size_t i = 0; i < was.size(); ++i)
            if (!was[i]) was[i] = before.in[i];
        layout_query after{.graph = &r.to(),
                           .op = change.op,
                           .attributes = change.attributes,
                           .arguments = types,
                           .old_in = was,
                           .new_in = is,
                           .altered = true};
        if (!other(after) || !complete(after) || !can_return(after.out, before.out))
            return leave(r, e, altered, "its layout rule does not support that layout");

        for (std::size_t i = 0; i < inputs.size(); ++i) {
            expr_id& a = change.arguments[i];
            const bool as_it_was = was[i] == before.in[i]; // if so, InferType rejects blocks that do not divide an axis
            const maybe_layout& comes = as_it_was ? is[i] : before.in[i];
            const division blocks =
                comes == after.in[i] ? division::whole : divides(from, types[i], *before.in[i], *after.in[i]);
            if (blocks == division::unknown)
                return leave(r, e, altered, "the size of an argument's axis is not known, so blocks may not divide it");
            if (blocks == division::broken && !as_it_was)
                return leave(r, e, altered, "the blocks do not divide an argument's axis");
            if (as_it_was) {
                a = transforms_.transform(r.to(), a, *is[i], *after.in[i]);
            } else {
                a = transforms_.transform(r.to(), a, *is[i], *was[i]);
                if (a != expr_id::none) a = transforms_.transform(r.to(), a, *before.in[i], *after.in[i]);
            }
            if (a == expr_id::none) return leave(r, e, altered, "there is no conversion between the layouts");
        }
        if (notes_->used() &&
            (altered || after.attributes != from.call_attributes(e) ||
             moves(inputs, change.arguments, before.out, after.out)) &&
            !notes_->may_apply(from, e, altered ? "altered" : "followed"))
            return leave(r, e, altered, "an instrument refuses the change");
        if (notes_->heard()) note_layout(from, e, altered, before.out, after.out);
        return add_altered(r, e, change, before.out, after);
    }

    /// True if an argument or a result of a call has a new layout.
    static constexpr bool moves(std::span<const part> inputs, std::span<const expr_id> arguments,
                                std::span<const maybe_layout> was, std::span<const maybe_layout> is) {
        bool moved = false;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            moved = moved || arguments[i] != inputs[i].value || inputs[i].layouts.was != inputs[i].layouts.is;
        for (std::size_t i = 0; i < was.size(); ++i) moved = moved || *was[i] != *is[i];
        return moved;
    }

    /// Rebuilds a call in its old layout. Emits a remark if the call was to be altered or an argument has a new layout.
    constexpr expr_id leave(rewriter& r, expr_id e, bool altered, std::string_view why) {
        if (notes_->misses_heard()) {
            for (const expr_id a : r.from().arguments(e))
                altered = altered || states_[index(a)].was != states_[index(a)].is;
            if (altered) notes_->missed(r.from(), e, "keeps its layout: " + std::string(why));
        }
        return rebuild(r, e);
    }

    /// Emits a remark that a call was altered, or follows its arguments. Requires: remarks are enabled.
    constexpr void note_layout(const graph& from, expr_id e, bool altered, std::span<const maybe_layout> was,
                               std::span<const maybe_layout> is) const {
        std::size_t i = 0;
        while (i < was.size() && *was[i] == *is[i]) ++i;
        if (i == was.size()) return altered ? notes_->applied(from, e, "altered") : void();
        const std::string text = was[i]->text() + " becomes " + is[i]->text();
        notes_->applied(from, e, altered ? "altered" : "followed", altered ? text : text + ", as its arguments do");
    }

    enum class division : std::uint8_t { whole, broken, unknown };

    /// Checks that the blocks of `to` divide the axes of a tensor in layout `is`.
    static constexpr division divides(const graph& from, type_id type, const layout& is, const layout& to) {
        const auto shape = from.types().shape(type);
        if (!is.fits(shape)) return division::whole;
        division found = division::whole;
        for (const layout::axis& a : to.axes()) {
            if (a.block <= 1 || !is.find(a.letter)) continue;
            const dim size = is.size(shape, a.letter);
            if (size.is_any()) return division::unknown;
            if (size.value() % to.block(a.letter) != 0) found = division::broken;
        }
        return found;
    }

    constexpr expr_id add_altered(rewriter& r, expr_id e, const layout_change& change,
                                  std::span<const maybe_layout> was, const layout_query& after) {
        const graph& from = r.from();
        vector<expr_id> arguments;
        std::size_t next = 0;
        for (const expr_id a : from.arguments(e)) {
            if (parts_of_[index(a)] == none) {
                arguments.push_back(change.arguments[next++]);
                continue;
            }
            const std::size_t count = part_count(from, a);
            const std::span<const expr_id> fields(change.arguments.data() + next, count);
            arguments.push_back(unchanged(r, a, fields) ? realized_[index(a)] : r.to().tuple(fields));
            next += count;
        }
        const expr_id call = r.to().call(r.to().op(*change.op), arguments, after.attributes);
        const auto layouts_of = [&](std::size_t i) {
            return layout_pair{transforms_.number(*was[i]), transforms_.number(*after.out[i])};
        };
        if (from.types().is_tensor(from.type(e))) {
            states_[index(e)] = layouts_of(0);
            return call;
        }
        const auto first = static_cast<std::uint32_t>(parts_.size());
        for (std::size_t i = 0; i < was.size(); ++i)
            parts_.push_back({r.to().projection(call, static_cast<std::uint32_t>(i)), layouts_of(i),
                              from.types().fields(from.type(e))[i]});
        parts_of_[index(e)] = first;
        return expr_id::none; // the tuple of these parts is built when needed
    }

    /// True if the tuple has already been built with these fields.
    constexpr bool unchanged(const rewriter& r, expr_id tuple, std::span<const expr_id> fields) const {
        if (realized_[index(tuple)] == expr_id::none) return false;
        const auto now = parts(r.from(), tuple);
        bool same = fields.size() == now.size();
        for (std::size_t i = 0; same && i < now.size(); ++i) same = fields[i] == now[i].value;
        return same;
    }

    layout_rule_finder find_;
    call_alteration* alter_;
    const pass_notes* notes_;
    vector<layout_pair> states_;     // indexed by expression of the old graph
    vector<std::uint32_t> parts_of_; // indexed by expression of the old graph: the first of a tuple's parts, or none
    vector<part> parts_;
    plain_vector<expr_id> realized_; // indexed by expression of the old graph: the value in its old layout
    bool may_have_effects_;
    layout_transforms transforms_;
};

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM
