#pragma once

#include <tutti/relay/ir/plain_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay::text {

/// A part of a text, and the number of its first line.
struct text_part {
    std::string_view text{};
    std::uint32_t line = 1;
};

/// The parts of a text, in their order, each but the first beginning with a line that begins with `def `: at most that many, of at
/// least so many characters.
///
/// Cost: one look at each character.
inline plain_vector<text_part> parts_of(std::string_view text, std::size_t most, std::size_t least) {
    const std::size_t size = std::max(text.size() / most + 1, least);
    plain_vector<text_part> parts;
    text_part part;
    for (std::size_t begin = 0; begin < text.size(); begin += part.text.size()) {
        std::size_t end = text.size();
        if (end - begin >= 2 * size)
            end = std::min(text.find("\ndef ", begin + size - 1), end - 1) + 1; // none: the end
        part.text = text.substr(begin, end - begin);
        parts.push_back(part);
        part.line += static_cast<std::uint32_t>(std::count(part.text.begin(), part.text.end(), '\n'));
    }
    return parts;
}

} // namespace tutti::relay::text
