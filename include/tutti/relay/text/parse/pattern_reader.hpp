#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/declaration_reader.hpp>
#include <tutti/relay/text/parse/declared_names.hpp>
#include <tutti/relay/text/parse/scopes.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Reads patterns: `Cons(%x, _)`, `Nil`, `(%a, %b)`, `%x: T`, `_`.
///
/// Cost: linear in the text; no recursion.
class pattern_reader {
public:
    /// At most `nesting` patterns may be open at a time.
    pattern_reader(cursor& text, declaration_reader& variables, declarations& known, std::size_t nesting)
        : in_(&text), variables_(&variables), known_(&known), nesting_(nesting) {}

    /// Appends the next pattern to `values` in the form that match.hpp describes. Binds its variables and appends them
    /// to `variables`.
    ///
    /// Throws: `syntax_error`.
    void read(graph& g, plain_vector<attr_value>& values, plain_vector<expr_id>& variables) {
        open_.clear();
        for (;;) {
            if (begin(g, values, variables)) continue;
            for (;;) {
                if (open_.empty()) return;
                ++values[open_.back()].count;
                const bool comma = in_->take(',');
                if (in_->take(')')) {
                    open_.pop_back();
                    continue;
                }
                if (!comma) in_->unexpected("`,` or `)`");
                break;
            }
        }
    }

private:
    // Reads the start of a pattern. True if fields follow.
    bool begin(graph& g, plain_vector<attr_value>& values, plain_vector<expr_id>& variables) {
        in_->skip_blank();
        const place at = in_->here();
        if (in_->peek() == '%') {
            variables.push_back(variables_->variable(g, scope_kind::block));
            values.push_back(attr_value::of(true));
            return false;
        }
        if (in_->peek() == '(') {
            values.push_back(attr_value::list(0));
            return begin_fields(values.size() - 1, at);
        }
        const std::string_view name = in_->dotted_name();
        if (name.empty()) in_->unexpected("a pattern: a constructor, `%x`, `_` or `(%x, %y)`");
        if (name == "_") {
            values.push_back({});
            return false;
        }
        if (!known_->constructors.has(name)) unknown(name, at);
        values.push_back(attr_value::list(1));
        values.push_back(attr_value::of(g.strings().add(name)));
        in_->skip_blank();
        return in_->peek() == '(' && begin_fields(values.size() - 2, at);
    }

    bool begin_fields(std::size_t head, const place& at) {
        in_->pass(1);
        if (in_->take(')')) return false;
        if (open_.size() == nesting_)
            throw syntax_error{at, "patterns are nested too deeply",
                               "at most " + std::to_string(nesting_) + " at a time"};
        open_.push_back(head);
        return true;
    }

    [[noreturn, gnu::cold, gnu::noinline]] void unknown(std::string_view name, const place& at) const {
        tutti::internal::nearest_name meant(name);
        known_->constructors.offer_to(meant);
        std::string problem = "there is no constructor `" + std::string(name) + '`';
        if (!meant.found().empty()) problem += "; did you mean `" + std::string(meant.found()) + "`?";
        throw syntax_error{at, std::move(problem),
                           meant.found().empty() ? '`' + std::string("%") + std::string(name) + "` for a variable"
                                                 : ""};
    }

    cursor* in_;
    declaration_reader* variables_;
    declarations* known_;
    std::size_t nesting_;
    plain_vector<std::size_t> open_; // indices in `values` of the open patterns' heads
};

} // namespace tutti::relay::inline TUTTI_FORM::text
