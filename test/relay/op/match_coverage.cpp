#include <tutti/relay/op/match_coverage.hpp>

#include <tutti/base/error.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;

namespace {

std::string missing(std::string_view clauses) {
    relay::ir_module m = relay::parse("type List[A] { Cons(A, List[A]), Nil }\n"
                                      "def @main(%x: List[bool], %y: List[int8]) { match (%x, %y) { " +
                                      std::string(clauses) + " } }");
    try {
        relay::infer_types(m);
    } catch (const error& e) {
        return e.what();
    }
    return {};
}

} // namespace

TEST_CASE("match_coverage: a complete match has a clause for every value", "[relay][op]") {
    CHECK(missing("_ => 1").empty());
    CHECK(missing("(Nil, _) => 1, (_, Nil) => 2, (Cons(_, _), Cons(_, _)) => 3").empty());
    CHECK(missing("(Nil, %y) => 1, (Cons(_, Nil), _) => 2, (Cons(_, Cons(_, _)), _) => 3").empty());
}

TEST_CASE("match_coverage: a value without one is named", "[relay][op]") {
    const auto says = [](std::string_view clauses, std::string_view what) {
        const std::string said = missing(clauses);
        INFO(said);
        CHECK(said.find(what) != said.npos);
    };
    says("", "part of which cannot be inferred");
    says("(Nil, _) => 1", "has no clause for (Cons(_, _), _)");
    says("(Nil, _) => 1, (_, Nil) => 2", "has no clause for (Cons(_, _), Cons(_, _))");
    says("(Cons(_, Nil), _) => 1, (Nil, _) => 2", "has no clause for (Cons(_, Cons(_, _)), _)");
    says("(%x, _) => %x, Nil => 1", "a pattern is for values of type");
}

TEST_CASE("match_coverage: patterns with too many cases are refused", "[relay][op]") {
    std::string clauses;
    std::string type = "type B { T, F }\ntype R { R(";
    for (int i = 0; i < 40; ++i) type += "B, ";
    type += ") }\n";
    for (int i = 0; i < 20; ++i) {
        clauses += "R(";
        for (int k = 0; k < 40; ++k) clauses += k == 2 * i || k == 2 * i + 1 ? "T, " : "_, ";
        clauses += ") => 1, ";
    }
    relay::ir_module m = relay::parse(type + "def @main(%x: R) { match (%x) { " + clauses + "} }");
    CHECK_THROWS_AS(relay::infer_types(m), error);
}
