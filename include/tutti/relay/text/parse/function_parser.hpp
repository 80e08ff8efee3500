#pragma once

#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/parse/attribute_reader.hpp>
#include <tutti/relay/text/parse/call_reader.hpp>
#include <tutti/relay/text/parse/characters.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/declaration_reader.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse/frame.hpp>
#include <tutti/relay/text/parse/number_reader.hpp>
#include <tutti/relay/text/parse/recovery.hpp>
#include <tutti/relay/text/parse/reference_reader.hpp>
#include <tutti/relay/text/parse/scopes.hpp>
#include <tutti/relay/text/parse/syntax_error.hpp>
#include <tutti/relay/text/parse_options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::text {

/// Reads functions, one at a time.
///
/// What is open (a call whose arguments are being read, a block, a let) is a frame on a stack of its own, so
/// that nothing recurses. What is wrong but leaves no doubt how to go on is noted and replaced by something
/// harmless; where there is doubt, the rest of the statement is passed over.
///
/// Cost: linear in the text.
class function_parser {
public:
    function_parser(cursor& text, std::string_view all, const parse_options& options, diagnostic_list& found)
        : options_(&options)
        , in_(&text)
        , found_(&found)
        , reader_(text)
        , declarations_(text, scopes_, reader_, found, options.limits.nesting)
        , calls_(text, reader_, found)
        , references_(text, all, scopes_, options, found) {}

    /// Reads what follows a function's name: `(%x: T) -> R {…}`. It is a function only if nothing was found
    /// wrong with it.
    ///
    /// Throws: `syntax_error` where nothing more of it can be read.
    function definition(const place& at) {
        clear();
        frame f{.kind = frame_kind::definition, .at = at};
        function_head(f);
        return run(f);
    }

    /// Reads an expression that is the whole text: a function, or the body of one whose parameters are its
    /// free variables.
    function program(const place& at) {
        clear();
        return run({.kind = frame_kind::program, .at = at});
    }

private:
    // What comes next: a line of a block, an expression, or what may follow one.
    enum class step : std::uint8_t { item, operand, after };

    struct open_let {
        expr_id variable;
        expr_id value;
        source_location where;
    };

    void clear() {
        graph_ = graph();
        scopes_.clear();
        references_.next_definition();
        calls_.clear();
        frames_.clear();
        values_.clear();
        lets_.clear();
        free_.clear();
    }

