#include <tutti/relay/onnx/model_functions.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("model_functions: finds the first of a name and a domain", "[relay][onnx][model_functions]") {
    made_model m;
    m.input("x", {1}).output("x");
    const auto made = [](const char* name, const char* domain, const char* input) {
        return wire().text(1, name).text(10, domain).text(4, input);
    };
    wire all;
    all.bytes = m.bytes();
    all.message(25, made("F", "d", "a")).message(25, made("F", "d", "b")).message(25, made("G", "ai.onnx", "c"));
    const model read = model_of(all.bytes);
    model_functions functions(read);
    const auto input_of = [](const function_view& f) { return (*f.inputs().begin()).payload.text(); };
    for (int i = 0; i < 2; ++i) {
        CHECK_FALSE(functions.find("F", "").exists());
        CHECK_FALSE(functions.find("H", "d").exists());
        REQUIRE(functions.find("F", "d").exists());
        CHECK(input_of(functions.find("F", "d")) == "a");
        REQUIRE(functions.find("G", "").exists());
    }
    const model other = model_of(m);
    CHECK_FALSE(model_functions(other).find("F", "d").exists());
}
