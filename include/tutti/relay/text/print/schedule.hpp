#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/structure.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/text/print/naming.hpp>
#include <tutti/relay/text/print/values.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::text {

/// The lines of a function's text, and the names and numbers of its expressions.
///
/// An expression is visited (`meet`) after its operands, callee before arguments. Its operands are then *bound*,
/// arguments before callee: each unbound operand gets the next number and a line of its own, right before its first
/// user. The visit names variables, numbers constants, and lays out blocks (a function's body, an if's branches, a
/// match's clauses, a chain of lets). So the lines of a nested function have smaller numbers than lines before it.
///
/// An expression used by two blocks is bound at its first visit, and later text may refer to it. If earlier text would
/// refer to such an expression, the function is laid out again. In the second layout, the owner of a block gets a line
/// as soon as an expression of the block is used outside the block.
///
/// Cost:   linear in the graph, with the factor of union-find for expressions used by several blocks; no recursion.
/// Source: the reference's output, with `%N` and `%p01`, for 3,406 programs. None of them needs the second layout.
class schedule {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    /// A line binds a number, binds a let's variable, declares a free variable, or is its block's result.
    enum class line_kind : std::uint8_t { number, let, free_variable, result };

    struct line {
        line_kind kind;
        expr_id e;
        std::uint32_t next = none;
    };

    /// Lays out the function. `name_all` adds names and numbers that depend on the whole text. Throws like
    /// `check_well_formed`.
    schedule(const graph& g, expr_id root) : g_(&g), root_(root), numbers_(g.size(), none) {
        gradual_check check(g, root);
        if (g.kind(root) == expr_kind::function && lay_out_by_id(check)) return;
        check.check_from(expr_id{0});
        check.check_function(root);
        lay_out();
        if (!blocks_share_ || in_order()) return;
        bind_early_ = true;
        lay_out();
    }

    /// Takes the next names and numbers of a text. Requires: called once per function, in the text's order.
    void name_all(naming& shared) {
        first_number_ = shared.take_numbers(numbered_);
        names_.reserve(variables_.size());
        for (const expr_id v : variables_) names_.push_back(shared.next_name(g_->variable_name(v)));
        for (std::uint32_t& place : constants_)
            place = shared.number_of(g_->constant_value(expr_id{place})); // until now, `place` was the constant's id
    }

    line operator[](std::uint32_t place) const {
        if (one_block_.empty()) return lines_[place];
        if (place + 1 == one_block_.size()) return {line_kind::result, one_block_[place]};
        return {line_kind::number, one_block_[place], place + 1};
    }
    std::size_t line_count() const { return one_block_.empty() ? lines_.size() : one_block_.size(); }
    /// Returns the first line of a function's body, of the chain of lets that `e` begins, or of an if's first branch.
    std::uint32_t block(expr_id e) const { return one_block_.empty() ? blocks_[first_block(e)].first : 0; }
    /// Returns the first line of an if's second branch.
    std::uint32_t second_block(expr_id conditional) const {
        return blocks_[blocks_[first_block(conditional)].other].first;
    }

    /// Returns the first line of a match's clause. Requires: the clause exists.
    std::uint32_t clause_block(expr_id match, std::uint32_t clause) const {
        return blocks_[first_block(match) + clause].first;
    }

    /// Returns the number that an expression is bound to, or `none`.
    std::uint32_t number(expr_id e) const {
        const std::uint32_t own = numbers_[index(e)];
        return own == none ? none : first_number_ + own;
    }
    std::uint32_t constant_number(expr_id constant) const { return constants_[numbers_[index(constant)]]; }
    /// True if an operator's attributes belong in the metadata section of a text that has one.
    bool keeps_attributes() const { return keeps_attributes_; }
    const std::string& name(expr_id variable) const { return names_[numbers_[index(variable)]]; }

private:
    // Kinds of tasks: visit an expression before or after its operands; bind an operand; name a pattern's variable;
    // begin or end a block; visit a let before or after its value.
    enum class step : std::uint8_t { meet, met, bind, name, begin_block, end_block, let, let_value };

