#include <tutti/relay/transform/passes/alter_op_layout.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/op_def.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <utility>

using namespace tutti;

namespace {

constexpr auto blocked = [](relay::layout_change& c) {
    if (c.op->name != "nn.conv2d") return;
    relay::attribute_edit edit = c.edit();
    edit.set("data_layout", "NCHW16c");
    c.attributes = edit.commit();
};

std::string altered(std::string_view program, const auto& pass) {
    const std::string text = test::bare_text(test::after(test::typed(program), pass));
    return text.substr(text.find('\n') + 1);
}

constexpr std::string_view network = R"(
def @main(%x: Tensor[(1, 32, 8, 8), float32], %w: Tensor[(16, 32, 3, 3), float32], %c: Tensor[(1, 16, 8, 8), float32], %s: Tensor[(16, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1]);
  %1 = multiply(%c, 2f);
  %2 = add(%0, %1);
  %3 = add(%2, %c);
  %4 = add(%2, %c);
  %5 = add(%3, %4);
  multiply(%5, %s)
}
)";

struct all_but_add {
    static constexpr auto find = [](relay::op_def op, std::string_view without = "add") -> relay::layout_rule {
        return op.name == without ? nullptr : relay::layout_rules::standard::find(op);
    };
};

} // namespace

static_assert(relay::layout_target<decltype(blocked)>);
static_assert(!relay::layout_target<int>);

TEST_CASE("alter_op_layout: a blocked layout propagates through operators that allow it", "[relay][transform]") {
    CHECK(altered(network, relay::alter_op_layout_for(blocked)) ==
          R"(  %0 = layout_transform(%x, src_layout="NCHW", dst_layout="NCHW16c");
  %1 = multiply(%c, 2f);
  %2 = nn.conv2d(%0, %w, padding=[1, 1, 1, 1], data_layout="NCHW16c");
  %3 = layout_transform(%1, src_layout="NCHW", dst_layout="NCHW16c");
  %4 = add(%2, %3);
  %5 = layout_transform(%c, src_layout="NCHW", dst_layout="NCHW16c");
  %6 = add(%4, %5);
  %7 = add(%4, %5);
  %8 = expand_dims(%s, axis=0);
  %9 = add(%6, %7);
  %10 = layout_transform(%8, src_layout="NCHW", dst_layout="NCHW16c");
  %11 = multiply(%9, %10);
  layout_transform(%11, src_layout="NCHW16c", dst_layout="NCHW")
}
)");
}

TEST_CASE("alter_op_layout: a target may replace the arguments by other expressions", "[relay][transform]") {
    const auto doubled = [](relay::layout_change& c) {
        if (c.op->name != "nn.conv2d") return;
        const relay::expr_id both[]{c.arguments[1], c.arguments[1]};
        c.arguments[1] = relay::add_call<relay::op::add>(*c.graph, both);
    };
    CHECK(altered(R"(
def @main(%x: Tensor[(1, 3, 4, 4), float32], %w: Tensor[(4, 3, 1, 1), float32]) {
  nn.conv2d(%x, %w, padding=[0, 0, 0, 0])
}
)",
                  relay::alter_op_layout_for(doubled)) ==
          "  %0 = add(%w, %w);\n  nn.conv2d(%x, %0, padding=[0, 0, 0, 0])\n}\n");
}

TEST_CASE("alter_op_layout: without a target no operator is altered", "[relay][transform]") {
    const std::string text = altered(network, relay::alter_op_layout{});
    CHECK(text.find("layout") == std::string::npos);
}

TEST_CASE("alter_op_layout: refuses blocks that do not divide the channels, and leaves the module unchanged",
          "[relay][transform]") {
    relay::ir_module m = test::typed(R"(
def @main(%x: Tensor[(1, 3, 4, 4), float32], %w: Tensor[(4, 3, 1, 1), float32]) {
  nn.conv2d(%x, %w, padding=[0, 0, 0, 0])
}
)");
    CHECK(test::refusal(m, [](relay::ir_module& it) {
              pass_context ctx{};
              with(ctx, [&](auto& scope) { scope.run(relay::alter_op_layout_for(blocked), it); });
          }).starts_with("@main: layout_transform"));
}

