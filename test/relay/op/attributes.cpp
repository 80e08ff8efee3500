#include <tutti/relay/op/attributes.hpp>

#include <tutti/base/hana_struct.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

#include <boost/hana/adapt_struct.hpp>
#include <boost/hana/tuple.hpp>

using namespace tutti::relay;

namespace {

struct everything {
    bool flag = true;
    std::int64_t number = -1;
    double epsilon = 1e-5;
    std::string_view text = "NCHW";
    dtype element = dtype::none;
    dims shape{1, 1};
    dim size = 3;
    std::optional<dim> channels{};
    std::optional<dims> axes{};
    required<std::int64_t> axis{};
    required<std::optional<dim>> units{};

    static constexpr tutti::option_list<&everything::flag, &everything::number, &everything::epsilon, &everything::text,
                                        &everything::element, &everything::shape, &everything::size,
                                        &everything::channels, &everything::axes, &everything::axis, &everything::units>
        options{"flag", "number", "epsilon", "text", "element", "shape", "size", "channels", "axes", "axis", "units"};
};

struct described_by_a_tuple {
    double slope = 0.5;
    dims sizes{};

    static constexpr auto options = boost::hana::make_tuple(tutti::option{"slope", &described_by_a_tuple::slope},
                                                            tutti::option{"sizes", &described_by_a_tuple::sizes});
};

struct adapted {
    required<std::int64_t> axis{};
    std::string_view mode = "edge";
};

} // namespace

BOOST_HANA_ADAPT_STRUCT(adapted, axis, mode);

namespace {

constexpr everything changed() {
    return {.flag = false,
            .number = 7,
            .epsilon = 0.5,
            .text = "a \"b\"",
            .element = dtype::int8,
            .shape = {1, 2, 3, 4, 5, 6, 7, 8},
            .size = dim::wide(3),
            .channels = dim::any(),
            .axes = dims{},
            .axis = std::int64_t{2},
            .units = std::optional(dim(10))};
}

constexpr bool same(const everything& a, const everything& b) {
    return a.flag == b.flag && a.number == b.number && a.epsilon == b.epsilon && a.text == b.text &&
           a.element == b.element && a.shape == b.shape && a.size == b.size && a.channels == b.channels &&
           a.axes == b.axes && a.axis == b.axis && a.units == b.units;
}

constexpr bool round_trips(const everything& given) {
    graph g;
    g.strings().add("something before");
    const attrs_id id = add_attributes(g, given);
    return same(get_attributes<everything>(g, id), given) && add_attributes(g, given) == id;
}

constexpr std::uint64_t printed(const everything& given) {
    graph g;
    return printed_attributes(g, attribute_fields<everything>, add_attributes(g, given));
}

constexpr std::uint64_t required_ones = 3U << 9;

static_assert(round_trips({}) && round_trips(changed()));
static_assert(printed({}) == required_ones && printed(changed()) == (1U << 11) - 1);
static_assert(attribute_fields<everything>.size() == 11 && attribute_fields<everything>[2].name == "epsilon");
static_assert(attribute_fields<everything>[9].required && !attribute_fields<everything>[8].required);
static_assert(attribute_fields<no_attributes>.empty());

constexpr bool takes_tuples() {
    graph g;
    const auto back =
        get_attributes<described_by_a_tuple>(g, add_attributes(g, described_by_a_tuple{.slope = 2, .sizes = {3, 4}}));
    return attribute_fields<described_by_a_tuple>[1].name == "sizes" && back.slope == 2 && back.sizes == dims{3, 4};
}
constexpr bool takes_adapted_structures() {
    graph g;
    const auto back = get_attributes<adapted>(g, add_attributes(g, adapted{.axis = 2, .mode = "reflect"}));
    return attribute_fields<adapted>[0].required && attribute_fields<adapted>[1].text == "edge" &&
           back.axis.value == 2 && back.mode == "reflect";
}
static_assert(takes_tuples() && takes_adapted_structures());

} // namespace

TEST_CASE("attributes: come back as they were kept", "[relay][attributes]") {
    CHECK(round_trips({}));
    CHECK(round_trips(changed()));
}

TEST_CASE("attributes: those equal to their defaults are not printed, required ones always are",
          "[relay][attributes]") {
    CHECK(printed({}) == required_ones);
    CHECK(printed(changed()) == (1U << 11) - 1);
    everything one;
    one.size = dim::wide(3); // printed as 3i64, unlike the default, 3
    CHECK(printed(one) == (required_ones | 1U << 6));
    everything empty_list;
    empty_list.axes = dims{}; // [] is not None
    CHECK(printed(empty_list) == (required_ones | 1U << 8));
}

TEST_CASE("attributes: a call without attributes has the defaults", "[relay][attributes]") {
    graph g;
    CHECK(add_attributes(g, no_attributes{}) == attrs_id::none);
    CHECK(same(get_attributes<everything>(g, attrs_id::none), everything{}));
}

TEST_CASE("attributes: a tuple of options describes them too, and Hana's own macros", "[relay][attributes]") {
    CHECK(takes_tuples());
    CHECK(takes_adapted_structures());
}
