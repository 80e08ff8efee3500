#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

inline constexpr std::string_view base64_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes bytes as base64 (RFC 4648, with padding).
inline std::string to_base64(const vector<unsigned char>& bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 3; ++j) group = group << 8 | (i + j < bytes.size() ? bytes[i + j] : 0U);
        for (std::size_t j = 0; j < 4; ++j)
            out += i + j > bytes.size() ? '=' : base64_alphabet[group >> (18 - 6 * j) & 63U];
    }
    return out;
}

/// Decodes base64. Returns nothing unless the text consists of whole base64 groups, with padding.
inline std::optional<vector<unsigned char>> from_base64(std::string_view text) {
    static constexpr std::array<std::uint8_t, 256> values = [] {
        std::array<std::uint8_t, 256> v{};
        v.fill(64);
        for (std::size_t i = 0; i < 64; ++i)
            v[static_cast<unsigned char>(base64_alphabet[i])] = static_cast<std::uint8_t>(i);
        return v;
    }();
    if (text.size() % 4 != 0) return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    vector<unsigned char> bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t i = 0; i < text.size(); i += 4) {
        std::uint32_t group = 0;
        for (std::size_t j = 0; j < 4; ++j) {
            const bool pad = i + j >= text.size() - padding;
            const std::uint32_t value = pad ? 0U : values[static_cast<unsigned char>(text[i + j])];
            if (value == 64) return std::nullopt;
            group = group << 6 | value;
        }
        bytes.push_back(static_cast<unsigned char>(group >> 16));
        bytes.push_back(static_cast<unsigned char>(group >> 8));
        bytes.push_back(static_cast<unsigned char>(group));
    }
    for (std::size_t i = 0; i < padding; ++i) bytes.pop_back();
    return bytes;
}

} // namespace tutti::relay::inline TUTTI_FORM::text