    struct task {
        step what;
        expr_id e;
        expr_id of = expr_id::none; // the owner of a block, or the first let of a chain
    };

    // The home of an expression is a block or one of these values.
    static constexpr std::uint32_t unmet = none;
    static constexpr std::uint32_t unbound = none - 1;  // visited; will get a line when it is bound
    static constexpr std::uint32_t anywhere = none - 2; // visited; has no line
    static constexpr std::uint32_t most_blocks = none - 3;

    struct block_lines {
        std::uint32_t first = none;
        std::uint32_t last = none;
        std::uint32_t other = none;  // an if's second branch; for a match's first clause, the number of clauses begun
        std::uint32_t around = none; // an enclosing block, direct or indirect
        expr_id owner = expr_id::none;
        bool open = true;
    };

    void start_again() {
        numbered_ = 0;
        for (std::uint32_t i = 0; i < numbers_.size(); ++i)
            if (!always_inline(g_->kind(expr_id{i}))) numbers_[i] = none; // variables and constants keep their numbers
        homes_.assign(numbers_.size(), unmet);
        one_block_ = {};
        lines_.clear();
        lines_.reserve(numbers_.size());
        blocks_.clear();
        block_of_.clear();
        open_.clear();
        tasks_.clear();
    }

    // Begins the function's own block.
    void begin_function() {
        meet_function(root_);
        begin_block(tasks_.back().of);
        tasks_.pop_back();
    }

    // Lays out a function of one block and checks each expression. Returns true if the order of ids equals the order
    // of visits from the result, which is common. The lines are then in the order of binding, and no search is needed.
    // If the function returns false, the layout is meaningless.
    //
    // The orders agree if, for each expression, the operands without an earlier user are the last expressions visited,
    // in order, and every other operand is a duplicate, or its visit began no later than the visits of these operands.
    bool lay_out_by_id(gradual_check& check) {
        struct part {
            expr_id e;
            std::uint32_t begin; // the first expression visited for `e`
        };
        for (const expr_id p : g_->params(root_)) name_variable(p);
        // Indexed by expression. `begins` holds the first expression visited for it, or none if written in place.
        std::uint32_t* const numbers = numbers_.data();
        plain_vector<std::uint32_t> all_begins(index(root_), none);
        std::uint32_t* const begins = all_begins.data();
        plain_vector<part> parts; // expressions without users so far; memory past the end is untouched
        part* const bottom = parts.extend(index(root_) + 1);
        part* last = bottom;
        expr_id* const lines = one_block_.extend(index(root_) + 1);
        const auto calls = check.calls();
        std::uint32_t bound = 0;
        for (std::uint32_t i = 0; i < index(root_); ++i) {
            const expr_id e{i};
            const expr_kind kind = g_->kind(e);
            const auto operands = kind == expr_kind::call ? calls.operands(e) : check.operands(e);
            if (kind == expr_kind::call) [[likely]] {
                if (operands.empty()) return false;
            } else if (always_inline(kind)) {
                if (kind == expr_kind::variable && numbers[i] == none) return false;
                if (kind == expr_kind::constant && !has_literal(g_->constant_value(e))) return false;
                if (kind == expr_kind::op) note_op(e);
                continue;
            } else if (!has_operands_only(kind)) {
                return false;
            }
            std::uint32_t begin = i;
            std::size_t to_bind = 0;
            for (std::size_t k = operands.size(); k-- > 0;) {
                const std::uint32_t o = index(operands[k]);
                if (o >= i) return false;
                if (begins[o] == none) continue;
                if (numbers[o] == none) ++to_bind;
                if (last != bottom && last[-1].e == operands[k])
                    begin = (--last)->begin;
                else if (numbers[o] == none ? begins[o] != begin : begins[o] > begin)
                    return false; // otherwise `o` is also a later operand, or has a line
            }
            begins[i] = begin;
            *last++ = {e, begin};
            const std::size_t first = kind == expr_kind::call ? 1 : 0; // the callee is bound last
            for (std::size_t k = first; to_bind != 0 && k != operands.size() + first; ++k) {
                const expr_id o = operands[k == operands.size() ? 0 : k];
                if (begins[index(o)] == none || numbers[index(o)] != none) continue;
                --to_bind;
                numbers[index(o)] = bound;
                lines[bound++] = o;
            }
            if (repeats_constants_ && first != 0) number_repeated(e);
        }
        if (last != bottom + 1 || bottom->e != g_->body(root_)) return false;
        check.check_from(root_);
        numbered_ = bound;
        lines[bound++] = bottom->e;
        one_block_.shorten(bound);
        return true;
    }

