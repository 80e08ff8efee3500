#include <tutti/relay/op/loss.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

#include <string_view>

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dims;
using relay::dtype;

TEST_CASE("loss: nn.nll_loss keeps the targets' shape or gives one number", "[relay][loss]") {
    const auto loss = [](const dims& predictions, const dims& targets, const dims& weights,
                         std::string_view reduction = "mean", dtype element = dtype::int32) {
        return [=](relay::builder& b) {
            return relay::nn::nll_loss(b.variable("p", predictions), b.variable("t", targets, element),
                                       b.variable("w", weights), {.reduction = reduction, .ignore_index = -100});
        };
    };
    CHECK(type_of(loss({10, 5}, {10}, {5})) == "float32");
    CHECK(type_of(loss({10, 5, 2}, {10, 2}, {5}, "none")) == "Tensor[(10, 2), float32]");
    CHECK(type_of(loss({5}, {}, {5}, "sum")) == "float32");
    CHECK_THAT(refusal_of(loss({10, 5}, {10}, {4})), Contains("argument `weights`"));
    CHECK_THAT(refusal_of(loss({10, 5}, {9}, {5})), Contains("argument `targets`"));
    CHECK_THAT(refusal_of(loss({10, 5}, {10, 5}, {5})), Contains("one dimension more"));
    CHECK_THAT(refusal_of(loss({10, 5}, {10}, {5}, "max")), Contains("\"none\", \"sum\" or \"mean\""));
    CHECK_THAT(refusal_of(loss({10, 5}, {10}, {5}, "sum", dtype::float32)), Contains("integers"));
}

TEST_CASE("loss: entropies are of matrices", "[relay][loss]") {
    const auto entropy = [](const dims& predictions, const dims& targets) {
        return [=](relay::builder& b) {
            return relay::nn::cross_entropy(b.variable("p", predictions), b.variable("t", targets));
        };
    };
    CHECK(type_of(entropy({10, 5}, {10, 5})) == "float32");
    CHECK_THAT(refusal_of(entropy({10, 5}, {10, 4})), Contains("argument `targets`"));
    CHECK_THAT(refusal_of({10}, [](relay::expr x) { return relay::nn::cross_entropy_with_logits(x, x); }),
               Contains("a floating-point matrix"));
}
