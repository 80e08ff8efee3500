#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/parallel/large_pages.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/text/print/naming.hpp>
#include <tutti/relay/text/print/schedule.hpp>
#include <tutti/relay/text/print/text_writer.hpp>
#include <tutti/relay/text/print/values.hpp>
#include <tutti/relay/text/text_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Position of an expression in a text. The range covers the line without indentation and line end, and the blocks of
/// the expression. For a parameter, it covers the declaration.
struct printed_place {
    expr_id e;
    std::size_t begin, end;
};

/// Returns the source name of an expression as a comment, `/* conv1 */`, without characters that would end the comment.
inline std::string comment_of(std::string_view source_name) {
    std::string comment = "/* ";
    for (const char c : source_name)
        if (c != '*' && c != '\n' && c != '\r') comment += c;
    return comment += " */";
}

/// Returns the limit on the length of a graph's text. Indentation and type comments grow with the square of the nesting
/// depth. The limit is linear in the graph, so functions and tuples that are nested too deeply are refused.
constexpr std::size_t most_characters(const graph& g) {
    return (std::size_t{1} << 24) + (std::size_t{1} << 10) * g.size();
}

/// Writes one function as Relay text.
///
/// Cost:   linear in the text; no recursion.
/// Throws: `tutti::error` if the text is longer than `most_characters`.
class function_printer {
public:
    function_printer(const graph& g, naming& shared, const text_options& options, std::string& out)
        : g_(&g), shared_(&shared), options_(options), out_(out, out.size() + most_characters(g)) {}

    /// Writes `def @name(…) {…}`. Stores the positions of expressions in `places` unless it is null.
    void define(std::string_view name, expr_id root, plain_vector<printed_place>* places = nullptr) {
        schedule plan(*g_, root);
        plan.name_all(*shared_);
        define(name, root, plan, places);
    }
    /// Writes `def @name(…) {…}` with an existing layout. Requires: `plan.name_all` was called.
    void define(std::string_view name, expr_id root, const schedule& plan,
                plain_vector<printed_place>* places = nullptr) {
        places_ = places;
        out_.add("def @");
        out_.add(name);
        write(root, plan);
    }
    /// Writes a function without a name, `fn (…) {…}`.
    void literal(expr_id root) {
        schedule plan(*g_, root);
        plan.name_all(*shared_);
        is_literal_ = true;
        out_.add("fn ");
        write(root, plan);
    }

private:
    void write(expr_id root, const schedule& plan) {
        plan_ = &plan;
        head(root);
        open_.push_back({block_kind::function, root, plan.block(root), 1});
        const std::size_t begin = out_.size();
        std::size_t next_estimate = 1000;
        for (std::size_t lines = 0; !open_.empty(); ++lines) {
            if (lines == next_estimate) {
                reserve_for(plan.line_count(), lines, out_.size() - begin);
                next_estimate *= 12;
            }
            if (open_.back().line == schedule::none)
                end_block();
            else
                begin_line(open_.back());
        }
        out_.string();
        plan_ = nullptr;
    }

    using line_kind = schedule::line_kind;

    // A chain of lets is written in line, or in brackets if the chain is bound to a number.
    enum class block_kind : std::uint8_t { function, then, otherwise, clause, lets, bracketed_lets };

    struct open_block {
        block_kind kind;
        expr_id owner;
        std::uint32_t line; // index of the next line
        std::uint32_t depth;
        bool in_line = false;     // the next line has begun
        bool at_result = false;   // the line that has begun is the last
        std::uint32_t place = 0;  // index in `places_` of the line that has begun, if places are stored
        std::uint32_t clause = 0; // of a match: index of the next clause
        std::uint32_t value = 1;  // of a match: index of the next pattern in the list
        std::uint32_t bound = 1;  // of a match: index of the next operand, a pattern's variable or a clause's body
    };

