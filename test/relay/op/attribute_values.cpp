#include <tutti/relay/op/attribute_values.hpp>

#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::relay;

namespace {

// A program that returns one call.
struct program {
    relay::ir_module m;

    explicit program(std::string_view call)
        : m(relay::parse("def @main(%x: Tensor[(2, 3, 4), float32]) { " + std::string(call) + " }")) {}

    attribute_values attributes() const {
        const relay::function& f = *m.find("main");
        const relay::expr_id call = f.graph.body(f.root);
        return attribute_values(f.graph, *f.graph.called_op(call), f.graph.call_attributes(call));
    }
};

} // namespace

TEST_CASE("attribute_values: given attributes by name", "[relay][op][attribute_values]") {
    const program sum("sum(%x, axis=[0, -1], keepdims=True)");
    const attribute_values a = sum.attributes();
    CHECK(a.numbers("axis") == relay::dims{0, -1});
    CHECK(a.is_list("axis"));
    CHECK(!a.is_none("axis"));
    CHECK(a.flag("keepdims"));
    CHECK(!a.flag("exclude"));

    const program resize("image.resize2d(%x, size=[7, 3], roi=[0f64, 0.5f64, 1f64, 1f64], layout=\"NHWC\", "
                         "cubic_alpha=-0.75f64, out_dtype=\"int8\")");
    const attribute_values r = resize.attributes();
    CHECK(r.numbers("size") == relay::dims{7, 3});
    CHECK(r.reals("roi") == vector<double>{0, 0.5, 1, 1});
    CHECK(r.text("layout") == "NHWC");
    CHECK(r.text("method") == "linear");
    CHECK(r.real("cubic_alpha") == -0.75);
    CHECK(r.element("out_dtype") == kernel::dtype::int8);
}

TEST_CASE("attribute_values: defaults of a call without attributes", "[relay][op][attribute_values]") {
    const program sum("sum(%x)");
    CHECK(sum.attributes().is_none("axis"));
    CHECK(sum.attributes().numbers("axis").empty());
    CHECK(!sum.attributes().flag("keepdims"));
    const program concatenation("concatenate((%x, %x))");
    CHECK(concatenation.attributes().integer("axis") == 0);
    CHECK(program("nn.depth_to_space(%x, block_size=2)").attributes().text("mode") == "DCR");
    CHECK(program("nn.leaky_relu(%x)").attributes().real("alpha") > 0);
}

TEST_CASE("attribute_values: lists of lists are one list", "[relay][op][attribute_values]") {
    const program pad("nn.pad(%x, 0f, pad_width=[[0, 0], [1, 2], [3, 4]])");
    CHECK(pad.attributes().numbers("pad_width") == relay::dims{0, 0, 1, 2, 3, 4});
    CHECK(pad.attributes().text("pad_mode") == "constant");
    CHECK(program("split(%x, indices_or_sections=2, axis=1)").attributes().integer("indices_or_sections") == 2);
    CHECK(!program("split(%x, indices_or_sections=2, axis=1)").attributes().is_list("indices_or_sections"));
    CHECK(program("split(%x, indices_or_sections=[1, 2], axis=1)").attributes().is_list("indices_or_sections"));
}
