#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/tensor_value.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The operator calls of a program and their data flow. Variables bound by lets, and parameters of function literals
/// that are called once, are resolved to their values.
class call_table {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    struct call {
        std::uint32_t function; ///< index of the function in the module
        expr_id e;
        std::uint64_t exact = 0; ///< hash of the computation, including attributes and the values of constants
        std::uint64_t loose = 0; ///< hash of the computation, ignoring attributes and the values of constants
        std::uint32_t partner = none;
    };

    /// An expression in a function of the module.
    struct place {
        std::uint32_t function = 0;
        expr_id e = expr_id::none;
    };

    /// Lists the calls of a module. If `by_name`, parameters of `main` match by name, otherwise by position.
    call_table(const ir_module& m, bool by_name) {
        for (const auto& [name, f] : m) {
            body& b = bodies_.emplace_back(body{&f.graph, f.root, name});
            b.calls.assign(f.graph.size(), none);
            bind(b);
            for (const expr_id e : post_order(f.graph, f.root)) {
                if (f.graph.called_op(e) == nullptr) continue;
                b.calls[index(e)] = static_cast<std::uint32_t>(calls.size());
                calls.push_back({static_cast<std::uint32_t>(bodies_.size() - 1), e});
            }
        }
        for (const bool exact : {true, false})
            for (body& b : bodies_) {
                const plain_vector<std::uint64_t> hashes = hashes_of_body(b, exact, by_name);
                for (std::uint32_t i = 0; i < hashes.size(); ++i)
                    if (b.calls[i] != none) (exact ? calls[b.calls[i]].exact : calls[b.calls[i]].loose) = hashes[i];
            }
    }

    const relay::graph& graph_of(const call& c) const { return *bodies_[c.function].graph; }
    const op_def* op_of(const call& c) const { return graph_of(c).called_op(c.e); }

    /// Returns the index in `calls` of an expression, or `none` if it is not an operator call.
    std::uint32_t number(const relay::graph* g, expr_id e) const {
        for (const body& b : bodies_)
            if (b.graph == g) return index(e) < b.calls.size() ? b.calls[index(e)] : none;
        return none;
    }
    std::uint32_t number(place p) const { return bodies_[p.function].calls[index(p.e)]; }
    std::size_t functions() const { return bodies_.size(); }
    std::string_view name(std::size_t function) const { return bodies_[function].name; }
    place result(std::size_t function) const {
        const body& b = bodies_[function];
        return {static_cast<std::uint32_t>(function), resolve(b, b.graph->body(b.root))};
    }
    const relay::graph& graph_of(place p) const { return *bodies_[p.function].graph; }
    place operand(place p, std::size_t i) const {
        const body& b = bodies_[p.function];
        return {p.function, resolve(b, b.graph->operand(p.e, i))};
    }

    /// Returns the name that a let or a model gives to a call, or "".
    std::string_view name(const call& c) const {
        const body& b = bodies_[c.function];
        const expr_id variable = b.let_of[index(c.e)];
        return variable != expr_id::none ? b.graph->variable_name(variable) : b.graph->source_name(c.e);
    }

    vector<call> calls;

private:
    struct body {
        const relay::graph* graph;
        expr_id root;
        std::string_view name;
        plain_vector<std::uint32_t> calls{}; // indexed by expression: the index in the table's `calls`, or none
        plain_vector<expr_id> value{};       // indexed by variable: its value
        plain_vector<expr_id> let_of{};      // indexed by value: the variable that a let binds to it
    };

    static void bind(body& b) {
        const relay::graph& g = *b.graph;
        b.value.assign(g.size(), expr_id::none);
        b.let_of.assign(g.size(), expr_id::none);
        plain_vector<std::uint32_t> uses(g.size(), 0);
        const auto order = post_order(g, b.root);
        for (const expr_id e : order)
            for (const expr_id o : g.operands(e)) ++uses[index(o)];
        for (const expr_id e : order) {
            if (g.kind(e) == expr_kind::let) {
                b.value[index(g.operand(e, 0))] = g.operand(e, 1);
                b.let_of[index(g.operand(e, 1))] = g.operand(e, 0);
            }
            if (!is_call_of_literal(g, e) || uses[index(g.callee(e))] != 1) continue;
            const auto params = g.params(g.callee(e));
            for (std::size_t i = 0; i < params.size() && i < g.arguments(e).size(); ++i)
                b.value[index(params[i])] = g.arguments(e)[i];
        }
    }

