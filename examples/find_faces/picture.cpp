#include "picture.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

#if FIND_FACES_PNG
#include <png.h>
#endif

namespace {

constexpr std::size_t most_pixels = std::size_t{1} << 26; // 64 Mi

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
    throw std::runtime_error(file + ": " + what);
}

struct closing {
    void operator()(std::FILE* f) const { std::fclose(f); }
};
using open_file = std::unique_ptr<std::FILE, closing>;

open_file opened(const std::string& file, const char* how) {
    errno = 0;
    open_file f{std::fopen(file.c_str(), how)};
    if (!f) refuse(file, std::string{"cannot be opened: "} + std::strerror(errno));
    return f;
}

void check_size(const std::string& file, std::size_t width, std::size_t height) {
    if (width == 0 || height == 0 || width > most_pixels / height)
        refuse(file, "is " + std::to_string(width) + " x " + std::to_string(height) +
                         " pixels; expected at least one and at most 67,108,864");
}

// Reads the next number of a PPM header. Skips comments, which extend from # to the end of the line.
std::size_t number(std::FILE* from, const std::string& file) {
    int c = std::fgetc(from);
    while (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '#') {
        if (c == '#')
            while (c != '\n' && c != EOF) c = std::fgetc(from);
        c = std::fgetc(from);
    }
    std::size_t value = 0;
    if (c < '0' || c > '9') refuse(file, "is no PPM picture: expected a number in its head");
    for (; c >= '0' && c <= '9'; c = std::fgetc(from)) {
        value = 10 * value + static_cast<std::size_t>(c - '0');
        if (value > most_pixels) refuse(file, "is no picture: a number in its head is too large");
    }
    return value;
}

picture read_ppm(const std::string& file) {
    const open_file from = opened(file, "rb");
    if (std::fgetc(from.get()) != 'P' || std::fgetc(from.get()) != '6')
        refuse(file, FIND_FACES_PNG ? "is neither a PNG nor a binary PPM picture (P6)"
                                    : "is no binary PPM picture (P6); for PNG, build with libpng");
    picture p;
    p.width = number(from.get(), file);
    p.height = number(from.get(), file);
    check_size(file, p.width, p.height);
    if (const std::size_t most = number(from.get(), file); most != 255)
        refuse(file, "has values up to " + std::to_string(most) + "; expected 255");
    p.pixels.resize(3 * p.width * p.height);
    if (std::fread(p.pixels.data(), 1, p.pixels.size(), from.get()) != p.pixels.size())
        refuse(file, "ends before its last pixel");
    return p;
}

void write_ppm(const std::string& file, const picture& p) {
    const open_file to = opened(file, "wb");
    std::fprintf(to.get(), "P6\n%zu %zu\n255\n", p.width, p.height);
    if (std::fwrite(p.pixels.data(), 1, p.pixels.size(), to.get()) != p.pixels.size() || std::fflush(to.get()) != 0)
        refuse(file, "cannot be written");
}

#if FIND_FACES_PNG
bool is_png(const std::string& file) {
    const open_file from = opened(file, "rb");
    unsigned char head[8]{};
    return std::fread(head, 1, sizeof head, from.get()) == sizeof head && png_sig_cmp(head, 0, sizeof head) == 0;
}

png_image described(const picture& p) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(p.width);
    image.height = static_cast<png_uint_32>(p.height);
    image.format = PNG_FORMAT_RGB;
    return image;
}

picture read_png(const std::string& file) {
    png_image image = described({});
    if (png_image_begin_read_from_file(&image, file.c_str()) == 0) refuse(file, image.message);
    image.format = PNG_FORMAT_RGB;
    picture p{.width = image.width, .height = image.height};
    check_size(file, p.width, p.height);
    p.pixels.resize(3 * p.width * p.height);
    const png_color white{255, 255, 255}; // the background of transparent pixels
    if (png_image_finish_read(&image, &white, p.pixels.data(), 0, nullptr) == 0) refuse(file, image.message);
    return p;
}

void write_png(const std::string& file, const picture& p) {
    png_image image = described(p);
    if (png_image_write_to_file(&image, file.c_str(), 0, p.pixels.data(), 0, nullptr) == 0) refuse(file, image.message);
}
#endif

} // namespace

picture read_picture(const std::string& file) {
#if FIND_FACES_PNG
    if (is_png(file)) return read_png(file);
#endif
    return read_ppm(file);
}

void write_picture(const std::string& file, const picture& p) {
    if (!file.ends_with(".png")) return write_ppm(file, p);
#if FIND_FACES_PNG
    write_png(file, p);
#else
    refuse(file, "cannot be written: this program was built without libpng; expected a name that ends in .ppm");
#endif
}