    // Begins the next line. A call's line is written as one piece. The end of the piece stays in a register: if the
    // writer stored the end, each write would wait for the previous store.
    void begin_line(open_block& block) {
        char* to = out_.begin_piece();
        if (!std::exchange(block.in_line, false)) to = indent(block.depth, to);
        out_.end_piece(to);
        const schedule::line line = (*plan_)[block.line];
        block.line = line.next;
        block.at_result = line.kind == line_kind::result;
        if (places_ != nullptr) {
            block.place = static_cast<std::uint32_t>(places_->size());
            note_place(line.kind == line_kind::let ? g_->operand(line.e, 1) : line.e, out_.size());
        }
        switch (line.kind) {
        case line_kind::number:
            to = text_writer::copy(" = ", number(line.e, to));
            if (g_->kind(line.e) == expr_kind::call) return call(line.e, to);
            out_.end_piece(to);
            other_than_call(line.e);
            return;
        case line_kind::let:
            out_.add("let ");
            declare(g_->operand(line.e, 0));
            out_.add(" = ");
            place(g_->operand(line.e, 1));
            return;
        case line_kind::result:
            place(line.e);
            return;
        case line_kind::free_variable:
            out_.add("free_var ");
            declare(line.e);
            end_line();
        }
    }

    // Writes a block's result or a let's value.
    void place(expr_id e) {
        if (always_inline(g_->kind(e)) || plan_->number(e) != schedule::none) {
            reference(e);
            end_line();
        } else {
            expression(e);
        }
    }

    // Writes an expression and ends its line. If the expression has blocks, the line ends later, after the blocks.
    void expression(expr_id e) {
        if (g_->kind(e) != expr_kind::call) return other_than_call(e);
        call(e, out_.begin_piece());
    }
    void other_than_call(expr_id e) {
        switch (g_->kind(e)) {
        case expr_kind::projection:
            projection(e);
            break;
        case expr_kind::function:
            out_.add("fn ");
            head(e);
            open(block_kind::function, e);
            return;
        case expr_kind::conditional:
            out_.add("if (");
            reference(g_->operand(e, 0));
            out_.add(") {\n");
            open(block_kind::then, e);
            return;
        case expr_kind::match:
            out_.add(is_complete(*g_, e) ? "match (" : "match? (");
            reference(g_->operand(e, 0));
            out_.add(") {\n");
            begin_clauses(e);
            return;
        case expr_kind::ref_create:
            out_.add("ref(");
            references(g_->operands(e));
            out_.add(')');
            end_line();
            return;
        case expr_kind::ref_read:
        case expr_kind::ref_write:
            out_.add(to_string(g_->kind(e)));
            out_.add('(');
            references(g_->operands(e));
            out_.add(')');
            end_line();
            return;
        case expr_kind::let:
            if (plan_->number(e) == schedule::none) {
                open_.push_back({block_kind::lets, e, plan_->block(e), open_.back().depth, true});
            } else {
                out_.add("(\n");
                open(block_kind::bracketed_lets, e);
            }
            return;
        default:
            tuple(e);
        }
        type_comment(e);
        end_line();
    }

    void references(std::span<const expr_id> operands) { out_.end_piece(references(operands, out_.begin_piece())); }
    [[gnu::always_inline]] char* references(std::span<const expr_id> operands, char* to) {
        for (std::size_t i = 0; i < operands.size(); ++i) {
            if (i != 0) to = text_writer::copy(", ", to);
            to = reference(operands[i], to);
        }
        return to;
    }

    void begin_clauses(expr_id e) {
        const std::uint32_t depth = open_.back().depth;
        if (g_->attrs()[g_->patterns(e)].size() == 1) { // no patterns
            indent(depth + 1);
            out_.add('\n');
            indent(depth);
            out_.add('}');
            end_line();
            return;
        }
        open_.push_back({block_kind::clause, e, schedule::none, depth + 2});
        begin_clause(open_.back());
    }

    void begin_clause(open_block& block) {
        indent(block.depth - 1);
        pattern(block);
        out_.add(" => {\n");
        block.line = plan_->clause_block(block.owner, block.clause++);
    }

