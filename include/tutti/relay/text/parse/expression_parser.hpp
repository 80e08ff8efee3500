#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/parse/attribute_reader.hpp>
#include <tutti/relay/text/parse/call_reader.hpp>
#include <tutti/relay/text/parse/characters.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/declaration_reader.hpp>
#include <tutti/relay/text/parse/declared_names.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse/frame.hpp>
#include <tutti/relay/text/parse/infix.hpp>
#include <tutti/relay/text/parse/open_expressions.hpp>
#include <tutti/relay/text/parse/pattern_reader.hpp>
#include <tutti/relay/text/parse/reference_reader.hpp>
#include <tutti/relay/text/parse/scopes.hpp>
#include <tutti/relay/text/parse/syntax_error.hpp>
#include <tutti/relay/text/parse_options.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Parses expressions with a syntax of their own: matches, references, infix operators, constructors.
class expression_parser : protected open_expressions {
protected:
    // The next step: a line of a block, an expression, or the text after an expression.
    enum class step : std::uint8_t { item, operand, after };

    expression_parser(cursor& text, std::string_view all, const parse_options& options, declarations& known,
                      diagnostic_list& found)
        : open_expressions(options.limits, found)
        , options_(&options)
        , known_(&known)
        , in_(&text)
        , reader_(text)
        , declarations_(text, scopes_, reader_, found, known, options.limits.nesting)
        , pattern_reader_(text, declarations_, known, options.limits.nesting)
        , calls_(text, reader_, found)
        , references_(text, all, scopes_, options, found) {}

    void clear() {
        open_expressions::clear();
        scopes_.clear();
        declarations_.clear();
        references_.next_definition();
        calls_.clear();
        broken_ = false;
    }

    void numbered(std::uint32_t number, const place& at) {
        start_ = at;
        step_ = step::after;
        value_ = references_.numbered(graph_, number, at);
    }

    void unknown(std::string_view name) {
        const std::string quoted = '`' + std::string(name) + '`';
        if (name == "return")
            throw syntax_error{start_, "there is no " + quoted, "the block's result alone, as its last line"};
        for (const std::string_view reserved : {"def", "else", "free_var", "type", "extern"})
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

    // Reads a constructor. If it has no fields, its name is a complete call.
    void constructor(std::string_view name) {
        made(graph_.constructor(name));
        if (known_->has_fields(name)) return;
        if (in_->peek() == '(') {
            in_->pass(1);
            if (!in_->take(')')) in_->unexpected("`)`, since the constructor has no fields");
        }
        made(graph_.call(value_, {}));
    }

    void match() {
        const bool complete = in_->peek() != '?';
        if (!complete) in_->pass(1);
        push({.kind = frame_kind::match_data, .values = height(values_), .at = start_, .patterns = height(patterns_)});
        patterns_.push_back(attr_value::of(complete));
        step_ = step::operand;
    }

    // Reads the next clause of the innermost match, or the end of the match.
    void clause() {
        frame& f = frames_.back();
        if (!in_->take('}')) {
            start_ = in_->here();
            push(block(frame_kind::clause));
            pattern_reader_.read(graph_, patterns_, values_);
            frames_.back().values = height(values_);
            in_->skip_blank();
            if (!in_->rest().starts_with("=>")) in_->unexpected("`=>` and the clause's result");
            in_->pass(2);
            step_ = step::item;
            return;
        }
        start_ = f.at;
        step_ = step::after;
        if (broken_) {
            value_ = harmless();
        } else {
            const attrs_id patterns = graph_.attrs().add(patterns_.part(f.patterns, patterns_.size() - f.patterns));
            made(graph_.match(operands(f), patterns));
        }
        patterns_.shorten(f.patterns);
        leave(f);
    }

    void reference(std::string_view name) {
        if (!in_->take('(')) in_->unexpected("`(`");
        const expr_kind kind = name == "ref"        ? expr_kind::ref_create
                               : name == "ref_read" ? expr_kind::ref_read
                                                    : expr_kind::ref_write;
        push({.kind = frame_kind::reference,
              .number = static_cast<std::uint32_t>(kind),
              .values = height(values_),
              .at = start_});
        step_ = step::operand;
    }

    void end_reference(const frame& f) {
        const auto kind = static_cast<expr_kind>(f.number);
        values_.push_back(value_);
        if (kind == expr_kind::ref_write && values_.size() - f.values == 1) {
            if (!in_->take(',')) in_->unexpected("`,` and the value");
            step_ = step::operand;
            return;
        }
        if (!in_->take(')')) in_->unexpected("`)`");
        start_ = f.at;
        step_ = step::after;
        const auto given = operands(f);
        made(kind == expr_kind::ref_create ? graph_.ref_create(given[0])
             : kind == expr_kind::ref_read ? graph_.ref_read(given[0])
                                           : graph_.ref_write(given[0], given[1]));
        leave(f);
    }

    // After an operand, completes the open infix operators up to one that binds less tightly than the next operator.
    // True if an operator follows.
    bool infix_follows() {
        const infix* next = is_kind(in_->peek(), sign) ? infix_at(in_->rest()) : nullptr;
        while (frames_.back().kind == frame_kind::infix) {
            const frame f = frames_.back();
            const infix& open = infixes[f.number];
            if (next != nullptr && open.precedence < next->precedence) break;
            const op_def* op = options_->operators.find(open.name);
            if (op == nullptr)
                throw syntax_error{f.at, "there is no operator `" + std::string(open.name) + '`', "a known operator"};
            start_ = f.at;
            const expr_id callee = calls_.use(graph_, *op);
            made(graph_.call(callee, std::array{f.e, value_}, calls_.no_attributes(graph_, *op, f.at)));
            frames_.pop_back();
        }
        if (next == nullptr) return false;
        in_->pass(next->sign.size());
        push({.kind = frame_kind::infix,
              .e = value_,
              .number = static_cast<std::uint32_t>(next - infixes),
              .at = start_});
        step_ = step::operand;
        return true;
    }

    // Reports an unexpected token after an expression.
    [[noreturn, gnu::cold, gnu::noinline]] void not_followed_by(const std::string& expected) const {
        if (expected == "`;`") in_->missing(expected);
        in_->unexpected(expected);
    }

    expr_id harmless() { return references_.harmless(graph_); }

    frame block(frame_kind kind) const {
        return {.kind = kind,
                .values = height(values_),
                .lets = height(lets_),
                .mark = static_cast<std::uint32_t>(scopes_.mark()),
                .at = start_};
    }

    const parse_options* options_;
    declarations* known_;
    cursor* in_;
    scopes scopes_;
    attribute_reader reader_;
    declaration_reader declarations_;
    pattern_reader pattern_reader_;
    call_reader calls_;
    reference_reader references_;

    step step_ = step::item;
    bool broken_ = false; // a part of the function could not be read
};

} // namespace tutti::relay::inline TUTTI_FORM::text
