#include <tutti/relay/unit.hpp>

#include <tutti/relay/ir/builder.hpp>

#include "catch.hpp"

using namespace tutti;

static_assert(has_text<relay::ir_module>);

TEST_CASE("unit: a module's text is what the printer writes", "[relay][unit]") {
    relay::builder b;
    const relay::ir_module m(b.function({}, b.constant(1)));
    CHECK(unit_traits<relay::ir_module>::to_text(m) == "#[version = \"0.0.5\"]\ndef @main() {\n  1\n}\n");
}
