// Passes over convolutions do not change the results of a network. They convert layouts (ConvertLayout to any layout,
// AlterOpLayout to blocked layouts), fold scales into weights, and combine convolutions.

#include <tutti/base/error.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/alter_op_layout.hpp>
#include <tutti/relay/transform/passes/combine_parallel_conv2d.hpp>
#include <tutti/relay/transform/passes/convert_layout.hpp>
#include <tutti/relay/transform/passes/fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/passes/simplify_inference.hpp>

#include "../random_networks.hpp"
#include "../validation.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>

using namespace tutti;

namespace {

/// The layouts that a target requests for the operands and the result of a convolution.
struct conv_layouts {
    std::string_view data, weight, out;
};

constexpr std::array blocked_layouts{
    conv_layouts{"NCHW4c", "OIHW4i4o", ""},       conv_layouts{"NCHW2c", "OIHW2i4o", "NCHW4c"},
    conv_layouts{"NHWC4c", "HWIO4i2o", ""},       conv_layouts{"NCHW", "OIHW4o", "NCHW4c"},
    conv_layouts{"NCHW4c", "OIHW2i4o2i", "NCHW"}, conv_layouts{"NHWC", "OHWI2o", ""},
};

/// Returns a target that requests these layouts for nn.conv2d. If the data is blocked, the target also requests the
/// operator for blocked data.
auto target(const conv_layouts& wanted, const relay::op_set& ops) {
    return [&wanted, &ops](relay::layout_change& c) {
        if (c.op->name != "nn.conv2d") return;
        relay::attribute_edit edit = c.edit();
        const bool by_itself = edit.integer("groups") != 1 && edit.integer("groups") == edit.integer("channels");
        if (edit.integer("groups") != 1 && !by_itself) return;
        edit.set("data_layout", by_itself ? "NCHW4c" : wanted.data);
        edit.set("kernel_layout", by_itself ? "OIHW1i4o" : wanted.weight);
        edit.set("out_layout", by_itself ? "NCHW4c" : wanted.out);
        c.attributes = edit.commit();
        if (by_itself)
            c.op = ops.find("nn.contrib_depthwise_conv2d_NCHWc");
        else if (wanted.data == "NCHW4c")
            c.op = ops.find("nn.contrib_conv2d_NCHWc");
    };
}

template <class Pass>
relay::ir_module after(relay::ir_module m, const Pass& pass) {
    pass_context ctx{opt_level<4>};
    with(ctx, [&](auto& scope) { scope.run(sequential(relay::infer_type{}, pass, relay::infer_type{}), m); });
    return m;
}

/// Compares random networks before and after a pass.
struct comparison {
    std::size_t compared = 0;
    std::size_t rewritten = 0;
    std::size_t failed = 0;
    double largest = 0;

    template <class Pass>
    void operator()(const std::string& text, const test::computation& before, const relay::ir_module& m,
                    const Pass& pass, const std::string& what) {
        std::string why;
        try {
            const relay::ir_module out = after(m, pass);
            relay::verify(out);
            rewritten +=
                relay::to_text(out, {.type_comments = false}) != relay::to_text(m, {.type_comments = false}) ? 1U : 0U;
            const double d = before.distance(out);
            ++compared;
            largest = std::max(largest, d);
            if (d <= 1e-4) return;
            why = std::to_string(d);
        } catch (const error& e) {
            why = e.what();
        }
        ++failed;
        std::printf("%s: %s\n%s\n", what.c_str(), why.c_str(), text.c_str());
    }

    void report(std::string_view what) const {
        std::printf("%.*s: %zu compared, %zu rewritten, %zu failed, the largest error %.3g\n",
                    static_cast<int>(what.size()), what.data(), compared, rewritten, failed, largest);
        CHECK(failed == 0);
    }
};

/// Runs `check(text, before, module)` over random networks.
template <class Check>
void over_networks(std::uint32_t count, Check check) {
    for (std::uint32_t seed = 0; seed < count; ++seed) {
        const std::string text = test::random_network(seed).text();
        relay::ir_module m = relay::parse(text);
        relay::infer_types(m);
        const test::computation before(m);
        if (before.is_finite()) check(text, before, m, seed);
    }
}

} // namespace

TEST_CASE("networks: AlterOpLayout to blocks does not change results", "[relay][golden]") {
    const relay::op_set ops{relay::standard_ops};
    comparison compare;
    over_networks(
        400, [&](const std::string& text, const test::computation& before, const relay::ir_module& m, std::uint32_t) {
            for (const conv_layouts& wanted : blocked_layouts)
                compare(text, before, m, relay::alter_op_layout_for(target(wanted, ops)),
                        std::string(wanted.data) + ' ' + std::string(wanted.weight) + ' ' + std::string(wanted.out));
        });
    compare.report("AlterOpLayout");
    CHECK(compare.rewritten > 2000);
}

TEST_CASE("networks: ConvertLayout to any layout does not change results", "[relay][golden]") {
    comparison compare;
    over_networks(400, [&](const std::string& text, const test::computation& before, const relay::ir_module& m,
                           std::uint32_t seed) {
        std::mt19937 random(seed);
        const auto convert = [&](std::string data, std::string weight, bool others) {
            relay::convert_layout pass{.desired_layouts = {{"nn.conv2d", {data, weight}}}};
            if (others)
                for (const char* op : {"nn.max_pool2d", "nn.avg_pool2d", "nn.global_avg_pool2d", "image.resize2d"})
                    pass.desired_layouts.push_back({op, {random() % 2 == 0 ? "NHWC" : "NCHW"}});
            compare(text, before, m, pass, data + ' ' + weight + (others ? ", others too" : ""));
        };
        for (const char* data : {"NCHW", "NHWC", "HWNC"}) convert(data, "default", data[0] == 'N');
        std::string data = "NCHW";
        std::string weight = "OIHW";
        std::ranges::shuffle(data, random);
        std::ranges::shuffle(weight, random);
        convert(data, weight, false);
    });
    compare.report("ConvertLayout");
    CHECK(compare.rewritten > 800);
}

TEST_CASE("networks: folding scales and combining convolutions does not change results", "[relay][golden]") {
    const relay::combine_parallel_conv2d combine{.min_num_branches = 2};
    comparison compare;
    over_networks(
        400, [&](const std::string& text, const test::computation& before, const relay::ir_module& m, std::uint32_t) {
            compare(text, before, m, relay::backward_fold_scale_axis{}, "BackwardFoldScaleAxis");
            compare(text, before, m, relay::forward_fold_scale_axis{}, "ForwardFoldScaleAxis");
            compare(text, before, m, combine, "CombineParallelConv2D");
            compare(text, before, m, sequential(relay::simplify_inference{}, combine, relay::fold_scale_axis{}), "all");
        });
    compare.report("scales and branches");
    CHECK(compare.rewritten > 400);
}
