#include <tutti/kernel/conv_plan.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string_view>

namespace kernel = tutti::kernel;
using kernel::conv_options;
using kernel::dtype;
using kernel::tensor;
using kernel::detail::conv_plan;

namespace {

conv_plan planned(const tensor& data, const tensor& weight, const conv_options& options = {}) {
    return kernel::detail::plan_conv("k", data, weight, kernel::detail::with_layouts(options, data, weight));
}

} // namespace

TEST_CASE("conv_plan: layouts that are not said are the usual ones", "[kernel][conv_plan]") {
    const tensor line(dtype::float32, {1, 2, 9});
    const conv_options o = kernel::detail::with_layouts({}, line, line);
    CHECK(o.data_layout == "NCW");
    CHECK(o.weight_layout == "OIW");
    CHECK(o.out_layout == "NCW");
    CHECK(kernel::detail::with_layouts({.data_layout = "NWC"}, line, line).out_layout == "NWC");
}

TEST_CASE("conv_plan: says how large the result is", "[kernel][conv_plan]") {
    const conv_plan p =
        planned(tensor(dtype::int8, {2, 6, 9, 7}), tensor(dtype::int8, {4, 3, 3, 2}),
                {.strides = {2, 1}, .dilation = {1, 3}, .before = {1, 0}, .after = {0, 2}, .groups = 2});
    CHECK(p.out.outer.size == 2);
    CHECK(p.out.channel.size == 4);
    CHECK(p.out_channels() == 2);
    CHECK(p.out.space[0].size == 1);
    CHECK(p.out.space[1].size == 4);
    CHECK(p.out.space[2].size == 6);
}

TEST_CASE("conv_plan: multipliers of depthwise convolutions become output channels", "[kernel][conv_plan]") {
    const conv_plan p = planned(tensor(dtype::int8, {1, 4, 5}), tensor(dtype::int8, {4, 3, 2}), {.groups = 4});
    CHECK(p.out.channel.size == 12);
    CHECK(p.weight.channel.size == 1);
    CHECK(p.weight.outer.at(7) == 14);
}

TEST_CASE("conv_plan: two axes are one, evenly or in parts", "[kernel][conv_plan]") {
    for (const std::string_view layout : {"OIHW", "HWIO", "WHIO", "HIWO"}) {
        const std::int64_t shape[]{2, 3, 4, 5};
        const auto axes = kernel::axes_in("k", "weight", kernel::lettered::weight, layout, shape);
        const kernel::lettered_axis& h = axes.space[1];
        const kernel::lettered_axis& w = axes.space[2];
        const kernel::lettered_axis both = kernel::detail::joined(h, w);
        INFO(layout);
        CHECK(both.size == h.size * w.size);
        CHECK(both.parts == (layout == "OIHW" || layout == "HWIO" ? 1 : 2));
        for (std::int64_t i = 0; i < both.size; ++i) CHECK(both.at(i) == h.at(i / w.size) + w.at(i % w.size));
    }
}
