#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/write/call_writer.hpp>
#include <tutti/relay/onnx/write/network_rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written {

// Operators on images and image regions.

// Returns the mode of ONNX's Resize for a Relay method. Relay's name for a method may depend on the number of axes.
inline std::string_view resizing_mode(std::string_view method) {
    if (method == "nearest_neighbor") return "nearest";
    return method.ends_with("cubic") ? "cubic" : "linear";
}
// Returns the attributes of ONNX's Resize for a call of one of Relay's resize operators.
inline node_attributes resizing_attributes(const attribute_values& a) {
    node_attributes all;
    const std::string_view mode = resizing_mode(a.text("method")),
                           coordinates = a.text("coordinate_transformation_mode");
    if (coordinates == "tf_half_pixel_for_nn") call_writer::refuse(std::string(coordinates), "half_pixel");
    all.text("mode", mode).text("coordinate_transformation_mode", coordinates);
    if (mode == "cubic")
        all.real("cubic_coeff_a", a.real("cubic_alpha")).integer("exclude_outside", a.integer("cubic_exclude"));
    if (coordinates == "tf_crop_and_resize") all.real("extrapolation_value", a.real("extrapolation_value"));
    if (mode == "nearest") {
        std::string_view rounding = a.text("rounding_method");
        if (rounding.empty()) rounding = coordinates == "align_corners" ? "round" : "floor"; // the reference's defaults
        all.text("nearest_mode", rounding == "round" ? "round_prefer_ceil" : rounding);
    }
    return all;
}
// Converts the data to the result's element type if that is a floating-point type. Otherwise, `after_resizing` converts
// the result.
inline value before_resizing(call_writer& c, const value& x) {
    return kernel::is_floating(c.result_element()) ? c.cast(x, c.element(), c.result_element()) : x;
}
inline value after_resizing(call_writer& c, const value& x) {
    return kernel::is_floating(c.result_element()) ? x : c.cast(x, c.element(), c.result_element());
}
inline void resize(call_writer& c) {
    const attribute_values& a = c.attributes();
    const std::size_t axes = c.rank() - 2;
    const std::string_view layout = a.text("layout");
    const value x = before_resizing(c, in_usual_layout(c, layout, axes));
    dims sizes;
    const dims made = c.result_shape();
    if (!is_static(made)) call_writer::refuse("unknown sizes", "known ones");
    for (const dim d : order_of_layout(layout, spatial::data_layout(axes)))
        sizes.push_back(made[static_cast<std::size_t>(d.value())]);
    value roi;
    const vector<double> region = a.reals("roi");
    if (a.text("coordinate_transformation_mode") == "tf_crop_and_resize") {
        // Relay's region covers only the spatial axes, innermost first for a volume. ONNX's region covers all axes.
        tensor t(dtype::float32, {static_cast<std::int64_t>(2 * (axes + 2))});
        float* to = t.mutable_data<float>();
        for (std::size_t i = 0; i < 2 * (axes + 2); ++i) {
            const std::size_t axis = i % (axes + 2);
            const std::size_t side = i / (axes + 2);
            const std::size_t spatial = axes == 3 ? axes + 1 - axis : axis - 2;
            to[i] = static_cast<float>(axis < 2 ? static_cast<double>(side) : region[side * axes + spatial]);
        }
        roi = c.constant(t);
    }
    const value resized = c.node("Resize", {x, roi, {}, c.list(sizes)}, resizing_attributes(a));
    c.result(after_resizing(c, back_in_layout(c, resized, layout, {}, axes)));
}
inline void dyn_resize(call_writer& c) {
    const attribute_values& a = c.attributes();
    if (a.text("layout") != "NCHW") call_writer::refuse("layout " + std::string(a.text("layout")), "NCHW");
    value roi;
    if (a.text("coordinate_transformation_mode") == "tf_crop_and_resize") {
        const value whole[]{c.constant(tensor({2}, {0.0F, 0.0F})), c.constant(tensor({2}, {1.0F, 1.0F}))};
        const value region = c.cast(c.in(2), c.element(2), dtype::float32);
        roi = c.node("Concat", {whole[0], c.slice(region, 0, 0, 2), whole[1], c.slice(region, 0, 2, 4)},
                     node_attributes().integer("axis", 0));
    }
    const value own = c.slice(c.node("Shape", {c.in()}), 0, 0, 2);
    const value sizes = c.node("Concat", {own, as_int64(c, 1)}, node_attributes().integer("axis", 0));
    c.result(after_resizing(c, c.node("Resize", {before_resizing(c, c.in()), roi, {}, sizes}, resizing_attributes(a))));
}
inline void upsample(call_writer& c) {
    const attribute_values& a = c.attributes();
    const std::string_view layout = a.text("layout"), mode = resizing_mode(a.text("method"));
    if (layout != "NCHW" && layout != "NHWC") call_writer::refuse("layout " + std::string(layout), "NCHW or NHWC");
    const dims made = c.result_shape();
    if (!is_static(made)) call_writer::refuse("unknown sizes", "known ones");
    dims sizes;
    for (const dim d : order_of_layout(layout, "NCHW")) sizes.push_back(made[static_cast<std::size_t>(d.value())]);
    const bool corners = a.flag("align_corners");
    node_attributes how;
    how.text("mode", mode).text("coordinate_transformation_mode", corners ? "align_corners" : "asymmetric");
    if (mode == "nearest") how.text("nearest_mode", corners ? "round_prefer_ceil" : "floor");
    if (mode == "cubic") how.real("cubic_coeff_a", -0.5);
    const value x = in_usual_layout(c, layout, 2);
    c.result(back_in_layout(c, c.node("Resize", {x, {}, {}, c.list(sizes)}, how), layout, {}, 2));
}
inline void grid_sample(call_writer& c) {
    const attribute_values& a = c.attributes();
    const bool volume = c.rank() == 5;
    if (a.text("layout") != (volume ? "NCDHW" : "NCHW"))
        call_writer::refuse("layout " + std::string(a.text("layout")), "NCHW or NCDHW");
    if (volume) c.need(20);
    std::string_view mode = a.text("method");
    if (c.opset() >= 20) mode = mode == "bilinear" ? "linear" : mode == "bicubic" ? "cubic" : mode;
    const value grid = c.transposed(c.in(1), volume ? dims{0, 2, 3, 4, 1} : dims{0, 2, 3, 1});
    c.result(c.node("GridSample", {c.in(0), grid},
                    node_attributes()
                        .text("mode", mode)
                        .text("padding_mode", a.text("padding_mode"))
                        .integer("align_corners", a.flag("align_corners") ? 1 : 0)));
}
inline void roi_align(call_writer& c) {
    const attribute_values& a = c.attributes();
    if (a.text("layout") != "NCHW") call_writer::refuse("layout " + std::string(a.text("layout")), "NCHW");
    const dims pooled = a.numbers("pooled_size");
    const value images = c.squeezed(c.cast(c.slice(c.in(1), 1, 0, 1), c.element(1), dtype::int64), {1});
    const std::int64_t ratio = a.integer("sample_ratio");
    c.result(c.node("RoiAlign", {c.in(0), c.slice(c.in(1), 1, 1, 5), images},
                    node_attributes()
                        .text("coordinate_transformation_mode", "output_half_pixel")
                        .text("mode", a.text("mode"))
                        .integer("output_height", pooled[0].value())
                        .integer("output_width", pooled[pooled.size() - 1].value())
                        .integer("sampling_ratio", ratio < 0 ? 0 : ratio)
                        .real("spatial_scale", a.real("spatial_scale"))));
}

inline void roi_pool(call_writer& c) {
    const attribute_values& a = c.attributes();
    if (a.text("layout") != "NCHW") call_writer::refuse("layout " + std::string(a.text("layout")), "NCHW");
    c.result(c.node("MaxRoiPool", {c.in(0), c.in(1)},
                    node_attributes()
                        .integers("pooled_shape", a.numbers("pooled_size"))
                        .real("spatial_scale", a.real("spatial_scale"))));
}

/// Rules for operators on images and image regions.
inline constexpr write_rule image_rules[]{
    {"dyn.image.resize2d", {}, dyn_resize}, {"image.grid_sample", {}, grid_sample}, {"image.resize1d", {}, resize},
    {"image.resize2d", {}, resize},         {"image.resize3d", {}, resize},         {"nn.upsampling", {}, upsample},
    {"vision.roi_align", {}, roi_align},    {"vision.roi_pool", {}, roi_pool},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx::detail::written