    static bool is_call_of_literal(const relay::graph& g, expr_id e) {
        return g.kind(e) == expr_kind::call && g.kind(g.callee(e)) == expr_kind::function;
    }

    // Returns the expression that computes a value: follows variables, lets, tuple fields and calls of function
    // literals.
    static expr_id resolve(const body& b, expr_id e) {
        const relay::graph& g = *b.graph;
        for (std::uint32_t left = g.size(); left > 0; --left) {
            if (g.kind(e) == expr_kind::variable && b.value[index(e)] != expr_id::none) {
                e = b.value[index(e)];
            } else if (g.kind(e) == expr_kind::let) {
                e = g.operand(e, 2);
            } else if (is_call_of_literal(g, e)) {
                e = g.body(g.callee(e));
            } else if (g.kind(e) == expr_kind::projection) {
                const expr_id tuple = resolve_once(b, g.operand(e, 0));
                if (g.kind(tuple) != expr_kind::tuple || g.field(e) >= g.operand_count(tuple)) return e;
                e = g.operand(tuple, g.field(e));
            } else {
                return e;
            }
        }
        return e;
    }
    static expr_id resolve_once(const body& b, expr_id e) {
        return b.graph->kind(e) == expr_kind::variable && b.value[index(e)] != expr_id::none ? b.value[index(e)] : e;
    }

    static plain_vector<std::uint64_t> hashes_of_body(const body& b, bool exact, bool by_name) {
        const relay::graph& g = *b.graph;
        const auto attributes = attribute_hashes(g);
        plain_vector<std::uint64_t> hashes(g.size(), 0);
        plain_vector<char> state(g.size(), 0); // 1: the operands are being visited, 2: the hash is known
        for (std::size_t i = 0; i < g.params(b.root).size(); ++i) {
            const expr_id p = g.params(b.root)[i];
            hashes[index(p)] =
                hash_combine(hash_of(b.name), by_name && b.name == "main" ? hash_of(g.variable_name(p)) : i);
            state[index(p)] = 2;
        }
        const auto leaf = [&](expr_id e) {
            std::uint64_t hash = hash_combine(static_cast<std::uint64_t>(g.kind(e)), g.operand_count(e));
            switch (g.kind(e)) {
            case expr_kind::variable:
                return hash_combine(hash, hash_of(g.variable_name(e)));
            case expr_kind::global:
            case expr_kind::constructor:
                return hash_combine(hash, hash_of(g.global_name(e)));
            case expr_kind::op:
                return hash_combine(hash, hash_of(g.op_definition(e).name));
            case expr_kind::constant:
                if (exact) return hash_combine(hash, value_fingerprint(g.constant_value(e)));
                for (const std::int64_t d : g.constant_value(e).shape())
                    hash = hash_combine(hash, static_cast<std::uint64_t>(d));
                return hash;
            case expr_kind::projection:
                return hash_combine(hash, g.field(e));
            case expr_kind::call:
                return exact && g.call_attributes(e) != attrs_id::none
                           ? hash_combine(hash, attributes[index(g.call_attributes(e))])
                           : hash;
            default:
                return hash;
            }
        };
        plain_vector<expr_id> open;
        for (const expr_id start : post_order(g, b.root)) {
            open.push_back(start);
            while (!open.empty()) {
                const expr_id e = open.back();
                if (state[index(e)] == 2) {
                    open.pop_back();
                    continue;
                }
                const expr_id stands_for = resolve(b, e);
                if (stands_for != e) { // `e` takes the hash of `stands_for`, which is incomplete in a cycle
                    if (state[index(e)] == 0 && state[index(stands_for)] == 0) {
                        state[index(e)] = 1;
                        open.push_back(stands_for);
                        continue;
                    }
                    hashes[index(e)] = hashes[index(stands_for)];
                } else if (state[index(e)] == 0) {
                    state[index(e)] = 1;
                    for (const expr_id o : g.operands(e))
                        if (state[index(o)] == 0) open.push_back(o);
                    continue;
                } else {
                    std::uint64_t hash = leaf(e);
                    for (const expr_id o : g.operands(e)) hash = hash_combine(hash, hashes[index(o)]);
                    hashes[index(e)] = hash_finish(hash);
                }
                state[index(e)] = 2;
                open.pop_back();
            }
        }
        return hashes;
    }

