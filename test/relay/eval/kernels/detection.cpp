#include <tutti/relay/eval/kernels/detection.hpp>

#include "support.hpp"

#include <string>

using test::computed;
using test::same;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::detection_kernels<>;

} // namespace

TEST_CASE("kernels/detection: boxes are counted", "[relay][eval]") {
    const tensor data({1, 2, 3}, {0.1F, 7.F, 0.F, 0.9F, 8.F, 0.F});
    const auto counted = computed(kernels, "vision.get_valid_counts(%a, 0.5f, id_index=-1, score_index=0)", {data});
    CHECK(same(counted[0], tensor({1}, {1})));
    CHECK(same(counted[1], tensor({1, 2, 3}, {0.9F, 8.F, 0.F, -1.F, -1.F, -1.F})));
    CHECK(same(counted[2], tensor({1, 2}, {1, -1})));
}

TEST_CASE("kernels/detection: suppressions take their attributes and arguments", "[relay][eval]") {
    // Each row has a score, a class and the corners of a box. The second box equals the first, but has another class.
    const tensor data({1, 3, 6},
                      {0.9F, 0.F, 0.F, 0.F, 4.F, 4.F, 0.8F, 1.F, 0.F, 0.F, 4.F, 4.F, 0.7F, 1.F, 0.F, 0.F, 4.F, 5.F});
    const auto suppressed = [&](const std::string& most, const std::string& attributes = "") {
        return computed(kernels,
                        "vision.non_max_suppression(%a, %b, %c, " + most +
                            ", 0.5f, coord_start=2, score_index=0, id_index=1" + attributes + ")",
                        {data, tensor({1}, {3}), tensor({1, 3}, {7, 8, 9})});
    };
    const auto indices = suppressed("-1");
    CHECK(same(indices[0], tensor({1, 3}, {7, 8, -1})));
    CHECK(same(indices[1], tensor({1, 1}, {2})));
    CHECK(same(suppressed("1")[0], tensor({1, 3}, {7, -1, -1})));
    CHECK(same(suppressed("-1", ", force_suppress=True")[0], tensor({1, 3}, {7, -1, -1})));
    CHECK(same(suppressed("-1", ", top_k=1")[0], tensor({1, 3}, {7, -1, -1})));
    const tensor boxes(
        {1, 3, 6}, {0.9F, 0.F, 0.F, 0.F, 4.F, 4.F, 0.8F, 1.F, 0.F, 0.F, 4.F, 4.F, -1.F, -1.F, -1.F, -1.F, -1.F, -1.F});
    CHECK(same(suppressed("-1", ", return_indices=False")[0], boxes));
    CHECK(same(suppressed("-1", ", return_indices=False, invalid_to_bottom=True")[0], boxes));
}

TEST_CASE("kernels/detection: all classes in either form", "[relay][eval]") {
    const tensor boxes({1, 2, 4}, {0.F, 0.F, 4.F, 4.F, 9.F, 9.F, 5.F, 5.F});
    const tensor scores({1, 2, 2}, {0.3F, 0.9F, 0.8F, 0.1F});
    const auto wide = [](const tensor& t) { return test::converted(t, test::dtype::int64); };
    const auto onnx =
        computed(kernels, R"(vision.all_class_non_max_suppression(%a, %b, 5, 0.5f, 0.2f, output_format="onnx"))",
                 {boxes, scores});
    CHECK(same(onnx[0], wide(tensor({4, 3}, {0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0}))));
    CHECK(same(onnx[1], wide(tensor({1}, {3}))));
    const auto other =
        computed(kernels, R"(vision.all_class_non_max_suppression(%a, %b, 5, 0.5f, 0.2f, output_format="tensorflow"))",
                 {boxes, scores});
    CHECK(same(other[1], tensor({1, 4}, {0.9F, 0.3F, 0.8F, 0.F})));
    CHECK(same(other[2], wide(tensor({1}, {3}))));
}
