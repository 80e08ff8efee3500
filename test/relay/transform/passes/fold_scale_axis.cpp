#include <tutti/relay/transform/passes/fold_scale_axis.hpp>

#include <tutti/pass/instrument_set.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/printer.hpp>

#include "relay/transform/evaluate.hpp"
#include "relay/transform/scale_programs.hpp"
#include "support/catch.hpp"
#include "support/recorder.hpp"

using namespace tutti;

namespace {

struct names_of_passes {
    std::string* out;
    int depth = 0;

    void run_before_pass(const relay::ir_module&, const pass_info& info) {
        out->append(static_cast<std::size_t>(depth++), ' ').append(info.name) += '\n';
    }
    void run_after_pass(const relay::ir_module&, const pass_info&) { --depth; }
};

} // namespace

TEST_CASE("fold_scale_axis: is a sequential of three, of level 0", "[relay][transform]") {
    static_assert(relay::fold_scale_axis::info.name == "FoldScaleAxis");
    static_assert(relay::fold_scale_axis::info.opt_level == 0);
}

TEST_CASE("fold_scale_axis: runs only FoldConstant at the default level", "[relay][transform]") {
    std::string seen;
    relay::ir_module m = test::backward_program();
    pass_context ctx{instruments(names_of_passes{&seen})};
    with(ctx, [&](auto& scope) { scope.run(relay::fold_scale_axis{}, m); });
    CHECK(seen == "FoldScaleAxis\n FoldConstant\n  InferType\n");
}

TEST_CASE("fold_scale_axis: at level 3 runs the required passes of the folds, and infers types after each",
          "[relay][transform]") {
    std::string seen;
    relay::ir_module m = test::backward_program();
    pass_context ctx{opt_level<3>, instruments(names_of_passes{&seen})};
    with(ctx, [&](auto& scope) { scope.run(relay::fold_scale_axis{}, m); });
    CHECK(seen == "FoldScaleAxis\n"
                  " InferType\n"
                  " BackwardFoldScaleAxis\n"
                  "  InferType\n"
                  " InferType\n"
                  " ForwardFoldScaleAxis\n"
                  "  InferType\n"
                  " FoldConstant\n"
                  "  InferType\n");
}

// The expected text is from the reference's test fold_bwd_simple_constant.
TEST_CASE("fold_scale_axis: folds a scalar into constant weights", "[relay][transform]") {
    std::mt19937 random(3);
    relay::builder b;
    const auto data = b.variable("data", {1, 3, 20, 20});
    const auto weight = b.constant(test::random_tensor({16, 3, 3, 3}, random));
    auto y = relay::nn::conv2d(data, weight,
                               {.padding = {1, 1}, .channels = relay::dim(16), .kernel_size = relay::dims{3, 3}});
    y = relay::nn::relu(relay::add(y, b.constant(test::random_tensor({16, 1, 1}, random))));
    relay::ir_module before(b.function({data}, relay::multiply(y, b.constant(2.0F))));
    relay::infer_types(before);
    const relay::ir_module m = test::after(before, relay::fold_scale_axis{});
    CHECK(relay::to_text(m, {.version_line = false, .type_comments = false, .metadata_note = false}) ==
          "def @main(%data: Tensor[(1, 3, 20, 20), float32]) -> Tensor[(1, 16, 20, 20), float32] {\n"
          "  %0 = nn.conv2d(%data, meta[relay.Constant][0], padding=[1, 1, 1, 1], channels=16, kernel_size=[3, 3]);\n"
          "  %1 = add(%0, meta[relay.Constant][1]);\n"
          "  nn.relu(%1)\n"
          "}\n");
    CHECK(test::relative_difference(test::evaluate(before, 5), test::evaluate(m, 5)) < 1e-5);
}

TEST_CASE("fold_scale_axis: keeps results in both directions", "[relay][transform]") {
    const std::uint32_t seed = std::random_device{}();
    CAPTURE(seed);
    for (relay::ir_module before : {test::forward_program(), test::backward_program()}) {
        relay::infer_types(before);
        const relay::ir_module m = test::after(before, relay::fold_scale_axis{});
        CHECK(test::relative_difference(test::evaluate(before, seed), test::evaluate(m, seed)) < 1e-5);
    }
}
