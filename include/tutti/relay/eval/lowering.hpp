#pragma once

#include <tutti/error.hpp>
#include <tutti/relay/eval/leaves.hpp>
#include <tutti/relay/eval/liveness.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/scope_tree.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/ir/walk.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tutti::relay {

namespace detail {

/// Makes one function of a module flat, and the functions in it.
///
/// What several expressions share is computed once, in the innermost function or branch that all its uses are
/// in.
class function_lowering {
public:
    /// `code_of_global(name)` gives the code of a function of the module.
    template <class CodeOfGlobal>
    function_lowering(program& p, const graph& g, expr_id root, std::uint32_t code,
                      kernel_function (*find)(const op_def&), const CodeOfGlobal& code_of_global)
        : p_(&p)
        , g_(&g)
        , leaves_(g.types())
        , find_(find)
        , order_(post_order(g, root))
        , values_(g.size())
        , scope_(g.size(), scope_tree::none)
        , code_(g.size(), no_code)
        , bound_(g.size(), expr_id::none)
        , first_code_(static_cast<std::uint32_t>(p.codes.size()))
        , functions_(1) {
        code_[index(root)] = code;
        place(root);
        for (const expr_id e : order_) {
            try {
                if (g.kind(e) == expr_kind::global)
                    values_[index(e)] = list_of({function_constant(code_of_global(g.global_name(e)))});
                else
                    lower(e);
            } catch (const error& what) {
                throw_at(g, e, what);
            }
        }
    }

private:
    static constexpr std::uint32_t no_code = 0xFFFFFFFFU;

    /// The operands of a value: a part of `lists_`.
    struct value_list {
        std::uint32_t first = no_code;
        std::uint32_t count = 0;
    };
    struct scope {
        std::uint32_t code;
        std::vector<instruction> steps;
    };
    struct inner_function {
        std::uint32_t outer = no_code;   // the code around it
        std::vector<expr_id> captures{}; // in order
    };

    // Which scope each expression belongs to: users come before their operands here.
    void place(expr_id root) {
        scopes_.push_back({no_code, {}});
        scope_[index(root)] = scope_tree::outside;
        for (std::uint32_t i = index(root) + 1; i-- > 0;) {
            const expr_id e{i};
            if (scope_[i] == scope_tree::none) continue;
            const auto operands = g_->operands(e);
            if (g_->kind(e) == expr_kind::function) {
                if (e != root) {
                    code_[i] = static_cast<std::uint32_t>(p_->codes.size());
                    p_->codes.push_back({.name = p_->codes[code_[index(root)]].name});
                    functions_.push_back({scopes_[scope_[i]].code});
                }
                const auto inside = open(scope_[i], code_[i]);
                inner_.emplace(i, inside);
                for (const expr_id v : g_->params(e)) scope_[index(v)] = inside;
                put(g_->body(e), inside);
                bring_params(e);
            } else if (g_->kind(e) == expr_kind::conditional) {
                put(operands[0], scope_[i]);
                const std::uint32_t code = scopes_[scope_[i]].code;
                const auto then = open(scope_[i], code);
                inner_.emplace(i, then);
                put(operands[1], then);
                put(operands[2], open(scope_[i], code));
            } else if (g_->kind(e) == expr_kind::let) {
                bound_[index(operands[0])] = operands[1];
                put(operands[1], scope_[i]);
                put(operands[2], scope_[i]);
            } else {
                for (const expr_id o : operands) put(o, scope_[i]);
            }
        }
    }

    scope_tree::id open(scope_tree::id around, std::uint32_t code) {
        scopes_.push_back({code, {instruction{}}});
        return tree_.open(around);
    }

    void put(expr_id e, scope_tree::id where) {
        if (g_->kind(e) == expr_kind::variable) return; // these are where they are bound
        scope_tree::id& at = scope_[index(e)];
        at = at == scope_tree::none ? where : tree_.common(at, where);
    }

    void bring_params(expr_id function) {
        const std::uint32_t c = code_[index(function)];
        for (const expr_id v : g_->params(function)) values_[index(v)] = slots(c, leaves_.count(g_->type(v)));
        p_->codes[c].params = p_->codes[c].slots;
    }

