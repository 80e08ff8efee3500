#include <tutti/relay/onnx/ops/einsum.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using Catch::Matchers::Contains;

TEST_CASE("einsum: axes that the result has not are summed over", "[relay][onnx][einsum]") {
    made_model m;
    m.input("x", {2, 3}).input("w", {3, 4});
    m.node("Einsum", {"x", "w"}, {"y"}, {text_attribute("equation", "ij, jk -> ki")}).output("y");
    CHECK(imported_body(m) == "%0 = (%x, %w);\neinsum(%0, equation=\"ij, jk -> ki\")");
}

TEST_CASE("einsum: diagonals, ellipses, results that are implied", "[relay][onnx][einsum]") {
    const auto type_of = [](std::string_view equation, std::initializer_list<std::int64_t> shape) {
        made_model m;
        m.input("x", shape).node("Einsum", {"x"}, {"y"}, {text_attribute("equation", equation)});
        const std::string text = imported(m.output("y"));
        const std::size_t begin = text.find("-> ") + 3;
        return text.substr(begin, text.find(" {") - begin);
    };
    CHECK(type_of("...ii->...i", {3, 5, 5}) == "Tensor[(3, 5), float32]");
    CHECK(type_of("iij", {5, 5, 2}) == "Tensor[(2), float32]");
    CHECK(type_of("ba", {5, 2}) == "Tensor[(2, 5), float32]");
}

TEST_CASE("einsum: equations that do not fit are refused", "[relay][onnx][einsum]") {
    const auto said = [](std::string_view equation) {
        made_model m;
        m.input("x", {2, 3}).node("Einsum", {"x"}, {"y"}, {text_attribute("equation", equation)});
        return import_refused(m.output("y"));
    };
    CHECK_THAT(said("ijk->i"), Contains("a part does not have a letter for each axis of its operand"));
    CHECK_THAT(said("ij,jk->i"), Contains("not a part for each tensor"));
    CHECK_THAT(said("ij->z"), Contains("a letter of the result is not in the operands, or is in the result twice"));
    CHECK_THAT(said("i+->i"), Contains("a character is not a letter"));
}
