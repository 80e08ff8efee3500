#pragma once

#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay {

/// Attributes of reverse: the axis.
struct reverse_attributes {
    required<dim> axis{};

    static constexpr option_list<&reverse_attributes::axis> options{"axis"};
};

/// Attributes of reverse_sequence: the axis of time, and the axis of the batch.
struct reverse_sequence_attributes {
    std::int64_t seq_axis = 1;
    std::int64_t batch_axis = 0;

    static constexpr option_list<&reverse_sequence_attributes::seq_axis, &reverse_sequence_attributes::batch_axis>
        options{"seq_axis", "batch_axis"};
};

/// Attributes of sequence_mask: the value after a sequence's end, and which of the first two axes is time.
struct sequence_mask_attributes {
    double mask_value = 0;
    std::int64_t axis = 0;

    static constexpr option_list<&sequence_mask_attributes::mask_value, &sequence_mask_attributes::axis> options{
        "mask_value", "axis"};
};

/// Attributes of nn.fifo_buffer: the axis of time.
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

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (a.axis.value.is_any()) r.refuse_attribute("axis", "is not known", "an axis");
        static_cast<void>(checked_axis(r, "axis", a.axis.value.value(), r.shape(0).size()));
        return r.argument(0);
    }
};

/// Reverses the first elements of each sequence of a batch, up to its length.
struct reverse_sequence {
    static constexpr std::string_view name = "reverse_sequence";
    static constexpr std::array<std::string_view, 2> arguments{"data", "seq_lengths"};
    using attributes = reverse_sequence_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        const dims data = r.shape(0);
        static_cast<void>(checked_axis(r, "seq_axis", a.seq_axis, data.size()));
        const std::size_t batch = checked_axis(r, "batch_axis", a.batch_axis, data.size());
        if (!kernel::is_integer(r.element(1))) r.refuse(1, "integers");
        if (r.shape(1).size() != 1 || !may_equal(r.shape(1)[0], data[batch]))
            r.refuse(1, "one length for each place along `batch_axis`");
        return r.argument(0);
    }
};

/// Replaces elements after the end of each sequence of a batch by a value.
struct sequence_mask {
    static constexpr std::string_view name = "sequence_mask";
    static constexpr std::array<std::string_view, 2> arguments{"data", "valid_length"};
    using attributes = sequence_mask_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        const dims data = r.shape(0);
        if (data.size() < 2) r.refuse(0, "two dimensions or more");
        if (a.axis != 0 && a.axis != 1) r.refuse_attribute("axis", "neither of the first two", "0 or 1");
        if (!kernel::is_integer(r.element(1))) r.refuse(1, "integers");
        r.expect(1, dims{data[a.axis == 0 ? 1 : 0]}, r.element(1));
        return r.argument(0);
    }
};

namespace nn {

/// Appends data to a buffer along an axis and drops the same number of elements from its front.
struct fifo_buffer {
    static constexpr std::string_view name = "nn.fifo_buffer";
    static constexpr std::array<std::string_view, 2> arguments{"data", "buffer"};
    using attributes = fifo_buffer_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        const dims data = r.shape(0);
        const dims buffer = r.shape(1);
        if (data.size() != buffer.size()) r.refuse(0, "as many dimensions as the buffer has");
        const std::size_t axis = checked_axis(r, "axis", a.axis, buffer.size());
        r.expect_element(0, r.element(1));
        for (std::size_t d = 0; d < data.size(); ++d) {
            if (d != axis && !may_equal(data[d], buffer[d])) r.refuse(0, "the buffer's sizes, except along `axis`");
            if (d == axis && !data[d].is_any() && !buffer[d].is_any() && data[d].value() >= buffer[d].value())
                r.refuse(0, "fewer elements than the buffer has along `axis`");
        }
        return r.argument(1);
    }
};

} // namespace nn

} // namespace op

/// Operators along an axis of time.
using sequence_ops = op_list<op::nn::fifo_buffer, op::reverse, op::reverse_sequence, op::sequence_mask>;

constexpr expr reverse(expr data, const reverse_attributes& attributes) {
    return call_op<op::reverse>(attributes, data);
}
constexpr expr reverse_sequence(expr data, expr seq_lengths, const reverse_sequence_attributes& attributes = {}) {
    return call_op<op::reverse_sequence>(attributes, data, seq_lengths);
}
constexpr expr sequence_mask(expr data, expr valid_length, const sequence_mask_attributes& attributes = {}) {
    return call_op<op::sequence_mask>(attributes, data, valid_length);
}

namespace nn {
constexpr expr fifo_buffer(expr data, expr buffer, const fifo_buffer_attributes& attributes = {}) {
    return call_op<op::nn::fifo_buffer>(attributes, data, buffer);
}
} // namespace nn

} // namespace tutti::relay
