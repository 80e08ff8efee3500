#include <tutti/relay/eval/kernels/arguments.hpp>

#include <tutti/relay/op/pad.hpp>

#include "support.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
namespace detail = relay::kernels::detail;
using relay::dim;
using relay::dims;
using test::error_of;

namespace {

static_assert(detail::numbers("x", dims{3, -1}).size() == 2);
static_assert(detail::numbers("x", dims{3, dim::wide(-1)})[1] == -1);
static_assert(!detail::numbers("x", std::optional<dims>()));
static_assert(!detail::list(std::nullopt));
static_assert(!detail::number(std::nullopt));
static_assert(*detail::number(dim(7)) == 7);

} // namespace

TEST_CASE("kernels/arguments: numbers that are not known, or too many, are errors", "[relay][eval]") {
    CHECK(detail::numbers("x", dims(32, 5)).size() == 32);
    CHECK(error_of([] { detail::numbers("the attribute `x`", dims{1, dim::any()}); }) ==
          "the attribute `x`: an unknown number; expected at most 32 numbers");
    CHECK(error_of([] { detail::numbers("the attribute `x`", dims(33, 5)); }) ==
          "the attribute `x`: too many numbers; expected at most 32 numbers");
    const auto some = detail::numbers("x", std::optional(dims{4, 5}));
    const auto list = detail::list(some);
    REQUIRE(list);
    CHECK((list->size() == 2 && (*list)[1] == 5));
}

TEST_CASE("kernels/arguments: pairs are read in place", "[relay][eval]") {
    relay::builder b;
    const auto read = [&](std::vector<dims> width) {
        const relay::attrs_id id =
            relay::add_attributes(b.graph(), relay::pad_attributes{.pad_width = std::move(width), .pad_mode = "edge"});
        relay::detail::attr_reader reader{&b.graph(), b.graph().attrs()[id]};
        const detail::pairs all = detail::read_pairs("the attribute `pad_width`", reader);
        std::string_view mode;
        reader.read(mode);
        CHECK(mode == "edge");
        return all;
    };
    const detail::pairs two = read({{1, 2}, {3, -4}});
    REQUIRE(two.before.size() == 2);
    CHECK((two.before[0] == 1 && two.before[1] == 3 && two.after[0] == 2 && two.after[1] == -4));
    CHECK(read({}).before.size() == 0);
    const std::string expected =
        "the attribute `pad_width`: not a list of pairs; expected two numbers for each of at most 32 axes";
    CHECK(error_of([&] { read({{1, 2}, {3}}); }) == expected);
    CHECK(error_of([&] { read({{1, dim::any()}}); }) == expected);
    CHECK(error_of([&] { read(std::vector<dims>(33, dims{1, 2})); }) == expected);
}