    // Writes the pattern of the next clause and advances `block` past the pattern.
    void pattern(open_block& block) {
        const auto all = g_->attrs()[g_->patterns(block.owner)];
        pattern_ends_.clear();
        do {
            const auto rest = all.subspan(block.value);
            block.value += static_cast<std::uint32_t>(pattern_head(rest));
            const pattern_kind kind = kind_of_pattern(rest);
            if (kind == pattern_kind::wildcard) out_.add('_');
            if (kind == pattern_kind::variable) declare(g_->operand(block.owner, block.bound++));
            if (kind == pattern_kind::constructor) out_.add(g_->strings()[rest[1].string()]);
            const std::size_t fields = pattern_fields(rest);
            if (fields != 0) {
                out_.add('(');
                pattern_ends_.push_back(static_cast<std::uint32_t>(fields));
                continue;
            }
            if (kind == pattern_kind::tuple) out_.add("()");
            while (!pattern_ends_.empty() && --pattern_ends_.back() == 0) {
                out_.add(')');
                pattern_ends_.pop_back();
            }
            if (!pattern_ends_.empty()) out_.add(", ");
        } while (!pattern_ends_.empty());
        ++block.bound; // skips the body
    }

    void open(block_kind kind, expr_id e) { open_.push_back({kind, e, plan_->block(e), open_.back().depth + 1}); }

    void end_line() { end_line(out_.begin_piece()); }
    void end_line(char* to) {
        const open_block& block = open_.back();
        out_.end_piece(to);
        if (places_ != nullptr) (*places_)[block.place].end = out_.size();
        if (!block.at_result) *to++ = ';';
        if (!block.at_result || block.kind != block_kind::lets) *to++ = '\n';
        out_.end_piece(to);
    }

    void end_block() {
        open_block& block = open_.back();
        if (block.kind != block_kind::lets) indent(block.depth - 1);
        switch (block.kind) {
        case block_kind::then:
            out_.add("} else {\n");
            block.kind = block_kind::otherwise;
            block.line = plan_->second_block(block.owner);
            return;
        case block_kind::clause:
            out_.add("},\n");
            if (block.value < g_->attrs()[g_->patterns(block.owner)].size()) return begin_clause(block);
            indent(block.depth - 2);
            out_.add('}');
            break;
        case block_kind::function:
            out_.add('}');
            if (open_.size() > 1 || is_literal_) type_comment(block.owner);
            break;
        case block_kind::otherwise:
            out_.add('}');
            break;
        case block_kind::bracketed_lets:
            out_.add(')');
            break;
        case block_kind::lets:
            break;
        }
        open_.pop_back();
        if (open_.empty())
            out_.add('\n');
        else
            end_line();
    }

    void projection(expr_id e) {
        reference(g_->operand(e, 0));
        out_.add('.');
        out_.add_number(g_->field(e));
    }

    // Writes a call and the remainder of its line.
    void call(expr_id e, char* to) {
        const auto operands = g_->operands(e);
        const op_def* const op = g_->called_op(e);
        to = op != nullptr ? out_.copy(op->name, to) : reference(operands[0], to);
        if (operands.size() > 1 || g_->kind(operands[0]) != expr_kind::constructor) {
            *to++ = '(';
            to = references(operands.subspan(1), to);
            if (op == nullptr || !op->attributes.empty()) {
                out_.end_piece(to);
                attributes_of_call(e, op, operands.size() == 1);
                to = out_.begin_piece();
            }
            *to++ = ')';
        }
        if (has_comment(e)) {
            out_.end_piece(to);
            comments(e);
            to = out_.begin_piece();
        }
        end_line(to);
    }

    void attributes_of_call(expr_id e, const op_def* op, bool first) {
        if (op == nullptr) return named_attributes(g_->call_attributes(e), first);
        repeated(e, *op);
        if (options_.metadata == nullptr || op->kept_as.empty())
            attributes(e, *op, first);
        else
            keep(e, *op, first);
    }

    // `meta[relay.attrs.ScanopAttrs][0]`
    void keep(expr_id e, const op_def& op, bool first) {
        if (!first) out_.add(", ");
        out_.add("meta[");
        out_.add(op.kept_as);
        out_.add("][");
        out_.add_number(shared_->keep({g_, &op, g_->call_attributes(e)}));
        out_.add(']');
    }

