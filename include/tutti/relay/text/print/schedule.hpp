#pragma once

#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/text/print/naming.hpp>
#include <tutti/relay/text/print/values.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tutti::relay::text {

/// Whether an expression is written wherever it stands, and never bound to a number.
constexpr bool always_inline(expr_kind kind) {
    return kind == expr_kind::variable || kind == expr_kind::global || kind == expr_kind::constant ||
           kind == expr_kind::op || kind == expr_kind::constructor;
}

/// Which lines a function is written in, and under which names and numbers.
///
/// An expression is *met* after what it is made of, callee before arguments, and only then are its operands
/// *bound*, arguments before callee: each that is not bound yet gets the next number and a line of its own.
/// So a line stands before the first user, not behind the last operand. Variables are named, constants
/// numbered, and blocks (a function's body, an if's branches, a match's clauses, a chain of lets) laid out when they are met, so
/// a function's body has smaller numbers than a line that stands before it.
///
/// What two blocks share is bound where it is met first, and may be used in text that stands behind. If
/// anything would be used in text that stands before, all is laid out once more: then an expression is bound
/// as soon as what is in its block is used outside of it.
///
/// Cost:   linear in the graph, but for a factor as in union-find for what blocks share; no recursion.
/// Source: what the reference printed, `%N` and `%p01` in 3,406 programs; none of them needs the second
/// layout.
class schedule {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    /// What a line does: binds a number, a let's variable, declares a free variable, or is its block's
    /// result.
    enum class line_kind : std::uint8_t { number, let, free_variable, result };

    struct line {
        line_kind kind;
        expr_id e;
        std::uint32_t next = none;
    };

    /// What can be said of the function alone; `name_all` says the rest.
    schedule(const graph& g, expr_id root) : g_(&g), facts_(g.size(), {}) {
        for (std::uint32_t i = index(root) + 1; i-- > 0;) // users have greater ids than their operands
            if (i == index(root) || facts_[i].uses != 0)
                for (const expr_id o : g.operands(expr_id{i})) ++at(o).uses;
        lay_out(root);
        if (!blocks_share_ || in_order(root)) return;
        numbers_ = 0;
        for (fact& f : facts_) f = {.uses = f.uses, .name = f.name};
        lines_.clear();
        blocks_.clear();
        bind_early_ = true;
        lay_out(root);
    }

    /// Takes the next names and numbers of a text. Requires: it is called once, for one definition of the text after another.
    void name_all(naming& shared) {
        first_number_ = shared.take_numbers(numbers_);
        names_.reserve(variables_.size());
        for (const expr_id v : variables_) names_.push_back(shared.next_name(g_->variable_name(v)));
        for (std::uint32_t& place : constants_)
            place = shared.number_of(g_->constant_value(expr_id{place})); // its expression until now
    }

    const line& operator[](std::uint32_t place) const { return lines_[place]; }
    std::size_t line_count() const { return lines_.size(); }
    /// The first line of a function's body, of a chain of lets from its first, of an if's first branch.
    std::uint32_t block(expr_id e) const { return blocks_[at(e).block].first; }
    /// The first line of an if's second branch.
    std::uint32_t second_block(expr_id conditional) const {
        return blocks_[blocks_[at(conditional).block].other].first;
    }

    /// The first line of a match's clause. Requires: there is such a clause.
    std::uint32_t clause_block(expr_id match, std::uint32_t clause) const {
        return blocks_[at(match).block + clause].first;
    }

    /// The number of what is bound to one, or `none`; that of a constant that is referred to by one.
    std::uint32_t number(expr_id e) const {
        const std::uint32_t own = at(e).number;
        return own == none ? none : first_number_ + own;
    }
    std::uint32_t constant_number(expr_id constant) const { return constants_[at(constant).number]; }
    /// Whether an operator keeps its attributes in the metadata section, if there is one.
    bool keeps_attributes() const { return keeps_attributes_; }
    const std::string& name(expr_id variable) const { return names_[at(variable).name]; }

private:
    // What remains to be done: meet an expression whose operands are to be met, or have been; bind an
    // operand; name a pattern's variable; begin or end a block.
    enum class step : std::uint8_t { meet, met, bind, name, begin_block, end_block, let, let_value };

