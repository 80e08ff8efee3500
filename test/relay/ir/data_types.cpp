#include <tutti/relay/ir/data_types.hpp>

#include <tutti/relay/ir/type_text.hpp>

#include "support/catch.hpp"

using namespace tutti;
using relay::type_id;

namespace {

relay::data_types lists() {
    relay::data_types all;
    const type_id a = all.types().variable("A", 0);
    const type_id fields[]{a, all.types().data("List", {&a, 1})};
    all.define("List", {&a, 1});
    all.add_constructor("Cons", fields);
    all.add_constructor("Nil", {});
    all.define("Empty", {});
    return all;
}

} // namespace

TEST_CASE("data_types: constructors are functions of their fields", "[relay][ir]") {
    const relay::data_types all = lists();
    relay::type_table types;
    CHECK(relay::to_text(types, all.constructor_type(all.find_constructor("Cons"), types)) ==
          "fn [A](A, List[A]) -> List[A]");
    CHECK(relay::to_text(types, all.constructor_type(all.find_constructor("Nil"), types)) == "fn [A]() -> List[A]");
    CHECK(all.find_constructor("List") == relay::data_types::none);
    CHECK(all.find("Cons") == relay::data_types::none);
    CHECK(all.made_by(1) == all.find("List"));
    CHECK(all.constructors_of(all.find("Empty")) == 0);
}

TEST_CASE("data_types: are sorted by their names, and equal if they say the same", "[relay][ir]") {
    const relay::data_types sorted = lists().sorted();
    CHECK(sorted.name(0) == "Empty");
    CHECK(sorted.first_constructor(1) == 0);
    CHECK(sorted == sorted.sorted());
    CHECK_FALSE(sorted == lists());
    CHECK(relay::data_types{}.empty());
}
