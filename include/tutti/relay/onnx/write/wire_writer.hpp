#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/wire.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Appends fields of a message in the protocol buffers wire format.
///
/// Source: https://protobuf.dev/programming-guides/encoding/
class wire_writer {
public:
    const std::string& bytes() const { return bytes_; }

    wire_writer& varint(std::uint64_t n) {
        for (; n >= 0x80; n >>= 7) bytes_ += static_cast<char>(n | 0x80U);
        bytes_ += static_cast<char>(n);
        return *this;
    }
    wire_writer& number(std::uint32_t field, std::int64_t value) {
        return key(field, wire_kind::varint).varint(static_cast<std::uint64_t>(value));
    }
    wire_writer& real(std::uint32_t field, float value) {
        key(field, wire_kind::fixed32);
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (unsigned shift = 0; shift < 32; shift += 8) bytes_ += static_cast<char>(bits >> shift);
        return *this;
    }
    wire_writer& text(std::uint32_t field, std::string_view value) {
        begin(field, value.size());
        bytes_ += value;
        return *this;
    }
    wire_writer& message(std::uint32_t field, const wire_writer& inner) { return text(field, inner.bytes_); }

    /// Appends the key and the length of a text or message of `size` bytes. The caller writes the bytes.
    wire_writer& begin(std::uint32_t field, std::uint64_t size) { return key(field, wire_kind::bytes).varint(size); }
    /// Appends fields that are already encoded.
    wire_writer& fields(std::string_view written) {
        bytes_ += written;
        return *this;
    }

private:
    wire_writer& key(std::uint32_t field, wire_kind kind) {
        return varint(std::uint64_t{field} << 3U | static_cast<std::uint64_t>(kind));
    }

    std::string bytes_;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
