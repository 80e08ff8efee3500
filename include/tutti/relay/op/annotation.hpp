#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

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

/// Attributes of annotation.cast_hint: an element type that suffices for the argument.
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

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Returns the number of elements of the tensor.
struct ndarray_size {
    static constexpr std::string_view name = "ndarray_size";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = shape_of_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
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

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Returns the argument. Training recomputes the argument instead of storing it.
struct checkpoint {
    static constexpr std::string_view name = "annotation.checkpoint";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Returns the argument. Records an element type that suffices for the argument.
struct cast_hint {
    static constexpr std::string_view name = "annotation.cast_hint";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = cast_hint_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr auto layout = &layout_rules::elementwise;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Quantises and dequantises: round(min(max(x / scale, least), greatest)) · scale.
struct simulated_quantize {
    static constexpr std::string_view name = "relay.op.annotation.simulated_quantize";
    static constexpr std::array<std::string_view, 4> arguments{"data", "dom_scale", "clip_min", "clip_max"};
    using attributes = annotated_quantize_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr bool rounds = true;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

} // namespace annotation

namespace nn {

/// Sets random elements to zero in training, and otherwise returns the argument unchanged. Also returns the mask.
struct dropout {
    static constexpr std::string_view name = "nn.dropout";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = dropout_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr bool stateful = true;
    static constexpr auto layout = &layout_rules::elementwise_pair;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

} // namespace nn

} // namespace op

/// Operators that annotate their argument for passes and training, or return its shape or size.
using annotation_ops =
    op_list<op::annotation::cast_hint, op::annotation::checkpoint, op::annotation::simulated_quantize,
            op::annotation::stop_fusion, op::ndarray_size, op::nn::dropout, op::shape_of>;

TUTTI_CONSTEXPR expr shape_of(expr data, const shape_of_attributes& attributes = {.dtype = kernel::dtype::int32});

TUTTI_CONSTEXPR expr ndarray_size(expr data, const shape_of_attributes& attributes = {.dtype = kernel::dtype::int32});

namespace annotation {
TUTTI_CONSTEXPR expr checkpoint(expr data);
TUTTI_CONSTEXPR expr stop_fusion(expr data);
TUTTI_CONSTEXPR expr cast_hint(expr data, const cast_hint_attributes& attributes);
TUTTI_CONSTEXPR expr simulated_quantize(expr data, expr dom_scale, expr clip_min, expr clip_max,
                                        const annotated_quantize_attributes& attributes);
} // namespace annotation

namespace nn {
/// Calls nn.dropout. The result is a tuple whose first field is the data.
TUTTI_CONSTEXPR expr dropout(expr data, const dropout_attributes& attributes = {});
} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/annotation.ipp>
#endif
