#pragma once

#include <tutti/kernel/letters.hpp>
#include <tutti/kernel/window.hpp>
#include <tutti/kernel/workspace.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

// What the kernels of convolutions, pooling and resizing share.

namespace tutti::relay::kernels::detail {

/// The memory of this call, kept from one time to the next if the invocation keeps anything; else `own`.
template <class T>
constexpr T& kept_or(const invocation& c, T& own) {
    if (c.kept == nullptr) return own;
    if (*c.kept == nullptr) *c.kept = std::make_shared<T>();
    return *static_cast<T*>(c.kept->get());
}

/// One number for each spatial axis.
[[gnu::noinline]] constexpr kernel::spatial spatial_numbers(const dims& given) {
    kernel::spatial numbers{1, 1, 1};
    for (std::size_t i = 0; i < given.size() && i < numbers.size(); ++i) numbers[i] = given[i].value();
    return numbers;
}

/// Padding of an operator over `rank` axes, as the kernels' options have it.
[[gnu::noinline]] constexpr void read_padding(const dims& given, std::size_t rank, kernel::spatial& before,
                                              kernel::spatial& after) {
    const dims padding = spatial::pad(given, rank);
    for (std::size_t i = 0; i < rank; ++i) {
        before[i] = padding[i].value();
        after[i] = padding[rank + i].value();
    }
}

/// Strides, dilation and padding of an operator, likewise.
template <class Attributes, class Options>
constexpr void read_window(const Attributes& a, Options& options) {
    options.strides = spatial_numbers(a.strides);
    options.dilation = spatial_numbers(a.dilation);
    read_padding(a.padding, a.strides.size(), options.before, options.after);
}

/// Whether the kernels know this layout of data, or none is given.
[[gnu::noinline]] constexpr bool knows_data(std::string_view layout) {
    return layout.empty() || kernel::is_layout(kernel::lettered::data, layout);
}

} // namespace tutti::relay::kernels::detail
