#include <tutti/relay/ir/language.hpp>

#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <string_view>

using namespace tutti;

namespace {

bool has_effects(std::string_view text) {
    const relay::ir_module m = relay::parse(text);
    const relay::function& f = *m.find("main");
    return relay::may_have_effects(f.graph, f.root);
}
bool is_general(std::string_view text) { return relay::has_general_values(relay::parse(text).find("main")->graph); }

} // namespace

TEST_CASE("language: references, and functions that are given, may have effects", "[relay][ir]") {
    CHECK(has_effects("def @main(%x: int32) { ref(%x) }"));
    CHECK(has_effects("def @main(%x: ref(int32)) { 1 }"));
    CHECK(has_effects("def @main(%f: fn () -> int32) { %f() }"));
    CHECK_FALSE(has_effects("def @main(%x: int32) { let %f = fn () { 1 }; %f() }"));
}

TEST_CASE("language: data types, references and type parameters are general values", "[relay][ir]") {
    CHECK(is_general("type T { A, B }\ndef @main() { A }"));
    CHECK(is_general("def @main[A](%x: A) { 1 }"));
    CHECK(is_general("def @main(%x: ref(int32)) { 1 }"));
    CHECK_FALSE(is_general("def @main(%x: (int32, int32), %f: fn () -> int32) { %x.0 }"));
}