    // Writes attributes that repeat constant arguments.
    void repeated(expr_id e, const op_def& op) {
        for (std::size_t i = 0; i < op.repeated.size() && i < g_->arguments(e).size(); ++i) {
            const expr_id argument = g_->arguments(e)[i];
            if (g_->kind(argument) != expr_kind::constant) continue;
            out_.add(", ");
            out_.add(op.repeated[i]);
            out_.add('=');
            constant_reference(argument);
        }
    }

    void attributes(expr_id e, const op_def& op, bool first) {
        const attrs_id id = g_->call_attributes(e);
        const std::uint64_t printed = op.printed(*g_, id);
        std::span<const attr_value> rest = g_->attrs()[id];
        for (std::size_t i = 0; i < op.attributes.size() && !rest.empty(); ++i) {
            if ((printed >> i & 1) != 0) {
                if (!std::exchange(first, false)) out_.add(", ");
                out_.add(op.attributes[i].name);
                out_.add('=');
                omit(append_attribute(out_.string(), *g_, rest, wanted()));
            }
            rest = rest.subspan(extent(rest));
        }
    }

    // Writes attributes with their names, for functions and calls of functions.
    void named_attributes(attrs_id id, bool first) {
        std::span<const attr_value> rest = g_->attrs()[id];
        while (!rest.empty()) {
            if (rest.front().kind != attr_kind::string || rest.size() == 1)
                throw error("call of a function", "has attributes that do not alternate names and values");
            if (!std::exchange(first, false)) out_.add(", ");
            out_.add(g_->strings()[rest.front().string()]);
            out_.add('=');
            rest = rest.subspan(1);
            omit(append_attribute(out_.string(), *g_, rest, wanted()));
            rest = rest.subspan(extent(rest));
        }
    }

    void tuple(expr_id e) {
        const auto fields = g_->operands(e);
        out_.add('(');
        references(fields);
        out_.add(fields.size() == 1 ? ",)" : ")");
    }

    // Writes `[A](%x: T, Primitive=1) -> R {` and ends the line.
    void head(expr_id function) {
        if (const type_id params = g_->type_params(function); params != type_id::none) {
            out_.add('[');
            for (const type_id p : g_->types().fields(params)) {
                if (p != g_->types().fields(params).front()) out_.add(", ");
                out_.add(g_->types().name(p));
            }
            out_.add(']');
        }
        out_.add('(');
        bool first = true;
        for (const expr_id p : g_->params(function)) {
            if (!std::exchange(first, false)) out_.add(", ");
            declare(p);
        }
        named_attributes(g_->function_attributes(function), first);
        out_.add(')');
        if (g_->result_annotation(function) != type_id::none) {
            out_.add(" -> ");
            append_type(out_.string(), g_->result_annotation(function));
        }
        out_.add(" {\n");
    }

    // Declares a variable: `%x: T /* ty=T */`.
    void declare(expr_id variable) {
        const std::size_t begin = out_.size();
        reference(variable);
        if (g_->annotation(variable) != type_id::none) {
            out_.add(": ");
            append_type(out_.string(), g_->annotation(variable));
        }
        type_comment(variable);
        if (places_ != nullptr) note_place(variable, begin);
    }
    void note_place(expr_id e, std::size_t begin) { places_->push_back({e, begin, out_.size()}); }