    struct task {
        step what;
        expr_id e;
        expr_id of = expr_id::none; // the owner of a block, the first let of a chain
    };

    struct fact {
        std::uint32_t uses = 0;
        std::uint32_t number = none;
        std::uint32_t block = none;
        std::uint32_t name = none;
        std::uint32_t home = none; // the block where it is written, once that is known
        bool met = false;
        bool free = false; // a variable that nothing binds, and that was not declared yet
    };

    struct block_lines {
        std::uint32_t first = none;
        std::uint32_t last = none;
        std::uint32_t other = none;  // an if's second branch; of a match's first clause, how many have begun
        std::uint32_t around = none; // a block that it is written in, directly or not
        expr_id owner = expr_id::none;
        bool open = true;
    };

    void lay_out(expr_id root) {
        meet_function(root);
        while (!tasks_.empty()) {
            const task t = tasks_.back();
            tasks_.pop_back();
            perform(t);
        }
    }

    // Whether each line stands before the uses of its number, in a function's text.
    bool in_order(expr_id root) const {
        plain_vector<char> written(facts_.size(), 0);
        struct item {
            std::uint32_t place; // of a line
            bool done;           // what is in it is written
        };
        plain_vector<item> todo;
        todo.push_back({block(root), false});
        const auto known = [&](expr_id e) { return at(e).home == none || written[index(e)] != 0; };
        while (!todo.empty()) {
            const auto [place, done] = todo.back();
            todo.pop_back();
            if (place == none) continue;
            const line& l = lines_[place];
            if (done) {
                written[index(l.e)] = 1;
                todo.push_back({l.next, false});
                continue;
            }
            todo.push_back({place, true});
            const expr_id e = l.kind == line_kind::let ? g_->operand(l.e, 1) : l.e;
            if (l.kind == line_kind::free_variable) continue;
            if (l.kind != line_kind::number && at(e).number != none) {
                if (!known(e)) return false;
                continue;
            }
            switch (g_->kind(e)) {
            case expr_kind::function:
            case expr_kind::let:
                todo.push_back({block(e), false});
                break;
            case expr_kind::conditional:
                if (!known(g_->operand(e, 0))) return false;
                todo.push_back({second_block(e), false});
                todo.push_back({block(e), false});
                break;
            case expr_kind::match: {
                if (!known(g_->operand(e, 0))) return false;
                std::uint32_t clauses = 0;
                for_each_clause(*g_, e, [&](const match_clause&) { ++clauses; });
                while (clauses-- != 0) todo.push_back({clause_block(e, clauses), false});
                break;
            }
            default:
                for (const expr_id o : g_->operands(e))
                    if (!known(o)) return false;
            }
        }
        return true;
    }

    fact& at(expr_id e) { return facts_[index(e)]; }
    const fact& at(expr_id e) const { return facts_[index(e)]; }

    void later(step what, expr_id e, expr_id of = expr_id::none) { tasks_.push_back({what, e, of}); }

    void perform(const task& t) {
        switch (t.what) {
        case step::meet:
            if (at(t.e).met) break;
            for (expr_id e = t.e; e != expr_id::none;) e = meet(e);
            break;
        case step::met:
            met(t.e);
            break;
        case step::bind:
            bind(t.e);
            break;
        case step::name:
            at(t.e).met = true;
            name_variable(t.e);
            break;
        case step::begin_block:
            begin_block(t.of);
            break;
        case step::end_block:
            place(t.e);
            add_line(line_kind::result, t.e);
            settle(t.e);
            blocks_[open_.back()].open = false;
            open_.pop_back();
            break;
        case step::let:
            meet_let(t.e, t.of);
            break;
        case step::let_value:
            end_let(t.e, t.of);
        }
    }

