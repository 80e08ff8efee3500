#include <tutti/relay/onnx/ops/index.hpp>

#include <tutti/relay/eval/evaluate.hpp>

#include "../made_model.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

TEST_CASE("index: indices from the end", "[relay][onnx][index]") {
    made_model m;
    m.input("x", {3, 4})
        .input("i", {2}, 7)
        .node("Gather", {"x", "i"}, {"y"}, {integer_attribute("axis", -1)})
        .output("y");
    CHECK(imported_body(m) == R"(%0 = less(%i, 0i64);
%1 = add(%i, 4i64);
%2 = where(%0, %1, %i);
take(%x, %2, axis=1, mode="fast"))");
}

namespace {

/// Runs a model with the data 0, 1, 2 and the inputs in `rest`. Returns the results or the error.
std::string run_of(const made_model& m, std::vector<tensor> rest) {
    ir_module module = import_model(model_of(m));
    std::vector<tensor> inputs{tensor({3}, {0.F, 1.F, 2.F})};
    inputs.insert(inputs.end(), rest.begin(), rest.end());
    std::string text;
    try {
        const auto results = evaluate(std::move(module), inputs);
        for (const float x : results[0].elements<float>()) text += std::to_string(static_cast<int>(x)) + " ";
    } catch (const error& e) {
        return e.what();
    }
    return text;
}

tensor two_indices(std::int64_t first, std::int64_t second) { return tensor({2}, {first, second}); }

} // namespace

TEST_CASE("index: an index out of range is an error of the run", "[relay][onnx][index]") {
    const auto along = [](std::string_view op, bool updates) {
        made_model m;
        m.input("x", {3}).input("i", {2}, 7);
        if (updates) return m.input("u", {2}).node(op, {"x", "i", "u"}, {"y"}).output("y");
        return m.node(op, {"x", "i"}, {"y"}).output("y");
    };
    const tensor updates({2}, {7.F, 8.F});
    for (const std::string_view op : {"Gather", "GatherElements"}) {
        CAPTURE(op);
        CHECK(run_of(along(op, false), {two_indices(-3, 2)}) == "0 2 ");
        CHECK(run_of(along(op, false), {two_indices(-1, 1)}) == "2 1 ");
        for (const std::int64_t wrong : {3, -4, -5, 1'000'000})
            CHECK(run_of(along(op, false), {two_indices(0, wrong)}).find("index ") != std::string::npos);
    }
    CHECK(run_of(along("ScatterElements", true), {two_indices(-3, 2), updates}) == "7 1 8 ");
    for (const std::int64_t wrong : {3, -4, -5})
        CHECK(run_of(along("ScatterElements", true), {two_indices(0, wrong), updates}).find("index ") !=
              std::string::npos);
    made_model places;
    places.input("x", {3}).input("i", {2, 1}, 7).node("GatherND", {"x", "i"}, {"y"}).output("y");
    CHECK(run_of(places, {tensor({2, 1}, {std::int64_t{-1}, std::int64_t{0}})}) == "2 0 ");
    for (const std::int64_t wrong : {3, -4, -5})
        CHECK(run_of(places, {tensor({2, 1}, {std::int64_t{0}, wrong})}).find("index ") != std::string::npos);
    made_model put;
    put.input("x", {3}).input("i", {2, 1}, 7).input("u", {2}).node("ScatterND", {"x", "i", "u"}, {"y"}).output("y");
    CHECK(run_of(put, {tensor({2, 1}, {std::int64_t{-1}, std::int64_t{0}}), updates}) == "8 1 7 ");
    CHECK(run_of(put, {tensor({2, 1}, {std::int64_t{0}, std::int64_t{3}}), updates}).find("index ") !=
          std::string::npos);
}

TEST_CASE("index: gathering crops the data to the indices on the other axes", "[relay][onnx][index]") {
    made_model m;
    m.input("x", {3, 4, 5})
        .input("i", {2, 6, 5}, 7)
        .node("GatherElements", {"x", "i"}, {"y"}, {integer_attribute("axis", 1)})
        .output("y");
    const std::string text = imported_body(m);
    INFO(text);
    CHECK(text.find("strided_slice(%x, begin=[0], end=[2], strides=[1], axes=[0])") != std::string::npos);
    CHECK(text.find("gather(") != std::string::npos);
}

TEST_CASE("index: where sizes are unknown, there may be fewer indices than data, too", "[relay][onnx][index]") {
    made_model m;
    m.input("x", {-1, 2}, 1).input("i", {-1, 2}, 7);
    m.node("GatherElements", {"x", "i"}, {"y"}, {integer_attribute("axis", 1)}).output("y");
    const std::vector<tensor> inputs{
        tensor({3, 2}, {0.F, 1.F, 2.F, 3.F, 4.F, 5.F}),
        tensor({2, 2}, {std::int64_t{1}, std::int64_t{0}, std::int64_t{0}, std::int64_t{0}})};
    const std::vector<tensor> made = relay::evaluate(import_model(model_of(m)), std::span<const tensor>(inputs));
    CHECK(std::vector<float>(made[0].data<float>(), made[0].data<float>() + made[0].size()) ==
          std::vector<float>{1, 0, 2, 2});
}

