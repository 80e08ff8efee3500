#include <tutti/relay/onnx/ops/training.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("training: nothing is left out", "[relay][onnx][training]") {
    made_model m;
    m.input("x", {2}).node("Dropout", {"x"}, {"y", "m"}).output("y").output("m");
    CHECK(imported_body(m) == R"(%0 = cast(%x, dtype="bool");
%1 = ones_like(%0);
(%x, %1))");
}

TEST_CASE("training: the mean of the correct class's values", "[relay][onnx][training]") {
    made_model m;
    m.input("x", {2, 3}).input("t", {2}, 7).node("NegativeLogLikelihoodLoss", {"x", "t"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(%0 = expand_dims(%t, axis=1);
%1 = reshape(meta[relay.Constant][0], newshape=[3]);
%2 = equal(%0, %1);
%3 = where(%2, %x, 0f);
%4 = sum(%3, axis=[1]);
%5 = negative(%4);
mean(%5))");
}
