#include <tutti/relay/onnx/import_options.hpp>

#include "catch.hpp"
#include "made_model.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("import_options: dimensions with names are bound, or unknown", "[relay][onnx][import_options]") {
    made_model m;
    m.input("x", {-1, 3, -2}).node("Relu", {"x"}, {"y"}).output("y");
    CHECK(imported(m).find("%x: Tensor[(?, 3, ?), float32]") != std::string::npos);
    CHECK(imported(m, {.dims = {{"a", 4}}}).find("%x: Tensor[(4, 3, ?), float32]") != std::string::npos);
    CHECK(import_refused(m, {.dims = {{"n", 4}}}) == "m.onnx, dimension `n`: no input has it; expected `a`, `b`");
    CHECK(import_refused(m, {.dims = {{"a", -4}}}) == "m.onnx, dimension `a`: a size of -4; expected 0 to 2^60");
}

TEST_CASE("import_options: initialisers are constants, or parameters", "[relay][onnx][import_options]") {
    made_model m;
    m.input("x", {2}).initializer(float_tensor("w", {2}, {1, 2})).node("Add", {"x", "w"}, {"y"}).output("y");
    CHECK(imported_body(m) == "add(%x, meta[relay.Constant][0])");
    CHECK(imported_body(m, {.initializers = initializers::parameters}) == "add(%x, %w)");
}
