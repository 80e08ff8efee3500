#include <tutti/relay/onnx/nchwc_block.hpp>

#include "made_model.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

// Returns the block size of a model with one convolution whose weight has these sizes. If `channels` is not 0, only
// that many channels of its result are used.
std::int64_t block(std::int64_t outputs, std::int64_t inputs, std::int64_t groups = 1, std::int64_t channels = 0) {
    made_model m;
    m.input("x", {1, inputs * groups, 1, 1})
        .initializer(float_tensor("w", {outputs, inputs, 1, 1},
                                  std::vector<float>(static_cast<std::size_t>(outputs * inputs), 0.0F)))
        .node("Conv", {"x", "w"}, {"y"}, {integer_attribute("group", groups)}, "", nchwc_domain);
    if (channels != 0)
        m.node("ReorderOutput", {"y"}, {"z"}, {integer_attribute("channels", channels)}, "", nchwc_domain);
    return nchwc_block(model_of(m).graph());
}

} // namespace

TEST_CASE("nchwc_block: the size that all weights fit", "[relay][onnx]") {
    CHECK(block(32, 64) == 0);
    CHECK(block(24, 64) == 8);
    CHECK(block(32, 24) == 8);
    CHECK(block(32, 3) == 0);
    CHECK(block(32, 12) == 16); // the 12 input channels are not in blocks
    CHECK(block(24, 1, 24) == 8);
    CHECK(block(32, 1, 32) == 0);
    CHECK(block(48, 16, 2) == 8); // each group has 24 output channels
}

TEST_CASE("nchwc_block: channels that are not used fill less than a block", "[relay][onnx]") {
    CHECK(block(1008, 64, 1, 1000) == 16);
    CHECK(block(1008, 64, 1, 1001) == 0);
    CHECK(block(1008, 64, 1, -1) == 0);
    CHECK(block(1008, 64, 1, 2000) == 0);
}

TEST_CASE("nchwc_block: unknown without weights, or with weights that fit none", "[relay][onnx]") {
    CHECK(block(20, 64) == 0);
    made_model m;
    m.input("x", {1, 16, 1, 1}).input("w", {24, 16, 1, 1}).node("Conv", {"x", "w"}, {"y"}, {}, "", nchwc_domain);
    CHECK(nchwc_block(model_of(m).graph()) == 0);
}
