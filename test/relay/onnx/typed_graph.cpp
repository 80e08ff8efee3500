#include <tutti/relay/onnx/typed_graph.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("typed_graph: types are inferred on request", "[relay][onnx][typed_graph]") {
    typed_graph t;
    relay::graph& g = t.graph();
    const dims shape{2, dim::any()};
    const expr x{&g, g.variable("x", g.types().tensor({shape.begin(), shape.size()}, dtype::float32))};
    const expr y = relay::add(x, x);
    CHECK(t.shape(y.id) == shape);
    CHECK(t.element(relay::equal(x, y).id) == dtype::boolean);
    const expr_id fields[]{x.id, y.id};
    const expr_id tuple = g.tuple(fields);
    CHECK_FALSE(t.is_tensor(tuple));
    CHECK(t.is_tensor(g.projection(tuple, 1)));
    const expr_id params[]{g.variable("p", t.type(x.id))};
    const expr_id f = g.function(params, relay::negative({&g, params[0]}).id);
    const expr_id arguments[]{y.id};
    CHECK(t.shape(g.call(f, arguments)) == shape);
    relay::nn::relu({&g, tuple});
    CHECK(refused([&] { t.infer(); }).find("nn.relu, argument `data`") == 0);
}
