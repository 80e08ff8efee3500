#include <tutti/relay/text/parse/constant_section.hpp>

#include "relay/text/syntax.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

using namespace tutti;
using namespace tutti::test;
using relay::expr_id;
using relay::text::constant_section;
using relay::text::diagnostic_list;
using relay::text::place;

namespace {

int times_read = 0;
std::string section_read;

// Reads any section as two scalars, 0 and 1, and one attribute.
relay::metadata_content two(std::string_view section) {
    ++times_read;
    section_read = section;
    return {.constants = {relay::tensor::scalar(0.0F), relay::tensor::scalar(1.0F)},
            .attributes = {{.name = "relay.attrs.A", .calls = {{{.name = "axis", .value = "1"}}}}}};
}
relay::metadata_content none(std::string_view) { return {}; }
relay::metadata_content broken(std::string_view) { throw error("metadata", "bad", "good"); }

constexpr std::string_view text = "a\nb\n#[metadata]\n{}";
constexpr place here{{1, 1}, 0};

std::string problem(std::string_view of, relay::metadata_content (*read)(std::string_view), std::uint32_t number = 0) {
    relay::graph g;
    diagnostic_list found(of, 10);
    constant_section constants(of, read, found);
    constants.next_definition();
    CHECK(constants.node(g, number, here) == expr_id::none);
    CHECK(constants.node(g, number, here) == expr_id::none);
    return notes(found);
}

} // namespace

TEST_CASE("constant_section: is read once, when its first constant is met", "[relay][text]") {
    relay::graph g;
    diagnostic_list found(text, 10);
    times_read = 0;
    constant_section constants(text, two, found);
    constants.next_definition();
    CHECK(times_read == 0);
    const expr_id one = constants.node(g, 1, here);
    CHECK(constants.node(g, 1, here) == one);
    CHECK(constants.node(g, 0, here) != one);
    CHECK(g.constant_value(one).elements<float>()[0] == 1.0F);
    CHECK(times_read == 1);
    CHECK(section_read == "\n{}");
    CHECK(found.empty());
}

TEST_CASE("constant_section: each graph has a node of its own, of the same elements", "[relay][text]") {
    relay::graph first;
    relay::graph second;
    diagnostic_list found(text, 10);
    constant_section constants(text, two, found);
    constants.next_definition();
    const expr_id a = constants.node(first, 0, here);
    constants.next_definition();
    second.tuple({});
    const expr_id b = constants.node(second, 0, here);
    REQUIRE(second.kind(b) == relay::expr_kind::constant);
    CHECK(second.constant_value(b).same_elements(first.constant_value(a)));
}

TEST_CASE("constant_section: reports a missing section or option once", "[relay][text]") {
    CHECK(problem("a #[metadata] {}", two) == "1:1: the text has no `#[metadata]` section with the "
                                              "constants' values; expected text that was printed with "
                                              "text_options::metadata\n");
    CHECK(problem(text, nullptr) == "1:1: the constants are in the metadata section, which is not read; "
                                    "expected parse_options::metadata = "
                                    "relay::read_metadata, of <tutti/relay/text/metadata.hpp>\n");
}

TEST_CASE("constant_section: errors in it have the section's location", "[relay][text]") {
    CHECK(problem(text, broken) == "3:1: metadata: bad; expected good\n");
}

TEST_CASE("constant_section: a number that it does not have is refused", "[relay][text]") {
    CHECK(problem(text, two, 2) == "1:1: the metadata has no constant 2; expected 0 to 1\n");
    CHECK(problem(text, two, 0xFFFFFFFE) == "1:1: the metadata has no constant 4294967294; expected 0 to 1\n");
    CHECK(problem(text, none) == "1:1: the metadata has no constant 0\n");
}

TEST_CASE("constant_section: attributes of calls, by name and number", "[relay][text]") {
    diagnostic_list found(text, 10);
    constant_section section(text, two, found);
    const auto* kept = section.kept("relay.attrs.A", 0, here);
    REQUIRE(kept != nullptr);
    CHECK(kept->at(0).name == "axis");
    CHECK(found.empty());
    CHECK(section.kept("relay.attrs.A", 1, here) == nullptr);
    CHECK(section.kept("relay.attrs.B", 0, {{1, 2}, 1}) == nullptr);
    CHECK(notes(found) == "1:1: the metadata has no relay.attrs.A 1; expected 0 to 0\n"
                          "1:2: the metadata has no relay.attrs.B 0\n");
    diagnostic_list missing("x", 10);
    constant_section nowhere("x", two, missing);
    CHECK(nowhere.kept("relay.attrs.A", 0, here) == nullptr);
    CHECK(notes(missing).starts_with("1:1: the text has no `#[metadata]` section with the attributes' values"));
}
