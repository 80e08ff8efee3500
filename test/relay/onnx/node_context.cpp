#include <tutti/relay/onnx/node_context.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

expr ask(node_context& c) {
    CHECK(c.node().op_type() == "Ask");
    CHECK(c.opset() == 17);
    CHECK(c.input_count() == 3);
    CHECK(c.has(0));
    CHECK_FALSE(c.has(1));
    CHECK(c.integer("i", 0) == 3);
    CHECK(c.integer("j", 8) == 8);
    CHECK(c.real("r", 0) == 0.5);
    CHECK(c.text("t", "") == "abc");
    CHECK(c.integers("is", {}) == dims{1, -2});
    CHECK(c.flag("i"));
    CHECK(c.axis_of(-1, 2) == 1);
    CHECK(c.known_integers(2) == dims{4, 5});
    CHECK(c.known_number_of(2) == std::nullopt);
    CHECK(c.shape(c.input(0)) == dims{2, dim::any()});
    CHECK(c.size(c.input(0), 0) == 2);
    CHECK(c.wants(0));
    CHECK_FALSE(c.wants(1));
    CHECK(refused([&] { c.size(c.input(0), 1); }) ==
          "the size of axis 1 is not known; expected a size for dimension `a` in import_options::dims");
    CHECK(refused([&] { c.input(1); }) == "has no input 1; expected one");
    CHECK(refused([&] { c.integer("t", 0); }) == "attribute `t` has another type; expected an integer");
    CHECK(refused([&] { c.integer("u"); }) == "has no attribute `u`; expected an integer");
    CHECK(refused([&] { c.axis_of(2, 2); }) == "axis 2 of a tensor of rank 2; expected -2 to 1");
    CHECK(refused([&] { c.static_integers(0, "the shape"); }).find("the shape is computed at run time") == 0);
    return c.cast_to(c.input(0), dtype::int32);
}

} // namespace

TEST_CASE("node_context: interface for rules", "[relay][onnx][node_context]") {
    static constexpr import_rule own[]{{"Ask", ask}};
    made_model m;
    m.input("x", {2, -1})
        .initializer(int64_tensor("k", {2}, {4, 5}))
        .node("Ask", {"x", "", "k"}, {"y"},
              {integer_attribute("i", 3), real_attribute("r", 0.5F), text_attribute("t", "abc"),
               integers_attribute("is", {1, -2})})
        .output("y");
    CHECK(imported_body(m, {.rules = own}) == "cast(%x, dtype=\"int32\")");
}