    /// New slots in a code.
    value_list slots(std::uint32_t code, std::uint32_t count) {
        const value_list list{static_cast<std::uint32_t>(lists_.size()), count};
        std::uint32_t& used = p_->codes[code].slots;
        if (used + count >= constant_bit) throw error("a function", "has too many values", "fewer than 2^31");
        for (std::uint32_t n = 0; n < count; ++n) lists_.push_back(used++);
        return list;
    }
    value_list list_of(std::initializer_list<operand> operands) {
        const value_list list{static_cast<std::uint32_t>(lists_.size()),
                              static_cast<std::uint32_t>(operands.size())};
        lists_.insert(lists_.end(), operands);
        return list;
    }

    operand function_constant(std::uint32_t code) {
        operand& o = p_->codes[code].as_constant;
        if (o == nowhere) o = constant({.code = code});
        return o;
    }
    operand constant(program_constant c) {
        p_->constants.push_back(c);
        return static_cast<operand>(p_->constants.size() - 1) | constant_bit;
    }

    // What a let and its variable stand for.
    expr_id resolve(expr_id e) {
        const auto next = [&](expr_id at) {
            if (g_->kind(at) == expr_kind::let) return g_->operand(at, 2);
            return g_->kind(at) == expr_kind::variable ? bound_[index(at)] : expr_id::none;
        };
        path_.clear();
        for (expr_id to = next(e); to != expr_id::none; to = next(e)) {
            path_.push_back(e);
            e = to;
            if (path_.size() > g_->size()) throw error(describe(*g_, e), "is bound to itself", "a value");
        }
        for (const expr_id through : path_) // the next time this takes one step
            if (g_->kind(through) == expr_kind::variable) bound_[index(through)] = e;
        return e;
    }

    inner_function& function_of(std::uint32_t code) {
        return functions_[code < first_code_ ? 0 : code - first_code_ + 1];
    }
    std::uint32_t code_around(expr_id e) const { return scopes_[scope_[index(e)]].code; }

    /// Where a code finds the value of an expression; it is captured, here and by the codes around this one,
    /// if it is a value of a code further out.
    value_list use(expr_id e, std::uint32_t code) {
        e = resolve(e);
        const value_list known = values_[index(e)];
        const expr_kind kind = g_->kind(e);
        if (kind == expr_kind::op)
            throw error(std::string(g_->op_definition(e).name), "is used as a value",
                        "a call of it, or a function that calls it");
        if (known.first != no_code && (known.count == 0 || is_constant(lists_[known.first])) &&
            kind != expr_kind::tuple && kind != expr_kind::projection)
            return known;
        const std::uint32_t home = code_around(e);
        chain_.clear();
        std::uint32_t at = code;
        for (; at != home && at != code_[index(e)] && at != no_code; at = function_of(at).outer)
            chain_.push_back(at);
        value_list list = known;
        if (at == no_code) throw error(describe(*g_, e), "is used where it has no value");
        if (at == code_[index(e)] && at != home) { // a function in itself
            operand& self = p_->codes[at].self;
            if (self == nowhere) self = p_->codes[at].slots++;
            list = list_of({self});
        }
        if (list.first == no_code) throw error(describe(*g_, e), "is used before it has a value");
        while (!chain_.empty()) {
            at = chain_.back();
            chain_.pop_back();
            const auto [found, fresh] = captured_.try_emplace(std::uint64_t{at} << 32 | index(e));
            if (fresh) {
                found->second = slots(at, list.count);
                for (std::uint32_t n = 0; n < list.count; ++n)
                    p_->codes[at].captured.push_back(lists_[found->second.first + n]);
                function_of(at).captures.push_back(e);
            }
            list = found->second;
        }
        return list;
    }

