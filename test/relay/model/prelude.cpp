#include <tutti/relay/model/prelude.hpp>

#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <string>

using namespace tutti;

TEST_CASE("prelude: has types, and is written as text that is read as the same", "[relay][model]") {
    relay::ir_module m = relay::parse(std::string(relay::prelude));
    for (const bool typed : {false, true}) {
        if (typed) relay::infer_types(m);
        relay::verify(m);
        const std::string text = relay::to_text(m);
        const relay::ir_module again = relay::parse(text);
        CHECK(relay::to_text(again) == text);
        CHECK(relay::structural_equal(again, m));
        relay::verify(again);
    }
    CHECK(m.size() == 24);
    CHECK(m.data_types().size() == 3);
}

TEST_CASE("prelude: literals without annotations, and constructors as values, get types from their uses",
          "[relay][model]") {
    relay::ir_module m =
        relay::parse(std::string(relay::prelude) + "def @main(%x: float32) {\n"
                                                   "  let %xs = Cons(%x, Cons(2f, Nil));\n"
                                                   "  let %ys = @map(fn (%y) { %y * 2f }, %xs);\n"
                                                   "  let %sum = @foldl(fn (%a, %b) { %a + %b }, 0f, %ys);\n"
                                                   "  (%sum, @length(%xs), @rev(@concat(%xs, %ys)))\n"
                                                   "}\n");
    relay::infer_types(m);
    relay::verify(m);
    const relay::function& f = *m.find("main");
    CHECK(relay::to_text(f.graph.types(), f.graph.type(f.root)) == "fn (float32) -> (float32, int32, List[float32])");
}
