#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/parse/attribute_reader.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse/scopes.hpp>
#include <tutti/relay/text/parse/type_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Scope of a variable: its block, the function of a parameter, or the remainder of the text.
enum class scope_kind : std::uint8_t { block, parameters, whole };

/// Reads declarations of variables, heads of functions, and types in comments.
class declaration_reader {
public:
    /// A function's head without its parameters.
    struct head {
        type_id result = type_id::none;
        attrs_id attributes = attrs_id::none;
        type_id type_params = type_id::none;
    };

    declaration_reader(cursor& text, scopes& names, attribute_reader& values, diagnostic_list& found,
                       declarations& known, std::size_t nesting)
        : in_(&text), scopes_(&names), reader_(&values), found_(&found), types_(text, found, known, nesting) {}

    /// Forgets all type parameters.
    void clear() { types_.leave(0); }
    /// Forgets the type parameters of a finished function.
    void leave(const graph& g, type_id type_params) {
        if (type_params != type_id::none)
            types_.leave(types_.declared(0).size() - g.types().fields(type_params).size());
    }

    /// Reads and binds `%x: T /* ty=T */`. Parameters since `mark` must have distinct names. Throws: `syntax_error`.
    expr_id variable(graph& g, scope_kind scope, std::size_t mark = 0) {
        in_->skip_blank();
        const place at = in_->here();
        if (!in_->take('%')) in_->unexpected("a variable such as `%x`");
        const std::string_view name = in_->name();
        if (name.empty()) in_->unexpected("a variable's name, which begins with a letter");
        if (scope == scope_kind::parameters && scopes_->bound_since(name, mark))
            found_->add(at, "there is a parameter `%" + std::string(name) + "` already");
        const bool noted_only = in_->take_type_comment(); // `take` would skip the comment
        const type_id annotation = !noted_only && in_->take(':') ? types_.read(g.types()) : type_id::none;
        const expr_id made = g.variable(name, annotation);
        g.set_location(made, at.where);
        if (noted_only || in_->take_type_comment()) g.set_type(made, noted_type(g));
        if (scope == scope_kind::whole)
            scopes_->bind_for_good(name, made);
        else
            scopes_->bind(name, made);
        return made;
    }

    /// Reads the type and the end of a comment `/* ty=T */`, whose start has been read. Throws: `syntax_error`.
    type_id noted_type(graph& g) {
        const type_id type = types_.read(g.types());
        in_->skip_blank();
        if (in_->rest().starts_with("*/"))
            in_->pass(2);
        else if (in_->take_word("span"))
            in_->finish_comment();
        else
            in_->unexpected("`*/`");
        return type;
    }

    /// Reads a function's head, `[A](%x: T, Primitive=1) -> R {`, and appends its parameters to `parameters`.
    ///
    /// Throws: `syntax_error`.
    head function(graph& g, plain_vector<expr_id>& parameters) {
        head made;
        attributes_.clear();
        const std::size_t variables = types_.declare(g.types());
        if (const auto declared = types_.declared(variables); !declared.empty())
            made.type_params = g.types().tuple(declared);
        if (!in_->take('(')) in_->unexpected("`(` and the parameters");
        const std::size_t mark = scopes_->mark();
        for (bool more = !in_->take(')'); more;) {
            in_->skip_blank();
            if (in_->peek() == '%' && attributes_.empty())
                parameters.push_back(variable(g, scope_kind::parameters, mark));
            else
                attribute(g);
            more = in_->take(',');
            if (!more && !in_->take(')')) in_->unexpected("`: T`, `,` or `)`");
        }
        in_->skip_blank();
        if (in_->rest().starts_with("->")) {
            in_->pass(2);
            made.result = types_.read(g.types());
        }
        if (!attributes_.empty()) made.attributes = g.attrs().add(attributes_.all());
        if (!in_->take('{'))
            in_->unexpected(made.result == type_id::none ? "`->` and the result's type, or `{`" : "`{`");
        return made;
    }

private:
    void attribute(graph& g) {
        const std::string_view name = in_->dotted_name();
        if (name.empty())
            in_->unexpected(attributes_.empty() ? "a parameter such as `%x: float32`"
                                                : "an attribute `Name=1`; parameters come before attributes");
        if (!in_->take('=')) in_->unexpected("`=` and the attribute's value");
        attributes_.push_back(attr_value::of(g.strings().add(name)));
        reader_->read(g, attributes_);
    }

    cursor* in_;
    scopes* scopes_;
    attribute_reader* reader_;
    diagnostic_list* found_;
    type_reader types_;
    plain_vector<attr_value> attributes_;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