TEST_CASE("alter_op_layout: pooling keeps its layout if the preceding blocks do not divide its channels",
          "[relay][transform]") {
    CHECK(altered(R"(
def @main(%x: Tensor[(1, 16, 4, 4), float32], %w: Tensor[(16, 16, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  nn.max_pool2d(%0, pool_size=[1, 1], padding=[0, 0, 0, 0], layout="NHWC")
}
)",
                  relay::alter_op_layout_for(blocked))
              .ends_with("layout_transform(%1, src_layout=\"NCHW16c\", dst_layout=\"NCHW\");\n"
                         "  nn.max_pool2d(%2, pool_size=[1, 1], padding=[0, 0, 0, 0], layout=\"NHWC\")\n}\n"));
}

TEST_CASE("alter_op_layout: a field of a tuple in a tuple is found", "[relay][transform]") {
    CHECK(altered(R"(
def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4), float32]) {
  %0 = (%x, %y);
  %1 = (%y, %0);
  %2 = %1.1;
  %3 = %2.0;
  (%3, %2)
}
)",
                  relay::alter_op_layout{}) == "  %0 = (%x, %y);\n  (%x, %0)\n}\n");
}

TEST_CASE("alter_op_layout: keeps results", "[relay][transform]") {
    const auto channels_last = [](relay::layout_change& c) {
        if (c.op->name != "nn.conv2d") return;
        relay::attribute_edit edit = c.edit();
        edit.set("data_layout", "NHWC");
        edit.set("kernel_layout", "OHWI");
        c.attributes = edit.commit();
    };
    const relay::ir_module before = test::typed(network);
    const relay::ir_module after = test::after(before, relay::alter_op_layout_for(channels_last));
    CHECK(test::relative_difference(test::evaluate(before, 5), test::evaluate(after, 5)) < 1e-5);
}

TEST_CASE("alter_op_layout: refuses a rule that sets a misspelt attribute, and leaves the module unchanged",
          "[relay][transform]") {
    const auto misspelt = [](relay::layout_change& c) {
        if (c.op->name != "nn.conv2d") return;
        relay::attribute_edit edit = c.edit();
        edit.set("data_layot", "NHWC");
        c.attributes = edit.commit();
    };
    relay::ir_module m = test::typed(network);
    const std::string said = test::refusal(m, [&](relay::ir_module& it) {
        with(pass_context{opt_level<3>}, [&](auto& scope) { scope.run(relay::alter_op_layout_for(misspelt), it); });
    });
    CHECK_THAT(said, Catch::Matchers::Contains("nn.conv2d, attribute `data_layot`: there is no such attribute; did you "
                                               "mean `data_layout`?"));
    CHECK_THAT(said, !Catch::Matchers::Contains("not as it was"));
}

TEST_CASE("alter_op_layout: only known sizes are divided into blocks", "[relay][transform]") {
    CHECK(altered(R"(
def @main(%x: Tensor[(1, ?, 8, 8), float32], %w: Tensor[(16, ?, 3, 3), float32]) {
  nn.conv2d(%x, %w, padding=[1, 1, 1, 1])
}
)",
                  relay::alter_op_layout_for(blocked)) == "  nn.conv2d(%x, %w, padding=[1, 1, 1, 1])\n}\n");
}

TEST_CASE("alter_op_layout: a target by name has the effect of the target", "[relay][transform]") {
    const relay::alter_op_layout named{.target = "mine",
                                       .targets = {{"other", [](relay::layout_change&) {}}, {"mine", +blocked}}};
    CHECK(altered(network, named) == altered(network, relay::alter_op_layout_for(blocked)));
    CHECK(altered(network, relay::alter_op_layout{}) ==
          altered(network, relay::alter_op_layout_for(relay::any_target{})));
    relay::ir_module m = test::typed(network);
    const auto refused = [&](std::string target) {
        return test::refusal(m, [&](relay::ir_module& it) {
            const relay::alter_op_layout wrong{.target = std::move(target), .targets = named.targets};
            with(pass_context{opt_level<3>}, [&](auto& scope) { scope.run(wrong, it); });
        });
    };
    CHECK(refused("mne") ==
          "AlterOpLayout: there is no layout target `mne`; did you mean `mine`?; expected one of other, mine");
}

TEST_CASE("alter_op_layout: the rules of a set need not be plain functions", "[relay][transform]") {
    const relay::basic_alter_op_layout<decltype(blocked), all_but_add> pass;
    const std::string text = altered(network, pass);
    CHECK(text.find("data_layout=\"NCHW16c\"") != std::string::npos);
    CHECK(text.find("src_layout=\"NCHW16c\"") != std::string::npos); // converts back before the first add
}