TEST_CASE("index: values and places", "[relay][onnx][index]") {
    made_model m;
    m.input("x", {3, 4})
        .initializer(int64_tensor("k", {1}, {2}))
        .node("TopK", {"x", "k"}, {"y", "i"})
        .output("y")
        .output("i");
    CHECK(imported_body(m) == R"(%0 = topk(%x, k=2, axis=1, dtype="int64");
%1 = %0.0;
%2 = %0.1;
(%1, %2))");
}

TEST_CASE("index: the upper triangle", "[relay][onnx][index]") {
    made_model m;
    m.input("x", {2, 2}).node("Trilu", {"x"}, {"y"}).output("y");
    CHECK(imported_body(m) == R"(%0 = reshape(meta[relay.Constant][1], newshape=[2, 1], allowzero=True);
%1 = subtract(meta[relay.Constant][0], %0);
%2 = greater_equal(%1, 0i64);
where(%2, %x, 0f))");
}

TEST_CASE("index: updates at places, along an axis and by rows", "[relay][onnx][index]") {
    made_model m;
    m.input("x", {3, 4}).input("i", {1, 4}, 7).input("u", {1, 4}).node("ScatterElements", {"x", "i", "u"}, {"a"});
    m.input("p", {2, 1}, 7)
        .input("v", {2, 4})
        .node("ScatterND", {"a", "p", "v"}, {"y"}, {text_attribute("reduction", "add")});
    const std::string text = imported_body(m.output("y"));
    CHECK(text.find("scatter(%x, ") != std::string::npos);
    CHECK(text.find("scatter_nd(") != std::string::npos);
    made_model wrong;
    wrong.input("x", {3}).input("i", {1}, 7).input("u", {1});
    wrong.node("ScatterElements", {"x", "i", "u"}, {"y"}, {text_attribute("reduction", "mean")}).output("y");
    CHECK(import_refused(wrong).find("reduction `mean`; expected none, add, mul, max or min") != std::string::npos);
}

TEST_CASE("index: the greatest of an element and its updates", "[relay][onnx][index]") {
    made_model m;
    m.opset = 18;
    m.input("x", {3}).input("i", {2}, 7).input("u", {2});
    m.node("ScatterElements", {"x", "i", "u"}, {"y"}, {text_attribute("reduction", "max")}).output("y");
    CHECK(imported_body(m) == R"(%0 = less(%i, 0i64);
%1 = add(%i, 3i64);
%2 = where(%0, %1, %i);
%3 = (%2,);
%4 = stack(%3);
scatter_nd(%x, %4, %u, mode="max"))");
}

TEST_CASE("index: sums that run backwards", "[relay][onnx][index]") {
    made_model m;
    m.input("x", {3}).initializer(int64_tensor("a", {}, {0}));
    m.node("CumSum", {"x", "a"}, {"y"}, {integer_attribute("reverse", 1), integer_attribute("exclusive", 1)})
        .output("y");
    const std::string text = imported_body(m);
    CHECK(text.find("cumsum(%0, axis=0, exclusive=") != std::string::npos);
    CHECK(text.find("reverse(%1, axis=0)") != std::string::npos);
}

TEST_CASE("index: an axis of sums that is computed while the model runs chooses", "[relay][onnx][index]") {
    made_model m;
    m.input("x", {2, 3}).input("axis", {}, 7).node("CumSum", {"x", "axis"}, {"y"}).output("y");
    const std::string body = imported_body(m);
    CHECK(body.find("if (") != std::string::npos);
    CHECK(body.find("cumsum(%x, axis=0") != std::string::npos);
    CHECK(body.find("cumsum(%x, axis=1") != std::string::npos);
}

TEST_CASE("index: unique elements are as many as there are, and slices along an axis are numbered",
          "[relay][onnx][index]") {
    made_model m;
    m.input("x", {2, 3}).node("Unique", {"x"}, {"y", "i", "r", "n"}, {integer_attribute("sorted", 0)});
    const std::string text = imported_body(m.output("y"));
    CHECK(text.find("unique(%0, sorted=False, return_counts=True)") != std::string::npos);
    CHECK(text.find("dyn.strided_slice(") != std::string::npos);
    made_model along;
    along.input("x", {2, 3}).node("Unique", {"x"}, {"y"}, {integer_attribute("axis", -2)});
    const std::string rows = imported_body(along.output("y"));
    CHECK(rows.find("transpose(%x, axes=[0, 1])") != std::string::npos);
    CHECK(rows.find("take(%x, ") != std::string::npos);
    made_model wide;
    wide.input("x", {2, 2000}).node("Unique", {"x"}, {"y"}, {integer_attribute("axis", 0)});
    CHECK(import_refused(wide.output("y")).find("slices of 2000 elements; expected 1 to 1,024") != std::string::npos);
}
