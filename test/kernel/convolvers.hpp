#pragma once

#include <tutti/kernel/blocked/any_conv.hpp>
#include <tutti/kernel/convolve.hpp>

namespace test {

/// What computes convolutions and products of elements of any type: what is asked of one is asked of all.
inline constexpr tutti::kernel::convolver convolvers[]{tutti::kernel::convolve_in_loops,
                                                       tutti::kernel::blocked::convolve_in_blocks<>};

} // namespace test
