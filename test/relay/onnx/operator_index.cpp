#include <tutti/relay/onnx/operator_index.hpp>

#include "support/catch.hpp"

using tutti::relay::onnx::operator_index;

TEST_CASE("operator_index: operators are numbered as they come, by name and domain", "[relay][onnx][operator_index]") {
    operator_index names;
    CHECK(names.add("Relu", "") == 0);
    CHECK(names.add("Relu", "mine") == 1);
    CHECK(names.add("Add", "") == 2);
    CHECK(names.add("Relu", "mine") == 1);
    CHECK(names.add("", "Relu") == 3);
    CHECK(names.size() == 4);
}
