#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::file {

namespace detail {

// `row[z][b]` is the remainder of byte b followed by z zero bytes.
struct crc32_tables {
    std::uint32_t row[8][256];
};

constexpr crc32_tables make_crc32_tables() {
    crc32_tables made{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t rest = i;
        for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest % 2 == 0 ? 0U : 0xEDB88320U);
        made.row[0][i] = rest;
    }
    for (std::size_t zeros = 1; zeros < 8; ++zeros)
        for (std::size_t i = 0; i < 256; ++i) {
            const std::uint32_t before = made.row[zeros - 1][i];
            made.row[zeros][i] = before >> 8 ^ made.row[0][before % 256];
        }
    return made;
}

inline constexpr crc32_tables crc32_known = make_crc32_tables();

} // namespace detail

/// Returns the CRC-32 of ISO 3309, the checksum of zip archives and PNG. `before` is the checksum of the preceding
/// bytes, 0 if there are none.
///
/// Cost: processes eight bytes at a time, at about one byte per cycle.
constexpr std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0) {
    const auto& row = detail::crc32_known.row;
    std::uint32_t rest = ~before;
    std::size_t at = 0;
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
    for (; bytes.size() - at >= 8; at += 8) {
        rest ^= byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | byte(at + 3) << 24;
        rest = row[7][rest % 256] ^ row[6][rest >> 8 & 0xFF] ^ row[5][rest >> 16 & 0xFF] ^ row[4][rest >> 24] ^
               row[3][byte(at + 4)] ^ row[2][byte(at + 5)] ^ row[1][byte(at + 6)] ^ row[0][byte(at + 7)];
    }
    for (; at < bytes.size(); ++at) rest = rest >> 8 ^ row[0][(rest ^ byte(at)) & 0xFF];
    return ~rest;
}

} // namespace tutti::file
