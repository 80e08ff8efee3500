#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/sliding_window.hpp>
#include <tutti/kernel/stft.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernels/arguments.hpp>
#include <tutti/relay/eval/kernels/spatial.hpp>
#include <tutti/relay/op/signal.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Operators on windows of signals.
template <class = void>
inline constexpr std::array signal_kernels{
    kernel_for<op::sliding_window>([](const invocation& c, const sliding_window_attributes& a) {
        const kernel::extents window = detail::numbers("the attribute `window_shape`", a.window_shape.value);
        const kernel::extents strides = detail::numbers("the attribute `strides`", a.strides.value);
        kernel::sliding_window(c.input(0), a.axis, window, strides, c.result());
    }),
    kernel_for<op::stft>([](const invocation& c, const stft_attributes& a) {
        kernel::workspace own;
        kernel::stft(c.input(0), c.input(1),
                     {.size = a.n_fft,
                      .hop = a.hop_length,
                      .window = a.win_length,
                      .normalized = a.normalized,
                      .onesided = a.onesided},
                     c.result(), detail::kept_or(c, own));
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
