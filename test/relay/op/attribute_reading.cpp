#include <tutti/relay/op/attribute_reading.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace tutti::relay;
using Catch::Matchers::Contains;

namespace {

struct everything {
    bool flag = true;
    std::int64_t number = -1;
    double epsilon = 1e-5;
    std::string_view text = "NCHW";
    dtype element = dtype::none;
    dims shape{1, 1};
    std::optional<dim> channels{};
    std::optional<std::vector<double>> region{};
    std::vector<dims> pairs{};
    required<one_or_more> where{};

    friend bool operator==(const everything&, const everything&) = default;

    static constexpr tutti::option_list<&everything::flag, &everything::number, &everything::epsilon, &everything::text,
                                        &everything::element, &everything::shape, &everything::channels,
                                        &everything::region, &everything::pairs, &everything::where>
        options{"flag", "number", "epsilon", "text", "element", "shape", "channels", "region", "pairs", "where"};
};

struct everything_op {
    static constexpr std::string_view name = "everything";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = everything;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr type_id infer(relation&, const attributes&) { return type_id::none; }
};
constexpr const op_def& op = definition<everything_op>;

attr_value number(std::int64_t n) { return attr_value::of(dim(n)); }
const named_values where{"where", {number(2)}};

everything read(graph& g, const std::vector<named_values>& given) {
    return get_attributes<everything>(g, read_attributes(g, op, given));
}

std::string refused(graph& g, const std::vector<named_values>& given) {
    try {
        read_attributes(g, op, given);
    } catch (const tutti::error& e) {
        return e.what();
    }
    return "(not refused)";
}

} // namespace

TEST_CASE("attribute_reading: missing attributes have their defaults", "[relay][attribute_reading]") {
    graph g;
    everything expected;
    expected.where = 2;
    CHECK(read(g, {where}) == expected);
    CHECK(op.printed(g, read_attributes(g, op, std::vector{where})) == 1U << 9);
    CHECK(read_attributes(g, op, std::vector{where}) == add_attributes(g, expected));
}

TEST_CASE("attribute_reading: any order, every kind", "[relay][attribute_reading]") {
    graph g;
    const attr_value int8 = attr_value::of(g.strings().add("int8"));
    const everything a =
        read(g, {{"pairs", {attr_value::list(2), attr_value::list(2), number(1), number(2), attr_value::list(0)}},
                 {"where", {attr_value::list(2), number(3), number(5)}},
                 {"shape", {attr_value::list(3), number(4), attr_value::of(dim::any()), attr_value::of(dim::wide(6))}},
                 {"element", {int8}},
                 {"text", {int8}},
                 {"epsilon", {attr_value::of(0.5)}},
                 {"channels", {number(7)}},
                 {"region", {attr_value::list(2), attr_value::of(0.25), number(1)}},
                 {"number", {attr_value::of(dim::wide(9))}},
                 {"flag", {attr_value::of(false)}}});
    CHECK_FALSE(a.flag);
    CHECK(a.number == 9);
    CHECK(a.epsilon == 0.5);
    CHECK(a.text == "int8");
    CHECK(a.element == dtype::int8);
    CHECK(a.shape == dims{4, dim::any(), dim::wide(6)});
    CHECK(a.channels == dim(7));
    CHECK(a.region == std::vector{0.25, 1.0});
    CHECK(a.pairs == std::vector<dims>{{1, 2}, {}});
    CHECK(a.where == one_or_more(dims{3, 5}));
    CHECK(read(g, {where, {"flag", {number(0)}}, {"epsilon", {number(3)}}, {"channels", {attr_value{}}}}).epsilon == 3);
    CHECK(read(g, {where, {"element", {attr_value::of(g.strings().add(""))}}}).element == dtype::none);
}

TEST_CASE("attribute_reading: an error names the wrong attribute and the expectation", "[relay][attribute_reading]") {
    graph g;
    const attr_value text = attr_value::of(g.strings().add("flaot32"));
    CHECK(refused(g, {where, {"shapes", {number(2)}}}) ==
          "everything, attribute `shapes`: there is no such attribute; did you mean `shape`?; expected one "
          "of flag, "
          "number, epsilon, text, element, shape, channels, region, pairs, where");
    CHECK(refused(g, {}) == "everything, attribute `where`: is missing; expected an integer or a list of integers");
    CHECK(refused(g, {where, where}) == "everything, attribute `where`: is given twice; expected once");
    CHECK(refused(g, {where, {"shape", {number(3)}}}) ==
          "everything, attribute `shape`: 3; expected a list of integers");
    CHECK_THAT(refused(g, {where, {"flag", {number(2)}}}), Contains("2; expected True or False"));
    CHECK_THAT(refused(g, {where, {"number", {attr_value::of(0.5)}}}), Contains("expected an integer"));
    CHECK_THAT(refused(g, {where, {"number", {attr_value::of(dim::any())}}}), Contains("?; expected an integer"));
    CHECK_THAT(refused(g, {where, {"epsilon", {attr_value{}}}}), Contains("None; expected a number"));
    CHECK_THAT(refused(g, {where, {"text", {number(1)}}}), Contains("expected a string"));
    CHECK_THAT(refused(g, {where, {"element", {text}}}), Contains("\"flaot32\"; expected an element type such as"));
    CHECK_THAT(refused(g, {where, {"channels", {text}}}), Contains("expected an integer or None"));
    CHECK_THAT(refused(g, {where, {"region", {attr_value::list(1), text}}}), Contains("a list of numbers or None"));
    CHECK_THAT(refused(g, {where, {"pairs", {attr_value::list(1), number(1)}}}),
               Contains("a list of lists of integers"));
    CHECK_THAT(refused(g, {where, {"shape", {attr_value::list(1), attr_value{}}}}), Contains("a list of integers"));
    CHECK_THAT(refused(g, {where, {"text", {}}}), Contains("no value"));
}
