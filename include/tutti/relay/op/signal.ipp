#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/signal.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id sliding_window::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const dims data = r.shape(0);
    const std::size_t axis = checked_axis(r, "axis", a.axis, data.size());
    const dims& window = a.window_shape.value;
    const dims& strides = a.strides.value;
    if (window.size() != data.size() - axis)
        r.refuse_attribute("window_shape", "not a size for each axis", "as many as there are axes from `axis` on");
    if (strides.size() != window.size())
        r.refuse_attribute("strides", "not a stride for each axis", "as many as there are sizes");
    dims shape;
    for (std::size_t i = 0; i < axis; ++i) shape.push_back(data[i]);
    for (std::size_t i = 0; i < window.size(); ++i) {
        if (!window[i].is_any() && window[i].value() < 1)
            r.refuse_attribute("window_shape", "a size below 1", "positive sizes");
        if (strides[i].is_any() || strides[i].value() < 1)
            r.refuse_attribute("strides", "a stride below 1", "positive strides");
        const dim room = minus(data[axis + i], window[i]);
        if (kernel::is_negative(room)) r.refuse(0, "at least the size of the window along each axis");
        shape.push_back(plus(quotient(room, strides[i]), 1));
    }
    for (const dim d : window) shape.push_back(d);
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR type_id stft::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    const dims data = r.shape(0);
    if (data.size() != 1 && data.size() != 2) r.refuse(0, "a signal, or one per row");
    if (a.n_fft < 1) r.refuse_attribute("n_fft", "below 1", "the size of the transform");
    if (a.hop_length < 1) r.refuse_attribute("hop_length", "below 1", "the distance of two frames");
    if (a.win_length < 1 || a.win_length > a.n_fft)
        r.refuse_attribute("win_length", "below 1 or above `n_fft`", "the size of the window");
    const dims window = r.shape(1);
    if (window.size() != 1 || !may_equal(window[0], a.win_length))
        r.refuse(1, "a weight for each element of the window");
    const dim room = minus(data[data.size() - 1], a.n_fft);
    if (kernel::is_negative(room)) r.refuse(0, "a signal no shorter than `n_fft`");
    dims shape;
    if (data.size() == 2) shape.push_back(data[0]);
    shape.push_back(a.onesided ? a.n_fft / 2 + 1 : a.n_fft);
    shape.push_back(plus(quotient(room, a.hop_length), 1));
    shape.push_back(2);
    return r.tensor(shape, r.element(0));
}

} // namespace op

TUTTI_CONSTEXPR expr sliding_window(expr data, const sliding_window_attributes& attributes) {
    return call_op<op::sliding_window>(attributes, data);
}
TUTTI_CONSTEXPR expr stft(expr data, expr window, const stft_attributes& attributes) {
    return call_op<op::stft>(attributes, data, window);
}

} // namespace tutti::relay::inline TUTTI_FORM
