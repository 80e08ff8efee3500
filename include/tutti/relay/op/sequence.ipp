#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/sequence.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id reverse::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (a.axis.value.is_any()) r.refuse_attribute("axis", "is not known", "an axis");
    static_cast<void>(checked_axis(r, "axis", a.axis.value.value(), r.shape(0).size()));
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id reverse_sequence::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    const dims data = r.shape(0);
    static_cast<void>(checked_axis(r, "seq_axis", a.seq_axis, data.size()));
    const std::size_t batch = checked_axis(r, "batch_axis", a.batch_axis, data.size());
    if (!kernel::is_integer(r.element(1))) r.refuse(1, "integers");
    if (r.shape(1).size() != 1 || !may_equal(r.shape(1)[0], data[batch]))
        r.refuse(1, "one length for each place along `batch_axis`");
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id sequence_mask::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    const dims data = r.shape(0);
    if (data.size() < 2) r.refuse(0, "two dimensions or more");
    if (a.axis != 0 && a.axis != 1) r.refuse_attribute("axis", "neither of the first two", "0 or 1");
    if (!kernel::is_integer(r.element(1))) r.refuse(1, "integers");
    r.expect(1, dims{data[a.axis == 0 ? 1 : 0]}, r.element(1));
    return r.argument(0);
}

} // namespace op

namespace op::nn {

TUTTI_CONSTEXPR type_id fifo_buffer::infer(relation& r, const attributes& a) {
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

} // namespace op::nn

TUTTI_CONSTEXPR expr reverse(expr data, const reverse_attributes& attributes) {
    return call_op<op::reverse>(attributes, data);
}
TUTTI_CONSTEXPR expr reverse_sequence(expr data, expr seq_lengths, const reverse_sequence_attributes& attributes) {
    return call_op<op::reverse_sequence>(attributes, data, seq_lengths);
}
TUTTI_CONSTEXPR expr sequence_mask(expr data, expr valid_length, const sequence_mask_attributes& attributes) {
    return call_op<op::sequence_mask>(attributes, data, valid_length);
}

namespace nn {

TUTTI_CONSTEXPR expr fifo_buffer(expr data, expr buffer, const fifo_buffer_attributes& attributes) {
    return call_op<op::nn::fifo_buffer>(attributes, data, buffer);
}

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
