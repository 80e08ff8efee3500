#include <tutti/relay/text/parse/scopes.hpp>

#include "support/catch.hpp"

using namespace tutti::relay;
using text::scopes;

namespace {
constexpr expr_id e(std::uint32_t i) { return expr_id{i}; }
} // namespace

TEST_CASE("scopes: a name hides another of an outer scope, until its scope is left", "[relay][text]") {
    scopes s;
    s.bind("x", e(1));
    const std::size_t outer = s.mark();
    s.bind("x", e(2));
    const std::size_t inner = s.mark();
    s.bind("x", e(3));
    s.bind("y", e(4));
    CHECK(s.find("x") == e(3));
    CHECK(s.bound_since("x", inner));
    s.leave(inner);
    CHECK(s.find("x") == e(2));
    CHECK(s.find("y") == expr_id::none);
    CHECK_FALSE(s.bound_since("x", inner));
    CHECK(s.bound_since("x", outer));
    s.leave(outer);
    CHECK(s.find("x") == e(1));
    CHECK(s.find("never") == expr_id::none);
}

TEST_CASE("scopes: the same name twice in one scope is undone in one go", "[relay][text]") {
    scopes s;
    const std::size_t before = s.mark();
    s.bind("x", e(1));
    s.bind("x", e(2));
    s.leave(before);
    CHECK(s.find("x") == expr_id::none);
}

TEST_CASE("scopes: permanent bindings outlive scopes, but not the definition", "[relay][text]") {
    scopes s;
    const std::size_t mark = s.mark();
    s.bind_for_good("w", e(1));
    s.bind("w", e(2));
    CHECK(s.find("w") == e(2));
    s.leave(mark);
    CHECK(s.find("w") == e(1));
    s.bind("v", e(3));
    s.bind_for_good("v", e(4));
    s.leave(mark);
    CHECK(s.find("v") == e(4));
    s.clear();
    CHECK(s.find("w") == expr_id::none);
    CHECK(s.find("v") == expr_id::none);
    CHECK(s.mark() == 0);
}

TEST_CASE("scopes: the nearest name is one that can be used, or none", "[relay][text]") {
    scopes s;
    const std::size_t mark = s.mark();
    s.bind("weight", e(1));
    CHECK(s.nearest("wieght") == "weight");
    CHECK(s.nearest("bias").empty());
    s.leave(mark);
    CHECK(s.nearest("wieght").empty());
}

TEST_CASE("scopes: distinguishes names that end in numbers from fields", "[relay][text]") {
    CHECK(text::without_fields("x.0.1") == "x");
    CHECK(text::without_fields("x.0.y") == "x.0.y");
    CHECK(text::without_fields("x.0.y1.22") == "x.0.y1");
    CHECK(text::without_fields("x10") == "x10");
    scopes s;
    CHECK(s.trailing_numbers() == 0);
    s.bind("x1", e(1));
    CHECK(s.trailing_numbers() == 0);
    s.bind("x.0", e(1));
    CHECK(s.trailing_numbers() == 1);
    s.bind("y.1.2.3.4.5.6.7.8", e(2));
    CHECK(s.trailing_numbers() == scopes::most_numbers);
}
