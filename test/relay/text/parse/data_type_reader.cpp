#include <tutti/relay/text/parse/data_type_reader.hpp>

#include <tutti/base/error.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;

namespace {

std::string read(std::string_view text) {
    try {
        return relay::to_text(relay::parse(text), {.version_line = false});
    } catch (const error& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("data_type_reader: types are written in the order of their names", "[relay][text]") {
    CHECK(
        read("type Tree[A] { Rose(A, List[Tree[A]]) }\ntype List[A] { Cons(A, List[A]), Nil, }\nextern type Ab\n") ==
        "type Ab {\n  \n}\n\ntype List[A] {\n  Cons(A, List[A]),\n  Nil,\n}\n\ntype Tree[A] {\n  Rose(A, List[Tree[A]]),\n}\n");
    CHECK(read("type A { B(fn [C](C) -> ref((C, int8)), Tensor[(?), float32]) }") ==
          "type A {\n  B(fn [C](C) -> ref((C, int8)), Tensor[(?), float32]),\n}\n");
}

TEST_CASE("data_type_reader: reports errors", "[relay][text]") {
    const auto says = [](std::string_view text, std::string_view what) {
        const std::string said = read(text);
        INFO(said);
        CHECK(said.find(what) != said.npos);
    };
    says("type A { B, B }", "the constructor `B` is defined already");
    says("type A { B }\ntype A { C }", "the type `A` is defined already");
    says("type A { B(C) }", "unknown type `C`");
    says("type A[X] { B(Y) }", "unknown type `Y`");
    says("extern type A { B }", "an extern type has constructors");
    says("type A", "`{` and the constructors");
    says("type A { B C }", "`,` or `}`");
    says("type 1 { B }", "a type's name");
    says("extern A", "`type`");
    says("import \"a.rly\"", "`import` is not supported");
}

TEST_CASE("data_type_reader: many types, and many type parameters, take no more than their share of time",
          "[relay][text]") {
    std::string text;
    for (int i = 0; i < 20000; ++i) {
        const std::string n = std::to_string(i);
        text.append("type T").append(n).append(" { C").append(n).append("(T").append(n).append(") }\n");
    }
    CHECK(relay::parse(text).data_types().size() == 20000);
    std::string params = "A0";
    for (int i = 1; i < 20000; ++i) params += ", A" + std::to_string(i);
    CHECK(read("def @main[" + params + "]() { 1 }").find("too many type parameters") != std::string::npos);
}
