#pragma once

#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/blocked/integer/blocks.hpp>
#include <tutti/kernel/blocked/integer/elementwise.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cstdint>

// Vectorised conversions between integers of at most 32 bits, and to and from float32.

namespace tutti::kernel::blocked {

namespace detail {

/// Converts numbers to integers in `range`: rounds toward zero and saturates; NaN becomes 0.
inline void truncated_ints(const float* from, std::int64_t n, const integer_range& range, std::int32_t* to) {
    const auto least = static_cast<float>(range.least);
    const auto greatest = static_cast<float>(range.greatest);
    const float most = std::min(greatest, 0x1.FFFFFEp+30F); // the largest float below 2^31
    alignas(64) float rest[lanes] = {};
    for (std::int64_t i = 0; i < n; i += lanes) {
        const float* x = from + i;
        if (i + lanes > n) {
            std::copy_n(x, n - i, rest);
            x = rest;
        }
        const floats given = load(x);
        floats inside = given == given ? given : floats{};
        const auto beyond = inside >= greatest; // exact: no float32 lies between a bound and its rounded value
        inside = inside < most ? inside : floats{} + most;
        inside = inside > least ? inside : floats{} + least;
        const signed_words made = __builtin_convertvector(inside, signed_words);
        store(beyond ? signed_words{} + static_cast<std::int32_t>(range.greatest) : made, to + i);
    }
}

inline void converted_ints(const std::int32_t* from, std::int64_t n, float* to) {
    std::int64_t i = 0;
    for (; i + lanes <= n; i += lanes) store(__builtin_convertvector(load(from + i), floats), to + i);
    for (; i < n; ++i) to[i] = static_cast<float>(from[i]);
}

} // namespace detail

/// Computes `kernel::cast` between float32 and integers of at most 32 bits, except uint32.
///
/// Does nothing and returns false for other element types, and if the elements have the type already.
inline bool cast(const tensor& data, dtype type, tensor& out, executor_ref on = {}) {
    const auto is_known = [](dtype t) { return t == dtype::float32 || detail::is_small_integer(t); };
    if (!is_known(data.type()) || !is_known(type) || data.type() == type) return false;
    kernel::detail::make_result("cast", type, data.shape(), out);
    detail::each_part(on, data.size(), [&](std::int64_t begin, std::int64_t size) {
        alignas(64) std::int32_t room[detail::block_room];
        for (std::int64_t i = begin; i < begin + size; i += detail::block_length) {
            const std::int64_t n = std::min(detail::block_length, begin + size - i);
            if (data.type() == dtype::float32) {
                detail::truncated_ints(data.data<float>() + i, n, values_of(type), room);
                detail::write_ints(room, n, out, i);
                continue;
            }
            const std::int32_t* const read = detail::read_ints(data, i, n, room);
            if (type == dtype::float32) {
                detail::converted_ints(read, n, out.mutable_data<float>() + i);
                continue;
            }
            const bool beyond = read != room && n < detail::block_length; // `write_ints` reads these too
            if (beyond) std::copy_n(read, n, room);
            detail::write_ints(beyond ? room : read, n, out, i);
        }
    });
    return true;
}

} // namespace tutti::kernel::blocked
