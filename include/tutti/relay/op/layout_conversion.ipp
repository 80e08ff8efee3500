#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_conversion.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_conversions {

TUTTI_CONSTEXPR void convolution_with(layout_change& c, std::span<const std::string> desired,
                                      std::size_t weight_argument) {
    if (desired.size() != 2) refuse(c, desired, "one for the data and one for the weight");
    attribute_edit edit = c.edit();
    std::string weight = desired[1];
    const auto channels_alone = [&] { // true for a depthwise convolution
        const auto data_layout = layout::parse(edit.text("data_layout"));
        const auto weight_layout = layout::parse(edit.text("kernel_layout"));
        const std::int64_t groups = edit.integer("groups");
        return data_layout && weight_layout && data_layout->fits(c.shape(0)) && weight_layout->fits(c.shape(1)) &&
               data_layout->find('C') && weight_layout->find('O') &&
               data_layout->size(c.shape(0), 'C').same_number(groups) &&
               weight_layout->size(c.shape(1), 'O').same_number(groups);
    };
    if (weight == by_default) {
        struct pair {
            std::string_view data, weight;
        };
        constexpr pair defaults[]{{"NCHW", "OIHW"}, {"NHWC", "HWIO"},   {"HWNC", "HWOI"},  {"NCW", "OIW"},
                                  {"NWC", "WIO"},   {"NCDHW", "OIDHW"}, {"NDHWC", "DHWIO"}};
        for (const pair& each : defaults)
            if (each.data == desired[0]) weight = each.weight;
        if (weight == by_default) refuse(c, desired, "NCHW, NHWC or HWNC for the data, or a layout for the weight");
        if (weight == "HWIO" && channels_alone()) weight = "HWOI";
    }
    if (!layout::parse(desired[0]) || !layout::parse(weight)) refuse(c, desired, "layouts such as NCHW and OIHW");
    const bool out_follows = edit.text("out_layout").empty();
    const std::string_view out_to = out_follows ? desired[0] : edit.text("out_layout");
    if (!blocks_divide(edit.text("data_layout"), desired[0], c.shape(0)) ||
        !blocks_divide(edit.text("kernel_layout"), weight, c.shape(weight_argument)) ||
        !blocks_divide(edit.text(out_follows ? "data_layout" : "out_layout"), out_to, shape_of(*c.from, c.call)))
        return;
    edit.set("data_layout", std::string_view(desired[0]));
    edit.set("kernel_layout", std::string_view(weight));
    write_out_padding(edit);
    c.attributes = edit.commit();
}

TUTTI_CONSTEXPR void convolution(layout_change& c, std::span<const std::string> desired) {
    convolution_with(c, desired, 1);
}

TUTTI_CONSTEXPR void convolution_of(layout_change& c, std::span<const std::string> desired, std::size_t weight_argument,
                                    const char* of_nchw) {
    const bool first = desired.size() == 2 && desired[0] == "NCHW";
    if (desired.size() != 2 || desired[1] != by_default || (!first && desired[0] != "NHWC"))
        return convolution_with(c, desired, weight_argument);
    const std::string both[]{desired[0], first ? of_nchw : "HWIO"};
    convolution_with(c, {both, 2}, weight_argument);
}

TUTTI_CONSTEXPR void transposed_convolution(layout_change& c, std::span<const std::string> desired) {
    convolution_of(c, desired, 1, "IOHW");
}

TUTTI_CONSTEXPR void deformable_convolution(layout_change& c, std::span<const std::string> desired) {
    convolution_of(c, desired, 2, "OIHW");
}

TUTTI_CONSTEXPR void single(layout_change& c, std::span<const std::string> desired) {
    if (desired.size() != 1 || !layout::parse(desired[0])) refuse(c, desired, "one such as NCHW");
    attribute_edit edit = c.edit();
    edit.set("layout", std::string_view(desired[0]));
    if (edit.has("out_layout")) edit.set("out_layout", std::string_view(desired[0]));
    write_out_padding(edit);
    c.attributes = edit.commit();
}

} // namespace layout_conversions

} // namespace tutti::relay::inline TUTTI_FORM