    void lay_out() {
        start_again();
        begin_function();
        while (!tasks_.empty()) {
            const task t = tasks_.back();
            tasks_.pop_back();
            perform(t);
        }
    }

    // True if each line precedes the uses of its number in the function's text.
    bool in_order() const {
        plain_vector<char> written(numbers_.size(), 0);
        struct item {
            std::uint32_t place; // index of a line
            bool done;           // the line's contents are written
        };
        plain_vector<item> todo;
        todo.push_back({block(root_), false});
        const auto known = [&](expr_id e) { return home_of(e) > most_blocks || written[index(e)] != 0; };
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
            if (l.kind != line_kind::number && !always_inline(g_->kind(e)) && numbers_[index(e)] != none) {
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

    std::uint32_t& home_of(expr_id e) { return homes_[index(e)]; }
    std::uint32_t home_of(expr_id e) const { return homes_[index(e)]; }
    std::uint32_t& number_of(expr_id e) { return numbers_[index(e)]; }

    void later(step what, expr_id e, expr_id of = expr_id::none) { tasks_.push_back({what, e, of}); }

    void perform(const task& t) {
        switch (t.what) {
        case step::meet:
            if (home_of(t.e) == unmet) meet(t.e);
            break;
        case step::met:
            met(t.e);
            break;
        case step::bind:
            bind(t.e, open_.back());
            break;
        case step::name:
            declare(t.e);
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

    // Visits an expression. Tasks run in reverse, so they are pushed from the last to the first.
    void meet(expr_id e) {
        while (has_operands_only(g_->kind(e))) {
            const auto operands = g_->operands(e);
            std::size_t first = 0; // the operand to visit next
            while (first != operands.size() && !is_to_be_met(operands[first])) ++first;
            if (first == operands.size()) return met(e);
            later(step::met, e);
            for (std::size_t i = operands.size(); --i > first;)
                if (home_of(operands[i]) == unmet) later(step::meet, operands[i]);
            e = operands[first];
        }
        begin(e);
    }

    // True if an operand must be visited by a task. An operand that is written in place is visited immediately.
    bool is_to_be_met(expr_id operand) {
        if (home_of(operand) != unmet) return false;
        if (!always_inline(g_->kind(operand))) return true;
        begin(operand);
        return false;
    }

    // Visits an expression that is not written as its operands alone.
    [[gnu::noinline]] void begin(expr_id e) {
        const auto operands = g_->operands(e);
        switch (g_->kind(e)) {
        case expr_kind::variable: // free and not declared so far
            home_of(e) = unbound;
            name_variable(e);
            break;
        case expr_kind::constant:
            home_of(e) = anywhere;
            if (!has_literal(g_->constant_value(e))) number_constant(e);
            break;
        case expr_kind::op:
            home_of(e) = anywhere;
            note_op(e);
            break;
        case expr_kind::global:
        case expr_kind::constructor:
            home_of(e) = anywhere;
            break;
        case expr_kind::match:
            meet_match(e);
            break;
        case expr_kind::ref_create:
        case expr_kind::ref_read:
        case expr_kind::ref_write:
            home_of(e) = unbound;
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
            home_of(e) = unbound;
            for (const std::size_t branch : {2U, 1U}) {
                later(step::end_block, operands[branch]);
                later(step::meet, operands[branch]);
                later(step::begin_block, operands[branch], e);
            }
            later(step::bind, operands[0]);
            later(step::meet, operands[0]);
            break;
        default:
            break;
        }
    }

    void note_op(expr_id e) {
        keeps_attributes_ = keeps_attributes_ || !g_->op_definition(e).kept_as.empty();
        repeats_constants_ = repeats_constants_ || !g_->op_definition(e).repeated.empty();
    }

    // Binds the operands, a call's arguments before its callee. All operands have been visited by now.
    void met(expr_id e) {
        home_of(e) = unbound;
        const auto operands = g_->operands(e);
        const std::uint32_t here = open_.back();
        const std::size_t first = g_->kind(e) == expr_kind::call ? 1 : 0;
        for (const expr_id o : operands.subspan(first)) bind(o, here);
        if (first == 0) return;
        bind(operands[0], here);
        if (repeats_constants_) number_repeated(e);
    }

    // Numbers the constants that attributes repeat. Literals get numbers only here.
    [[gnu::noinline]] void number_repeated(expr_id call) {
        const op_def* const op = g_->called_op(call);
        const auto arguments = g_->arguments(call);
        for (std::size_t i = 0; op != nullptr && i < op->repeated.size() && i < arguments.size(); ++i)
            if (g_->kind(arguments[i]) == expr_kind::constant) number_constant(arguments[i]);
    }

    void number_constant(expr_id e) {
        if (number_of(e) != none) return;
        number_of(e) = static_cast<std::uint32_t>(constants_.size());
        constants_.push_back(index(e));
    }

    void meet_function(expr_id e) {
        home_of(e) = unbound;
        for (const expr_id p : g_->params(e)) declare(p);
        later(step::end_block, g_->body(e));
        later(step::meet, g_->body(e));
        later(step::begin_block, g_->body(e), e);
    }

    // The blocks of all clauses are adjacent in `blocks_`.
    void meet_match(expr_id e) {
        home_of(e) = unbound;
        plain_vector<std::size_t> bodies{0};
        for_each_clause(*g_, e, [&](const match_clause& c) { bodies.push_back(c.body); });
        block_of(e) = static_cast<std::uint32_t>(blocks_.size());
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
        home_of(e) = unbound;
        declare(g_->operand(e, 0));
        later(step::let_value, e, first);
        later(step::meet, g_->operand(e, 1));
    }

    // A chain of lets is one block. Operands of the chain's first value are bound before the block.
    void end_let(expr_id e, expr_id first) {
        place(g_->operand(e, 1));
        if (e == first) begin_block(e);
        add_line(line_kind::let, e);
        settle(g_->operand(e, 1));
        const expr_id body = g_->operand(e, 2);
        if (g_->kind(body) == expr_kind::let && uses(body) == 1) {
            later(step::let, body, first);
        } else {
            later(step::end_block, body);
            later(step::meet, body);
        }
    }

    void begin_block(expr_id owner) {
        if (g_->kind(owner) == expr_kind::match) {
            open_.push_back(first_block(owner) + blocks_[first_block(owner)].other++);
            blocks_[open_.back()].open = true;
            return;
        }
        const auto begun = static_cast<std::uint32_t>(blocks_.size());
        if (owner != root_) {
            std::uint32_t& first = block_of(owner);
            (first == none ? first : blocks_[first].other) = begun;
        }
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

    // Binds an operand in the innermost open block.
    void bind(expr_id e, std::uint32_t here) {
        const std::uint32_t home = home_of(e);
        if (home == anywhere || home == here) return;
        if (home <= most_blocks)
            share(home);
        else
            own_line(g_->kind(e) == expr_kind::variable ? line_kind::free_variable : line_kind::number, e);
    }

    // Records a use of an expression that is bound in `block`.
    [[gnu::noinline]] void share(std::uint32_t block) {
        if (blocks_[block].open) return;
        blocks_share_ = true;
        if (bind_early_) stand_before(block);
    }

    void own_line(line_kind kind, expr_id e) {
        if (kind == line_kind::number) number_of(e) = numbered_++;
        home_of(e) = open_.back();
        add_line(kind, e);
    }

    // Records that an expression is written in the innermost open block.
    void settle(expr_id e) {
        if (home_of(e) == unbound) home_of(e) = open_.back();
    }

    // Makes a block start before the next text: either the block encloses that text, or the block's owner gets a line.
    void stand_before(std::uint32_t block) {
        std::uint32_t b = block;
        while (!blocks_[b].open) {
            if (blocks_[b].around == none) {
                const expr_id owner = blocks_[b].owner;
                const std::uint32_t first = first_block(owner);
                const bool clauses = g_->kind(owner) == expr_kind::match;
                const std::uint32_t second = clauses ? first + blocks_[first].other - 1
                                                     : blocks_[first].other; // the latest clause that has begun
                if (second != none && blocks_[second].open)
                    return; // the next text is in the second branch or a later clause, so it follows the block
                if (home_of(owner) > most_blocks) own_line(line_kind::number, owner);
                blocks_[b].around = home_of(owner);
            }
            b = blocks_[b].around;
        }
        while (block != b) block = std::exchange(blocks_[block].around, b);
    }

    // Leaves a let's value or a block's result in place if nothing else uses it, and binds it otherwise. Once no task
    // is left, all other users have bound the value.
    void place(expr_id e) {
        if (g_->kind(e) == expr_kind::variable || home_of(e) <= most_blocks || (!tasks_.empty() && uses(e) > 1))
            bind(e, open_.back());
    }

    // Declares a bound variable.
    void declare(expr_id variable) {
        if (home_of(variable) == unmet) home_of(variable) = anywhere;
        name_variable(variable);
    }

    // Returns an expression's number of uses. The first call counts the uses of all expressions; functions of one block
    // need no count.
    std::uint32_t uses(expr_id e) {
        if (uses_.empty()) {
            uses_.resize(numbers_.size());
            for (std::uint32_t i = index(root_) + 1; i-- > 0;) // users have greater ids than their operands
                if (i == index(root_) || uses_[i] != 0)
                    for (const expr_id o : g_->operands(expr_id{i})) ++uses_[index(o)];
        }
        return uses_[index(e)];
    }

    // Returns a reference to the index of an expression's first block.
    std::uint32_t& block_of(expr_id e) {
        if (block_of_.empty()) block_of_.resize(numbers_.size(), none);
        return block_of_[index(e)];
    }
    // The function's own block is the first of all.
    std::uint32_t first_block(expr_id e) const { return e == root_ ? 0 : block_of_[index(e)]; }

    void name_variable(expr_id e) {
        if (number_of(e) != none) return;
        number_of(e) = static_cast<std::uint32_t>(variables_.size());
        variables_.push_back(e);
    }

    const graph* g_;
    expr_id root_;
    // Indexed by expression: its number; a variable's index in `names_`; a constant's index in `constants_`; else none.
    plain_vector<std::uint32_t> numbers_;
    plain_vector<std::uint32_t> homes_;     // indexed by expression: its home; empty if there is one block
    plain_vector<std::uint32_t> uses_;      // indexed by expression; empty until counted
    plain_vector<std::uint32_t> block_of_;  // indexed by expression; empty if the function has no other block
    plain_vector<expr_id> variables_;       // in the order of naming
    vector<std::string> names_;             // of `variables_`
    plain_vector<std::uint32_t> constants_; // at first the constants' ids in numbering order, later their numbers
    std::uint32_t numbered_ = 0;            // count of assigned numbers
    std::uint32_t first_number_ = 0;        // the function's first number in the text
    bool keeps_attributes_ = false;
    bool repeats_constants_ = false;  // some operator repeats arguments as attributes
    plain_vector<expr_id> one_block_; // the lines, with the result last, if there is one block; else empty
    plain_vector<line> lines_;
    plain_vector<block_lines> blocks_;
    plain_vector<std::uint32_t> open_;
    plain_vector<task> tasks_;
    bool blocks_share_ = false; // an expression is used outside of the block that binds it
    bool bind_early_ = false;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
