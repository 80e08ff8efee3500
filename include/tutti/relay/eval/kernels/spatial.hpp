#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/window.hpp>
#include <tutti/kernel/support/workspace.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

// Functions shared by the kernels of convolutions, pooling and resizing.

namespace tutti::relay::inline TUTTI_FORM::kernels::detail {

/// Returns working memory for a call. The memory is kept between runs if the invocation allows that. Otherwise, it is
/// `own`.
template <class T>
constexpr T& kept_or(const invocation& c, T& own) {
    if (c.kept == nullptr) return own;
    if (*c.kept == nullptr) *c.kept = std::make_shared<T>();
    return *static_cast<T*>(c.kept->get());
}

/// Returns one number per spatial axis, which is 1 for omitted axes.
[[gnu::noinline]] constexpr kernel::spatial spatial_numbers(const dims& given) {
    kernel::spatial numbers{1, 1, 1};
    for (std::size_t i = 0; i < given.size() && i < numbers.size(); ++i) numbers[i] = given[i].value();
    return numbers;
}

/// Stores the padding of `rank` axes in the kernel's options.
[[gnu::noinline]] constexpr void read_padding(const dims& given, std::size_t rank, kernel::spatial& before,
                                              kernel::spatial& after) {
    const dims padding = spatial::pad(given, rank);
    for (std::size_t i = 0; i < rank; ++i) {
        before[i] = padding[i].value();
        after[i] = padding[rank + i].value();
    }
}

/// Stores strides, dilation and padding in the kernel's options.
template <class Attributes, class Options>
constexpr void read_window(const Attributes& a, Options& options) {
    options.strides = spatial_numbers(a.strides);
    options.dilation = spatial_numbers(a.dilation);
    read_padding(a.padding, a.strides.size(), options.before, options.after);
}

/// True if the kernels support this data layout, or if it is empty.
[[gnu::noinline]] constexpr bool knows_data(std::string_view layout) {
    return layout.empty() || kernel::is_layout(kernel::lettered::data, layout);
}

} // namespace tutti::relay::inline TUTTI_FORM::kernels::detail
