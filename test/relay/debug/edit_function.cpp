#include <tutti/relay/debug/edit_function.hpp>

#include <tutti/relay/op/standard_ops.hpp>

#include "edited.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti::relay;

TEST_CASE("edit_each: makes those edits that were chosen, in each function", "[relay][debug]") {
    const program_edit bypass = [](const ir_module& m, tutti::instrument::edit_choice& choice) {
        return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
            return r.from().kind(e) == expr_kind::call && edit.choice() ? r[r.from().arguments(e)[0]] : r.rebuild(e);
        });
    };
    const std::string text = "def @a(%x: float32) { exp(nn.relu(%x)) }\n\ndef @b(%y: float32) { exp(%y) }\n";
    CHECK(places(text, bypass) == 3);
    CHECK(edited(text, bypass, {1, 2}) ==
          "def @a(%x: float32) {\n  nn.relu(%x)\n}\n\ndef @b(%y: float32) {\n  %y\n}\n");
}

TEST_CASE("is_referred_to: by itself too", "[relay][debug]") {
    const ir_module m = parse_typed("def @a(%x: float32) -> float32 { @a(%x) }\ndef @b(%x: float32) { @a(%x) }");
    CHECK(is_referred_to(m, "a"));
    CHECK_FALSE(is_referred_to(m, "b"));
}
