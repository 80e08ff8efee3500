#include <tutti/relay/ir/string_table.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using tutti::relay::string_id;
using tutti::relay::string_table;

namespace {

constexpr bool keeps_each_string_once() {
    string_table t;
    const string_id empty = t.add("");
    const string_id ab = t.add("ab");
    const string_id a = t.add("a");
    const string_id b = t.add("b");
    const string_id zero = t.add(std::string_view("\0", 1));
    return t[empty].empty() && t[ab] == "ab" && t[a] == "a" && t[b] == "b" && t[zero].size() == 1 &&
           t.add("ab") == ab && t.add("") == empty && t.size() == 5;
}

constexpr bool finds_what_was_added_as_new() {
    string_table t;
    const string_id a = t.add("a");
    const string_id b = t.add_new("b");
    const string_id c = t.add_new("");
    const string_table copy = t;
    if (t.size() != 3 || t[b] != "b" || !t[c].empty() || t.add("b") != b || t.add("d") != string_id{3}) return false;
    const string_id e = t.add_new("e");
    string_table other = copy;
    return t.add("e") == e && t.add("") == c && t.add("a") == a && t.size() == 5 && other.add("d") == string_id{3} &&
           other.add("b") == b && other.size() == 4;
}

static_assert(keeps_each_string_once());
static_assert(finds_what_was_added_as_new());

} // namespace

TEST_CASE("string_table: keeps each string once, the empty one too", "[relay][string_table]") {
    CHECK(keeps_each_string_once());
}

TEST_CASE("string_table: finds strings that were added without a lookup", "[relay][string_table]") {
    CHECK(finds_what_was_added_as_new());
}

TEST_CASE("string_table: finds strings again among many", "[relay][string_table]") {
    string_table t;
    for (int i = 0; i < 5000; ++i) t.add("name" + std::to_string(i));
    for (int i = 0; i < 5000; ++i) REQUIRE(t[t.add("name" + std::to_string(i))] == "name" + std::to_string(i));
    CHECK(t.size() == 5000);
    for (int i = 0; i < 5000; ++i) t.add_new("new" + std::to_string(i));
    for (int i = 0; i < 5000; ++i) REQUIRE(t[t.add("new" + std::to_string(i))] == "new" + std::to_string(i));
    CHECK(t.size() == 10000);
}

TEST_CASE("string_table: one that is cleared is as a new one", "[relay][string_table]") {
    string_table t;
    t.add("a");
    t.add_new("b");
    t.clear();
    CHECK(t.size() == 0);
    CHECK(t.add("b") == string_id{0});
    CHECK(t.add("a") == string_id{1});
    CHECK(t[string_id{1}] == "a");
}
