#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/call_inference.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/transform/analysis/dominator_tree.hpp>
#include <tutti/relay/transform/analysis/fusion_graph.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>
#include <tutti/relay/transform/rewrite/pattern.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// A match of a rule in the old graph.
struct rule_match {
    const graph& from;
    expr_id root;
    const pattern_match& how;
    /// True to produce the reference's result even where that changes the program's results.
    bool as_reference = false;

    template <std::size_t Slot>
    constexpr expr_id operator[](capture<Slot>) const {
        return how.captured(Slot);
    }
};

namespace detail {

/// Buffers shared by the applications of one rule.
struct rule_memory {
    plain_vector<type_id> types;  // indexed by new expression: types of arguments, for type relations
    plain_vector<expr_id> copies; // indexed by new expression: its copy, during `copy`
    std::size_t copied = 0;       // number of copies
    std::string_view left{};      // the reason why the match was left unchanged
};

} // namespace detail

/// An application of a rule: the match, and the graph for its replacement.
class rule_site {
public:
    constexpr rule_site(rewriter& r, const rule_match& m, const kernel_set* kernels, detail::rule_memory& memory)
        : r_(&r), m_(&m), kernels_(kernels), memory_(&memory) {}

    /// Returns the old graph. `old` and `root` return the match and its root.
    constexpr const graph& from() const { return m_->from; }
    constexpr const rule_match& old() const { return *m_; }
    constexpr expr_id root() const { return m_->root; }
    constexpr graph& to() { return r_->to(); }

    /// Returns the rewritten capture, an expression of the new graph.
    template <std::size_t Slot>
    constexpr expr_id operator[](capture<Slot> c) const {
        return (*r_)[(*m_)[c]];
    }
    constexpr bool has(auto capture) const { return (*m_)[capture] != expr_id::none; }

    /// Returns none and records the reason for a remark. The text must outlive the pass.
    constexpr expr_id leave(std::string_view why) {
        memory_->left = why;
        return expr_id::none;
    }
    /// True after `leave`.
    constexpr bool has_left() const { return !memory_->left.empty(); }

    /// Returns the element type of the match's root.
    constexpr dtype element() const { return element_of(from(), root()); }

    /// Adds a call and infers its type. Requires: the arguments have types.
    template <class Op>
    constexpr expr_id call(std::initializer_list<expr_id> arguments, const typename Op::attributes& attributes = {}) {
        return typed(add_call<Op>(to(), arguments, attributes));
    }
    /// Adds a call of the root's operator with the root's attributes.
    constexpr expr_id call_like_root(std::initializer_list<expr_id> arguments) {
        vector<expr_id> operands{(*r_)[from().callee(root())]};
        operands.insert(operands.end(), arguments);
        return typed(to().add_like(from(), root(), operands));
    }
    constexpr expr_id constant(tensor value) {
        const type_id type = type_of_constant(to(), value);
        const expr_id made = to().constant(std::move(value));
        to().set_type(made, type);
        return made;
    }
    /// Returns the result of `Op` for two constants as a constant, or none if there is no kernel.
    ///
    /// Requires: `a` and `b` are constants of the new graph.
    template <class Op>
    constexpr expr_id evaluate(expr_id a, expr_id b) {
        if (kernels_ == nullptr || !computes(*kernels_, definition<Op>)) return expr_id::none;
        const expr_id e = call<Op>({a, b});
        const tensor* inputs[]{&to().constant_value(a), &to().constant_value(b)};
        tensor results[1];
        const invocation call_of_it{.program = &to(),
                                    .attributes = to().call_attributes(e),
                                    .inputs = inputs,
                                    .type = to().type(e),
                                    .results = results};
        if (!compute(*kernels_, definition<Op>, call_of_it)) return expr_id::none;
        return constant(std::move(results[0]));
    }

    /// Copies an expression of the new graph with everything below it except variables. Returns the expression itself
    /// if it contains a function or a let, or if the copies for this rule far exceed the size of the graph.
    constexpr expr_id copy(expr_id e) {
        plain_vector<expr_id>& copies = memory_->copies;
        copies.resize(to().size(), expr_id::none);
        plain_vector<expr_id> all; // operands before users
        bool possible = true;
        const auto enter = [&](expr_id x) {
            if (!possible || copies[index(x)] != expr_id::none) return false;
            const expr_kind kind = to().kind(x);
            possible =
                kind != expr_kind::function && kind != expr_kind::let && ++memory_->copied < 64 * (from().size() + 64);
            if (possible) copies[index(x)] = x;
            return possible;
        };
        walk(to(), e, enter, [&](expr_id x) { all.push_back(x); });
        expr_id made = e;
        plain_vector<expr_id> operands;
        for (const expr_id x : all) {
            const expr_kind kind = to().kind(x);
            if (!possible || kind == expr_kind::variable || kind == expr_kind::op || kind == expr_kind::global)
                continue;
            operands.clear();
            for (const expr_id o : to().operands(x)) operands.push_back(copies[index(o)]);
            made = to().add_like(to(), x, operands.all());
            to().set_type(made, to().type(x));
            copies[index(x)] = made;
        }
        for (const expr_id x : all) copies[index(x)] = expr_id::none;
        return made;
    }

private:
    constexpr expr_id typed(expr_id made) {
        memory_->types.resize(to().size(), type_id::none);
        for (const expr_id a : to().arguments(made)) memory_->types[index(a)] = to().type(a);
        to().set_type(made, infer_call(to(), made, memory_->types));
        return made;
    }

