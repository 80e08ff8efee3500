#include <tutti/relay/onnx/ops/elementwise.hpp>

#include "../made_model.hpp"
#include "catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("elementwise: operators of one element and of two", "[relay][onnx][elementwise]") {
    made_model m;
    m.input("x", {2, 3}).input("y", {3}).node("Erf", {"x"}, {"a"}).node("Sub", {"a", "y"}, {"z"}).output("z");
    CHECK(imported_body(m) == "%0 = erf(%x);\nsubtract(%0, %y)");
}
