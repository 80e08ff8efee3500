#include <tutti/relay/ir/attr_table.hpp>

#include "support/catch.hpp"

#include <array>
#include <vector>

using namespace tutti::relay;

namespace {

constexpr bool keeps_every_kind() {
    attr_table table;
    const std::array values{
        attr_value{},         attr_value::of(true),         attr_value::of(dim::wide(5)),
        attr_value::of(-2.5), attr_value::of(string_id{7}), attr_value::of(tutti::kernel::dtype::int8),
        attr_value::list(0)};
    const auto kept = table[table.add(values)];
    return kept.size() == 7 && kept[0].kind == attr_kind::none && kept[1].boolean() &&
           kept[2].number() == dim::wide(5) && kept[3].floating() == -2.5 && kept[4].string() == string_id{7} &&
           kept[5].element() == tutti::kernel::dtype::int8 && kept[6].kind == attr_kind::list && kept[6].count == 0;
}

constexpr bool keeps_each_list_once() {
    attr_table table;
    const std::array one{attr_value::of(dim(1))};
    const std::array wide_one{attr_value::of(dim::wide(1))};
    const std::array yes{attr_value::of(true)};
    const attrs_id a = table.add(one);
    const attrs_id b = table.add(wide_one);
    const attrs_id c = table.add(yes); // has the same bits as 1, but is a bool
    const attrs_id d = table.add({});
    return table.add(one) == a && table.add({}) == d && a != b && a != c && b != c && d != a && table.size() == 4;
}

static_assert(keeps_every_kind());
static_assert(keeps_each_list_once());

} // namespace

TEST_CASE("attr_table: keeps every kind of value", "[relay][attr_table]") { CHECK(keeps_every_kind()); }

TEST_CASE("attr_table: keeps each list once, by kind and value", "[relay][attr_table]") {
    CHECK(keeps_each_list_once());
}

TEST_CASE("attr_table: no attributes are an empty list", "[relay][attr_table]") {
    CHECK(attr_table{}[attrs_id::none].empty());
}

TEST_CASE("attr_table: a list in a list extends to its last element", "[relay][attr_table]") {
    // The values are [[1, 2], [], 3], 4.
    const std::array values{attr_value::list(3), attr_value::list(2),    attr_value::of(dim(1)), attr_value::of(dim(2)),
                            attr_value::list(0), attr_value::of(dim(3)), attr_value::of(dim(4))};
    CHECK(extent(values) == 6);
    CHECK(extent(std::span(values).subspan(1)) == 3);
    CHECK(extent(std::span(values).subspan(4)) == 1);
    CHECK(extent(std::span(values).subspan(6)) == 1);
}

TEST_CASE("attr_table: finds lists again among many", "[relay][attr_table]") {
    attr_table table;
    std::vector<attrs_id> ids;
    for (int i = 0; i < 1000; ++i) {
        const std::array values{attr_value::of(dim(i)), attr_value::of(i % 2 == 0)};
        ids.push_back(table.add(values));
    }
    for (int i = 0; i < 1000; ++i) {
        const std::array values{attr_value::of(dim(i)), attr_value::of(i % 2 == 0)};
        REQUIRE(table.add(values) == ids[static_cast<std::size_t>(i)]);
        REQUIRE(table[ids[static_cast<std::size_t>(i)]][0].number() == dim(i));
    }
    CHECK(table.size() == 1000);
}

TEST_CASE("attr_table: one that is cleared is as a new one", "[relay][attr_table]") {
    attr_table table;
    table.add(std::array{attr_value::of(dim(1))});
    const attrs_id kept = table.add(std::array{attr_value::of(dim(2))});
    table.clear();
    CHECK(table.size() == 0);
    CHECK(table.add(std::array{attr_value::of(dim(2))}) != kept);
    CHECK(table[attrs_id{0}][0].number() == dim(2));
}
