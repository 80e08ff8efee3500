#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/parse/characters.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/declared_names.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse/expression_parser.hpp>
#include <tutti/relay/text/parse/frame.hpp>
#include <tutti/relay/text/parse/number_reader.hpp>
#include <tutti/relay/text/parse/plain_line.hpp>
#include <tutti/relay/text/parse/recovery.hpp>
#include <tutti/relay/text/parse/syntax_error.hpp>
#include <tutti/relay/text/parse_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Parses functions, one at a time.
///
/// Open constructs (a call while its arguments are read, a block, a let) are frames on an explicit stack, so nothing
/// recurses. Errors are reported. If it is clear how to continue, a placeholder replaces the faulty construct.
/// Otherwise, the remainder of the statement is skipped.
///
/// Cost: linear in the text.
class function_parser : expression_parser {
public:
    function_parser(cursor& text, std::string_view all, const parse_options& options, declarations& known,
                    diagnostic_list& found)
        : expression_parser(text, all, options, known, found) {}

    /// Parses the text after a function's name: `(%x: T) -> R {…}`. Returns a function only if it has no errors.
    /// Throws: `syntax_error` if the function's head or the remainder of the text cannot be read.
    function definition(const place& at) {
        clear();
        frame f{.kind = frame_kind::definition, .at = at};
        function_head(f);
        return run(f);
    }

    /// Parses an expression that is the whole text: a function, or a body whose free variables become parameters.
    function program(const place& at) {
        clear();
        return run({.kind = frame_kind::program, .at = at});
    }

private:
    void clear() {
        expression_parser::clear();
        free_.clear();
    }

    // Reserves memory for the remainder of the function, so that large functions are not copied repeatedly. The
    // remainder's size is estimated from the part that has been read.
    void make_room() {
        const std::size_t now = graph_.size();
        if (now < next_room_) return;
        const std::size_t left = in_->rest().size();
        const std::size_t read = text_left_ - left; // not zero: expressions have been read
        const std::size_t more = (now - begun_) * std::min(left, read * 15) / read;
        graph_.reserve_for(now + more, now);
        references_.expect(more);
        next_room_ = now + (now - begun_) * 11;
    }

    function run(const frame& outermost) {
        begun_ = graph_.size(); // including parameters
        next_room_ = begun_ + 1000;
        text_left_ = in_->rest().size();
        frames_.push_back(outermost);
        step_ = step::item;
        while (!frames_.empty()) {
            try {
                while (!frames_.empty()) advance();
            } catch (const syntax_error& e) {
                found_->add(e.at, e.problem, e.expected);
                recover();
            } catch (const skipped&) {
                recover();
            }
        }
        if (graph_.has_much_room()) return {graph_, value_}; // the copy has no spare memory
        return {std::move(graph_), value_};
    }

    void advance() {
        switch (step_) {
        case step::item:
            return item();
        case step::operand:
            return operand();
        case step::after:
            return after();
        }
    }

    // Reads a line of a block, or the text after an opening bracket, which may turn out to be a block.
    void item() {
        do {
            make_room();
            in_->skip_blank();
        } while (plain());
        if (step_ == step::after) return;
        const place at = in_->here();
        if (in_->peek() == '%' && is_kind(in_->peek(1), digit)) {
            in_->pass(1);
            const std::uint32_t number = in_->ordinal();
            in_->skip_blank();
            if (in_->peek() != '=' || in_->peek(1) == '=') return numbered(number, at);
            in_->pass(1);
            begin_block();
            references_.check_definition(number, at);
            push({.kind = frame_kind::number_value, .number = number, .at = at});
            operand();
        } else if (in_->peek() == 'l' && in_->take_word("let")) {
            begin_block();
            let(at);
        } else if (in_->peek() == 'f' && in_->take_word("free_var")) {
            begin_block();
            free_.push_back(declarations_.variable(graph_, scope_kind::whole));
            end_of_line();
        } else {
            operand();
        }
    }

