#include <tutti/relay/text/printer.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "catch.hpp"

using namespace tutti;

TEST_CASE("printer: names and numbers go on through the functions of a module", "[relay][text]") {
    const auto make = [](float value) {
        relay::builder b;
        const auto x = b.variable("x");
        return b.function({x}, relay::add(relay::exp(x), b.constant(relay::tensor({1}, {value}))));
    };
    relay::ir_module m;
    m.set("b", make(1));
    m.set("a", make(2));
    CHECK(relay::to_text(m) == "#[version = \"0.0.5\"]\n"
                               "def @a(%x) {\n"
                               "  %0 = exp(%x);\n"
                               "  add(%0, meta[relay.Constant][0])\n"
                               "}\n"
                               "\n"
                               "def @b(%x1) {\n"
                               "  %1 = exp(%x1);\n"
                               "  add(%1, meta[relay.Constant][1])\n"
                               "}\n"
                               "\n"
                               "/* For debugging purposes the metadata section has been omitted.\n"
                               " * If you would like to see the full metadata section you can set the \n"
                               " * option to `True` when invoking `astext`. \n"
                               " */");
}

TEST_CASE("printer: an empty module is its version line", "[relay][text]") {
    CHECK(relay::to_text(relay::ir_module{}) == "#[version = \"0.0.5\"]\n");
}