    // Tasks are done last first, so they are noted from the end. Returns what is to be met before them, or none.
    expr_id meet(expr_id e) {
        const auto operands = g_->operands(e);
        switch (g_->kind(e)) {
        case expr_kind::variable:
            at(e).met = true;
            at(e).free = true;
            name_variable(e);
            break;
        case expr_kind::constant:
            at(e).met = true;
            if (!has_literal(g_->constant_value(e))) number_constant(e);
            break;
        case expr_kind::global:
        case expr_kind::op:
        case expr_kind::constructor:
            break;
        case expr_kind::match:
            meet_match(e);
            break;
        case expr_kind::ref_create:
        case expr_kind::ref_read:
        case expr_kind::ref_write:
            at(e).met = true;
            for (std::size_t i = operands.size(); i-- > 0;) {
                later(step::bind, operands[i]);
                later(step::meet, operands[i]);
            }
            break;
        case expr_kind::function:
            meet_function(e);
            break;
        case expr_kind::let:
            meet_let(e, e);
            break;
        case expr_kind::conditional:
            at(e).met = true;
            for (const std::size_t branch : {2U, 1U}) {
                later(step::end_block, operands[branch]);
                later(step::meet, operands[branch]);
                later(step::begin_block, operands[branch], e);
            }
            later(step::bind, operands[0]);
            later(step::meet, operands[0]);
            break;
        case expr_kind::call:
        case expr_kind::tuple:
        case expr_kind::projection:
            std::size_t first = 0; // that has operands of its own which are to be met
            for (; first < operands.size(); ++first) {
                const expr_id o = operands[first];
                if (at(o).met || g_->kind(o) == expr_kind::op) continue;
                if (!always_inline(g_->kind(o))) break;
                meet(o); // which is none of these
            }
            if (first == operands.size()) {
                met(e);
                break;
            }
            later(step::met, e);
            for (std::size_t i = operands.size(); --i > first;)
                if (!at(operands[i]).met && g_->kind(operands[i]) != expr_kind::op) later(step::meet, operands[i]);
            return operands[first];
        }
        return expr_id::none;
    }

    void met(expr_id e) {
        if (std::exchange(at(e).met, true)) return;
        const auto operands = g_->operands(e);
        const std::size_t first = g_->kind(e) == expr_kind::call ? 1 : 0;
        for (std::size_t i = first; i < operands.size(); ++i) bind(operands[i]);
        if (first == 1) bind(operands[0]);
        if (const op_def* op = first == 1 ? g_->called_op(e) : nullptr; op != nullptr) {
            keeps_attributes_ = keeps_attributes_ || !op->kept_as.empty();
            for (std::size_t i = 0; i < op->repeated.size() && i + 1 < operands.size(); ++i)
                if (const expr_id said = operands[i + 1]; g_->kind(said) == expr_kind::constant)
                    number_constant(said); // literals have one only here
        }
    }

    void number_constant(expr_id e) {
        if (at(e).number != none) return;
        at(e).number = static_cast<std::uint32_t>(constants_.size());
        constants_.push_back(index(e));
    }

    void meet_function(expr_id e) {
        at(e).met = true;
        for (const expr_id p : g_->params(e)) {
            at(p).met = true;
            name_variable(p);
        }
        later(step::end_block, g_->body(e));
        later(step::meet, g_->body(e));
        later(step::begin_block, g_->body(e), e);
    }

    // The clauses' blocks are beside each other.
    void meet_match(expr_id e) {
        at(e).met = true;
        plain_vector<std::size_t> bodies{0};
        for_each_clause(*g_, e, [&](const match_clause& c) { bodies.push_back(c.body); });
        at(e).block = static_cast<std::uint32_t>(blocks_.size());
        for (std::size_t c = 1; c < bodies.size(); ++c) blocks_.push_back({.other = 0, .owner = e, .open = false});
        for (std::size_t c = bodies.size(); c-- > 1;) {
            const expr_id body = g_->operand(e, bodies[c]);
            later(step::end_block, body);
            later(step::meet, body);
            for (std::size_t i = bodies[c]; --i > bodies[c - 1];) later(step::name, g_->operand(e, i));
            later(step::begin_block, body, e);
        }
        later(step::bind, g_->operand(e, 0));
        later(step::meet, g_->operand(e, 0));
    }

    void meet_let(expr_id e, expr_id first) {
        at(e).met = true;
        at(g_->operand(e, 0)).met = true;
        name_variable(g_->operand(e, 0));
        later(step::let_value, e, first);
        later(step::meet, g_->operand(e, 1));
    }

