#include <tutti/relay/eval/value_parts.hpp>

#include <tutti/base/error.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/model/prelude.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/print/values.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;

namespace {

// Evaluates a program after the prelude. Returns the printed result of `main`, or the error.
std::string value(std::string_view main, const relay::evaluate_options& options = {}) {
    try {
        relay::evaluator run(relay::parse(std::string(relay::prelude) + std::string(main)), options);
        const auto tensors = run.run(std::span<const relay::tensor>{});
        std::string out;
        relay::append_value(out, run.parts(),
                            [&](std::string& to, std::size_t n) { relay::text::append_literal(to, tensors[n]); });
        return out;
    } catch (const error& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("value_parts: lists, options, trees and tuples are written as constructors", "[relay][eval]") {
    CHECK(value("def @main() { Cons(1, Cons(2, Nil)) }") == "Cons(1, Cons(2, Nil))");
    CHECK(value("def @main() { (Nil, (Some((1, 2)),)) }").find("part of which cannot be inferred") !=
          std::string::npos);
    CHECK(value("def @main() { let %n: List[int32] = Nil; (%n, (Some((1, 2)),), ()) }") ==
          "(Nil, (Some((1, 2)),), ())");
    CHECK(value("def @main() { ref((ref(1), 2f)) }") == "ref((ref(1), 2f))");
    CHECK(value("def @main() { 1 }") == "1");
    CHECK(value("def @main() { Cons(@id, Nil) }").find("contains a function") != std::string::npos);
    CHECK(value("def @main() { Cons(fn (%x: int32) { %x }, Nil) }").find("contains a function") != std::string::npos);
}

TEST_CASE("evaluator: the prelude gives the documented results", "[relay][eval]") {
    const std::string xs = "def @main() { let %xs = Cons(1, Cons(2, Cons(3, Nil))); ";
    CHECK(value(xs + "(@length(%xs), @sum(%xs), @nth(%xs, 2), @hd(@tl(%xs))) }") == "(3, 6, 3, 2)");
    CHECK(value(xs + "@map(fn (%x) { %x * 10 }, %xs) }") == "Cons(10, Cons(20, Cons(30, Nil)))");
    CHECK(
        value(xs + "(@foldl(fn (%a, %x) { %a * 10 + %x }, 0, %xs), @foldr(fn (%x, %a) { %a * 10 + %x }, 0, %xs)) }") ==
        "(123, 321)");
    CHECK(value(xs + "@rev(@concat(%xs, @update(%xs, 1, 7))) }") ==
          "Cons(3, Cons(7, Cons(1, Cons(3, Cons(2, Cons(1, Nil))))))");
    CHECK(value(xs + "@filter(fn (%x) { %x != 2 }, %xs) }") == "Cons(1, Cons(3, Nil))");
    CHECK(value(xs + "@zip(%xs, @tl(%xs)) }") == "Cons((1, 2), Cons((2, 3), Nil))");
    CHECK(value(xs + "(@foldr1(fn (%x, %y) { %x - %y }, %xs), @iterate(fn (%x) { %x * 2 }, 5)(1)) }") == "(2, 32)");
    CHECK(value(xs + "(@map_accuml(fn (%a, %x) { (%a + %x, %a) }, 0, %xs), "
                     "@map_accumr(fn (%a, %x) { (%a + %x, %a) }, 0, %xs)) }") ==
          "((6, Cons(3, Cons(1, Cons(0, Nil)))), (6, Cons(5, Cons(3, Cons(0, Nil)))))");
    CHECK(value("def @main() { @unfoldl(fn (%n) { if (%n == 3) { None } else { Some((%n + 1, %n)) } }, 0) }") ==
          "Cons(2, Cons(1, Cons(0, Nil)))");
    CHECK(value("def @main() { let %t = Rose(1, Cons(Rose(2, Nil), Cons(Rose(3, Nil), Nil)));"
                " (@size(%t), @tmap(fn (%x) { %x + 1 }, %t)) }") ==
          "(3, Rose(2, Cons(Rose(3, Nil), Cons(Rose(4, Nil), Nil))))");
}

TEST_CASE("evaluator: references are read and written in the order of the text", "[relay][eval]") {
    CHECK(value("def @main() { let %r = ref(1); ref_write(%r, ref_read(%r) + 1); ref_write(%r, ref_read(%r) * 10); "
                "ref_read(%r) }") == "20");
    CHECK(value("def @main() { let %r = ref(1); let %f = fn (%n: int32) { ref_write(%r, ref_read(%r) + %n); %n }; "
                "let %a = %f(5); let %b = %f(7); (ref_read(%r), %a, %b) }") == "(13, 5, 7)");
    CHECK(value("def @main() { let %r = ref(1); let %x = if (ref_read(%r) == 1) { ref_write(%r, 2); 10 } else { 20 }; "
                "(%x, ref_read(%r)) }") == "(10, 2)");
}

TEST_CASE("evaluator: a match without a clause for the value is an error; long lists are no trouble", "[relay][eval]") {
    const std::string said = value("def @main() { let %n: List[int32] = Nil; @hd(%n) }");
    INFO(said);
    CHECK(said.find("@hd: the value matches no clause of a match") != said.npos);
    const std::string count = "def @count(%n: int32, %l: List[int32]) -> List[int32] "
                              "{ if (%n == 0) { %l } else { @count(%n - 1, Cons(%n, %l)) } }\n";
    CHECK(value(count + "def @main() { @length(@count(20000, Nil)) }") == "20000");
}

TEST_CASE("evaluator: tuples that are fields of values go in and out of operators", "[relay][eval]") {
    CHECK(value("def @main() { match (Some((1, 2))) { Some(%p) => %p.0 + %p.1, None => 0 } }") == "3");
    CHECK(value("def @main() { let %t = split(concatenate((full(1f, shape=[2], dtype=\"float32\"), "
                "full(2f, shape=[2], dtype=\"float32\")), axis=0), indices_or_sections=2);\n"
                "let %l = Cons(%t, Nil); match? (%l) { Cons((%a, %b), _) => sum(%b - %a) } }") == "2f");
}
