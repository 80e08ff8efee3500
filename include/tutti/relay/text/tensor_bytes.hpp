#pragma once

#include <tutti/base/byte_order.hpp>
#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/narrow.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Reads little-endian numbers from the front of a byte sequence.
class byte_reader {
public:
    explicit byte_reader(std::span<const unsigned char> bytes) : rest_(bytes) {}

    /// Returns the next number. Throws: `tutti::error` if too few bytes are left.
    template <class T>
    T next() {
        if (rest_.size() < sizeof(T))
            throw error("", "a tensor ends too early", std::to_string(sizeof(T)) + " more bytes");
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < sizeof(T); ++i) value |= std::uint64_t{rest_[i]} << (8 * i);
        rest_ = rest_.subspan(sizeof(T));
        return static_cast<T>(value);
    }

    std::span<const unsigned char> rest() const { return rest_; }

private:
    std::span<const unsigned char> rest_;
};

/// Magic number at the start of each tensor in the reference's files.
inline constexpr std::uint64_t tensor_magic = 0xDD5E40F096B4A13FU;

namespace detail {

// Returns an element type's code and number of bits. A boolean is unsigned with one bit.
// Source: the reference's codes (0 signed, 1 unsigned, 2 floating, 4 bfloat16) and those that DLPack 1.1 added.
inline std::pair<std::uint8_t, std::uint8_t> code_and_bits(kernel::dtype type) {
    using kernel::dtype;
    const auto bits = static_cast<std::uint8_t>(kernel::bits(type));
    switch (type) {
    case dtype::boolean:
        return {1, bits};
    case dtype::bfloat16:
        return {4, bits};
    case dtype::float8_e4m3fn:
        return {10, bits};
    case dtype::float8_e4m3fnuz:
        return {11, bits};
    case dtype::float8_e5m2:
        return {12, bits};
    case dtype::float8_e5m2fnuz:
        return {13, bits};
    case dtype::float8_e8m0fnu:
        return {14, bits};
    case dtype::float4_e2m1fn:
        return {17, bits};
    default:
        return {kernel::is_floating(type) ? 2 : kernel::name(type).starts_with('u') ? 1 : 0, bits};
    }
}

inline kernel::dtype type_of(std::uint8_t code, std::uint8_t bits, std::uint16_t lanes) {
    for (int t = 1; t <= 0xFF; ++t) {
        const auto type = static_cast<kernel::dtype>(t);
        if (!kernel::is_dtype(static_cast<std::uint8_t>(t)) || kernel::lane_count(type) != 1) continue;
        if (lanes == 1 && code_and_bits(type) == std::pair(code, bits)) return type;
    }
    throw error("",
                "a tensor's element type is not known: code " + std::to_string(code) + ", " + std::to_string(bits) +
                    " bits, " + std::to_string(lanes) + " lanes",
                "bool, bfloat16, float8 or float4, int or uint of 2 to 64 bits, or float of 16 to 64 bits");
}

} // namespace detail

/// Returns a tensor in the reference's file format.
///
/// Source: the reference's parameter files, which are little-endian. The fields are: magic, reserved, device type and
///         id, rank, type code, bits, lanes, shape, number of bytes, elements.
inline vector<unsigned char> to_bytes(const kernel::tensor& t) {
    vector<unsigned char> out;
    const auto put = [&](std::uint64_t value, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) out.push_back(static_cast<unsigned char>(value >> (8 * i)));
    };
    const auto [code, bits] = detail::code_and_bits(t.type());
    put(tensor_magic, 8);
    put(0, 8);
    put(1, 4); // CPU
    put(0, 4);
    put(t.rank(), 4);
    put(code, 1);
    put(bits, 1);
    put(1, 2);
    for (const std::int64_t d : t.shape()) put(static_cast<std::uint64_t>(d), 8);
    const std::size_t size = static_cast<std::size_t>(t.size()) * kernel::bytes(t.type());
    put(size, 8);
    const std::size_t head = out.size();
    out.resize(head + size);
    if (size != 0) std::memcpy(out.data() + head, t.memory(), size);
    tutti::internal::swap_little_endian(out.data() + head, size, kernel::bytes(t.type()));
    return out;
}

/// Reads a tensor in the format of `to_bytes`. Throws: `tutti::error` if the bytes are not a valid tensor.
inline kernel::tensor from_bytes(std::span<const unsigned char> bytes) {
    byte_reader in(bytes);
    if (in.next<std::uint64_t>() != tensor_magic)
        throw error("", "a tensor begins with the wrong bytes", "its magic number");
    in.next<std::uint64_t>();
    in.next<std::uint64_t>(); // device
    const auto rank = in.next<std::uint32_t>();
    const auto code = in.next<std::uint8_t>();
    const auto bits = in.next<std::uint8_t>();
    const kernel::dtype type = detail::type_of(code, bits, in.next<std::uint16_t>());
    const std::size_t element = kernel::bytes(type);
    if (rank > in.rest().size() / 8)
        throw error("", "a tensor ends before its shape does", std::to_string(rank) + " dimensions");
    vector<std::int64_t> shape;
    for (std::uint32_t i = 0; i < rank; ++i) shape.push_back(in.next<std::int64_t>());
    const auto stated = in.next<std::uint64_t>();
    for (const std::int64_t d : shape)
        if (d < 0 || d > kernel::largest_size)
            throw error("", "a tensor's shape is impossible: a dimension is " + std::to_string(d));
    const std::int64_t elements_there = kernel::checked_element_count(shape);
    if (elements_there < 0)
        throw error("", "a tensor has " + std::to_string(in.rest().size()) + " bytes of elements",
                    "those of 2^48 elements or more");
    const auto count = static_cast<std::uint64_t>(elements_there);
    if (stated != count * element || in.rest().size() != stated)
        throw error("", "a tensor has " + std::to_string(in.rest().size()) + " bytes of elements",
                    std::to_string(count * element));
    kernel::tensor t(type, std::move(shape));
    if (count == 0) return t;
    vector<unsigned char> elements(in.rest().begin(), in.rest().end());
    tutti::internal::swap_little_endian(elements.data(), elements.size(), element);
    kernel::make_valid(type, elements.data(), elements.size());
    std::memcpy(t.mutable_memory(), elements.data(), elements.size());
    return t;
}

} // namespace tutti::relay::inline TUTTI_FORM::text
