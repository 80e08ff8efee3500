#include <tutti/relay/eval/kernels/detection.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using relay::builder;
using relay::expr;
using test::same;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
std::vector<tensor> results(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::detection_kernels<>, inputs, build);
}

} // namespace

TEST_CASE("kernels/detection: boxes are counted", "[relay][eval]") {
    const tensor data({1, 2, 3}, {0.1F, 7.F, 0.F, 0.9F, 8.F, 0.F});
    const auto counted = results({data, tensor::scalar(0.5F)}, [](builder&, arguments e) {
        return relay::vision::get_valid_counts(e[0], e[1], {.id_index = -1, .score_index = 0});
    });
    CHECK(same(counted[0], tensor({1}, {1})));
    CHECK(same(counted[1], tensor({1, 2, 3}, {0.9F, 8.F, 0.F, -1.F, -1.F, -1.F})));
    CHECK(same(counted[2], tensor({1, 2}, {1, -1})));
}

TEST_CASE("kernels/detection: suppressions take their attributes and arguments", "[relay][eval]") {
    // Each row has a score, a class and the corners of a box. The second box equals the first, but has another class.
    const tensor data({1, 3, 6},
                      {0.9F, 0.F, 0.F, 0.F, 4.F, 4.F, 0.8F, 1.F, 0.F, 0.F, 4.F, 4.F, 0.7F, 1.F, 0.F, 0.F, 4.F, 5.F});
    const auto suppressed = [&](int most, relay::non_max_suppression_attributes a) {
        a.coord_start = 2;
        a.score_index = 0;
        a.id_index = 1;
        return results(
            {data, tensor({1}, {3}), tensor({1, 3}, {7, 8, 9}), tensor::scalar(most), tensor::scalar(0.5F)},
            [&](builder&, arguments e) { return relay::vision::non_max_suppression(e[0], e[1], e[2], e[3], e[4], a); });
    };
    CHECK(same(suppressed(-1, {})[0], tensor({1, 3}, {7, 8, -1})));
    CHECK(same(suppressed(-1, {})[1], tensor({1, 1}, {2})));
    CHECK(same(suppressed(1, {})[0], tensor({1, 3}, {7, -1, -1})));
    CHECK(same(suppressed(-1, {.force_suppress = true})[0], tensor({1, 3}, {7, -1, -1})));
    CHECK(same(suppressed(-1, {.top_k = 1})[0], tensor({1, 3}, {7, -1, -1})));
    const tensor boxes = suppressed(-1, {.return_indices = false})[0];
    CHECK(test::values(boxes)[6] == Approx(0.8));
    CHECK(test::values(boxes)[12] == -1);
    CHECK(same(suppressed(-1, {.return_indices = false, .invalid_to_bottom = true})[0], boxes));
}

TEST_CASE("kernels/detection: all classes in either form", "[relay][eval]") {
    const tensor boxes({1, 2, 4}, {0.F, 0.F, 4.F, 4.F, 9.F, 9.F, 5.F, 5.F});
    const tensor scores({1, 2, 2}, {0.3F, 0.9F, 0.8F, 0.1F});
    const auto suppressed = [&](std::string_view form) {
        return results({boxes, scores, tensor::scalar(5), tensor::scalar(0.5F), tensor::scalar(0.2F)},
                       [&](builder&, arguments e) {
                           return relay::vision::all_class_non_max_suppression(e[0], e[1], e[2], e[3], e[4],
                                                                               {.output_format = form});
                       });
    };
    const auto onnx = suppressed("onnx");
    CHECK(same(onnx[0], tensor({4, 3}, {std::int64_t{0}, std::int64_t{0}, std::int64_t{1}, std::int64_t{0},
                                        std::int64_t{0}, std::int64_t{0}, std::int64_t{0}, std::int64_t{1},
                                        std::int64_t{0}, std::int64_t{0}, std::int64_t{0}, std::int64_t{0}})));
    CHECK(same(onnx[1], tensor({1}, {std::int64_t{3}})));
    const auto other = suppressed("tensorflow");
    CHECK(same(other[1], tensor({1, 4}, {0.9F, 0.3F, 0.8F, 0.F})));
    CHECK(same(other[2], tensor({1}, {std::int64_t{3}})));
}
