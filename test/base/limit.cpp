#include <tutti/base/limit.hpp>

#include "support/catch.hpp"

using namespace tutti;

namespace {

constexpr limit most{"Inline", "expressions copied", "max_nodes", 1'234'567};

constexpr std::uint64_t left_of(std::uint64_t taken) {
    budget b(most);
    b.take(taken);
    return b.left();
}

template <class F>
std::string refusal_of(F&& f) {
    try {
        f();
    } catch (const error& e) {
        return e.what();
    }
    return {};
}

} // namespace

TEST_CASE("limit: numbers are said in groups of three digits", "[limit]") {
    CHECK(grouped_digits(0) == "0");
    CHECK(grouped_digits(999) == "999");
    CHECK(grouped_digits(1'000) == "1,000");
    CHECK(grouped_digits(12'345'678) == "12,345,678");
}

TEST_CASE("limit: exceeding it is an error that names the option", "[limit]") {
    most.check(1'234'567);
    CHECK(refusal_of([] { most.check(1'234'568); }) ==
          "Inline: more than 1,234,567 expressions copied; expected no more, or a larger max_nodes");
    CHECK(refusal_of([] { limit{"the text", "types", {}, 7}.check(8); }) ==
          "the text: more than 7 types; expected no more");
}

TEST_CASE("limit: a budget counts, and takes nothing where less is left", "[limit]") {
    static_assert(left_of(1'234'567) == 0);
    static_assert(left_of(67) == 1'234'500);
    CHECK(left_of(67) == 1'234'500);
    budget b(most);
    b.take(1'000'000);
    CHECK(refusal_of([&] { b.take(234'568); }) != "");
    CHECK(b.left() == 234'567);
    CHECK(refusal_of([&] { b.take(~std::uint64_t{0}); }) != "");
    b.take(234'567);
    CHECK(b.left() == 0);
}