    // Reads a plain line. Reads nothing if the line is not plain or has an error. True if another line may follow.
    bool plain() {
        if (in_->peek() != '%' || !plain_line_reader(in_->rest()).read(line_)) return false;
        const op_def* const op = calls_.find(line_.op, options_->operators);
        if (op == nullptr || op->arguments.size() != line_.count || known_->constructors.has(line_.op)) return false;
        if (line_.count > limits_->operands || frames_.size() + 2 > limits_->nesting) return false;
        if (frames_.back().kind == frame_kind::brackets || references_.find(line_.number) != expr_id::none)
            return false;
        expr_id arguments[plain_line::most_arguments];
        for (std::size_t i = 0; i < line_.count; ++i) {
            const plain_line::argument& a = line_.arguments[i];
            arguments[i] = a.name.empty() ? references_.find(a.number) : scopes_.find(a.name);
            if (arguments[i] == expr_id::none) return false;
        }
        if (!op->attributes.empty() && !calls_.has_defaults(*op)) return false;
        const place at = in_->here();
        start_ = in_->here(static_cast<std::size_t>(line_.op.data() - in_->rest().data()));
        const attrs_id attributes = calls_.no_attributes(graph_, *op, start_);
        made(graph_.call(calls_.use(graph_, *op), {arguments, line_.count}, attributes));
        in_->pass(line_.length);
        if (line_.ends) {
            references_.define(line_.number, value_);
        } else {
            push({.kind = frame_kind::number_value, .number = line_.number, .at = at});
            step_ = step::after;
        }
        return line_.ends;
    }

    // Turns open brackets into a block, because their content begins like a block.
    void begin_block() {
        if (frames_.back().kind == frame_kind::brackets) frames_.back().kind = frame_kind::bracketed;
    }

    void let(const place& at) {
        const expr_id variable = declarations_.variable(graph_, scope_kind::block);
        if (!in_->take('=')) in_->unexpected("`=`");
        push({.kind = frame_kind::let_value, .e = variable, .at = at});
        step_ = step::operand;
    }

    // Reads the start of an expression.
    void operand() {
        in_->skip_blank();
        start_ = in_->here();
        step_ = step::after;
        const char c = in_->peek();
        if (c == '%') {
            in_->pass(1);
            value_ = named(start_);
        } else if (is_kind(c, letter) && !in_->at_number()) {
            word();
        } else if (c == '(') {
            in_->pass(1);
            if (in_->take(')')) return made(graph_.tuple({}));
            push(block(frame_kind::brackets));
            step_ = step::item;
        } else if (in_->at_number()) {
            const number_text n = in_->number();
            made(graph_.constant(read_constant(n, start_)));
        } else if (c == '@') {
            in_->pass(1);
            made(references_.global(graph_));
        } else if (c == '{') {
            in_->pass(1);
            push(block(frame_kind::braces));
            step_ = step::item;
        } else {
            in_->unexpected("an expression");
        }
    }

    // Reads the number or name after `%`.
    expr_id named(const place& at) {
        return is_kind(in_->peek(), digit) ? references_.numbered(graph_, in_->ordinal(), at)
                                           : references_.variable(graph_, at);
    }

    void word() {
        const std::string_view name = in_->dotted_name();
        if (known_->constructors.has(name))
            constructor(name);
        else if (const op_def* const op = calls_.find(name, options_->operators); op != nullptr)
            called(calls_.use(graph_, *op));
        else if (name == "fn")
            literal();
        else if (name == "if")
            conditional();
        else if (name == "let")
            let_chain();
        else if (name == "match")
            match();
        else if (name == "ref" || name == "ref_read" || name == "ref_write")
            reference(name);
        else if (name == "meta")
            constant();
        else if (name == "True" || name == "False")
            made(graph_.constant(tensor::scalar(name == "True")));
        else
            unknown(name);
    }

    // Begins a call of an operator if arguments follow the operator's name, as they usually do.
    void called(expr_id op) {
        value_ = op;
        if (in_->peek() == '(') begin_call();
    }

    void begin_call() {
        in_->pass(1);
        push({.kind = frame_kind::call, .e = value_, .values = height(values_), .at = start_});
        if (in_->take(')'))
            end_call();
        else
            argument();
    }

    void literal() {
        frame f = block(frame_kind::literal);
        function_head(f);
        push(f);
        step_ = step::item;
    }

    void conditional() {
        if (!in_->take('(')) in_->unexpected("`(` and the condition");
        push(block(frame_kind::condition));
        step_ = step::operand;
    }

    void let_chain() {
        const place at = start_;
        push(block(frame_kind::chain));
        let(at);
    }

    void constant() {
        const expr_id e = references_.constant(graph_, start_);
        if (e == expr_id::none)
            value_ = harmless();
        else
            made(e);
    }

    void function_head(frame& f) {
        f.mark = static_cast<std::uint32_t>(scopes_.mark());
        const auto [result, attributes, type_params] = declarations_.function(graph_, values_);
        f.result = result;
        f.attributes = attributes;
        f.type_params = type_params;
        check_count(values_.size() - f.values, f.at);
    }

    // Reads the text after an expression.
    void after() {
        if (in_->take_type_comment()) {
            const type_id type = declarations_.noted_type(graph_);
            if (graph_.kind(value_) != expr_kind::op) graph_.set_type(value_, type);
            in_->skip_blank();
        }
        switch (in_->peek()) {
        case '(':
            begin_call();
            break;
        case '.': {
            in_->pass(1);
            const std::uint32_t field = in_->ordinal();
            if (field == cursor::none) in_->unexpected("the number of a field");
            made(graph_.projection(value_, field));
            break;
        }
        default:
            complete();
        }
    }

