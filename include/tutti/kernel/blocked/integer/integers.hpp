#pragma once

#include <tutti/base/vector.hpp>
#include <tutti/kernel/blocked/common/products.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/quantize.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/kernel/support/lasting.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Integers as elements of blocked products: an element's four bytes hold several integers that are summed together.

namespace tutti::kernel::blocked {

/// Zero points subtracted from a product's operands: tensors of one number or, for weights, of one number for each
/// channel of the result. Null if nothing is subtracted.
struct zero_points {
    const tensor* data = nullptr;
    const tensor* weight = nullptr;
};

/// Integer weights in the order in which a kernel reads them.
struct integer_weights {
    products how = products::pairs;
    tensor packed{};              ///< typed as float32; empty if the kernel does not support them
    vector<std::uint32_t> sums{}; ///< for quads, the sum of the weights of each channel of the result
};

/// The operands of a convolution or product of integers: data and weights, or two factors.
struct integer_operands {
    const tensor& a;
    const tensor& b;
    zero_points zeros{};
};

/// Optional arguments of a kernel for integers: an epilogue, an executor, and packed weights.
struct integer_means : call_means {
    const integer_weights* packed = nullptr;
};

namespace detail {

/// Returns the number of integers in an element.
constexpr std::int64_t integers_in(products how) { return how == products::pairs ? 2 : 4; }

constexpr bool is_byte(dtype t) { return t == dtype::int8 || t == dtype::uint8; }

/// Returns the zero point of a channel of an operand, or the only zero point if it applies to all channels; 0 if there
/// is none.
constexpr std::int64_t zero_of(const tensor* zero_point, std::int64_t channel = 0) {
    return zero_point == nullptr ? 0 : kernel::detail::zero_at(*zero_point, channel);
}

/// Returns the minimum and maximum of an operand's zero points.
constexpr integer_range zeros_between(const tensor* zero_point) {
    if (zero_point == nullptr || zero_point->size() == 0) return {0, 0};
    integer_range range{zero_of(zero_point), zero_of(zero_point)};
    std::int64_t room[kernel::detail::block_length];
    for (std::int64_t at = 0; at < zero_point->size(); at += kernel::detail::block_length) {
        const std::int64_t n = std::min(kernel::detail::block_length, zero_point->size() - at);
        const std::int64_t* zeros = kernel::detail::read_block(*zero_point, at, n, +room);
        for (std::int64_t i = 0; i < n; ++i) {
            range.least = std::min(range.least, zeros[i]);
            range.greatest = std::max(range.greatest, zeros[i]);
        }
    }
    return range;
}

/// True if int16 holds the differences between elements of type `type` and the zero points.
constexpr bool fits_pairs(dtype type, const tensor* zero_point) {
    if (!is_byte(type) && type != dtype::int16) return false;
    if (zero_point != nullptr && !kernel::detail::is_quantized(zero_point->type())) return false;
    const integer_range range = values_of(type);
    const integer_range zeros = zeros_between(zero_point);
    return range.least - zeros.greatest >= -32768 && range.greatest - zeros.least <= 32767;
}

/// True if the data has one zero point, and the weights have one, or one per channel.
constexpr bool are_for(const zero_points& zeros, std::int64_t channels) {
    const auto fits = [](const tensor* t, std::int64_t count) {
        return t == nullptr || (t->rank() <= 1 && (t->size() == 1 || t->size() == count));
    };
    return fits(zeros.data, 1) && fits(zeros.weight, channels);
}

/// True if all zero points are 0.
constexpr bool is_zero(const tensor* zero_point) {
    const integer_range zeros = zeros_between(zero_point);
    return zeros.least == 0 && zeros.greatest == 0;
}

/// Returns the unsigned byte that represents zero in quads, which convert data to unsigned bytes.
constexpr std::int64_t byte_of_zero(dtype data, const tensor* zero_point) {
    return zero_of(zero_point) + (data == dtype::int8 ? 128 : 0);
}

/// Selects the kind of products for operands of these types; `by_quads` is the kind of quads to use.
///
/// Requires: `fits_pairs` is true for both operands.
constexpr products how_summed(dtype data, dtype weight, const zero_points& zeros, products by_quads) {
    const std::int64_t zero = byte_of_zero(data, zeros.data);
    const bool bytes = is_byte(data) && weight == dtype::int8 && zero >= 0 && zero <= 255 && is_zero(zeros.weight);
    return has_quads && bytes ? by_quads : products::pairs;
}

/// Stores an element with the bits `word`. `carry_bytes` stores one with four equal bytes. No function returns such an
/// element: 32-bit x86 returns float32 in an x87 register, which changes the bits of signalling NaNs.
inline void carry(std::uint32_t word, float* to) { __builtin_memcpy(to, &word, sizeof *to); }
inline void carry_bytes(std::int64_t byte, float* to) { carry(static_cast<std::uint32_t>(byte) * 0x01010101U, to); }

/// Integers of an operand, and the zero point to subtract from them.
struct integer_elements {
    const void* memory;
    dtype type;
    std::int64_t zero;
};

/// Offsets of the integers that one element carries. If integers are missing, the last offset is repeated; the weights
/// for them are zero.
using carried_places = std::array<std::int64_t, 4>;

template <int Count, class T, class Field>
void carry_as(const T* memory, const carried_places& first, std::int64_t step, std::int64_t n, float* __restrict to,
              Field field) {
    const T* from[Count];
    for (std::size_t j = 0; j < Count; ++j) from[j] = memory + first[j];
    const auto carry = [&](std::int64_t i, std::int64_t at) {
        std::uint32_t word = 0;
        for (int j = 0; j < Count; ++j) word |= field(from[j][at]) << (32 / Count * j);
        __builtin_memcpy(to + i, &word, sizeof word);
    };
    if (step == 1)
        for (std::int64_t i = 0; i < n; ++i) carry(i, i);
    else
        for (std::int64_t i = 0; i < n; ++i) carry(i, i * step);
}

/// Packs sixteen elements of four bytes from four places with sixteen neighbouring bytes each.
[[gnu::always_inline]] inline void carry_neighbours(const std::uint8_t* const (&from)[4], std::uint8_t flipped,
                                                    float* to) {
    typedef std::uint8_t bytes16 __attribute__((vector_size(16)));  // NOLINT: see `floats`
    typedef std::uint16_t shorts8 __attribute__((vector_size(16))); // NOLINT
    bytes16 x[4];
    for (std::size_t j = 0; j < 4; ++j) {
        __builtin_memcpy(&x[j], from[j], sizeof x[j]);
        if (flipped != 0) x[j] ^= flipped;
    }
    shorts8 lower[2];
    shorts8 upper[2];
    for (std::size_t j = 0; j < 2; ++j) {
        const bytes16 a = x[2 * j];
        const bytes16 b = x[2 * j + 1];
        lower[j] = (shorts8)__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        upper[j] = (shorts8)__builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    }
    const shorts8 made[4]{__builtin_shufflevector(lower[0], lower[1], 0, 8, 1, 9, 2, 10, 3, 11),
                          __builtin_shufflevector(lower[0], lower[1], 4, 12, 5, 13, 6, 14, 7, 15),
                          __builtin_shufflevector(upper[0], upper[1], 0, 8, 1, 9, 2, 10, 3, 11),
                          __builtin_shufflevector(upper[0], upper[1], 4, 12, 5, 13, 6, 14, 7, 15)};
    __builtin_memcpy(to, made, sizeof made);
}

/// Packs `n` elements. The integers of the first element are at the offsets `first`, which advance by `step` for each
/// further element.
inline void carry(products how, const integer_elements& from, const carried_places& first, std::int64_t step,
                  std::int64_t n, float* to) {
    if (how != products::pairs) {
        const std::uint8_t flipped = from.type == dtype::int8 ? 0x80 : 0;
        const auto* const memory = static_cast<const std::uint8_t*>(from.memory);
        const std::int64_t whole = step == 1 ? n / 16 * 16 : 0;
        for (std::int64_t i = 0; i < whole; i += 16)
            carry_neighbours(
                {memory + first[0] + i, memory + first[1] + i, memory + first[2] + i, memory + first[3] + i}, flipped,
                to + i);
        return carry_as<4>(memory + whole, first, step, n - whole, to + whole,
                           [=](std::uint8_t x) -> std::uint32_t { return x ^ flipped; });
    }
    const auto less = [zero = static_cast<std::int32_t>(from.zero)](std::int32_t x) {
        return static_cast<std::uint32_t>(x - zero) & 0xFFFF;
    };
    if (from.type == dtype::int8)
        carry_as<2>(static_cast<const std::int8_t*>(from.memory), first, step, n, to, less);
    else if (from.type == dtype::uint8)
        carry_as<2>(static_cast<const std::uint8_t*>(from.memory), first, step, n, to, less);
    else
        carry_as<2>(static_cast<const std::int16_t*>(from.memory), first, step, n, to, less);
}

/// Packs one element of weights from the first `there` places, with zeros for the others, into `to`. Returns the sum of
/// the weights.
inline std::uint32_t carry_weights(products how, const integer_elements& from, const carried_places& first,
                                   std::int64_t there, float* to) {
    std::uint32_t sum = 0;
    std::uint32_t word = 0;
    for (std::int64_t j = 0; j < there; ++j) {
        const std::int64_t at = first[static_cast<std::size_t>(j)];
        const std::int64_t x = from.type == dtype::int16   ? static_cast<const std::int16_t*>(from.memory)[at]
                               : from.type == dtype::uint8 ? static_cast<const std::uint8_t*>(from.memory)[at]
                                                           : static_cast<const std::int8_t*>(from.memory)[at];
        const auto less = static_cast<std::uint32_t>(x - from.zero);
        sum += less;
        word |= (less & (how == products::pairs ? 0xFFFF : 0xFF)) << (32 / integers_in(how) * j);
    }
    carry(word, to);
    return sum;
}

/// Resets a tensor to `n` elements that carry integers and returns their address.
inline float* made_elements(tensor& t, std::int64_t n) {
    t.reset(dtype::float32, std::span(&n, 1));
    return t.mutable_data<float>();
}

} // namespace detail

/// Packed integer weights, kept until `get` is called with another tensor.
class kept_integer_weights {
public:
    /// Returns the packed weights; calls `make()` to pack them. Repacks weights with non-zero zero points each time.
    template <class Make>
    const integer_weights& get(const tensor& weight, products how, bool without_zeros, Make make) {
        if (from_.empty() || made_.how != how || !from_.same_elements(weight)) {
            made_ = make();
            from_ = without_zeros ? weight : tensor{};
        }
        return made_;
    }

private:
    tensor from_;
    integer_weights made_;
};

/// Memory that a product of integers reuses.
struct integer_memory {
    kept_integer_weights weights;
    tensor data; ///< the data as elements that carry integers
    tensor room;
    vector<std::uint32_t> added;

    /// Returns, for each channel, the number to add to its sums if the byte `zero` of the data represents zero. Null if
    /// nothing is to be added.
    const std::uint32_t* added_for(const integer_weights& w, std::int64_t zero) {
        if (w.how == products::pairs || zero == 0) return nullptr;
        added.resize(w.sums.size());
        for (std::size_t c = 0; c < added.size(); ++c) added[c] = 0U - static_cast<std::uint32_t>(zero) * w.sums[c];
        return added.data();
    }
};

} // namespace tutti::kernel::blocked
