#include <tutti/kernel/loss.hpp>

#include "moving.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::loss_reduction;
using kernel::tensor;
using test::error_of;
using test::made;
using test::shape_t;

namespace {

constexpr bool sums_in_constant_evaluation() {
    tensor out;
    kernel::nll_loss(tensor({1, 2}, {-1.F, -2.F}), tensor({1}, {1}), tensor({2}, {1.F, 3.F}), loss_reduction::sum, -100,
                     out);
    return out.elements<float>()[0] > 5.9F && out.elements<float>()[0] < 6.1F;
}

} // namespace

TEST_CASE("loss: sums in constant evaluation", "[kernel][loss]") {
    static_assert(sums_in_constant_evaluation());
    CHECK(sums_in_constant_evaluation());
}

TEST_CASE("loss: nll_loss picks the predictions for the targets", "[kernel][loss]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 60; ++round) {
        shape_t targets = test::any_shape(random, 3);
        const std::int64_t classes = random.integer(1, 4);
        shape_t shape = targets;
        shape.insert(shape.begin() + (targets.empty() ? 0 : 1), classes);
        const tensor predictions = test::any_data(random, dtype::float64, shape);
        const tensor weights = test::any_data(random, dtype::float64, {classes});
        tensor chosen(dtype::int32, targets);
        for (std::int32_t& c : chosen.mutable_elements<std::int32_t>())
            c = static_cast<std::int32_t>(random.integer(-1, classes - 1));
        const test::elements_of p(predictions), w(weights), c(chosen);
        double losses = 0;
        double sum = 0;
        const auto loss_of = [&](const shape_t& index) {
            const double target = c(index);
            if (target < 0) return 0.0;
            shape_t at = index;
            at.insert(at.begin() + (index.empty() ? 0 : 1), static_cast<std::int64_t>(target));
            return -p(at) * w({static_cast<std::int64_t>(target)});
        };
        test::for_each_index(targets, [&](const shape_t& index) {
            losses += loss_of(index);
            if (c(index) >= 0) sum += w({static_cast<std::int64_t>(c(index))});
        });
        const auto reduced = [&](loss_reduction r) {
            return made(kernel::nll_loss, predictions, chosen, weights, r, -1);
        };
        CHECK(test::difference_from(reduced(loss_reduction::none), dtype::float64, targets, loss_of) == "");
        CHECK(test::difference(reduced(loss_reduction::sum), {}, {losses}, 1e-9) == "");
        if (sum > 0) CHECK(test::difference(reduced(loss_reduction::mean), {}, {losses / sum}, 1e-9) == "");
    }
}

TEST_CASE("loss: refuses mismatched operands", "[kernel][loss]") {
    const tensor p({1, 2}, {-1.F, -2.F});
    const tensor w({2}, {1.F, 1.F});
    const auto said = [&](const tensor& predictions, const tensor& targets, const tensor& weights) {
        return error_of([&] { made(kernel::nll_loss, predictions, targets, weights, loss_reduction::mean, -100); });
    };
    CHECK(said(p, tensor({1}, {2}), w) ==
          "kernel::nll_loss: target 0 is class 2 of predictions (1, 2) float32; expected a class from 0 to 1");
    CHECK(said(p, tensor({2}, {0, 1}), w).ends_with("a prediction for each class"));
    CHECK(said(p, tensor({1}, {0}), p).ends_with("one for each class"));
    CHECK(said(tensor({1, 2}, {1, 2}), tensor({1}, {0}), w) != "");
    CHECK(error_of([&] {
              made(kernel::cross_entropy, w, w, kernel::prediction_kind::logits);
          }).ends_with("matrices of one shape and element type"));
}

TEST_CASE("loss: cross_entropy takes probabilities or their logarithms", "[kernel][loss]") {
    const tensor p({2, 2}, {0.5, 0.5, 0.25, 0.75});
    const tensor t({2, 2}, {1.0, 0.0, 1.0, 0.0});
    const double expected = -(std::log(0.5) + std::log(0.25)) / 2;
    CHECK(test::difference(made(kernel::cross_entropy, p, t, kernel::prediction_kind::probabilities), {}, {expected},
                           1e-12) == "");
    CHECK(test::difference(made(kernel::cross_entropy, p, t, kernel::prediction_kind::logits), {}, {-0.375}, 1e-12) ==
          "");
}
