#pragma once

#include <tutti/error.hpp>
#include <tutti/failure.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#if defined(_WIN32)
#include <direct.h>
#else
#include <sys/stat.h>
#endif

// Files for instruments that write some, without what <filesystem> and <fstream> cost the compiler.

namespace tutti::instrument {

/// Throws a `tutti::error` for a file or folder, with what the system said last.
[[noreturn, gnu::cold]] inline void raise_for_file(const std::string& path, std::string_view problem) {
    const int code = errno;
    std::string text{problem};
    if (code != 0) text.append(": ").append(std::strerror(code));
    raise(error{path, std::move(text)});
}

/// Writes a file, whole or not at all: under another name, `path.part`, which becomes its name at the end.
///
/// Throws: `tutti::error` that names the file and says why.
[[gnu::cold]] inline void write_file(const std::string& path, std::string_view text) {
    const std::string part = path + ".part";
    errno = 0;
    std::FILE* const file = std::fopen(part.c_str(), "wb");
    if (!file) raise_for_file(path, "cannot be written");
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
    if (!written) {
        const int code = errno;
        std::fclose(file);
        std::remove(part.c_str());
        errno = code;
        raise_for_file(path, "cannot be written");
    }
#if defined(_WIN32)
    std::remove(path.c_str()); // nothing is renamed onto a file there
#endif
    if (std::fclose(file) != 0 || std::rename(part.c_str(), path.c_str()) != 0) {
        const int code = errno;
        std::remove(part.c_str());
        errno = code;
        raise_for_file(path, "cannot be written");
    }
}

/// Adds to the end of a file.
///
/// Throws: `tutti::error` that names the file and says why.
[[gnu::cold]] inline void append_to_file(const std::string& path, std::string_view text) {
    errno = 0;
    std::FILE* const file = std::fopen(path.c_str(), "ab");
    if (!file) raise_for_file(path, "cannot be written");
    const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
    const int code = errno;
    if (std::fclose(file) != 0 || !written) {
        if (!written) errno = code;
        raise_for_file(path, "cannot be written");
    }
}

/// Makes a folder and those that it is in, as far as they are not there.
///
/// Throws: `tutti::error` that names the folder and says why.
[[gnu::cold]] inline void make_folder(const std::string& path) {
    for (std::size_t end = 0; end != std::string::npos;) {
        end = path.find('/', end + 1);
        const std::string folder = path.substr(0, end);
        errno = 0;
#if defined(_WIN32)
        const bool made = _mkdir(folder.c_str()) == 0 || errno == EEXIST;
#else
        const bool made = mkdir(folder.c_str(), 0777) == 0 || errno == EEXIST;
#endif
        if (!made) raise_for_file(folder, "cannot be made a folder");
    }
}

/// Throws: `tutti::error` if a file could not be written there, in a folder that is there. The file is not touched.
[[gnu::cold]] inline void check_writable(const std::string& path) {
    const std::string part = path + ".part";
    errno = 0;
    std::FILE* const file = std::fopen(part.c_str(), "wb");
    if (!file) raise_for_file(path, "cannot be written");
    std::fclose(file);
    std::remove(part.c_str());
    errno = 0;
    if (std::FILE* const there = std::fopen(path.c_str(), "rb+"))
        std::fclose(there);
    else if (errno == EISDIR) // nothing is renamed onto a folder
        raise_for_file(path, "cannot be written");
}

/// A pass's name as that of a file: what could mean something to a system or a shell becomes `_`.
[[gnu::cold]] inline std::string file_name(std::string_view name) {
    std::string text;
    for (const char c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           c == '_' || (c == '.' && !text.empty());
        text += plain ? c : '_';
    }
    return text.empty() ? "_" : text.substr(0, 100);
}

} // namespace tutti::instrument
