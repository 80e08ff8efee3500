#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/data_types.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/declared_names.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse/type_reader.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Reads definitions of data types: `type List[A] { Cons(A, List[A]), Nil, }`, and `extern type T` without
/// constructors.
///
/// Cost: linear in the text.
class data_type_reader {
public:
    data_type_reader(cursor& text, diagnostic_list& found, declarations& known, std::size_t nesting)
        : in_(&text), found_(&found), known_(&known), types_(text, found, known, nesting) {}

    /// Reads the definition after `type`. Reports errors. Throws: `syntax_error` if the remainder of the definition
    /// cannot be read.
    void read(data_types& all, bool is_extern) {
        const place at = next();
        const std::string_view name = in_->dotted_name();
        if (name.empty()) in_->unexpected("a type's name, which begins with a letter");
        if (all.find(name) != data_types::none)
            found_->add(at, "the type `" + std::string(name) + "` is defined already");
        known_->types.declare(name);
        const std::size_t params = types_.declare(all.types());
        all.define(name, types_.declared(params));
        if (in_->take('{')) {
            const place first = next();
            if (in_->peek() != '}' && is_extern)
                found_->add(first, "an extern type has constructors", "`extern type " + std::string(name) + '`');
            for (bool more = !in_->take('}'); more;) {
                constructor(all);
                const bool comma = in_->take(',');
                more = !in_->take('}');
                if (more && !comma) in_->unexpected("`,` or `}`");
            }
        } else if (!is_extern) {
            in_->unexpected("`{` and the constructors");
        }
        types_.leave(params);
    }

private:
    place next() {
        in_->skip_blank();
        return in_->here();
    }

    void constructor(data_types& all) {
        const place at = next();
        const std::string_view name = in_->dotted_name();
        if (name.empty()) in_->unexpected("a constructor's name, which begins with a letter");
        if (!known_->constructors.declare(name))
            found_->add(at, "the constructor `" + std::string(name) + "` is defined already");
        fields_.clear();
        if (in_->take('(')) {
            for (bool more = !in_->take(')'); more;) {
                fields_.push_back(types_.read(all.types()));
                const bool comma = in_->take(',');
                more = !in_->take(')');
                if (more && !comma) in_->unexpected("`,` or `)`");
            }
        }
        if (!fields_.empty()) known_->with_fields.declare(name);
        all.add_constructor(name, fields_.all());
    }

    cursor* in_;
    diagnostic_list* found_;
    declarations* known_;
    type_reader types_;
    plain_vector<type_id> fields_;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
