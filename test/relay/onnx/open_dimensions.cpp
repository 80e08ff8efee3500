#include <tutti/relay/onnx/open_dimensions.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("open_dimensions: names without a size, each once", "[relay][onnx]") {
    made_model m;
    m.input("x", {-2, 4, -1}).input("y", {-3, -2, 3}).node("Relu", {"x"}, {"z"}).output("z");
    const model read = model_of(m);
    const auto open = [&](const import_options& options) {
        std::string text;
        const relay::string_table names = open_dimensions(read.graph(), options);
        for (std::uint32_t i = 0; i < names.size(); ++i) text.append(names[relay::string_id{i}]).append(" ");
        return text;
    };
    CHECK(open({}) == "b a c ");
    CHECK(open({.dims = {{"a", 4}, {"b", 1}}}) == "c ");
}