    // Writes a reference to an expression, or the expression itself if it is always written in place.
    void reference(expr_id e) { out_.end_piece(reference(e, out_.begin_piece())); }
    [[gnu::always_inline]] char* reference(expr_id e, char* to) {
        const expr_kind kind = g_->kind(e);
        if (!always_inline(kind)) return out_.more(number(e, to));
        if (kind == expr_kind::variable) {
            *to++ = '%';
            return out_.more(out_.copy(plan_->name(e), to));
        }
        out_.end_piece(to);
        in_place(e);
        return out_.begin_piece();
    }
    [[gnu::always_inline]] char* number(expr_id e, char* to) const {
        *to++ = '%';
        return text_writer::copy(plan_->number(e), to);
    }
    [[gnu::noinline]] void in_place(expr_id e) {
        switch (g_->kind(e)) {
        case expr_kind::global:
            out_.add('@');
            [[fallthrough]];
        case expr_kind::constructor:
            out_.add(g_->global_name(e));
            break;
        case expr_kind::op:
            out_.add(g_->op_definition(e).name);
            break;
        default:
            constant(e);
        }
    }
    void constant(expr_id e) {
        const tensor& value = g_->constant_value(e);
        if (has_literal(value)) {
            omit(append_literal(out_.string(), value, wanted()) ? 0 : 1);
        } else {
            constant_reference(e);
        }
        type_comment(e);
    }
    void constant_reference(expr_id e) {
        out_.add("meta[relay.Constant][");
        out_.add_number(plan_->constant_number(e));
        out_.add(']');
    }

    void append_type(std::string& out, type_id type) const {
        if (relay::append_type(out, g_->types(), type)) return;
        std::string most = "types of at most " + std::to_string(max_type_text) + " characters";
        throw error("the type " + to_text(g_->types(), type), "is too long to be written", std::move(most));
    }

    bool has_comment(expr_id e) const { return g_->type(e) != type_id::none || options_.source_names; }
    void type_comment(expr_id e) {
        if (has_comment(e)) comments(e);
    }
    [[gnu::noinline]] void comments(expr_id e) {
        if (g_->type(e) != type_id::none && options_.type_comments) out_.add(type_note(g_->type(e)));
        if (options_.source_names) source_comment(e);
    }

    void source_comment(expr_id e) {
        const std::string_view name = g_->source_name(e);
        if (name.empty()) return;
        out_.add(' ');
        out_.add(comment_of(name));
    }

    struct note {
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    // Returns ` /* ty=T */`, which is built once per type.
    std::string_view type_note(type_id type) {
        if (notes_.empty()) notes_.resize(g_->types().size());
        note& known = notes_[index(type)];
        if (known.begin == known.end) known = make_note(type);
        return std::string_view(note_text_).substr(known.begin, known.end - known.begin);
    }
    [[gnu::noinline]] note make_note(type_id type) {
        const std::size_t begin = note_text_.size();
        note_text_ += " /* ty=";
        append_type(note_text_, type);
        note_text_ += " */";
        return {begin, note_text_.size()};
    }

    // Counts numbers written without all their digits.
    void omit(std::size_t numbers) const {
        if (options_.omitted != nullptr) options_.omitted->numbers += numbers;
    }

    digits wanted() const { return options_.metadata != nullptr && !options_.six_digits ? digits::all : digits::six; }

    // Reserves memory for the whole text, to avoid repeated copies: 5/4 of the average line so far, because numbers
    // grow, but at most the greater of 64 MiB and 15 times the size so far, because later lines may be shorter.
    void reserve_for(std::size_t all, std::size_t written, std::size_t characters) {
        if (all <= written) return;
        const std::size_t rest = characters / written * (all - written);
        std::string& text = out_.string();
        text.reserve(text.size() + std::min(rest + rest / 4, std::max(characters * 15, std::size_t{1} << 26)));
        ask_for_large_pages(text.data(), text.capacity());
    }

    // Indents up to a fixed depth, so that blanks do not dominate deeply nested texts.
    void indent(std::uint32_t depth) { out_.end_piece(indent(depth, out_.begin_piece())); }
    char* indent(std::uint32_t depth, char* to) {
        if (depth == 1) return text_writer::copy("  ", to);
        out_.end_piece(to);
        out_.add_blanks(2 * std::min<std::size_t>(depth, 100));
        return out_.begin_piece();
    }

    const graph* g_;
    naming* shared_;
    text_options options_;
    text_writer out_;
    const schedule* plan_ = nullptr;
    plain_vector<printed_place>* places_ = nullptr;
    bool is_literal_ = false;
    plain_vector<open_block> open_;
    plain_vector<std::uint32_t> pattern_ends_; // number of fields left in each open part of a pattern
    plain_vector<note> notes_;                 // indexed by type
    std::string note_text_;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
