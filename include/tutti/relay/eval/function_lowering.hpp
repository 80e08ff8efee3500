#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/eval/flatten.hpp>
#include <tutti/relay/eval/leaves.hpp>
#include <tutti/relay/eval/let_values.hpp>
#include <tutti/relay/eval/liveness.hpp>
#include <tutti/relay/eval/placement.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/ir/data_types.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/scope_tree.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/ir/walk.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Lowers a function of a module, and the functions nested in it.
///
/// Each shared expression is computed once, in the scope that `placement` assigns to it.
class function_lowering {
public:
    /// Lowers the function into the program's code with index `code`, and nested functions into new codes.
    /// `code_of_global(name)` returns the index of a global function's code.
    ///
    /// Throws: `tutti::error` that names the expression that cannot be lowered.
    template <class CodeOfGlobal>
    function_lowering(program& p, const data_types& known, const graph& g, expr_id root, std::uint32_t code,
                      called_kernels& kernels, const CodeOfGlobal& code_of_global)
        : p_(&p)
        , data_types_(&known)
        , g_(&g)
        , leaves_(g.types(), p.boxed)
        , kernels_(&kernels)
        , order_(post_order(g, root))
        , lets_(g, order_)
        , places_(g, root)
        , values_(g.size(), value_list{})
        , code_(code)
        , first_inner_code_(static_cast<std::uint32_t>(p.codes.size()))
        , captures_(places_.function_count())
        , steps_(places_.scope_count()) {
        for (std::uint32_t n = 1; n < places_.function_count(); ++n) {
            std::string name = p.codes[code].name;
            p.codes.push_back({.name = std::move(name)});
        }
        for (auto& steps : steps_) steps.push_back({});
        for (const expr_id e : order_) {
            if (g.kind(e) == expr_kind::function) bring_params(e);
            if (g.kind(e) == expr_kind::match) note_clauses(e);
        }
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
    /// The operands of a value, as a range of `lists_`.
    struct value_list {
        static constexpr std::uint32_t unknown = 0xFFFFFFFFU;

        std::uint32_t first = unknown;
        std::uint32_t count = 0;

        bool is_known() const { return first != unknown; }
    };

    struct noted_clause {
        expr_id match = expr_id::none;
        match_clause clause{};
    };

    std::uint32_t code_number(std::uint32_t function) const {
        return function == 0 ? code_ : first_inner_code_ + function - 1;
    }
    code& code_of(std::uint32_t function) { return p_->codes[code_number(function)]; }

    void bring_params(expr_id e) {
        const std::uint32_t function = places_.number(e);
        for (const expr_id v : g_->params(e)) values_[index(v)] = slots(function, leaves_.count(g_->type(v)));
        code_of(function).params = code_of(function).slots;
    }

    /// Counts the stored operands and limits their number, because a few nested tuples could contain exponentially many
    /// values.
    void count_in(std::size_t operands) {
        constexpr std::size_t most = std::size_t{1} << 26;
        if (operands > most - noted_)
            throw error("a function", "has too many values, counting those of its tuples at each use",
                        "no more than 2^26");
        noted_ += operands;
    }

    /// Returns new slots in a function's frame.
    value_list slots(std::uint32_t function, std::uint32_t count) {
        count_in(count);
        const value_list list{static_cast<std::uint32_t>(lists_.size()), count};
        std::uint32_t& used = code_of(function).slots;
        for (std::uint32_t n = 0; n < count; ++n) lists_.push_back(used++);
        return list;
    }
    value_list list_of(std::initializer_list<operand_id> operands) {
        const value_list list{static_cast<std::uint32_t>(lists_.size()), static_cast<std::uint32_t>(operands.size())};
        lists_.append(operands.begin(), operands.size());
        return list;
    }

    operand_id function_constant(std::uint32_t code) {
        operand_id& o = p_->codes[code].as_constant;
        if (o == nowhere) o = constant({.code = code});
        return o;
    }
    operand_id constant(program_constant c) {
        p_->constants.push_back(c);
        return static_cast<operand_id>(p_->constants.size() - 1) | constant_bit;
    }

    /// Returns the operands of an expression's value in a function. If the value belongs to an outer function, the
    /// function and all functions between the two capture the value.
    value_list use(expr_id e, std::uint32_t function) {
        e = lets_.resolve(e);
        const value_list known = values_[index(e)];
        const expr_kind kind = g_->kind(e);
        if (kind == expr_kind::op)
            throw error(std::string(g_->op_definition(e).name), "is used as a value",
                        "a call of it, or a function that calls it");
        if (known.is_known() && (known.count == 0 || is_constant(lists_[known.first])) && kind != expr_kind::tuple &&
            kind != expr_kind::projection)
            return known;
        const std::uint32_t home = places_.function_around(places_.scope(e));
        const std::uint32_t itself = places_.number(e);
        const std::uint32_t none = placement::no_function;
        chain_.clear();
        std::uint32_t at = function;
        for (; at != home && at != itself && at != none; at = places_.outer(at)) chain_.push_back(at);
        if (at == none) throw error(describe(*g_, e), "is used where it has no value");
        value_list list = known;
        if (at == itself && at != home) { // `e` is a function that refers to itself
            operand_id& self = code_of(at).self;
            if (self == nowhere) self = code_of(at).slots++;
            list = list_of({self});
        }
        if (!list.is_known()) throw error(describe(*g_, e), "is used before it has a value");
        while (!chain_.empty()) {
            at = chain_.back();
            chain_.pop_back();
            list = capture(e, list.count, at);
        }
        return list;
    }

    /// Returns the operands of a captured value. Captures the value if necessary.
    value_list capture(expr_id e, std::uint32_t count, std::uint32_t function) {
        const auto [found, fresh] = captured_.try_emplace(std::uint64_t{function} << 32 | index(e));
        if (!fresh) return found->second;
        const value_list list = slots(function, count);
        code_of(function).captured.append(lists_.data() + list.first, count);
        captures_[function].push_back(e);
        return found->second = list;
    }

    // Adds a step to a scope. The step's inputs are in `inputs_`.
    void add_step(scope_tree::id where, opcode what, std::uint32_t target, value_list outputs) {
        code& c = code_of(places_.function_around(where));
        steps_[where].push_back({.what = what,
                                 .target = target,
                                 .first = static_cast<std::uint32_t>(c.operands.size()),
                                 .inputs = static_cast<std::uint32_t>(inputs_.size()),
                                 .outputs = outputs.count});
        c.operands.append(inputs_.all());
        append(c.operands, outputs);
        inputs_.clear();
    }

    void append(plain_vector<operand_id>& to, value_list list) {
        if (list.count == 0) return;
        count_in(list.count);
        to.append(lists_.data() + list.first, list.count);
    }

    void add_inputs(expr_id e, std::uint32_t function) { append(inputs_, use(e, function)); }

    void lower(expr_id e) {
        const scope_tree::id where = places_.scope(e);
        const std::uint32_t function =
            where == scope_tree::none ? placement::no_function : places_.function_around(where);
        switch (g_->kind(e)) {
        case expr_kind::constant:
            values_[index(e)] = list_of({constant({.value = &g_->constant_value(e)})});
            break;
        case expr_kind::call:
            lower_call(e, where, function);
            break;
        case expr_kind::function:
            lower_function(e, where, function);
            break;
        case expr_kind::constructor:
            values_[index(e)] = list_of({function_constant(code_of_constructor(g_->global_name(e)))});
            break;
        case expr_kind::match:
            lower_match(e, where, function);
            break;
        case expr_kind::ref_create:
            add_inputs(g_->operand(e, 0), function);
            make(e, where, p_->reference, function);
            break;
        case expr_kind::ref_read:
            add_inputs(g_->operand(e, 0), function);
            values_[index(e)] = slots(function, 1);
            add_step(where, opcode::field, 0, values_[index(e)]);
            break;
        case expr_kind::ref_write:
            add_inputs(g_->operand(e, 0), function);
            add_inputs(g_->operand(e, 1), function);
            values_[index(e)] = list_of({function_constant(p_->tuple)});
            add_step(where, opcode::ref_write, 0, {});
            break;
        case expr_kind::tuple:
            leaves_.count(g_->type(e));
            if (p_->boxed) {
                for (const expr_id field : g_->operands(e)) add_inputs(field, function);
                make(e, where, p_->tuple, function);
                break;
            }
            for (const expr_id field : g_->operands(e)) add_inputs(field, function);
            values_[index(e)] = {static_cast<std::uint32_t>(lists_.size()), static_cast<std::uint32_t>(inputs_.size())};
            lists_.append(inputs_.all());
            inputs_.clear();
            break;
        case expr_kind::projection: {
            const expr_id tuple = g_->operand(e, 0);
            if (p_->boxed) {
                add_inputs(tuple, function);
                values_[index(e)] = slots(function, 1);
                add_step(where, opcode::field, g_->field(e), values_[index(e)]);
                break;
            }
            const value_list all = use(tuple, function);
            values_[index(e)] = {all.first + leaves_.before(g_->type(tuple), g_->field(e)), leaves_.count(g_->type(e))};
            break;
        }
        case expr_kind::conditional:
            lower_conditional(e, where, function);
            break;
        case expr_kind::variable:
            if (!clauses_.empty() && clause_of_[index(e)] != 0) unpack(clauses_[clause_of_[index(e)]]);
            break;
        case expr_kind::global:
        case expr_kind::op:
        case expr_kind::let:
            break; // uses of these expressions lower them
        }
    }

    std::uint32_t code_of_constructor(std::string_view name) const {
        return p_->first_constructor + data_types_->find_constructor(name);
    }

    /// Adds a step that creates a tuple or an object with the fields in `inputs_`.
    void make(expr_id e, scope_tree::id where, std::uint32_t code, std::uint32_t function) {
        if (inputs_.empty()) {
            values_[index(e)] = list_of({function_constant(code)});
            return;
        }
        values_[index(e)] = slots(function, 1);
        add_step(where, opcode::make_closure, code, values_[index(e)]);
    }

    // Records the clauses of a match that have variables. A clause is found through its first variable.
    void note_clauses(expr_id e) {
        if (clauses_.empty()) {
            clause_of_.assign(g_->size(), 0);
            clauses_.push_back({});
        }
        for_each_clause(*g_, e, [&](const match_clause& c) {
            if (c.body == c.first_variable) return;
            clause_of_[index(g_->operand(e, c.first_variable))] = static_cast<std::uint32_t>(clauses_.size());
            clauses_.push_back({e, c});
        });
    }

    std::uint32_t add_pattern(std::span<const attr_value> pattern) {
        const auto first = static_cast<std::uint32_t>(p_->patterns.size());
        for (; !pattern.empty(); pattern = pattern.subspan(pattern_head(pattern))) {
            const auto fields = static_cast<std::uint32_t>(pattern_fields(pattern));
            switch (kind_of_pattern(pattern)) {
            case pattern_kind::wildcard:
                p_->patterns.push_back({pattern_part::anything, 0});
                break;
            case pattern_kind::variable:
                p_->patterns.push_back({pattern_part::bound, 0});
                break;
            case pattern_kind::tuple:
                p_->patterns.push_back({p_->tuple, fields});
                break;
            case pattern_kind::constructor:
                p_->patterns.push_back({code_of_constructor(g_->strings()[pattern[1].string()]), fields});
                break;
            }
        }
        return first;
    }

    // Adds the first step of a clause. It unpacks the matched value into the clause's variables.
    void unpack(const noted_clause& c) {
        const scope_tree::id where = places_.scope(g_->operand(c.match, c.clause.first_variable));
        const std::uint32_t function = places_.function_around(where);
        const auto count = static_cast<std::uint32_t>(c.clause.body - c.clause.first_variable);
        const value_list all = slots(function, count);
        for (std::uint32_t i = 0; i < count; ++i)
            values_[index(g_->operand(c.match, c.clause.first_variable + i))] = {all.first + i, 1};
        add_inputs(g_->operand(c.match, 0), function);
        add_step(where, opcode::unpack, add_pattern(c.clause.pattern), all);
    }

    void lower_match(expr_id e, scope_tree::id where, std::uint32_t function) {
        scope_tree::id then = places_.opened_by(e);
        const value_list result = slots(function, 1);
        values_[index(e)] = result;
        for_each_clause(*g_, e, [&](const match_clause& c) {
            add_inputs(g_->operand(e, c.body), function);
            add_step(then, opcode::move, 0, result);
            const value_list fits = slots(function, 1);
            add_inputs(g_->operand(e, 0), function);
            add_step(where, opcode::matches, add_pattern(c.pattern), fits);
            append(inputs_, fits);
            add_step(where, opcode::jump_unless, then, {});
            where = then + 1;
            then += 2;
        });
        add_step(where, opcode::fail, 0, result);
    }

    void lower_call(expr_id e, scope_tree::id where, std::uint32_t function) {
        opcode what = opcode::call_op;
        std::uint32_t target = 0;
        if (g_->kind(g_->callee(e)) == expr_kind::constructor) {
            for (const expr_id a : g_->arguments(e)) add_inputs(a, function);
            return make(e, where, code_of_constructor(g_->global_name(g_->callee(e))), function);
        }
        if (const op_def* op = g_->called_op(e); op != nullptr) {
            if (p_->boxed) return lower_op_call(e, *op, where, function);
            target = static_cast<std::uint32_t>(p_->calls.size());
            p_->calls.push_back({op, (*kernels_)(*op), g_, e});
        } else {
            const value_list callee = use(g_->callee(e), function);
            const operand_id called = lists_[callee.first];
            what = is_constant(called) ? opcode::call_code : opcode::call_closure;
            if (is_constant(called))
                target = p_->constants[called & ~constant_bit].code;
            else
                inputs_.push_back(called);
        }
        for (const expr_id a : g_->arguments(e)) add_inputs(a, function);
        values_[index(e)] = slots(function, leaves_.count(g_->type(e)));
        add_step(where, what, target, values_[index(e)]);
    }

    // Lowers an operator call in a program where tuples are values. Operators still take and return the tuples' fields.
    void lower_op_call(expr_id e, const op_def& op, scope_tree::id where, std::uint32_t function) {
        const type_table& types = g_->types();
        plain_vector<operand_id> given;
        for (const expr_id a : g_->arguments(e)) {
            if (types.kind(g_->type(a)) != type_kind::tuple) {
                append(given, use(a, function));
                continue;
            }
            for (std::uint32_t i = 0; i < types.fields(g_->type(a)).size(); ++i) {
                add_inputs(a, function);
                const value_list field = slots(function, 1);
                add_step(where, opcode::field, i, field);
                append(given, field);
            }
        }
        inputs_.append(given.all());
        const auto target = static_cast<std::uint32_t>(p_->calls.size());
        p_->calls.push_back({&op, (*kernels_)(op), g_, e});
        const bool several = types.kind(g_->type(e)) == type_kind::tuple;
        const auto count = several ? static_cast<std::uint32_t>(types.fields(g_->type(e)).size()) : 1U;
        const value_list results = slots(function, count);
        add_step(where, opcode::call_op, target, results);
        values_[index(e)] = results;
        if (!several) return;
        append(inputs_, results);
        make(e, where, p_->tuple, function);
    }

    void lower_function(expr_id e, scope_tree::id where, std::uint32_t function) {
        const std::uint32_t own = places_.number(e);
        add_inputs(g_->body(e), own);
        const scope_tree::id inside = places_.opened_by(e);
        add_step(inside, opcode::leave, 0, {});
        code_of(own).steps = flatten(steps_, inside);
        note_last_uses(code_of(own));
        if (where == scope_tree::outside) return; // not a nested function
        if (captures_[own].empty()) {
            values_[index(e)] = list_of({function_constant(code_number(own))});
        } else {
            for (const expr_id c : captures_[own]) add_inputs(c, function);
            values_[index(e)] = slots(function, 1);
            add_step(where, opcode::make_closure, code_number(own), values_[index(e)]);
        }
    }

    void lower_conditional(expr_id e, scope_tree::id where, std::uint32_t function) {
        const scope_tree::id then = places_.opened_by(e);
        const value_list result = slots(function, leaves_.count(g_->type(e)));
        values_[index(e)] = result;
        for (const std::uint32_t branch : {0U, 1U}) {
            add_inputs(g_->operand(e, 1 + branch), function);
            add_step(then + branch, opcode::move, 0, result);
        }
        add_inputs(g_->operand(e, 0), function);
        add_step(where, opcode::jump_unless, then, {});
    }

    program* p_;
    const data_types* data_types_;
    const graph* g_;
    type_leaves leaves_;
    called_kernels* kernels_;
    plain_vector<expr_id> order_;
    let_values lets_;
    placement places_;
    plain_vector<value_list> values_; // indexed by expression: the operands in the function that computes it
    std::uint32_t code_;
    std::uint32_t first_inner_code_;
    vector<plain_vector<expr_id>> captures_;                 // indexed by function: captured expressions, in order
    std::unordered_map<std::uint64_t, value_list> captured_; // indexed by function and expression
    vector<plain_vector<step>> steps_;                       // indexed by scope
    vector<noted_clause> clauses_;                           // clauses with variables, from index 1
    plain_vector<std::uint32_t> clause_of_;                  // indexed by first variable: the clause, or 0
    std::size_t noted_ = 0;                                  // number of operands in lists_ and in the codes
    plain_vector<operand_id> lists_;
    plain_vector<operand_id> inputs_;
    plain_vector<std::uint32_t> chain_;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
