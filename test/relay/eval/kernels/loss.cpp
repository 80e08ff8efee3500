#include <tutti/relay/eval/kernels/loss.hpp>

#include "support.hpp"

#include <vector>

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::loss_kernels<>;
const tensor p({2, 2}, {1.F, 2.F, 3.F, 4.F});

} // namespace

TEST_CASE("kernels/loss: reduction and the class that is passed over are attributes", "[relay][eval]") {
    const std::vector<tensor> inputs{p, tensor({2}, {1, 0}), tensor({2}, {1.F, 3.F})};
    const test::call_row rows[]{
        {R"(nn.nll_loss(%a, %b, %c, reduction="none", ignore_index=-100))", inputs, {2}, {-6, -3}},
        {R"(nn.nll_loss(%a, %b, %c, reduction="sum", ignore_index=1))", inputs, {}, {-3}},
        {R"(nn.nll_loss(%a, %b, %c, reduction="mean", ignore_index=-100))", inputs, {}, {-2.25}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/loss: entropies of probabilities and logits", "[relay][eval]") {
    const tensor ones({2, 2}, {1.F, 1.F, 1.F, 1.F});
    const test::call_row rows[]{
        {"nn.cross_entropy(%a, %b)", {ones, p}, {}, {0}},
        {"nn.cross_entropy_with_logits(%a, %b)", {p, ones}, {}, {-5}},
    };
    test::check(kernels, rows);
}
