#include <tutti/relay/op/relation.hpp>

#include <tutti/relay/ir/builder.hpp>

#include "support/catch.hpp"

#include <array>
#include <string_view>
#include <vector>

using namespace tutti;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::type_id;

namespace {

// A call of f with two variables and a tuple, as seen by the relation of f.
struct call {
    relay::builder b;
    std::array<relay::expr, 3> arguments{b.variable("x"), b.variable("y"), b.tuple({})};
    relay::expr made = b.call(b.global("f"), {arguments[0], arguments[1], arguments[2]});
    std::vector<type_id> types = std::vector<type_id>(b.graph().size(), type_id::none);
    static constexpr std::array<std::string_view, 3> names{"lhs", "rhs", "last"};

    relay::relation relation() { return {b.graph(), types, made.id, "f", names}; }
    void know(std::size_t i, type_id t) { types[relay::index(arguments[i].id)] = t; }
    type_id tensor(const dims& shape) { return b.graph().types().tensor(shape, dtype::float32); }
};

} // namespace

TEST_CASE("relation: expecting gives a variable its type, and nothing else", "[relay][relation]") {
    call c;
    auto r = c.relation();
    r.expect(1, dims{2, 3}, dtype::int8);
    CHECK(relay::to_text(c.b.graph().types(), r.argument(1)) == "Tensor[(2, 3), int8]");
    r.expect(2, dims{2, 3}, dtype::int8); // a tuple's type is determined by its fields
    CHECK(r.argument(2) == type_id::none);
}

TEST_CASE("relation: an unknown or wide dimension matches the expectation", "[relay][relation]") {
    call c;
    auto r = c.relation();
    c.know(0, c.tensor({dim::any(), dim::wide(3)}));
    CHECK_NOTHROW(r.expect(0, dims{2, 3}, dtype::float32));
    CHECK_NOTHROW(r.expect(0, dims{dim::any(), dim::any()}, dtype::float32));
    CHECK_THROWS_AS(r.expect(0, dims{2, 4}, dtype::float32), error);
    CHECK_THROWS_AS(r.expect(0, dims{2, 3}, dtype::int8), error);
    CHECK_THROWS_AS(r.expect(0, dims{2}, dtype::float32), error);
}

TEST_CASE("relation: accepts tensors, and refuses other known types", "[relay][relation]") {
    call c;
    auto r = c.relation();
    CHECK_FALSE(r.knows(0));
    c.know(0, c.tensor({}));
    CHECK(r.knows(0));
    c.know(0, c.b.graph().types().tuple({}));
    CHECK_THROWS_WITH(r.knows(0), "f, argument `lhs`: () does not fit; expected a tensor");
}

TEST_CASE("relation: a refusal names the operator, the argument, and the types that are known", "[relay][relation]") {
    call c;
    auto r = c.relation();
    c.know(0, c.tensor({2}));
    CHECK_THROWS_WITH(r.refuse(0, "peace"), "f, argument `lhs`: Tensor[(2), float32] does not fit; expected peace");
    c.know(1, c.tensor({3}));
    c.know(2, c.tensor({}));
    CHECK_THROWS_WITH(
        r.refuse(1, "peace"),
        "f, argument `rhs`: Tensor[(3), float32] does not fit `lhs`, Tensor[(2), float32] and `last`, float32; "
        "expected peace");
    CHECK_THROWS_WITH(r.refuse_attribute("axis", "7", "less"), "f, attribute `axis`: 7; expected less");
}
