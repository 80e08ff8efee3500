#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/eval/tensor_types.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Returns the elements of a tensor in a chain. Elements of type int32 are accessed as float.
inline const float* carried(const tensor& t) { return static_cast<const float*>(t.memory()); }
inline float* mutable_carried(tensor& t) { return static_cast<float*>(t.mutable_memory()); }

/// Divides `all` elements into blocks of at most 16,384, and calls `f(first, count)` for each block, on all threads.
template <class F>
void for_each_block(executor_ref on, std::int64_t all, const F& f) {
    constexpr std::int64_t most = 16'384;
    const auto blocks = static_cast<std::size_t>((all + most - 1) / most);
    const auto run = [&](std::size_t block) {
        const std::int64_t first = static_cast<std::int64_t>(block) * most;
        f(first, std::min(most, all - first));
    };
    for_each_index(on, blocks, run, coarse_grain(on, blocks));
}

/// Applies operations to the elements of a tensor in place.
inline void apply(const kernel::epilogue& after, tensor& out, executor_ref on) {
    float* const to = mutable_carried(out);
    for_each_block(on, out.size(),
                   [&](std::int64_t first, std::int64_t count) { after.apply(to + first, first, count); });
}

/// Computes a chain of operations on the elements of `main`. `source` determines how the elements are read.
///
/// Requires: `out` has the result's shape.
inline void compute(const kernel::epilogue& chain, const kernel::block_source& source, const tensor& main, tensor& out,
                    executor_ref on) {
    constexpr std::int64_t at_once = 512;
    float* const to = mutable_carried(out);
    for_each_block(on, out.size(), [&](std::int64_t first, std::int64_t count) {
        for (std::int64_t i = first; i < first + count; i += at_once) {
            const std::int64_t n = std::min(at_once, first + count - i);
            chain.compute(source.read(carried(main), i, n, to + i), to + i, i, n);
        }
    });
}

} // namespace tutti::relay::inline TUTTI_FORM::detail