    rewriter* r_;
    const rule_match* m_;
    const kernel_set* kernels_;
    detail::rule_memory* memory_;
};

/// A rule with a type-erased pattern. Created by `rule_of`.
struct rewrite_rule {
    std::string_view name;
    bool (*match)(const graph&, expr_id, pattern_match&);
    bool (*holds)(const rule_match&);
    expr_id (*replace)(rule_site&);
};

/// Rules for `rule_pass` in the order of application. `kernels` computes constants; null if the rules compute no
/// constants.
struct pattern_rules {
    std::span<const rewrite_rule> rules;
    const kernel_set* kernels = nullptr;
};

/// The rule described by `R`, a structure with
///
///     static constexpr std::string_view name = "add_to_itself";     // name of the rule within its pass
///     static constexpr auto pattern = call<op::add>(_x, _x);        // a call
///     static constexpr bool holds(const rule_match&);               // optional: a further condition
///     static constexpr expr_id replace(rule_site&);                 // of the match's type; none to leave the match
template <class R>
inline constexpr rewrite_rule rule_of{
    R::name, [](const graph& g, expr_id e, pattern_match& m) { return R::pattern.match(g, e, m); },
    [](const rule_match& m) {
        if constexpr (requires { R::holds(m); })
            return R::holds(m);
        else
            return true;
    },
    [](rule_site& s) { return R::replace(s); }};

namespace detail {

/// Applies rules to one function.
class rule_rewriter {
public:
    constexpr rule_rewriter(function f, const pattern_rules& rules, const rewrite_terms& terms)
        : f_(std::move(f)), kernels_(rules.kernels), terms_(&terms) {
        look();
    }

    /// Applies one rule at each match. Returns true if anything changed.
    constexpr bool apply(const rewrite_rule& rule) {
        find_matches(rule);
        if (roots_.empty()) return false;
        bool changed = false;
        rule_memory memory;
        rewriter r(f_.graph, order_);
        const expr_id root = r.run([&](rewriter&, expr_id e) {
            const graph& from = f_.graph;
            expr_id made = expr_id::none;
            if (!roots_.empty() && roots_.back() == e) {
                pattern_match how;
                rule.match(from, e, how);
                const rule_match m{from, e, how, terms_->as_reference};
                rule_site site(r, m, kernels_, memory);
                made = rule.replace(site);
                if (made != expr_id::none && !terms_->notes.may_apply(from, e, rule.name)) {
                    made = expr_id::none;
                } else if (made != expr_id::none) {
                    changed = true;
                    terms_->notes.applied(from, e, rule.name);
                } else if (!memory.left.empty()) {
                    note_miss({e, expr_id::none, rule.name, memory.left});
                    memory.left = {};
                }
                roots_.pop_back();
            }
            if (made == expr_id::none) made = r.rebuild(e);
            if (r.to().type(made) == type_id::none) r.to().set_type(made, from.type(e));
            return made;
        });
        if (!changed) return false;
        f_ = {std::move(r.to()), root};
        look();
        return true;
    }

    constexpr function take() { return std::move(f_); }

    /// Discards the recorded near misses.
    constexpr void forget_misses() { misses_.clear(); }
    /// Emits remarks about the near misses. Requires: the function has not changed since they were found.
    constexpr void say_misses() const {
        for (const near_miss& m : misses_) {
            std::string text(m.rule);
            text += ": ";
            if (m.part != expr_id::none) (text += f_.graph.called_op(m.part)->name) += ' ';
            terms_->notes.missed(f_.graph, m.root, text += m.why);
        }
    }

private:
    struct near_miss {
        expr_id root;
        expr_id part; // the call that prevented the match, or none
        std::string_view rule;
        std::string_view why;
    };
    constexpr void note_miss(const near_miss& m) {
        if (terms_->notes.misses_heard()) misses_.push_back(m);
    }

    constexpr void look() {
        order_ = post_order(f_.graph, f_.root);
        calls_.clear();
        const graph& g = f_.graph;
        const enclosed_expressions apart(g, f_.root, [&](expr_id e) { // excludes functions made from pattern matches
            return g.kind(e) == expr_kind::function && has_attribute(g, e, "PartitionedFromPattern");
        });
        for (const expr_id e : order_)
            if (g.called_op(e) != nullptr && !apart.contain(e)) calls_.push_back(e);
        uses_.clear();
        flow_.reset();
    }

