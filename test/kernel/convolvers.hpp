#pragma once

#include <tutti/kernel/blocked/common/any_conv.hpp>
#include <tutti/kernel/support/convolve.hpp>

namespace test {

/// Implementations of convolutions and products for all element types. Each test runs with all of them.
inline constexpr tutti::kernel::convolver convolvers[]{tutti::kernel::convolve_in_loops,
                                                       tutti::kernel::blocked::convolve_in_blocks<>};

} // namespace test
