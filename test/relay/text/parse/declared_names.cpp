#include <tutti/relay/text/parse/declared_names.hpp>

#include "support/catch.hpp"

using namespace tutti::relay::text;

TEST_CASE("declared_names: each is declared once", "[relay][text]") {
    declared_names names;
    CHECK(names.empty());
    CHECK_FALSE(names.has("A"));
    CHECK(names.declare("A"));
    CHECK_FALSE(names.declare("A"));
    CHECK_FALSE(names.has("B"));
    CHECK(names.has("A"));
}

TEST_CASE("declarations: types are known wherever they are defined", "[relay][text]") {
    declarations known("def @main() { 1 }\ntype  List[A] {}\n// type Not {}\n extern type\nextern type Other");
    CHECK(known.has_type("List"));
    CHECK(known.has_type("Other"));
    CHECK_FALSE(known.has_type("Not"));
    CHECK_FALSE(known.has_fields("List"));
}
