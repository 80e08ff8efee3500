#include <tutti/relay/onnx/ops/einsum.hpp>

#include "../made_model.hpp"
#include "catch.hpp"

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using Catch::Matchers::Contains;

TEST_CASE("einsum: axes that the result has not are summed over", "[relay][onnx][einsum]") {
    made_model m;
    m.input("x", {2, 3}).input("w", {3, 4});
    m.node("Einsum", {"x", "w"}, {"y"}, {text_attribute("equation", "ij, jk -> ki")}).output("y");
    CHECK(imported_body(m) == R"(%0 = transpose(%x, axes=[0, 1]);
%1 = transpose(%w, axes=[0, 1]);
%2 = expand_dims(%0, axis=2);
%3 = expand_dims(%1, axis=0);
%4 = multiply(%2, %3);
%5 = sum(%4, axis=[1]);
transpose(%5, axes=[1, 0]))");
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
    CHECK_THAT(said("ijk->i"), Contains("`ijk` for a tensor of rank 2; expected a letter for each axis"));
    CHECK_THAT(said("ij,jk->i"), Contains("for 1 inputs; expected a part for each"));
    CHECK_THAT(said("ij->z"), Contains("a result `z`; expected letters of the operands, each once"));
    CHECK_THAT(said("i+->i"), Contains("expected letters"));
}