    // Adds a step to a scope's; the inputs are in `inputs_`.
    void step(scope_tree::id where, opcode what, std::uint32_t target, value_list outputs) {
        code& c = p_->codes[scopes_[where].code];
        scopes_[where].steps.push_back({.what = what,
                                        .target = target,
                                        .first = static_cast<std::uint32_t>(c.operands.size()),
                                        .inputs = static_cast<std::uint32_t>(inputs_.size()),
                                        .outputs = outputs.count});
        c.operands.insert(c.operands.end(), inputs_.begin(), inputs_.end());
        const auto from =
            lists_.begin() + static_cast<std::ptrdiff_t>(outputs.count == 0 ? 0 : outputs.first);
        c.operands.insert(c.operands.end(), from, from + outputs.count);
        inputs_.clear();
    }

    void add_inputs(expr_id e, std::uint32_t code) {
        const value_list list = use(e, code);
        const auto from = lists_.begin() + static_cast<std::ptrdiff_t>(list.count == 0 ? 0 : list.first);
        inputs_.insert(inputs_.end(), from, from + list.count);
    }

    void lower(expr_id e) {
        const scope_tree::id where = scope_[index(e)];
        const std::uint32_t code = where == scope_tree::none ? no_code : scopes_[where].code;
        switch (g_->kind(e)) {
        case expr_kind::constant:
            values_[index(e)] = list_of({constant({.value = &g_->constant_value(e)})});
            break;
        case expr_kind::call:
            lower_call(e, where, code);
            break;
        case expr_kind::function:
            lower_function(e, where, code);
            break;
        case expr_kind::tuple:
            leaves_.count(g_->type(e));
            for (const expr_id field : g_->operands(e)) add_inputs(field, code);
            values_[index(e)] = {static_cast<std::uint32_t>(lists_.size()),
                                 static_cast<std::uint32_t>(inputs_.size())};
            lists_.insert(lists_.end(), inputs_.begin(), inputs_.end());
            inputs_.clear();
            break;
        case expr_kind::projection: {
            const expr_id tuple = g_->operand(e, 0);
            const value_list all = use(tuple, code);
            values_[index(e)] = {all.first + leaves_.before(g_->type(tuple), g_->field(e)),
                                 leaves_.count(g_->type(e))};
            break;
        }
        case expr_kind::conditional:
            lower_conditional(e, where, code);
            break;
        case expr_kind::variable:
        case expr_kind::global:
        case expr_kind::op:
        case expr_kind::let:
            break; // these are what others use
        }
    }

    void lower_call(expr_id e, scope_tree::id where, std::uint32_t code) {
        opcode what = opcode::call_op;
        std::uint32_t target = 0;
        if (const op_def* op = g_->called_op(e); op != nullptr) {
            target = static_cast<std::uint32_t>(p_->calls.size());
            p_->calls.push_back({op, find_(*op), g_, e});
        } else {
            const value_list callee = use(g_->callee(e), code);
            const operand function = lists_[callee.first];
            what = is_constant(function) ? opcode::call_code : opcode::call_closure;
            if (is_constant(function))
                target = p_->constants[function & ~constant_bit].code;
            else
                inputs_.push_back(function);
        }
        for (const expr_id a : g_->arguments(e)) add_inputs(a, code);
        values_[index(e)] = slots(code, leaves_.count(g_->type(e)));
        step(where, what, target, values_[index(e)]);
    }

    void lower_function(expr_id e, scope_tree::id where, std::uint32_t code) {
        const std::uint32_t own = code_[index(e)];
        add_inputs(g_->body(e), own);
        const scope_tree::id inside = inner_.at(index(e));
        step(inside, opcode::leave, 0, {});
        flatten(inside);
        if (where == scope_tree::outside) return; // the module's function itself
        const std::vector<expr_id> captures = function_of(own).captures;
        if (captures.empty()) {
            values_[index(e)] = list_of({function_constant(own)});
        } else {
            for (const expr_id c : captures) add_inputs(c, code);
            values_[index(e)] = slots(code, 1);
            step(where, opcode::make_closure, own, values_[index(e)]);
        }
    }