    // Passes a complete expression to the construct around it.
    void complete() {
        if ((is_kind(in_->peek(), sign) || frames_.back().kind == frame_kind::infix) && infix_follows()) return;
        frame& f = frames_.back();
        switch (f.kind) {
        case frame_kind::call:
            values_.push_back(value_);
            if (in_->take(','))
                argument();
            else if (in_->take(')'))
                end_call();
            else
                not_followed_by("`,` or `)`");
            break;
        case frame_kind::brackets:
            bracket(f);
            break;
        case frame_kind::condition:
            if (!in_->take(')')) in_->unexpected("`)`");
            if (!in_->take('{')) in_->unexpected("`{`");
            values_.push_back(value_);
            begin_branch(f, frame_kind::then);
            break;
        case frame_kind::match_data:
            if (!in_->take('{')) in_->unexpected("`{` and the clauses");
            values_.push_back(value_);
            f.kind = frame_kind::match;
            clause();
            break;
        case frame_kind::match: // after an invalid clause
            in_->take(',');
            clause();
            break;
        case frame_kind::reference:
            end_reference(f);
            break;
        case frame_kind::let_value:
            end_of_line();
            lets_.push_back({f.e, value_, f.at.where});
            frames_.pop_back();
            step_ = step::item;
            break;
        case frame_kind::number_value:
            end_of_line();
            references_.define(f.number, value_);
            frames_.pop_back();
            step_ = step::item;
            break;
        default:
            end_block(f);
        }
    }

    // Reads the `,` or `)` after an expression in brackets.
    void bracket(frame& f) {
        const bool comma = in_->take(',');
        const bool closed = in_->take(')');
        if (!comma && !closed) not_followed_by("`,` or `)`");
        f.comma = f.comma || comma;
        if (f.comma) values_.push_back(value_);
        step_ = closed ? step::after : step::operand;
        if (!closed) return;
        start_ = f.at;
        if (f.comma) made(graph_.tuple(operands(f)));
        leave(f);
    }

    void begin_branch(frame& f, frame_kind branch) {
        f.kind = branch;
        f.mark = static_cast<std::uint32_t>(scopes_.mark());
        f.lets = height(lets_);
        step_ = step::item;
    }

    void end_block(frame& f) {
        if (!close(f.kind)) return;
        for (; lets_.size() > f.lets; lets_.pop_back()) {
            const open_let& l = lets_.back();
            value_ = graph_.let(l.variable, l.value, value_);
            graph_.set_location(value_, l.where);
        }
        scopes_.leave(f.mark);
        start_ = f.at;
        step_ = step::after;
        switch (f.kind) {
        case frame_kind::program:
            if (graph_.kind(value_) != expr_kind::function || !free_.empty())
                made(graph_.function(free_.all(), value_));
            break;
        case frame_kind::definition:
        case frame_kind::literal:
            made(graph_.function(operands(f), value_, f.result, f.attributes, f.type_params));
            declarations_.leave(graph_, f.type_params);
            break;
        case frame_kind::clause: {
            frames_.pop_back();
            values_.push_back(value_);
            if (!in_->take(',') && in_->peek() != '}') not_followed_by("`,` or `}`");
            return clause();
        }
        case frame_kind::then:
            values_.push_back(value_);
            f.kind = frame_kind::condition; // not a block until the else block begins
            if (!in_->take_word("else")) in_->unexpected("`else {`");
            if (!in_->take('{')) in_->unexpected("`{`");
            return begin_branch(f, frame_kind::otherwise);
        case frame_kind::otherwise:
            made(graph_.conditional(values_[f.values], values_[f.values + 1], value_));
            break;
        default:
            break;
        }
        leave(f);
    }

    // Skips the end of a block. False if another line follows, which leaves the last value unused.
    bool close(frame_kind kind) {
        in_->skip_blank();
        if (kind == frame_kind::chain) return true;
        if (in_->peek() == ';' && sequence(kind)) return false;
        if (kind == frame_kind::clause) return true;
        if (kind == frame_kind::program) {
            if (!in_->at_end() && !in_->rest().starts_with("#[metadata]"))
                in_->unexpected("the end of the expression, which is the whole text");
            return true;
        }
        const char closing = kind == frame_kind::bracketed ? ')' : '}';
        if (in_->take(closing)) return true;
        const std::string expected = '`' + std::string(1, closing) + '`';
        if (in_->peek() != ';') not_followed_by(expected);
        found_->add(in_->here(), "unexpected `;` after a block's result", expected);
        in_->pass(1);
        if (!in_->take(closing)) throw skipped{};
        return true;
    }

