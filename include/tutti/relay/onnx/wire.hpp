#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// The wire kinds of fields.
enum class wire_kind : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

/// A range of bytes in a file, and its offset in the file.
struct file_part {
    const unsigned char* data = nullptr;
    std::size_t size = 0;
    std::size_t offset = 0;

    std::string_view text() const { return {reinterpret_cast<const char*>(data), size}; }
};

/// Throws an error about an invalid byte of a file.
[[noreturn, gnu::cold]] inline void refuse_byte(std::size_t offset, std::string problem, std::string expected) {
    throw error("byte " + std::to_string(offset), std::move(problem), std::move(expected));
}

/// One field of a message.
struct wire_field {
    std::uint32_t number = 0;
    wire_kind kind = wire_kind::varint;
    std::uint64_t value = 0; ///< the bits of a varint or fixed-size number
    file_part payload{};     ///< the bytes of a field of kind `bytes`
    std::size_t offset = 0;  ///< offset of the field in the file

    float real() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }
};

/// Reads numbers and fields in the protocol buffers wire format from a range of a file.
///
/// Throws: `tutti::error` with the byte's offset for truncated or invalid data.
/// Source: https://protobuf.dev/programming-guides/encoding/
class wire_reader {
public:
    explicit wire_reader(const file_part& part) : at_(part.data), end_(part.data + part.size), part_(part) {}

    bool done() const { return at_ == end_; }
    std::size_t offset() const { return part_.offset + static_cast<std::size_t>(at_ - part_.data); }

    std::uint64_t varint() {
        std::uint64_t value = 0;
        const std::size_t begin = offset();
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (done()) refuse_byte(begin, "the file ends within a number", "its other bytes");
            const unsigned char byte = *at_++;
            value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
            if (byte < 0x80) return value;
        }
        refuse_byte(begin, "a number of more than ten bytes", "at most 64 bits");
    }

    std::uint64_t fixed(std::size_t bytes) {
        const file_part p = take(bytes);
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i) value |= static_cast<std::uint64_t>(p.data[i]) << (8 * i);
        return value;
    }

    wire_field field() {
        wire_field f;
        f.offset = offset();
        const std::uint64_t key = varint();
        f.number = static_cast<std::uint32_t>(key >> 3);
        if (f.number == 0 || key >> 32 != 0) refuse_byte(f.offset, "an invalid field number", "1 or more");
        switch (key & 7) {
        case 0:
            f.value = varint();
            break;
        case 1:
            f.value = fixed(8);
            break;
        case 2:
            f.payload = take(varint());
            break;
        case 5:
            f.value = fixed(4);
            break;
        default:
            refuse_byte(f.offset, "an unknown wire type", "a number or bytes");
        }
        f.kind = static_cast<wire_kind>(key & 7);
        return f;
    }

private:
    file_part take(std::uint64_t bytes) {
        const auto left = static_cast<std::size_t>(end_ - at_);
        if (bytes > left)
            refuse_byte(offset(), std::to_string(bytes) + " bytes where " + std::to_string(left) + " are left",
                        "no more than are left");
        const auto size = static_cast<std::ptrdiff_t>(bytes);
        const file_part p{at_, static_cast<std::size_t>(size), offset()};
        at_ += size;
        return p;
    }

    const unsigned char* at_;
    const unsigned char* end_;
    file_part part_;
};

/// The fields in a range of a file. An iterator reads each field when it reaches the field.
class wire_fields {
public:
    struct sentinel {};
    class iterator {
    public:
        iterator(wire_reader reader, std::uint32_t number) : reader_(reader), number_(number) { ++*this; }
        const wire_field& operator*() const { return field_; }
        iterator& operator++() {
            more_ = false;
            while (!more_ && !reader_.done()) {
                field_ = reader_.field();
                more_ = number_ == 0 || field_.number == number_;
            }
            return *this;
        }
        friend bool operator==(const iterator& i, sentinel) { return !i.more_; }

    private:
        wire_reader reader_;
        wire_field field_;
        std::uint32_t number_;
        bool more_ = false;
    };

    /// Selects the fields with this number; 0 selects all fields.
    explicit wire_fields(const file_part& part, std::uint32_t number = 0) : part_(part), number_(number) {}
    iterator begin() const { return {wire_reader(part_), number_}; }
    sentinel end() const { return {}; }

private:
    file_part part_;
    std::uint32_t number_;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
