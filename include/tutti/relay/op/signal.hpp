#pragma once

#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay {

/// Attributes of sliding_window: the first axis of the windows, and their sizes and strides along it and the following
/// axes.
struct sliding_window_attributes {
    required<std::int64_t> axis{};
    required<dims> window_shape{};
    required<dims> strides{};

    static constexpr option_list<&sliding_window_attributes::axis, &sliding_window_attributes::window_shape,
                                 &sliding_window_attributes::strides>
        options{"axis", "window_shape", "strides"};
};

/// Attributes of stft: see `kernel::stft_options`.
struct stft_attributes {
    std::int64_t n_fft = -1;
    std::int64_t hop_length = -1;
    std::int64_t win_length = -1;
    bool normalized = false;
    bool onesided = true;

    static constexpr option_list<&stft_attributes::n_fft, &stft_attributes::hop_length, &stft_attributes::win_length,
                                 &stft_attributes::normalized, &stft_attributes::onesided>
        options{"n_fft", "hop_length", "win_length", "normalized", "onesided"};
};

namespace op {

/// Extracts windows that slide over the last axes.
struct sliding_window : named<"sliding_window"> {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = sliding_window_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static constexpr type_id infer(relation& r, const attributes& a) {
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
};

/// The Fourier transforms of a signal's frames.
struct stft : named<"stft"> {
    static constexpr bool rounds = true;
    static constexpr std::array<std::string_view, 2> arguments{"data", "window"};
    using attributes = stft_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr std::string_view kept_as = "relay.attrs.StftAttrs";

    static constexpr type_id infer(relation& r, const attributes& a) {
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
};

} // namespace op

/// Operators on windows of signals.
using signal_ops = op_list<op::sliding_window, op::stft>;

constexpr expr sliding_window(expr data, const sliding_window_attributes& attributes) {
    return call_op<op::sliding_window>(attributes, data);
}
constexpr expr stft(expr data, expr window, const stft_attributes& attributes) {
    return call_op<op::stft>(attributes, data, window);
}

} // namespace tutti::relay
