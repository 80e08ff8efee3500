#include <tutti/relay/transform/layout/layout_rewriter.hpp>

#include <tutti/relay/ir/builder.hpp>

#include "support/catch.hpp"

using namespace tutti::relay;

namespace {

/// Returns the operators that a layout transform adds, innermost first.
std::string added(std::string_view from, std::string_view to, std::initializer_list<dim> shape = {2, 3, 4, 5},
                  bool typed = true) {
    builder b;
    const expr x = b.variable("x", shape);
    graph& g = b.graph();
    if (typed) g.set_type(x.id, g.annotation(x.id));
    tutti::relay::detail::layout_transforms transforms;
    expr_id e = transforms.transform(g, x.id, *layout::parse(from), *layout::parse(to));
    if (e == expr_id::none) return "none";
    CHECK(transforms.transform(g, x.id, *layout::parse(from), *layout::parse(to)) == e);
    std::string names;
    for (; e != x.id; e = g.arguments(e)[0]) names = std::string(g.called_op(e)->name) + " " + names;
    return names;
}

} // namespace

TEST_CASE("layout_transforms: adds the necessary operators, once", "[relay][transform]") {
    CHECK(added("NCHW", "NCHW").empty());
    CHECK(added("NCHW", "NHWC") == "layout_transform ");
    CHECK(added("C", "NHWC", {5}) == "expand_dims ");
    CHECK(added("C", "NCHW", {5}) == "expand_dims layout_transform ");
    CHECK(added("C", "NCHW", {1}).empty());
    CHECK(added("C", "NCHW", {1}, false) == "expand_dims layout_transform ");
    CHECK(added("NHWC", "C") == "none");
    CHECK(added("ABCD", "NHWC") == "none");
}

TEST_CASE("layout_transforms: converts between layouts with the same axes", "[relay][transform]") {
    const auto go_over = [](std::string_view a, std::string_view b) {
        return tutti::relay::detail::layout_transforms::go_over(*layout::parse(a), *layout::parse(b));
    };
    CHECK(go_over("NCHW", "NHWC16c"));
    CHECK_FALSE(go_over("NCHW", "NCW"));
    CHECK_FALSE(
        tutti::relay::detail::layout_transforms::go_over(*layout::parse("C"), layout::parse("NCHW16c")->sub(4, 1)));
}
