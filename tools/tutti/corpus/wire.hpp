#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// Messages between the processes of `tutti corpus run`.

namespace program::corpus {

/// Appends numbers and texts to a message.
class wire_writer {
    std::string text_;

public:
    wire_writer& number(std::uint64_t n) {
        for (; n >= 0x80; n >>= 7) text_ += static_cast<char>(n | 0x80);
        text_ += static_cast<char>(n);
        return *this;
    }
    wire_writer& real(double x) {
        char bytes[sizeof x];
        std::memcpy(bytes, &x, sizeof x);
        text_.append(bytes, sizeof x);
        return *this;
    }
    wire_writer& text(std::string_view t) {
        number(t.size());
        text_.append(t);
        return *this;
    }
    std::string take() { return static_cast<std::string&&>(text_); }
};

/// Reads a message in the order in which it was written. After the end, reads zeros and empty texts.
class wire_reader {
    std::string_view left_;

public:
    explicit wire_reader(std::string_view message) : left_(message) {}

    bool is_done() const { return left_.empty(); }
    std::uint64_t number() {
        std::uint64_t n = 0;
        for (int shift = 0; !left_.empty() && shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(left_.front());
            left_.remove_prefix(1);
            n |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
            if (byte < 0x80) break;
        }
        return n;
    }
    double real() {
        double x = 0;
        if (left_.size() >= sizeof x) {
            std::memcpy(&x, left_.data(), sizeof x);
            left_.remove_prefix(sizeof x);
        }
        return x;
    }
    std::string_view text() {
        const std::uint64_t size = number();
        const std::string_view t = left_.substr(0, static_cast<std::size_t>(size));
        left_.remove_prefix(t.size());
        return t;
    }
};

} // namespace program::corpus
