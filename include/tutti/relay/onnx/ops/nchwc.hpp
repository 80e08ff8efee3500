#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/onnx/nchwc_block.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/convolution.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/ops/pool.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/transpose.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// Import of ONNX Runtime's operators on data in blocks of channels. The data becomes NCHW, whose channels are padded to
// whole blocks as in the model. Only the weights are converted. ONNX Runtime's MlasReorderFilter functions document the
// layouts of weights.

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

inline std::int64_t block_of(node_context& c) {
    const std::int64_t block = c.services().nchwc_block();
    if (block != 8 && block != 16)
        c.refuse(
            "the model does not store whether its weights have blocks of 8 or 16 channels",
            "the size in import_options::nchwc_block: 16 if the model was saved on a processor with AVX-512, else 8");
    return block;
}

inline expr transposed(expr x, const dims& axes) { return relay::transpose(x, {.axes = axes}); }

// Returns the weight of a convolution in the layout OIHW. For blocks of 16, the model stores it as OIHW16i16o, or as
// OIHW16o if each output has few inputs.
inline expr plain_weight(node_context& c) {
    const expr weight = c.input(1);
    if (c.rank(weight) != 4) c.refuse("a weight of rank " + std::to_string(c.rank(weight)), "4");
    const std::int64_t block = block_of(c), outputs = c.size(weight, 0), inputs = c.size(weight, 1);
    const bool whole_inputs = inputs % block == 0;
    const bool few_inputs = c.integer("group", 1) > 1 ? inputs == 1 : inputs < block;
    if (outputs % block != 0 || !(whole_inputs || few_inputs))
        c.refuse("a weight of " + std::to_string(outputs) + " x " + std::to_string(inputs) + " channels",
                 "whole blocks of " + std::to_string(block));
    const dims shape = c.shape(weight);
    const std::int64_t rows = c.size(weight, 2), columns = c.size(weight, 3);
    const dims stored = few_inputs ? dims{outputs / block, inputs, rows, columns, block}
                                   : dims{outputs / block, inputs / block, rows, columns, block, block};
    const expr blocks = relay::reshape(weight, {.newshape = stored});
    return relay::reshape(transposed(blocks, few_inputs ? dims{0, 4, 1, 2, 3} : dims{0, 5, 1, 4, 2, 3}),
                          {.newshape = shape});
}

inline expr import_nchwc_conv(node_context& c) { return fused_convolution(c, plain_weight(c)); }

inline expr import_reorder_input(node_context& c) {
    expr x = c.input(0);
    if (c.rank(x) != 4) c.refuse("data of rank " + std::to_string(c.rank(x)), "4");
    if (c.flag("channels_last")) x = transposed(x, {0, 3, 1, 2});
    const std::int64_t block = block_of(c), channels = c.extent(x, 1);
    const std::int64_t added = (block - channels % block) % block;
    if (added == 0) return x;
    const vector<dims> widths{dims{0, 0}, dims{0, added}, dims{0, 0}, dims{0, 0}};
    return nn::pad(x, number_like(c, x, 0), {.pad_width = widths});
}

inline expr import_reorder_output(node_context& c) {
    expr x = c.input(0);
    if (c.rank(x) != 4) c.refuse("data of rank " + std::to_string(c.rank(x)), "4");
    const std::int64_t channels = c.integer("channels"), all = c.size(x, 1);
    if (channels < 1 || channels > all) c.refuse(std::to_string(channels) + " channels", "1 to " + std::to_string(all));
    if (channels != all)
        x = relay::strided_slice(x, {.begin = dims{0}, .end = dims{channels}, .strides = dims{1}, .axes = dims{1}});
    return c.flag("channels_last") ? transposed(x, {0, 2, 3, 1}) : x;
}

inline expr import_nchwc_upsample(node_context& c) {
    expr x = c.input(0);
    const dims scales = c.integers("scales", {});
    if (c.rank(x) != 4 || scales.size() != 4 || scales[0].value() != 1 || scales[1].value() != 1)
        c.refuse("scales of axes other than rows and columns", "scales [1, 1, rows, columns] of data of rank 4");
    if (c.text("mode", "nearest") != "nearest") c.refuse("mode `" + std::string(c.text("mode", "")) + "`", "nearest");
    for (const std::size_t axis : {std::size_t{2}, std::size_t{3}}) {
        const std::int64_t times = scales[axis].value();
        if (times < 1 || times > most_in_window) c.refuse("scale " + std::to_string(times), "1 to 16,777,216");
        if (times != 1) x = relay::repeat(x, {.repeats = times, .axis = static_cast<std::int64_t>(axis)});
    }
    return x;
}

} // namespace detail

/// Rules for operators on data in blocks of channels, which ONNX Runtime's optimiser emits at level `all`.
inline constexpr import_rule nchwc_rules[]{
    {"AveragePool", detail::import_average_pool, nchwc_domain},
    {"Conv", detail::import_nchwc_conv, nchwc_domain},
    {"GlobalAveragePool", detail::import_global_average_pool, nchwc_domain},
    {"GlobalMaxPool", detail::import_global_max_pool, nchwc_domain},
    {"MaxPool", detail::import_max_pool, nchwc_domain},
    {"ReorderInput", detail::import_reorder_input, nchwc_domain},
    {"ReorderOutput", detail::import_reorder_output, nchwc_domain},
    {"Upsample", detail::import_nchwc_upsample, nchwc_domain},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