    vector<body> bodies_;
};

} // namespace detail

/// Matches operator calls of two programs that should compute the same value.
///
/// The criteria, in order of use:
///   - calls that compute the same value from the same parameters and constants
///   - with `same_text`, calls at the same position in the text
///   - calls with the same name from a let or a model
///   - calls of the same structure, ignoring attributes and the values of constants
///   - backwards from results and matched calls, operands in the same position; one program may contain an additional
///     call in between
///
/// Cost: linear in the programs and their constants, times the logarithm of their size.
class call_matching {
public:
    static constexpr std::uint32_t none = detail::call_table::none;

    call_matching(const ir_module& first, const ir_module& second, bool same_text = false)
        : first_(first, same_names(first, second)), second_(second, same_names(first, second)) {
        using call = detail::call_table::call;
        using table = detail::call_table;
        const auto op = [](const table& t, const call& c) { return std::string(t.op_of(c)->name); };
        pair_by([](const table&, const call& c) { return std::to_string(c.exact); }, true);
        if (same_text)
            pair_by(
                [&](const table& t, const call& c) {
                    const source_location at = t.graph_of(c).location(c.e);
                    return at.line == 0 ? std::string()
                                        : std::to_string(at.line) + ':' + std::to_string(at.column) + ' ' + op(t, c);
                },
                true);
        pair_by(
            [&](const table& t, const call& c) {
                const std::string_view name = t.name(c);
                return name.empty() ? std::string() : std::string(name) + ' ' + op(t, c);
            },
            false);
        pair_by([](const table&, const call& c) { return std::to_string(c.loose); }, false);
        pair_backwards();
    }

    /// Returns the index of a call in the first (or second) program, or `none` for other expressions.
    std::uint32_t number_in_first(const graph* g, expr_id e) const { return first_.number(g, e); }
    std::uint32_t number_in_second(const graph* g, expr_id e) const { return second_.number(g, e); }
    std::size_t calls_in_first() const { return first_.calls.size(); }
    std::size_t calls_in_second() const { return second_.calls.size(); }

    /// Returns the index of the first program's call that matches a call of the second program, or `none`.
    std::uint32_t in_first(std::uint32_t number) const { return second_.calls[number].partner; }
    std::uint32_t in_second(std::uint32_t number) const { return first_.calls[number].partner; }

private:
    using place = detail::call_table::place;

    static vector<std::string_view> parameter_names(const ir_module& m) {
        vector<std::string_view> names;
        if (const function* f = m.find("main"))
            for (const expr_id p : f->graph.params(f->root)) names.push_back(f->graph.variable_name(p));
        std::ranges::sort(names);
        return names;
    }
    static bool same_names(const ir_module& first, const ir_module& second) {
        const auto names = parameter_names(first);
        return names == parameter_names(second) && std::ranges::adjacent_find(names) == names.end();
    }

    void pair(std::uint32_t a, std::uint32_t b) {
        first_.calls[a].partner = b;
        second_.calls[b].partner = a;
    }