    // A chain of lets is one block; what its first value needs stands before it.
    void end_let(expr_id e, expr_id first) {
        place(g_->operand(e, 1));
        if (e == first) begin_block(e);
        add_line(line_kind::let, e);
        settle(g_->operand(e, 1));
        const expr_id body = g_->operand(e, 2);
        if (g_->kind(body) == expr_kind::let && at(body).uses == 1) {
            later(step::let, body, first);
        } else {
            later(step::end_block, body);
            later(step::meet, body);
        }
    }

    void begin_block(expr_id owner) {
        if (g_->kind(owner) == expr_kind::match) {
            open_.push_back(at(owner).block + blocks_[at(owner).block].other++);
            blocks_[open_.back()].open = true;
            return;
        }
        const auto begun = static_cast<std::uint32_t>(blocks_.size());
        (at(owner).block == none ? at(owner).block : blocks_[at(owner).block].other) = begun;
        open_.push_back(begun);
        blocks_.push_back({.owner = owner});
    }

    void add_line(line_kind kind, expr_id e) {
        block_lines& block = blocks_[open_.back()];
        const auto added = static_cast<std::uint32_t>(lines_.size());
        lines_.push_back({kind, e});
        (block.last == none ? block.first : lines_[block.last].next) = added;
        block.last = added;
    }

    // An operand.
    void bind(expr_id e) {
        fact& f = at(e);
        if (f.home != none) {
            if (blocks_[f.home].open) return;
            blocks_share_ = true;
            if (bind_early_) stand_before(f.home);
        } else if (g_->kind(e) == expr_kind::variable) {
            if (f.free) {
                settle(e);
                f.free = false;
                add_line(line_kind::free_variable, e);
            }
        } else if (!always_inline(g_->kind(e))) {
            number_line(e);
        }
    }

    void number_line(expr_id e) {
        settle(e);
        at(e).number = numbers_++;
        add_line(line_kind::number, e);
    }

    // Notes that an expression is written in the innermost block that is open.
    void settle(expr_id e) {
        if (at(e).home == none && (!always_inline(g_->kind(e)) || at(e).free)) at(e).home = open_.back();
    }

    // Sees to it that a block stands before what is written next: is around it, or belongs to something that
    // is written already.
    void stand_before(std::uint32_t block) {
        std::uint32_t b = block;
        while (!blocks_[b].open) {
            if (blocks_[b].around == none) {
                const expr_id owner = blocks_[b].owner;
                const std::uint32_t first = at(owner).block;
                const bool clauses = g_->kind(owner) == expr_kind::match;
                const std::uint32_t second =
                    clauses ? first + blocks_[first].other - 1 : blocks_[first].other; // the clause that has begun last
                if (second != none && blocks_[second].open)
                    return; // in an if's second branch, behind the first; in a later clause
                if (at(owner).home == none) number_line(owner);
                blocks_[b].around = at(owner).home;
            }
            b = blocks_[b].around;
        }
        while (block != b) block = std::exchange(blocks_[block].around, b);
    }

    // A let's value or a block's result: written in place, if it is nothing's operand besides.
    void place(expr_id e) {
        if (g_->kind(e) == expr_kind::variable || at(e).uses > 1) bind(e);
    }

    void name_variable(expr_id e) {
        if (at(e).name != none) return;
        at(e).name = static_cast<std::uint32_t>(variables_.size());
        variables_.push_back(e);
    }

    const graph* g_;
    plain_vector<fact> facts_;              // by expression
    plain_vector<expr_id> variables_;       // as they are to be named
    std::vector<std::string> names_;        // of these
    plain_vector<std::uint32_t> constants_; // those that are to be numbered, as they are; then their numbers
    std::uint32_t numbers_ = 0;             // how many are given
    std::uint32_t first_number_ = 0;        // of the text's
    bool keeps_attributes_ = false;
    plain_vector<line> lines_;
    plain_vector<block_lines> blocks_;
    plain_vector<std::uint32_t> open_;
    plain_vector<task> tasks_;
    bool blocks_share_ = false; // something is used outside of the block where it is bound
    bool bind_early_ = false;
};

} // namespace tutti::relay::text
