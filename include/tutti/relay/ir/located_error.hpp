#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>

#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// An error in an expression that was read from a text, with the location of the expression.
class located_error : public error {
public:
    located_error(const error& e, source_location location) : error(e), location_(location) {}

    source_location location() const noexcept { return location_; }

private:
    source_location location_;
};

namespace detail {

// Returns the error with the name of the expression's source, unless the name is unknown or the error contains it.
inline error named(const graph& g, expr_id e, const error& what) {
    const std::string_view name = g.source_name(e);
    if (name.empty() || what.where().find(name) != std::string::npos) return what;
    return error(what.where() + (what.where().empty() ? "" : " ") + "of " + std::string(name), what.problem(),
                 what.expected());
}

} // namespace detail

/// Throws `what` with the source location or name of an expression, if known.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_at(const graph& g, expr_id e, const error& what) {
    if (g.location(e).line == 0) throw detail::named(g, e, what);
    throw located_error(what, g.location(e));
}

/// Rethrows an error with the source location or name of an expression, unless the error has a location or the
/// expression's source is unknown.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_at(const graph& g, expr_id e, const error& what) {
    const bool located = dynamic_cast<const located_error*>(&what) != nullptr;
    if (located || e == expr_id::none || !g.has_source(e)) throw;
    if (g.location(e).line == 0) throw detail::named(g, e, what);
    throw located_error(what, g.location(e));
}

/// Throws a copy of an error whose `where()` is prefixed with `outer`, such as the function's name.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_within(std::string_view outer, const error& what) {
    const error more(std::string(outer) + what.where(), what.problem(), what.expected());
    if (const auto* located = dynamic_cast<const located_error*>(&what)) throw located_error(more, located->location());
    throw more;
}

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END
