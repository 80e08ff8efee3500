#include <tutti/relay/onnx/write_options.hpp>

#include "support/catch.hpp"

using namespace tutti::relay::onnx;

TEST_CASE("write_options: the least version, names of the module, constants where they fit", "[relay][onnx]") {
    const write_options usual;
    CHECK(usual.opset == 0);
    CHECK(usual.like == nullptr);
    CHECK(usual.constants == constant_place::automatic);
}
