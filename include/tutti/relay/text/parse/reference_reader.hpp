#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/text/parse/characters.hpp>
#include <tutti/relay/text/parse/constant_section.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse/numbering.hpp>
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

/// Reads references to variables, numbered values, functions and constants: `%x`, `%0`, `@f`,
/// `meta[relay.Constant][0]`.
///
/// An undefined reference is reported and replaced by a placeholder.
class reference_reader {
public:
    reference_reader(cursor& text, std::string_view all, scopes& names, const parse_options& options,
                     diagnostic_list& found)
        : in_(&text), scopes_(&names), found_(&found), constants_(all, options.metadata, found) {}

    /// Starts a new definition and graph.
    void next_definition() {
        numbers_.next_definition();
        constants_.next_definition();
        harmless_ = expr_id::none;
    }

    /// Returns the placeholder for expressions that cannot be read. Each graph has one.
    expr_id harmless(graph& g) {
        if (harmless_ == expr_id::none) harmless_ = g.tuple({});
        return harmless_;
    }
    bool is_harmless(expr_id e) const { return e == harmless_; }

    /// Reserves memory for `numbers` more numbered values.
    void expect(std::size_t numbers) { numbers_.expect(numbers); }

    /// Binds a number to an expression.
    void define(std::uint32_t number, expr_id e) { numbers_.define(number, e); }

    /// Reports a number that is bound already. Throws: `syntax_error` if the number is too large.
    void check_definition(std::uint32_t number, const place& at) const {
        if (number == cursor::none) throw syntax_error{at, "the number is too large", "less than 2^32 - 1"};
        if (numbers_.find(number) != expr_id::none)
            found_->add(at, "`%" + std::to_string(number) + "` is defined already");
    }

    /// Returns the expression that a number is bound to, or none.
    expr_id find(std::uint32_t number) const { return numbers_.find(number); }

    /// Returns the expression that a number is bound to. If there is none, reports the number at `at` and returns the
    /// placeholder.
    expr_id numbered(graph& g, std::uint32_t number, const place& at) {
        const expr_id known = numbers_.find(number);
        if (known != expr_id::none) return known;
        std::string problem = number == cursor::none ? "that number" : "`%" + std::to_string(number) + '`';
        problem += numbers_.elsewhere(number) ? " is defined in another function, not in this one"
                                              : " is not defined before it is used";
        found_->add(at, std::move(problem));
        return harmless(g);
    }

    /// Reads a name and returns its variable. `at` is the position of the `%`. Throws: `syntax_error`.
    expr_id variable(graph& g, const place& at) {
        const std::string_view whole = in_->name();
        if (whole.empty()) in_->unexpected("a variable's name or number");
        if (!is_kind(whole.back(), digit)) {
            const expr_id known = scopes_->find(whole);
            return known != expr_id::none ? known : unknown(g, whole, at);
        }
        // The name may end in the numbers of tuple fields. The longest bound name wins.
        std::string_view name = without_fields(whole);
        std::array<std::string_view, scopes::most_numbers + 1> names{name};
        std::size_t longer = 0;
        while (longer < scopes_->trailing_numbers() && names[longer].size() < whole.size()) {
            const std::size_t dot = whole.find('.', names[longer].size() + 1);
            names[++longer] = whole.substr(0, dot);
        }
        expr_id found = scopes_->find(names[longer]);
        while (found == expr_id::none && longer != 0) found = scopes_->find(names[--longer]);
        name = names[longer];
        in_->back(whole.size() - name.size());
        return found != expr_id::none ? found : unknown(g, name, at);
    }

    /// Reads the name of a function of the module. Throws: `syntax_error`.
    expr_id global(graph& g) {
        const std::string_view name = in_->name();
        if (name.empty()) in_->unexpected("a function's name, which begins with a letter");
        return g.global(name);
    }

    /// Reads the index of a constant after `meta` and returns the constant. If there is no such constant, reports the
    /// index at `at` and returns none. Throws: `syntax_error`.
    expr_id constant(graph& g, const place& at) {
        if (!in_->take('[') || !in_->take_word("relay.Constant") || !in_->take(']') || !in_->take('['))
            in_->unexpected("`meta[relay.Constant][0]`");
        in_->skip_blank();
        const std::uint32_t number = in_->ordinal();
        if (number == cursor::none) in_->unexpected("a number");
        if (!in_->take(']')) in_->unexpected("`]`");
        return constants_.node(g, number, at);
    }

    /// Returns the metadata section, which holds the values of constants and of some attributes.
    constant_section& section() { return constants_; }

private:
    expr_id unknown(graph& g, std::string_view name, const place& at) {
        scopes_->bind_for_good(name, harmless(g)); // so that the name is reported only once
        const std::string quoted = "`%" + std::string(name) + '`';
        if (in_->take('=')) throw syntax_error{at, quoted + " is bound without `let`", "`let %x = …;` or `%0 = …;`"};
        std::string problem = "the variable " + quoted + " is not defined";
        if (const std::string_view meant = scopes_->nearest(name); !meant.empty())
            problem += "; did you mean `%" + std::string(meant) + "`?";
        found_->add(at, std::move(problem));
        return harmless(g);
    }

    cursor* in_;
    scopes* scopes_;
    diagnostic_list* found_;
    constant_section constants_;
    numbering numbers_;
    expr_id harmless_ = expr_id::none;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