    function run(const frame& outermost) {
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
        return {graph_, value_}; // a copy takes no more memory than it needs
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

    // A line of a block; or, just after an opening bracket, what may turn out to be one.
    void item() {
        in_->skip_blank();
        const place at = in_->here();
        if (in_->peek() == '%' && is_kind(in_->peek(1), digit)) {
            in_->pass(1);
            const std::uint32_t number = in_->ordinal();
            if (!in_->take('=')) return numbered(number, at);
            begin_block();
            references_.check_definition(number, at);
            push({.kind = frame_kind::number_value, .number = number, .at = at});
            step_ = step::operand;
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

    // Brackets whose content begins like a block are one.
    void begin_block() {
        if (frames_.back().kind == frame_kind::brackets) frames_.back().kind = frame_kind::bracketed;
    }

    void let(const place& at) {
        const expr_id variable = declarations_.variable(graph_, scope_kind::block);
        if (!in_->take('=')) in_->unexpected("`=`");
        push({.kind = frame_kind::let_value, .e = variable, .at = at});
        step_ = step::operand;
    }

    // An expression begins.
    void operand() {
        in_->skip_blank();
        start_ = in_->here();
        step_ = step::after;
        const char c = in_->peek();
        if (c == '%') {
            in_->pass(1);
            if (is_kind(in_->peek(), digit))
                numbered(in_->ordinal(), start_);
            else
                value_ = references_.variable(graph_, start_);
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
        } else {
            in_->unexpected("an expression");
        }
    }

    void numbered(std::uint32_t number, const place& at) {
        start_ = at;
        step_ = step::after;
        value_ = references_.numbered(graph_, number, at);
    }

    void word() {
        const std::string_view name = in_->dotted_name();
        if (const op_def* const op = options_->operators.find(name); op != nullptr)
            value_ = calls_.use(graph_, *op);
        else if (name == "fn")
            literal();
        else if (name == "if")
            conditional();
        else if (name == "let")
            let_chain();
        else if (name == "meta")
            constant();
        else if (name == "True" || name == "False")
            made(graph_.constant(tensor::scalar(name == "True")));
        else
            unknown(name);
    }

    void unknown(std::string_view name) {
        const std::string quoted = '`' + std::string(name) + '`';
        if (name == "return")
            throw syntax_error{start_, "there is no " + quoted, "the block's result alone, as its last line"};
        for (const std::string_view reserved : {"def", "else", "free_var", "match", "type", "extern"})
            if (name == reserved) throw syntax_error{start_, "unexpected " + quoted, "an expression"};
        std::string problem = "there is no operator " + quoted;
        if (name == "true" || name == "false")
            problem += name == "true" ? "; did you mean `True`?" : "; did you mean `False`?";
        else if (scopes_.find(name) != expr_id::none)
            problem += "; did you mean `%" + std::string(name) + "`?";
        else if (const std::string_view meant = options_->operators.nearest(name); !meant.empty())
            problem += "; did you mean `" + std::string(meant) + "`?";
        found_->add(start_, std::move(problem));
        value_ = harmless();
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
        const auto [result, attributes] = declarations_.function(graph_, values_);
        f.result = result;
        f.attributes = attributes;
        check_count(values_.size() - f.values, f.at);
    }

    // After an expression.
    void after() {
        if (in_->take_type_comment()) {
            const type_id type = declarations_.noted_type(graph_);
            if (graph_.kind(value_) != expr_kind::op) graph_.set_type(value_, type);
            in_->skip_blank();
        }
        switch (in_->peek()) {
        case '(':
            in_->pass(1);
            push({.kind = frame_kind::call, .e = value_, .values = height(values_), .at = start_});
            if (in_->take(')'))
                end_call();
            else
                argument();
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

    // The expression is complete: it goes to what is open around it.
    void complete() {
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

    // After an expression in brackets.
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
        close(f.kind);
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
            made(graph_.function(operands(f), value_, f.result, f.attributes));
            break;
        case frame_kind::then:
            values_.push_back(value_);
            f.kind = frame_kind::condition; // no block until the other one begins
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

    // Passes what closes a block.
    void close(frame_kind kind) {
        in_->skip_blank();
        if (kind == frame_kind::chain) return;
        if (kind == frame_kind::program) {
            if (!in_->at_end() && !in_->rest().starts_with("#[metadata]"))
                in_->unexpected("the end of the expression, which is the whole text");
            return;
        }
        const char closing = kind == frame_kind::bracketed ? ')' : '}';
        if (in_->take(closing)) return;
        const std::string expected = '`' + std::string(1, closing) + '`';
        if (in_->peek() != ';') not_followed_by(expected);
        found_->add(in_->here(), "unexpected `;` after a block's result", expected);
        in_->pass(1);
        if (!in_->take(closing)) throw skipped{};
    }

    // Passes the `;` after a line of a block. One that is missing is noted, and no more, if another line seems to
    // follow.
    void end_of_line() {
        if (in_->take(';')) return;
        const place behind = in_->behind_last();
        const char c = in_->peek();
        const bool begins = is_kind(c, letter | digit) || c == '%' || c == '@' || c == '(';
        const bool apart = behind.where.line != in_->where().line || in_->rest().starts_with("let ");
        if (!begins || !apart) not_followed_by("`;`");
        found_->add(behind, "`;` is missing");
    }

    // After an expression.
    [[noreturn]] void not_followed_by(const std::string& expected) const {
        const char c = in_->peek();
        if (std::string_view("+-*/<>!").find(c) != std::string_view::npos && c != '\0')
            throw syntax_error{in_->here(), "unexpected " + in_->upcoming() + ": operators are called by name",
                               "`add(a, b)`, `subtract(a, b)`, …"};
        if (expected == "`;`") in_->missing(expected);
        in_->unexpected(expected);
    }

    // An argument, or the attributes.
    void argument() {
        step_ = step::operand;
        if (!calls_.read_attributes(graph_)) return;
        const frame& f = frames_.back();
        if (graph_.kind(f.e) == expr_kind::op) {
            finish_call(calls_.attributes(graph_, graph_.op_definition(f.e), f.at, &references_.section()));
        } else {
            if (!references_.is_harmless(f.e)) found_->add(f.at, "only calls of operators have attributes");
            finish_call(attrs_id::none);
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
    }

    // What is wrong leaves doubt: goes on behind the statement, or at the end of the block.
    void recover() {
        std::size_t brackets = 0; // round ones that are open since the block began
        while (!is_block(frames_.back().kind)) {
            const frame& f = frames_.back();
            if (f.kind == frame_kind::number_value)
                references_.define(f.number, harmless());
            else if (f.kind != frame_kind::let_value)
                ++brackets;
            frames_.pop_back();
        }
        value_ = harmless();
        start_ = in_->here();
        const bool in_brackets = frames_.back().kind == frame_kind::bracketed;
        resumption next = skip_statement(*in_, {.brackets = brackets, .in_brackets = in_brackets});
        if (next == resumption::next_line) { // unless what was passed was the block's result
            in_->skip_blank();
            if (in_->peek() == '}' || (in_brackets && in_->peek() == ')')) next = resumption::end_of_block;
        }
        switch (next) {
        case resumption::next_line:
            step_ = step::item;
            break;
        case resumption::end_of_block:
            if (in_->peek() == '}') // that of a block in braces, which ends those in it, too
                while (!is_braced(frames_.back().kind)) frames_.pop_back();
            step_ = step::after;
            if (frames_.back().kind != frame_kind::program) break;
            [[fallthrough]];
        case resumption::nowhere:
            frames_.clear();
        }
    }

    expr_id harmless() { return references_.harmless(graph_); }

    void made(expr_id e) {
        value_ = e;
        graph_.set_location(e, start_.where);
    }

    template <class T>
    static std::uint32_t height(const plain_vector<T>& stack) {
        return static_cast<std::uint32_t>(stack.size());
    }

    frame block(frame_kind kind) const {
        return {.kind = kind,
                .values = height(values_),
                .lets = height(lets_),
                .mark = static_cast<std::uint32_t>(scopes_.mark()),
                .at = start_};
    }

    void push(const frame& f) {
        if (frames_.size() >= options_->limits.nesting) {
            found_->add(f.at, "expressions are nested too deeply",
                        "at most " + std::to_string(options_->limits.nesting) + " at a time");
            throw too_much{};
        }
        frames_.push_back(f);
    }

    // The innermost frame is done.
    void leave(const frame& f) {
        values_.shorten(f.values);
        frames_.pop_back();
    }

    std::span<const expr_id> operands(const frame& f) {
        check_count(values_.size() - f.values, f.at);
        return values_.part(f.values, values_.size() - f.values);
    }

    void check_count(std::size_t count, const place& at) {
        constexpr std::size_t most = (std::size_t{1} << 24) - 2; // a graph keeps their number in 24 bits
        if (count <= std::min(options_->limits.operands, most)) return;
        found_->add(at, "there are " + std::to_string(count) + " operands",
                    "at most " + std::to_string(std::min(options_->limits.operands, most)));
        throw too_much{};
    }

    const parse_options* options_;
    cursor* in_;
    diagnostic_list* found_;
    scopes scopes_;
    attribute_reader reader_;
    declaration_reader declarations_;
    call_reader calls_;
    reference_reader references_;

    graph graph_;
    plain_vector<frame> frames_;
    plain_vector<expr_id> values_;
    plain_vector<open_let> lets_;
    plain_vector<expr_id> free_;
    step step_ = step::item;
    expr_id value_ = expr_id::none; // the expression that was read last, and where it begins
    place start_;
};

} // namespace tutti::relay::text
