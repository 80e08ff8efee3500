#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_table.hpp>
#include <tutti/relay/text/parse/cursor.hpp>
#include <tutti/relay/text/parse/declared_names.hpp>
#include <tutti/relay/text/parse/diagnostics.hpp>
#include <tutti/relay/text/parse/number_reader.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Reads types: `Tensor[(1, ?), float32]`, `float32` for rank 0, `(A, B)`, `(A,)`, `fn (A) -> B`, `fn [A](A) -> A`,
/// `List[A]`, `ref(A)`, `_`. Resolves type parameters in scope.
///
/// Cost: linear in the text; no recursion, and no allocation after the first types.
class type_reader {
public:
    /// At most `nesting` types may be open at a time.
    type_reader(cursor& text, diagnostic_list& found, declarations& known, std::size_t nesting)
        : in_(&text), found_(&found), known_(&known), nesting_(nesting) {}

    /// Reads type parameters, `[A, B]`, if they follow. They are in scope until `leave` is called with the result.
    ///
    /// Throws: `syntax_error`.
    std::size_t declare(type_table& types) {
        const std::size_t mark = variables_.size();
        if (!in_->take('[')) return mark;
        do {
            in_->skip_blank();
            const std::string_view name = in_->dotted_name();
            if (name.empty()) in_->unexpected("a type parameter's name, which begins with a letter");
            if (variables_.size() == most_variables)
                throw syntax_error{in_->here(), "there are too many type parameters",
                                   "at most " + std::to_string(most_variables) + " at a time"};
            std::uint32_t number = 0;
            for (const type_id v : variables_)
                if (types.name(v) == name) number = types.number(v) + 1;
            variables_.push_back(types.variable(name, number));
        } while (in_->take(','));
        if (!in_->take(']')) in_->unexpected("`,` or `]`");
        return mark;
    }
    /// Returns the type parameters declared after `since`.
    std::span<const type_id> declared(std::size_t since) const {
        return variables_.part(since, variables_.size() - since);
    }
    /// Forgets the type parameters declared after `mark`.
    void leave(std::size_t mark) { variables_.shorten(mark); }

    /// Reads a type. Throws: `syntax_error`.
    type_id read(type_table& types) {
        open_.clear();
        members_.clear();
        for (;;) {
            type_id made = begin(types);
            if (made == type_id::none) continue;
            while (!open_.empty()) {
                made = end(types, made);
                if (made == type_id::none) break;
            }
            if (made != type_id::none) return made;
        }
    }

private:
    static constexpr std::size_t most_variables = 1000; // the search for a name is linear

    enum name_meant : std::uint8_t { element_or_tensor, element_only };
    enum class part : std::uint8_t { tuple, params, result, arguments, reference };

    struct open_type {
        part kind;
        std::size_t first;       // index of the type's first member
        std::size_t variables;   // number of type parameters in scope around the type
        std::string_view name{}; // the data type's name if the members are its arguments
    };

    // Reads and returns a type without members, or reads the start of a type with members and returns none.
    type_id begin(type_table& types) {
        in_->skip_blank();
        if (in_->peek() == '(') {
            in_->pass(1);
            return enter(types, part::tuple, variables_.size());
        }
        const place at = in_->here();
        const std::string_view name = in_->dotted_name();
        if (name == "Tensor") return tensor(types);
        if (name == "fn") {
            const std::size_t mark = declare(types);
            if (!in_->take('(')) in_->unexpected("`(`");
            return enter(types, part::params, mark);
        }
        if (name.empty()) in_->unexpected("a type");
        for (std::size_t i = variables_.size(); i-- > 0;)
            if (types.name(variables_[i]) == name) return variables_[i];
        const dtype element = kernel::dtype_named(name);
        if (element == dtype::none) return other(types, name, at);
        return types.tensor({}, element);
    }

    // Reads `_`, a reference or a data type. The name has already been read.
    type_id other(type_table& types, std::string_view name, const place& at) {
        if (name == "_") return types.incomplete(incomplete_++);
        if (name == "ref" && in_->take('(')) return enter(types, part::reference, variables_.size());
        if (!known_->has_type(name)) {
            unknown(name, at, element_or_tensor);
            return types.tensor({}, dtype::none);
        }
        if (!in_->take('[')) return types.data(name, {});
        return enter(types, part::arguments, variables_.size(), name);
    }

    type_id enter(type_table& types, part kind, std::size_t variables, std::string_view name = {}) {
        if (open_.size() == nesting_) throw syntax_error{in_->here(), "types are nested too deeply", ""};
        open_.push_back({kind, members_.size(), variables, name});
        return in_->take(end_of(kind)) ? close(types) : type_id::none;
    }
    static char end_of(part kind) { return kind == part::arguments ? ']' : ')'; }