    // Finds matches, users before operands. An inner part belongs to only one match.
    constexpr void find_matches(const rewrite_rule& rule) {
        roots_.clear();
        pattern_match m;
        bool claims = false;
        for (std::size_t i = calls_.size(); i-- > 0;) {
            const expr_id e = calls_[i];
            if (claims && claimed_[index(e)] != 0) continue;
            if (!m.calls().empty()) m = {};
            if (!rule.match(f_.graph, e, m)) continue;
            if (m.calls().size() > 1) {
                if (!claims) claimed_.assign(f_.graph.size(), 0);
                claims = true;
                if (const expr_id open = open_part(m); open != expr_id::none) {
                    if (terms_->notes.misses_heard() && open != e && rule.holds({f_.graph, e, m, terms_->as_reference}))
                        note_miss({e, open, rule.name, "is used elsewhere too"});
                    continue;
                }
                for (const expr_id c : m.calls())
                    if (is_inner(m, c)) claimed_[index(c)] = 1;
            }
            if (rule.holds({f_.graph, e, m, terms_->as_reference})) roots_.push_back(e);
        }
    }

    static constexpr bool contains(std::span<const expr_id> all, expr_id e) {
        for (const expr_id each : all)
            if (each == e) return true;
        return false;
    }
    static constexpr bool is_inner(const pattern_match& m, expr_id call) {
        return call != m.calls()[0] && !contains(m.inputs(), call);
    }

    // Returns an inner part of the match that has users outside the paths to the root; the root if an inner part
    // belongs to another match; none if the match is valid.
    constexpr expr_id open_part(const pattern_match& m) {
        if (uses_.empty()) uses_ = count_uses(f_.graph, order_);
        for (const expr_id c : m.calls()) {
            if (!is_inner(m, c)) continue;
            if (claimed_[index(c)] != 0) return m.calls()[0];
            if (uses_[index(c)] == 1) continue;
            std::size_t within = 0;
            for (std::size_t i = 0; i < m.calls().size(); ++i) {
                const expr_id user = m.calls()[i];
                if (is_part(m, user) && !contains(m.calls().first(i), user))
                    for (const expr_id o : f_.graph.operands(user)) within += o == c ? 1 : 0;
            }
            if (within != uses_[index(c)] && !comes_back(m, c)) return c;
        }
        return expr_id::none;
    }

    static constexpr bool is_part(const pattern_match& m, expr_id e) {
        return e == m.calls()[0] || (contains(m.calls(), e) && is_inner(m, e));
    }

    // True if all paths from an inner part to the result lead through the match's root.
    constexpr bool comes_back(const pattern_match& m, expr_id inner) {
        if (!flow_) flow_.emplace(f_);
        const fusion_graph& g = flow_->uses;
        const std::uint32_t node = g.node(inner);
        if (g.used_outside(node)) return false;
        for (const fusion_graph::use& use : g.uses(node))
            if (!is_part(m, g.expression(use.user)) && !flow_->ways.leads_through(use.user, g.node(m.calls()[0])))
                return false;
        return true;
    }

    struct flow {
        fusion_graph uses;
        dominator_tree ways;

        constexpr explicit flow(const function& f) : uses(f.graph, f.root), ways(uses) {}
    };

    function f_;
    const kernel_set* kernels_;
    const rewrite_terms* terms_;
    plain_vector<expr_id> order_;
    plain_vector<expr_id> calls_;      // calls of operators, in the order of order_
    plain_vector<std::uint32_t> uses_; // indexed by expression; empty until needed
    std::optional<flow> flow_;         // empty until needed
    plain_vector<char> claimed_;       // indexed by expression: true for an inner part of a match
    plain_vector<expr_id> roots_;      // roots of the matches, in reverse order
    plain_vector<near_miss> misses_;   // near misses since the last change
};

} // namespace detail

/// Applies each rule of a list at all its matches, and repeats the list until nothing changes.
///
/// Each expression between the root and the inputs of a match belongs to one match at a time, and all paths from it
/// must lead through the root. Of overlapping matches, the one closer to the result wins. Functions with the attribute
/// PartitionedFromPattern are skipped.
///
/// Requires: inferred types.
/// Ensures:  every expression has a type.
/// Cost:     linear in the graph for each rule that changes something; at most 32 repetitions, enough for a chain of
///           2^32 calls that halves with each repetition. The limit also ends rules that undo each other.
/// Source:   the reference's rewriter of dataflow patterns.
constexpr function apply_rules(function f, const pattern_rules& rules, const rewrite_terms& terms = {}) {
    constexpr int most_rounds = 32;
    detail::rule_rewriter all(std::move(f), rules, terms);
    bool changed = true;
    for (int round = 0; changed && round < most_rounds; ++round) {
        changed = false;
        all.forget_misses();
        for (const rewrite_rule& rule : rules.rules) changed = all.apply(rule) || changed;
    }
    if (!changed) all.say_misses();
    return all.take();
}
} // namespace tutti::relay::inline TUTTI_FORM
