#include <tutti/relay/text/printer.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/write_metadata.hpp>

#include "support/catch.hpp"

#include <sstream>
#include <string>

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

TEST_CASE("printer: a function is written without a name, and reads back as main", "[relay][text]") {
    relay::builder b;
    const auto x = b.variable("x", {2});
    const auto inner = b.variable("y");
    const auto square = b.nested({inner}, relay::multiply(inner, inner));
    relay::ir_module m(b.function({x}, b.call(square, {relay::add(x, b.constant(relay::tensor({1}, {2.0F})))})));
    const relay::function& f = *m.find("main");
    CHECK(relay::to_text(f, {.version_line = false, .metadata_note = false}) ==
          "fn (%x: Tensor[(2), float32]) {\n"
          "  %0 = add(%x, meta[relay.Constant][0]);\n"
          "  %1 = fn (%y) {\n"
          "    multiply(%y, %y)\n"
          "  };\n"
          "  %1(%0)\n"
          "}\n");
    CHECK(relay::to_text(f).find("metadata section has been omitted") != std::string::npos);
    relay::infer_types(m);
    CHECK(relay::to_text(f, {.metadata_note = false})
              .ends_with("\n} /* ty=fn (Tensor[(2), float32]) -> Tensor[(2), float32] */\n"));
    const relay::text_options all{.metadata = relay::write_metadata};
    const relay::ir_module again = relay::parse(relay::to_text(f, all), {.metadata = relay::read_metadata});
    CHECK(relay::to_text(again, all) == relay::to_text(m, all));
}

TEST_CASE("printer: a module and a function go into a stream as their texts", "[relay][text]") {
    relay::builder b;
    const auto x = b.variable("x", {2});
    const relay::ir_module m(b.function({x}, relay::exp(x)));
    std::ostringstream out;
    out << m << "and " << *m.find("main");
    CHECK(out.str() == relay::to_text(m) + "and " + relay::to_text(*m.find("main")));
}
