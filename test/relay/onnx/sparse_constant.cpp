#include <tutti/relay/onnx/sparse_constant.hpp>

#include <tutti/relay/eval/evaluate.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace tutti;
using namespace tutti::relay;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

wire sparse(const wire& values, const wire& places, std::initializer_list<std::int64_t> shape) {
    wire s = wire().message(1, values).message(2, places);
    for (const std::int64_t d : shape) s.number(3, d);
    return s;
}
// Returns a model that adds the sparse constant w to x.
made_model sum_with(const wire& w) {
    made_model m;
    m.graph.message(15, w);
    return m.input("x", {2, 3}).node("Add", {"x", "w"}, {"y"}).output("y");
}
std::vector<float> sum_of(const made_model& m) {
    const tensor x({2, 3}, {1.F, 1.F, 1.F, 1.F, 1.F, 1.F});
    const tensor y = evaluate(import_model(model_of(m)), std::span<const tensor>(&x, 1))[0];
    return {y.data<float>(), y.data<float>() + y.size()};
}

} // namespace

TEST_CASE("sparse_constant: values are at their indices, zeros elsewhere", "[relay][onnx][sparse_constant]") {
    const wire values = float_tensor("w", {2}, {5, 7});
    CHECK(sum_of(sum_with(sparse(values, int64_tensor("", {2}, {1, 5}), {2, 3}))) ==
          std::vector<float>{1, 6, 1, 1, 1, 8});
    CHECK(sum_of(sum_with(sparse(values, int64_tensor("", {2, 2}, {0, 2, 1, 0}), {2, 3}))) ==
          std::vector<float>{1, 1, 6, 8, 1, 1});
    made_model m;
    m.input("x", {2, 3})
        .node("Constant", {}, {"w"},
              {wire()
                   .text(1, "sparse_value")
                   .message(22, sparse(values, int64_tensor("", {2}, {0, 1}), {2, 3}))
                   .number(20, 11)});
    CHECK(sum_of(m.node("Add", {"x", "w"}, {"y"}).output("y")) == std::vector<float>{6, 8, 1, 1, 1, 1});
}

TEST_CASE("sparse_constant: refuses mismatched parts", "[relay][onnx][sparse_constant]") {
    const wire values = float_tensor("w", {2}, {5, 7});
    CHECK(import_refused(sum_with(sparse(values, int64_tensor("", {3}, {1, 2, 3}), {2, 3}))) ==
          "m.onnx, node `y` (Add), sparse tensor `w`: values and indices whose shapes do not match; expected an index, "
          "or one number for each axis, for each value");
    CHECK(
        import_refused(sum_with(sparse(values, int64_tensor("", {2}, {1, 2}), {2, -3}))).find("has impossible sizes") !=
        std::string::npos);
    CHECK(import_refused(sum_with(sparse(values, float_tensor("", {2}, {1, 2}), {2, 3})))
              .find("of float at indices of type float") != std::string::npos);
    CHECK(import_refused(sum_with(sparse(values, int64_tensor("", {2}, {1, 6}), {2, 3}))) ==
          "m.onnx, node `y` (Add), sparse tensor `w`: index 6 is out of range; expected indices from 0 to 5");
    CHECK(import_refused(sum_with(sparse(values, int64_tensor("", {2, 2}, {0, 2, 1, 3}), {2, 3})))
              .find("index 3 is out of range; expected indices from 0 to 2") != std::string::npos);
    CHECK(import_refused(sum_with(sparse(values, int64_tensor("", {2}, {-1, 1}), {2, 3})))
              .find("index -1 is out of range") != std::string::npos);
}