    // Reads `a; b` as a let of an unused variable. False if the block ends after the `;`.
    bool sequence(frame_kind kind) {
        const cursor before = *in_;
        in_->pass(1);
        in_->skip_blank();
        const char c = in_->peek();
        if (in_->at_end() || c == '}' || c == ')' || (c == ';' && kind != frame_kind::clause)) {
            *in_ = before;
            return false;
        }
        const expr_id variable = graph_.variable("");
        graph_.set_location(variable, start_.where);
        lets_.push_back({variable, value_, start_.where});
        step_ = step::item;
        return true;
    }

    // Skips the `;` after a line. If the `;` is missing but another line seems to follow, reports this and continues.
    void end_of_line() {
        if (in_->take(';')) return;
        const place behind = in_->behind_last();
        const char c = in_->peek();
        const bool begins = is_kind(c, letter | digit) || c == '%' || c == '@' || c == '(';
        const bool apart = behind.where.line != in_->where().line || in_->rest().starts_with("let ");
        if (!begins || !apart) not_followed_by("`;`");
        found_->add(behind, "`;` is missing");
    }

    // Reads arguments such as `%x` and `%1`, the common case. Then begins another argument or reads the attributes.
    void argument() {
        for (in_->skip_blank(); in_->peek() == '%'; in_->skip_blank()) {
            start_ = in_->here();
            in_->pass(1);
            value_ = named(start_);
            const char behind = in_->peek();
            if (behind != ',' && behind != ')') {
                step_ = step::after;
                return;
            }
            in_->pass(1);
            values_.push_back(value_);
            if (behind == ')') return end_call();
        }
        step_ = step::operand;
        if (!calls_.read_attributes(graph_)) return;
        const frame& f = frames_.back();
        if (graph_.kind(f.e) == expr_kind::op) {
            finish_call(calls_.attributes(graph_, graph_.op_definition(f.e), f.at, &references_.section()));
        } else {
            const attrs_id named = calls_.named_attributes(graph_);
            if (named == attrs_id::none && !references_.is_harmless(f.e))
                found_->add(f.at, "only calls of operators have attributes");
            finish_call(named);
        }
    }

    void end_call() {
        const frame& f = frames_.back();
        const bool of_op = graph_.kind(f.e) == expr_kind::op;
        finish_call(of_op ? calls_.no_attributes(graph_, graph_.op_definition(f.e), f.at) : attrs_id::none);
    }

    void finish_call(attrs_id attributes) {
        const frame& f = frames_.back();
        const auto arguments = operands(f);
        if (graph_.kind(f.e) == expr_kind::op) calls_.check_arity(graph_.op_definition(f.e), arguments.size(), f.at);
        start_ = f.at;
        step_ = step::after;
        made(graph_.call(f.e, arguments, attributes));
        leave(f);
        if (in_->peek() == ';') complete();
    }

    // Skips the remainder of a statement that cannot be read, then continues after it or at the end of the block.
    void recover() {
        broken_ = true;
        std::size_t brackets = 0; // open round brackets since the start of the block
        while (!is_block(frames_.back().kind)) {
            const frame& f = frames_.back();
            if (f.kind == frame_kind::number_value)
                references_.define(f.number, harmless());
            else if (f.kind != frame_kind::let_value && f.kind != frame_kind::infix && f.kind != frame_kind::match_data)
                ++brackets;
            frames_.pop_back();
        }
        value_ = harmless();
        start_ = in_->here();
        const bool in_brackets = frames_.back().kind == frame_kind::bracketed;
        resumption next = skip_statement(*in_, {.brackets = brackets, .in_brackets = in_brackets});
        if (next == resumption::next_line) { // unless the skipped text was the block's result
            in_->skip_blank();
            if (in_->peek() == '}' || (in_brackets && in_->peek() == ')')) next = resumption::end_of_block;
        }
        switch (next) {
        case resumption::next_line:
            step_ = step::item;
            break;
        case resumption::end_of_block:
            if (in_->peek() == '}') // ends a block or match in braces and the constructs inside
                while (!is_braced(frames_.back().kind)) frames_.pop_back();
            step_ = step::after;
            if (frames_.back().kind != frame_kind::program) break;
            [[fallthrough]];
        case resumption::nowhere:
            frames_.clear();
        }
    }

    plain_vector<expr_id> free_;
    plain_line line_;           // the current line
    std::size_t next_room_ = 0; // number of expressions at which to reserve again
    std::size_t begun_ = 0;     // number of expressions at the start of the body
    std::size_t text_left_ = 0; // size of the unread text at the start of the body
};

} // namespace tutti::relay::inline TUTTI_FORM::text
