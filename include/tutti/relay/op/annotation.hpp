#pragma once

#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay {

/// Attributes of nn.dropout: the fraction of elements that training sets to zero.
struct dropout_attributes {
    double rate = 0.5;

    static constexpr option_list<&dropout_attributes::rate> options{"rate"};
};

/// Attributes of shape_of and ndarray_size: the result's element type.
struct shape_of_attributes {
    kernel::dtype dtype = kernel::dtype::none;

    static constexpr option_list<&shape_of_attributes::dtype> options{"dtype"};
};

/// Attributes of annotation.cast_hint: a sufficient element type.
struct cast_hint_attributes {
    required<kernel::dtype> dtype{};

    static constexpr option_list<&cast_hint_attributes::dtype> options{"dtype"};
};

/// Attributes of relay.op.annotation.simulated_quantize: the kind of data (0 leaves it unchanged), its signedness, and
/// the rounding.
struct annotated_quantize_attributes {
    required<std::int64_t> kind{};
    bool sign = true;
    std::string_view rounding = "round";

    static constexpr option_list<&annotated_quantize_attributes::kind, &annotated_quantize_attributes::sign,
                                 &annotated_quantize_attributes::rounding>
        options{"kind", "sign", "rounding"};
};

namespace op {

/// Returns the tensor's shape as a tensor.
struct shape_of {
    static constexpr std::string_view name = "shape_of";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = shape_of_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"int32\"");
        const std::size_t rank = r.shape(0).size();
        return r.tensor(rank == 0 ? dims{} : dims{static_cast<std::int64_t>(rank)}, a.dtype);
    }
};

/// Returns the number of elements of the tensor.
struct ndarray_size {
    static constexpr std::string_view name = "ndarray_size";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = shape_of_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"int32\"");
        static_cast<void>(r.shape(0));
        return r.tensor(dims{}, a.dtype);
    }
};

namespace annotation {

/// Returns the argument, and prevents fusion with its users.
struct stop_fusion {
    static constexpr std::string_view name = "annotation.stop_fusion";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto layout = &layout_rules::elementwise;

    static constexpr type_id infer(relation& r, const attributes&) {
        return r.knows(0) ? r.argument(0) : type_id::none;
    }
};

/// Returns the argument, which training recomputes instead of storing it.
struct checkpoint {
    static constexpr std::string_view name = "annotation.checkpoint";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static constexpr type_id infer(relation& r, const attributes&) { return r.argument(0); }
};

/// Returns the argument, for which another element type suffices.
struct cast_hint {
    static constexpr std::string_view name = "annotation.cast_hint";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = cast_hint_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto layout = &layout_rules::elementwise;

    static constexpr type_id infer(relation& r, const attributes&) {
        return r.knows(0) ? r.argument(0) : type_id::none;
    }
};

/// Quantises and dequantises: round(min(max(x / scale, least), greatest)) · scale.
struct simulated_quantize {
    static constexpr std::string_view name = "relay.op.annotation.simulated_quantize";
    static constexpr std::array<std::string_view, 4> arguments{"data", "dom_scale", "clip_min", "clip_max"};
    using attributes = annotated_quantize_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr bool rounds = true;

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0)) return type_id::none;
        for (std::size_t i = 1; i < 4; ++i) r.expect(i, dims{}, kernel::dtype::float32);
        return r.argument(0);
    }
};

} // namespace annotation

namespace nn {

/// Sets random elements to zero in training, and also returns the mask. Otherwise returns the argument.
struct dropout {
    static constexpr std::string_view name = "nn.dropout";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = dropout_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr bool stateful = true;
    static constexpr auto layout = &layout_rules::elementwise_pair;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0)) return type_id::none;
        const type_id fields[]{r.argument(0), r.argument(0)};
        return r.types().tuple(fields);
    }
};

} // namespace nn

} // namespace op

/// Operators that annotate their argument for passes and training, or describe it.
using annotation_ops =
    op_list<op::annotation::cast_hint, op::annotation::checkpoint, op::annotation::simulated_quantize,
            op::annotation::stop_fusion, op::ndarray_size, op::nn::dropout, op::shape_of>;

constexpr expr shape_of(expr data, const shape_of_attributes& attributes = {.dtype = kernel::dtype::int32}) {
    return call_op<op::shape_of>(attributes, data);
}

constexpr expr ndarray_size(expr data, const shape_of_attributes& attributes = {.dtype = kernel::dtype::int32}) {
    return call_op<op::ndarray_size>(attributes, data);
}

namespace annotation {
constexpr expr checkpoint(expr data) { return call_op<op::annotation::checkpoint>({}, data); }
constexpr expr stop_fusion(expr data) { return call_op<op::annotation::stop_fusion>({}, data); }
constexpr expr cast_hint(expr data, const cast_hint_attributes& attributes) {
    return call_op<op::annotation::cast_hint>(attributes, data);
}
constexpr expr simulated_quantize(expr data, expr dom_scale, expr clip_min, expr clip_max,
                                  const annotated_quantize_attributes& attributes) {
    return call_op<op::annotation::simulated_quantize>(attributes, data, dom_scale, clip_min, clip_max);
}
} // namespace annotation

namespace nn {
/// Calls nn.dropout; the result is a tuple whose first field is the data.
constexpr expr dropout(expr data, const dropout_attributes& attributes = {}) {
    return call_op<op::nn::dropout>(attributes, data);
}
} // namespace nn

} // namespace tutti::relay
