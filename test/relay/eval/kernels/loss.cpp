#include <tutti/relay/eval/kernels/loss.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::loss_kernels<>, inputs, build)[0];
}

const tensor p({2, 2}, {1.F, 2.F, 3.F, 4.F});

} // namespace

TEST_CASE("kernels/loss: reduction and the class that is passed over are attributes", "[relay][eval]") {
    const auto loss = [](std::string_view reduction, std::int64_t ignored) {
        return result({p, tensor({2}, {1, 0}), tensor({2}, {1.F, 3.F})}, [&](builder&, arguments e) {
            return relay::nn::nll_loss(e[0], e[1], e[2], {.reduction = reduction, .ignore_index = ignored});
        });
    };
    CHECK(difference(loss("none", -100), {2}, {-6, -3}, 0) == "");
    CHECK(difference(loss("sum", 1), {}, {-3}, 0) == "");
    CHECK(difference(loss("mean", -100), {}, {-2.25}, 0) == "");
}

TEST_CASE("kernels/loss: entropies of probabilities and logits", "[relay][eval]") {
    const tensor ones({2, 2}, {1.F, 1.F, 1.F, 1.F});
    CHECK(difference(result({ones, p}, [](builder&, arguments e) { return relay::nn::cross_entropy(e[0], e[1]); }), {},
                     {0}, 0) == "");
    CHECK(difference(
              result({p, ones}, [](builder&, arguments e) { return relay::nn::cross_entropy_with_logits(e[0], e[1]); }),
              {}, {-5}, 0) == "");
}
