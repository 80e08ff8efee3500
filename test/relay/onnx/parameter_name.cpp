#include <tutti/relay/onnx/parameter_name.hpp>

#include "catch.hpp"

using tutti::relay::onnx::parameter_name;

TEST_CASE("parameter_name: what the text may not write is `_`", "[relay][onnx][parameter_name]") {
    CHECK(parameter_name("x.1_b") == "x.1_b");
    CHECK(parameter_name("gpu_0/data:0") == "gpu_0_data_0");
    CHECK(parameter_name("0") == "input_0");
    CHECK(parameter_name(".a") == "input_.a");
    CHECK(parameter_name("") == "input");
    CHECK(parameter_name("\xC3\xA4") == "input___");
}
