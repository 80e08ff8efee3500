#include <tutti/relay/onnx/ops/image.hpp>

#include "../evaluated.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;
using kernel::dtype;
using kernel::tensor;

namespace {

std::vector<float> numbers_of(const made_model& m, const tensor& x) {
    const tensor y = result_of(m, {x});
    return {y.data<float>(), y.data<float>() + y.size()};
}
tensor counted(std::initializer_list<std::int64_t> shape) {
    tensor x(dtype::float32, shape);
    for (std::int64_t i = 0; i < x.size(); ++i) x.mutable_data<float>()[i] = static_cast<float>(i + 1);
    return x;
}

// Returns a model with an affine grid. Its theta scales x by 1 and y by 2, and shifts x by 0.5.
made_model grid(std::initializer_list<std::int64_t> size, bool corners) {
    made_model m;
    m.opset = 20;
    m.input("shift", {1, 2, 3}).initializer(float_tensor("scale", {1, 2, 3}, {1, 0, 0.5, 0, 2, 0}));
    m.initializer(int64_tensor("size", {static_cast<std::int64_t>(size.size())}, size));
    m.node("Add", {"shift", "scale"}, {"theta"});
    m.node("AffineGrid", {"theta", "size"}, {"y"}, {integer_attribute("align_corners", corners)}, "g").output("y");
    return m;
}

made_model blocks(std::initializer_list<std::int64_t> data, std::initializer_list<std::int64_t> image,
                  std::initializer_list<std::int64_t> block, std::initializer_list<wire> attributes = {}) {
    made_model m;
    m.opset = 18;
    m.input("x", data).initializer(int64_tensor("image", {static_cast<std::int64_t>(image.size())}, image));
    m.initializer(int64_tensor("block", {static_cast<std::int64_t>(block.size())}, block));
    m.node("Col2Im", {"x", "image", "block"}, {"y"}, attributes, "c").output("y");
    return m;
}

} // namespace

TEST_CASE("image: a grid reaches the corners, or the edges", "[relay][onnx][image]") {
    tensor none(dtype::float32, {1, 2, 3});
    for (int i = 0; i < 6; ++i) none.mutable_data<float>()[i] = 0;
    CHECK(numbers_of(grid({1, 1, 2, 3}, true), none) ==
          std::vector<float>{-0.5, -2, 0.5, -2, 1.5, -2, -0.5, 2, 0.5, 2, 1.5, 2});
    CHECK(numbers_of(grid({1, 1, 2, 2}, false), none) == std::vector<float>{0, -1, 1, -1, 0, 1, 1, 1});
    // If an axis has only one element, the element is in the middle.
    CHECK(numbers_of(grid({1, 1, 1, 1}, true), none) == std::vector<float>{0.5, 0});
}

TEST_CASE("image: a grid of other shapes", "[relay][onnx][image]") {
    CHECK(import_refused(grid({1, 1, 2}, true)) ==
          "m.onnx, node `g` (AffineGrid): a size of 3 numbers; expected 4 or 5");
    CHECK(import_refused(grid({1, 1, 2, 3, 4}, true)) ==
          "m.onnx, node `g` (AffineGrid): matrices of another shape; expected (batch, 3, 4)");
}

TEST_CASE("image: overlapping blocks add up", "[relay][onnx][image]") {
    // Blocks of two elements begin at 0, 1 and 2. A row of the data holds one element of every block.
    CHECK(numbers_of(blocks({1, 2, 3}, {4}, {2}), counted({1, 2, 3})) == std::vector<float>{1, 2 + 4, 3 + 5, 6});
    // Each of the two channels has its own blocks.
    CHECK(numbers_of(blocks({1, 4, 3}, {4}, {2}), counted({1, 4, 3})) ==
          std::vector<float>{1, 6, 8, 6, 7, 8 + 10, 9 + 11, 12});
    // The outermost elements are in the padding.
    CHECK(numbers_of(blocks({1, 2, 3}, {2}, {2}, {integers_attribute("pads", {1, 1})}), counted({1, 2, 3})) ==
          std::vector<float>{2 + 4, 3 + 5});
    // With steps of two, the last column has no block.
    CHECK(numbers_of(blocks({1, 4, 1}, {2, 3}, {2, 2}, {integers_attribute("strides", {1, 2})}), counted({1, 4, 1})) ==
          std::vector<float>{1, 2, 0, 3, 4, 0});
}

TEST_CASE("image: blocks of impossible shapes", "[relay][onnx][image]") {
    CHECK(import_refused(blocks({1, 2, 3}, {2, 2}, {2})) ==
          "m.onnx, node `c` (Col2Im): blocks of 1 axes; expected as many as the image, at least 1");
    CHECK(import_refused(blocks({1, 2, 3}, {4}, {2}, {integers_attribute("strides", {1, 1})})) ==
          "m.onnx, node `c` (Col2Im): 2 strides; expected 1");
    CHECK(import_refused(blocks({1, 2, 3}, {4}, {2}, {integers_attribute("dilations", {0})})) ==
          "m.onnx, node `c` (Col2Im): a stride or dilation below 1; expected positive ones");
    CHECK(import_refused(blocks({2, 3}, {4}, {2})) == "m.onnx, node `c` (Col2Im): data of rank 2; expected 3");
}
