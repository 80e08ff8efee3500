#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// A picture in rows from top to bottom. Each pixel has three bytes: red, green and blue.
struct picture {
    std::size_t width = 0, height = 0;
    std::vector<std::uint8_t> pixels{};

    std::uint8_t* at(std::size_t x, std::size_t y) { return pixels.data() + 3 * (y * width + x); }
};

/// Reads a PPM file (binary, 255 values), or a PNG file if the program was built with libpng.
///
/// Throws: `std::runtime_error`, which names the file and the problem.
picture read_picture(const std::string& file);

/// Writes a picture as PNG if the name ends in ".png", and otherwise as PPM.
void write_picture(const std::string& file, const picture& p);