    void lower_conditional(expr_id e, scope_tree::id where, std::uint32_t code) {
        const scope_tree::id then = inner_.at(index(e));
        const value_list result = slots(code, leaves_.count(g_->type(e)));
        values_[index(e)] = result;
        for (const std::uint32_t branch : {0U, 1U}) {
            add_inputs(g_->operand(e, 1 + branch), code);
            step(then + branch, opcode::move, 0, result);
        }
        add_inputs(g_->operand(e, 0), code);
        step(where, opcode::jump_unless, then, {});
    }

    /// Puts the steps of a function's scopes one behind the other.
    void flatten(scope_tree::id inside) {
        struct part {
            scope_tree::id scope;
            std::size_t next = 0;
            std::uint32_t jump = 0; // the place of the jump that the branch begins or ends with
            bool first = false;     // of an if's branches
        };
        code& c = p_->codes[scopes_[inside].code];
        std::vector<instruction>& out = c.instructions;
        std::vector<part> open{{inside}};
        const auto here = [&] { return static_cast<std::uint32_t>(out.size()); };
        while (!open.empty()) {
            part& p = open.back();
            std::vector<instruction>& steps = scopes_[p.scope].steps;
            if (p.next < steps.size()) {
                instruction& i = steps[p.next++];
                out.push_back(i);
                if (i.what == opcode::jump_unless) open.push_back({i.target, 0, here() - 1, true});
                continue;
            }
            std::vector<instruction>().swap(steps);
            const part done = p;
            open.pop_back();
            if (done.first) {
                out.push_back({.what = opcode::jump});
                out[done.jump].target = here();
                open.push_back({done.scope + 1, 0, here() - 1, false});
            } else if (!open.empty()) {
                out[done.jump].target = here();
            }
        }
        note_last_uses(c);
    }

    program* p_;
    const graph* g_;
    type_leaves leaves_;
    kernel_function (*find_)(const op_def&);
    std::vector<expr_id> order_;
    std::vector<value_list> values_; // by expression: where its own code finds it
    std::vector<scope_tree::id> scope_;
    std::vector<std::uint32_t> code_; // by function expression
    std::vector<expr_id> bound_;      // by let variable: what it is bound to
    scope_tree tree_;
    std::vector<scope> scopes_;
    // By function: the scope of its body; by if: that of its first branch, which the second's follows.
    std::unordered_map<std::uint32_t, scope_tree::id> inner_;
    std::uint32_t first_code_;
    std::vector<inner_function> functions_;                  // the function itself, then those in it by code
    std::unordered_map<std::uint64_t, value_list> captured_; // by code and expression
    std::vector<operand> lists_;
    std::vector<operand> inputs_;
    std::vector<expr_id> path_;
    std::vector<std::uint32_t> chain_;
};

} // namespace detail

/// Makes a module flat, from its function `entry` on.
///
/// Requires: the module is verified and its types are inferred; it outlives the program.
/// Cost:     linear in the module; no recursion.
/// Throws:   `tutti::error` if a value is used that is none yet, an operator is a value, or there is no such
/// function.
inline program lower(const ir_module& m, std::string_view entry, kernel_function (*find)(const op_def&)) {
    const auto place = [&](std::string_view name) {
        const auto at = std::ranges::lower_bound(m, name, {}, &ir_module::definition::name);
        if (at == m.end() || at->name != name)
            throw error("@" + std::string(name), "is not in the module", "a function of the module");
        return static_cast<std::uint32_t>(at - m.begin());
    };
    program p;
    for (const auto& [name, f] : m) p.codes.push_back({.name = name});
    std::vector<char> seen(m.size(), 0);
    std::vector<std::uint32_t> rest;
    const auto code_of_global = [&](std::string_view name) {
        const std::uint32_t code = place(name);
        if (std::exchange(seen[code], 1) == 0) rest.push_back(code);
        return code;
    };
    p.entry = code_of_global(entry);
    while (!rest.empty()) {
        const std::uint32_t code = rest.back();
        rest.pop_back();
        const auto& [name, f] = m.begin()[static_cast<std::ptrdiff_t>(code)];
        try {
            detail::function_lowering(p, f.graph, f.root, code, find, code_of_global);
        } catch (const error& e) {
            throw_within("@" + name + ": ", e);
        }
    }
    return p;
}

} // namespace tutti::relay