    // Adds a member to the innermost open type. Returns that type if it ends here, else none.
    type_id end(type_table& types, type_id member) {
        const open_type innermost = open_.back();
        if (innermost.kind == part::result) {
            open_.pop_back();
            type_id made = types.function(members_.part(innermost.first, members_.size() - innermost.first), member);
            members_.shorten(innermost.first);
            if (const auto bound = declared(innermost.variables); !bound.empty()) made = types.generic(bound, made);
            leave(innermost.variables);
            return made;
        }
        members_.push_back(member);
        const bool comma = in_->take(',');
        if (in_->take(end_of(innermost.kind))) {
            const bool bracketed = innermost.kind == part::tuple && !comma && members_.size() - innermost.first == 1;
            if (!bracketed) return close(types);
            open_.pop_back();
            members_.pop_back();
            return member;
        }
        if (!comma) in_->unexpected(innermost.kind == part::arguments ? "`,` or `]`" : "`,` or `)`");
        return type_id::none;
    }

    type_id close(type_table& types) {
        open_type& innermost = open_.back();
        if (innermost.kind == part::params) {
            in_->skip_blank();
            if (!in_->rest().starts_with("->")) in_->unexpected("`->` and the result's type");
            in_->pass(2);
            innermost.kind = part::result;
            return type_id::none;
        }
        const open_type done = innermost;
        open_.pop_back();
        const auto members = members_.part(done.first, members_.size() - done.first);
        if (done.kind == part::reference && members.size() != 1)
            throw syntax_error{in_->here(), "a reference holds one value", "`ref(T)`"};
        const type_id made = done.kind == part::tuple       ? types.tuple(members)
                             : done.kind == part::arguments ? types.data(done.name, members)
                                                            : types.reference(members[0]);
        members_.shorten(done.first);
        return made;
    }

    type_id tensor(type_table& types) {
        shape_.clear();
        if (!in_->take('[')) in_->unexpected("`[`, as in `Tensor[(1, 2), float32]`");
        if (!in_->take('(')) in_->unexpected("`(` and the dimensions");
        while (!in_->take(')')) {
            dimension();
            if (in_->take(',')) continue;
            if (!in_->take(')')) in_->unexpected("`,` or `)`");
            break;
        }
        if (!in_->take(',')) in_->unexpected("`,` and the element type");
        in_->skip_blank();
        const place at = in_->here();
        const std::string_view name = in_->dotted_name();
        if (name.empty()) in_->unexpected("an element type such as `float32`");
        const dtype element = kernel::dtype_named(name);
        if (element == dtype::none) unknown(name, at, element_only);
        if (!in_->take(']')) in_->unexpected("`]`");
        return types.tensor(shape_.all(), element);
    }

    void dimension() {
        if (in_->take('?')) {
            shape_.push_back(dim::any());
            return;
        }
        if (!is_kind(in_->peek(), digit)) in_->unexpected("a dimension such as `3` or `?`");
        const place at = in_->here();
        shape_.push_back(read_dim(in_->number(), at));
    }

    // Reports an unknown name. Throws `skipped` at the arguments of an unknown type.
    void unknown(std::string_view name, place at, name_meant what) {
        tutti::internal::nearest_name meant(name);
        for (std::size_t i = 1; i < kernel::detail::dtypes.size(); ++i) meant.offer(kernel::detail::dtypes[i].name);
        for (const std::string_view each : kernel::detail::narrow_names) meant.offer(each);
        if (what == element_or_tensor) {
            meant.offer("Tensor");
            known_->types.offer_to(meant);
        }
        std::string problem = what == element_or_tensor ? "unknown type `" : "unknown element type `";
        problem += name;
        problem += '`';
        std::string expected;
        if (meant.found().empty())
            expected = what == element_or_tensor ? "`Tensor[(1, 2), float32]`, `float32`, `(A, B)` or `fn (A) -> B`"
                                                 : "bool, or int, uint or float and a number of bits, as in `float32`";
        else
            problem += "; did you mean `" + std::string(meant.found()) + "`?";
        found_->add(at, std::move(problem), std::move(expected));
        if (what == element_or_tensor && in_->peek() == '[') throw skipped{};
    }

    cursor* in_;
    diagnostic_list* found_;
    declarations* known_;
    std::size_t nesting_;
    std::uint32_t incomplete_ = 0;    // number of incomplete types read
    plain_vector<type_id> variables_; // type parameters in scope, the innermost last
    plain_vector<open_type> open_;
    plain_vector<type_id> members_;
    plain_vector<dim> shape_;
};

} // namespace tutti::relay::inline TUTTI_FORM::text
