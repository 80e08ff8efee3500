#include <tutti/relay/text/parse/numbering.hpp>

#include "support/catch.hpp"

using namespace tutti;
using relay::expr_id;
using relay::text::numbering;

namespace {

constexpr expr_id e(std::uint32_t i) { return expr_id{i}; }

} // namespace

TEST_CASE("numbering: a number is defined in its definition only", "[relay][text]") {
    numbering n;
    n.next_definition();
    CHECK(n.find(0) == expr_id::none);
    n.define(0, e(7));
    n.define(0xFFFFFFFE, e(8));
    CHECK(n.find(0) == e(7));
    CHECK(n.find(0xFFFFFFFE) == e(8));
    CHECK_FALSE(n.elsewhere(0));
    n.next_definition();
    for (const std::uint32_t number : {0U, 0xFFFFFFFEU}) {
        CHECK(n.find(number) == expr_id::none);
        CHECK(n.elsewhere(number));
    }
    CHECK_FALSE(n.elsewhere(5));
    n.define(0, e(9));
    CHECK(n.find(0) == e(9));
}

TEST_CASE("numbering: a few numbers, each twice the one before, take no memory for those between them",
          "[relay][text]") {
    numbering n;
    n.next_definition();
    std::uint32_t number = 1023;
    for (; number < 0x80000000U; number = 2 * number + 1025) n.define(number, e(number)); // a dense table: 17 GB
    for (std::uint32_t known = 1023; known < number; known = 2 * known + 1025) CHECK(n.find(known) == e(known));
    CHECK(n.find(1024) == expr_id::none);
}

TEST_CASE("numbering: numbers far apart are found when the ones between them come", "[relay][text]") {
    numbering n;
    n.next_definition();
    n.define(100'000, e(1));
    for (std::uint32_t i = 0; i < 200'000; ++i)
        if (i != 100'000) n.define(i, e(i));
    CHECK(n.find(100'000) == e(1));
    CHECK(n.find(99'999) == e(99'999));
    n.define(100'000, e(2));
    CHECK(n.find(100'000) == e(2));
    n.next_definition();
    CHECK(n.find(100'000) == expr_id::none);
    CHECK(n.elsewhere(100'000));
}

TEST_CASE("numbering: numbers that are expected are none that are defined", "[relay][text][numbering]") {
    numbering numbers;
    numbers.next_definition();
    numbers.define(0, expr_id{7});
    numbers.expect(100);
    CHECK(numbers.find(1) == expr_id::none);
    numbers.define(1, expr_id{8});
    CHECK(numbers.find(0) == expr_id{7});
    CHECK(numbers.find(1) == expr_id{8});
}
