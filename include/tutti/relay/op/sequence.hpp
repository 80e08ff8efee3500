#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of reverse: the axis.
struct reverse_attributes {
    required<dim> axis{};

    static constexpr option_list<&reverse_attributes::axis> options{"axis"};
};

/// Attributes of reverse_sequence: the time axis and the batch axis.
struct reverse_sequence_attributes {
    std::int64_t seq_axis = 1;
    std::int64_t batch_axis = 0;

    static constexpr option_list<&reverse_sequence_attributes::seq_axis, &reverse_sequence_attributes::batch_axis>
        options{"seq_axis", "batch_axis"};
};

/// Attributes of sequence_mask: the value to write after a sequence's end, and the time axis, which is 0 or 1.
struct sequence_mask_attributes {
    double mask_value = 0;
    std::int64_t axis = 0;

    static constexpr option_list<&sequence_mask_attributes::mask_value, &sequence_mask_attributes::axis> options{
        "mask_value", "axis"};
};

/// Attributes of nn.fifo_buffer: the time axis.
struct fifo_buffer_attributes {
    std::int64_t axis = 0;

    static constexpr option_list<&fifo_buffer_attributes::axis> options{"axis"};
};

namespace op {

/// Reverses the elements along an axis.
struct reverse {
    static constexpr std::string_view name = "reverse";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = reverse_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Reverses the first elements of each sequence of a batch, up to the sequence's length.
struct reverse_sequence {
    static constexpr std::string_view name = "reverse_sequence";
    static constexpr std::array<std::string_view, 2> arguments{"data", "seq_lengths"};
    using attributes = reverse_sequence_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Replaces the elements after the end of each sequence of a batch with a value.
struct sequence_mask {
    static constexpr std::string_view name = "sequence_mask";
    static constexpr std::array<std::string_view, 2> arguments{"data", "valid_length"};
    using attributes = sequence_mask_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

namespace nn {

/// Appends data to a buffer along an axis and drops the same number of elements from its front.
struct fifo_buffer {
    static constexpr std::string_view name = "nn.fifo_buffer";
    static constexpr std::array<std::string_view, 2> arguments{"data", "buffer"};
    using attributes = fifo_buffer_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace nn

} // namespace op

/// Operators along a time axis.
using sequence_ops = op_list<op::nn::fifo_buffer, op::reverse, op::reverse_sequence, op::sequence_mask>;

TUTTI_CONSTEXPR expr reverse(expr data, const reverse_attributes& attributes);
TUTTI_CONSTEXPR expr reverse_sequence(expr data, expr seq_lengths, const reverse_sequence_attributes& attributes = {});
TUTTI_CONSTEXPR expr sequence_mask(expr data, expr valid_length, const sequence_mask_attributes& attributes = {});

namespace nn {
TUTTI_CONSTEXPR expr fifo_buffer(expr data, expr buffer, const fifo_buffer_attributes& attributes = {});
} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/sequence.ipp>
#endif
