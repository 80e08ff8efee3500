#include <tutti/relay/ir/ir_module.hpp>

#include <tutti/relay/ir/builder.hpp>

#include "support/catch.hpp"

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace tutti::relay;

static_assert(std::is_nothrow_move_constructible_v<ir_module> && std::is_nothrow_move_assignable_v<ir_module>);
static_assert(std::is_copy_constructible_v<ir_module>);

namespace {

function returning(float value) {
    builder b;
    return b.function({}, b.constant(value));
}

float value_of(const function* f) { return f->graph.constant_value(f->graph.body(f->root)).elements<float>()[0]; }

} // namespace

TEST_CASE("ir_module: functions are ordered by name, whatever the order of insertion", "[relay][ir_module]") {
    ir_module m(returning(0));
    for (const char* name : {"z", "Main", "a", "main2"}) m.set(name, returning(1));
    std::vector<std::string> names;
    for (const auto& [name, f] : m) names.push_back(name);
    CHECK(names == std::vector<std::string>{"Main", "a", "main", "main2", "z"});
    CHECK(m.size() == 5);
}

TEST_CASE("ir_module: setting a name again replaces its function", "[relay][ir_module]") {
    ir_module m(returning(1));
    m.set("main", returning(2));
    CHECK(m.size() == 1);
    CHECK(value_of(m.find("main")) == 2);
}

TEST_CASE("ir_module: adding many functions at once keeps the order, and replaces equal names", "[relay][ir_module]") {
    ir_module m;
    for (const char* name : {"b", "d", "main"}) m.set(name, returning(1));
    std::vector<ir_module::definition> more;
    for (const char* name : {"z", "a", "d", "c"}) more.push_back({name, returning(2)});
    m.set(std::move(more));
    std::string names;
    for (const auto& [name, f] : m) names += name + (value_of(&f) == 2 ? "2 " : "1 ");
    CHECK(names == "a2 b1 c2 d2 main1 z2 ");
    m.set(std::vector<ir_module::definition>{});
    CHECK(m.size() == 6);
}

TEST_CASE("ir_module: an empty one takes functions in any order, also of names that begin alike",
          "[relay][ir_module]") {
    const std::vector<std::string> names{"",   "a",  "a_long_name", "a_long_name1", "a_long_name2",
                                         "ab", "f1", "f10",         "\xC3"};
    for (std::size_t step : {1U, 2U, 4U, 5U, 7U, 8U}) {
        std::vector<ir_module::definition> added;
        for (std::size_t i = 0; i < names.size(); ++i) {
            const std::size_t at = (i * step + 3) % names.size();
            added.push_back({names[at], returning(static_cast<float>(at))});
        }
        ir_module m;
        m.set(std::move(added));
        REQUIRE(m.size() == names.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            CHECK((m.begin() + static_cast<std::ptrdiff_t>(i))->name == names[i]);
            CHECK(value_of(m.find(names[i])) == static_cast<float>(i));
        }
    }
}

TEST_CASE("ir_module: an unknown name has no function", "[relay][ir_module]") {
    const ir_module empty;
    CHECK(empty.find("main") == nullptr);
    ir_module m(returning(1));
    CHECK(m.find("mai") == nullptr);
    CHECK(m.find("main0") == nullptr);
    CHECK(m.find("") == nullptr);
}

TEST_CASE("ir_module: a copy is independent", "[relay][ir_module]") {
    ir_module m(returning(1));
    const ir_module copy = m;
    m.set("main", returning(2));
    CHECK(value_of(copy.find("main")) == 1);
}

TEST_CASE("ir_module: takes out the functions that are unwanted", "[relay][ir_module]") {
    ir_module m;
    for (const char* name : {"c", "a", "d", "b"}) m.set(name, returning(static_cast<float>(name[0] - 'a')));
    CHECK(m.place_of("a") == 0);
    CHECK(m.place_of("d") == 3);
    CHECK(m.place_of("aa") == 4);
    std::string asked;
    m.remove_if([&](const ir_module::definition& d) {
        asked += d.name;
        return d.name == "a" || d.name == "c";
    });
    CHECK(asked == "abcd");
    CHECK(m.size() == 2);
    CHECK(m.find("a") == nullptr);
    CHECK(value_of(m.find("b")) == 1);
    CHECK(value_of(m.find("d")) == 3);
}

TEST_CASE("not_in_module: names the function that was probably meant", "[relay][ir_module]") {
    const ir_module m(returning(1));
    CHECK(std::string(not_in_module("Inline: @mian", m, "mian").what()) ==
          "Inline: @mian: is not in the module; did you mean `@main`?");
    CHECK(std::string(not_in_module("@helper", m, "helper").what()) ==
          "@helper: is not in the module; expected a function of the module");
}