    // Matches calls with equal keys, in order. Unless `any_count`, both programs must contain the same number of calls
    // with the key. An empty key matches nothing.
    template <class Key>
    void pair_by(Key key, bool any_count) {
        std::map<std::string, std::pair<vector<std::uint32_t>, vector<std::uint32_t>>, std::less<>> found;
        const auto collect = [&](const detail::call_table& t, auto member) {
            for (std::uint32_t i = 0; i < t.calls.size(); ++i)
                if (std::string k = t.calls[i].partner == none ? key(t, t.calls[i]) : std::string(); !k.empty())
                    (found[std::move(k)].*member).push_back(i);
        };
        using lists = std::pair<vector<std::uint32_t>, vector<std::uint32_t>>;
        collect(first_, &lists::first);
        collect(second_, &lists::second);
        for (const auto& [k, both] : found) {
            if (!any_count && both.first.size() != both.second.size()) continue;
            for (std::size_t i = 0; i < std::min(both.first.size(), both.second.size()); ++i)
                if (first_.op_of(first_.calls[both.first[i]]) == second_.op_of(second_.calls[both.second[i]]))
                    pair(both.first[i], both.second[i]);
        }
    }

    void pair_backwards() {
        vector<std::pair<place, place>> open;
        for (std::uint32_t i = static_cast<std::uint32_t>(first_.calls.size()); i-- > 0;)
            if (const std::uint32_t b = first_.calls[i].partner; b != none)
                open.push_back(
                    {{first_.calls[i].function, first_.calls[i].e}, {second_.calls[b].function, second_.calls[b].e}});
        std::map<std::string_view, std::size_t> functions;
        for (std::size_t i = 0; i < first_.functions(); ++i) functions.emplace(first_.name(i), i);
        for (std::size_t i = 0; i < second_.functions(); ++i)
            if (const auto at = functions.find(second_.name(i)); at != functions.end())
                open.push_back({first_.result(at->second), second_.result(i)});
        std::unordered_set<std::uint64_t> seen;
        while (!open.empty()) {
            const auto [a, b] = open.back();
            open.pop_back();
            const std::uint64_t key = hash_combine(std::uint64_t{a.function} << 32 | index(a.e),
                                                   std::uint64_t{b.function} << 32 | index(b.e));
            if (!seen.insert(key).second) continue;
            const graph& g = first_.graph_of(a);
            const graph& h = second_.graph_of(b);
            const std::uint32_t x = first_.number(a), y = second_.number(b);
            if (x != none && y != none) {
                if (first_.calls[x].partner == none && second_.calls[y].partner == none &&
                    g.called_op(a.e) == h.called_op(b.e))
                    pair(x, y);
                if (first_.calls[x].partner != y) {
                    skip_one(a, b, open);
                    continue;
                }
            } else if (g.kind(a.e) != h.kind(b.e)) {
                continue;
            }
            if (g.operand_count(a.e) != h.operand_count(b.e)) continue;
            for (std::size_t i = 0; i < g.operand_count(a.e); ++i)
                open.push_back({first_.operand(a, i), second_.operand(b, i)});
        }
    }

    // Handles a call that only one of the programs contains. Pairs the other program's call with those operands of the
    // additional call that call the same operator.
    void skip_one(place a, place b, vector<std::pair<place, place>>& open) const {
        const auto unpaired = [](const detail::call_table& t, place p) {
            return t.number(p) != none && t.calls[t.number(p)].partner == none;
        };
        const auto* const of_a = first_.graph_of(a).called_op(a.e);
        const auto* const of_b = second_.graph_of(b).called_op(b.e);
        for (std::size_t i = 1; unpaired(first_, a) && i < second_.graph_of(b).operand_count(b.e); ++i)
            if (const place o = second_.operand(b, i);
                unpaired(second_, o) && second_.graph_of(o).called_op(o.e) == of_a)
                open.push_back({a, o});
        for (std::size_t i = 1; unpaired(second_, b) && i < first_.graph_of(a).operand_count(a.e); ++i)
            if (const place o = first_.operand(a, i); unpaired(first_, o) && first_.graph_of(o).called_op(o.e) == of_b)
                open.push_back({o, b});
    }

    detail::call_table first_, second_;
};

} // namespace tutti::relay::inline TUTTI_FORM
