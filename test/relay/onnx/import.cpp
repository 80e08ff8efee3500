#include <tutti/relay/onnx/import.hpp>

#include "catch.hpp"
#include "made_model.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("import: a model as a module, all types inferred", "[relay][onnx][import]") {
    made_model m;
    m.input("x", {2, 3}).node("Relu", {"x"}, {"a"}).node("Add", {"a", "x"}, {"y"}).output("y");
    CHECK(to_text(import_model(model_of(m))) == R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32] /* ty=Tensor[(2, 3), float32] */) -> Tensor[(2, 3), float32] {
  %0 = nn.relu(%x) /* ty=Tensor[(2, 3), float32] */;
  add(%0, %x) /* ty=Tensor[(2, 3), float32] */
}
)");
}
