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

/// Attributes of sliding_window: the first axis of the windows, and their sizes and strides along this axis and all
/// following axes.
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

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// The Fourier transforms of a signal's frames.
struct stft : named<"stft"> {
    static constexpr bool rounds = true;
    static constexpr std::array<std::string_view, 2> arguments{"data", "window"};
    using attributes = stft_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr std::string_view kept_as = "relay.attrs.StftAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op

/// Operators on windows of signals.
using signal_ops = op_list<op::sliding_window, op::stft>;

TUTTI_CONSTEXPR expr sliding_window(expr data, const sliding_window_attributes& attributes);
TUTTI_CONSTEXPR expr stft(expr data, expr window, const stft_attributes& attributes);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/signal.ipp>
#endif
