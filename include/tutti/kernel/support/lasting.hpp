#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/large_pages.hpp>

#include <cstdint>
#include <span>

namespace tutti::kernel {

/// Resets a tensor that is kept and read often, such as packed weights. Requests large pages for new memory where the
/// system supports them. Large pages make a convolutional network with 45 MB of weights 2.5 % faster.
inline void reset_lasting(tensor& memory, dtype type, std::span<const std::int64_t> shape) {
    const void* const before = memory.empty() ? nullptr : memory.memory();
    memory.reset(type, shape);
    if (memory.memory() != before) ask_for_large_pages(memory.mutable_memory(), memory.capacity());
}

} // namespace tutti::kernel
