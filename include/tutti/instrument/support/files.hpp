#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/output_file.hpp>

#include <cerrno>
#include <cstddef>
#include <exception>
#include <string>
#include <string_view>

#if defined(_WIN32)
#include <direct.h>
#else
#include <sys/stat.h>
#endif

// Files and folders written by instruments.

namespace tutti::instrument {

using tutti::append_to_file;
using tutti::check_writable;
using tutti::raise_for_file;
using tutti::write_file;

/// Called with the error if a file cannot be written while passes run. The instrument then continues without its file.
/// If null, the hook throws the error.
using file_problem = void (*)(const error&);

/// Calls `write()` and returns true if it succeeds. If it throws a `tutti::error`, calls `problem` with the error and
/// returns false. If `problem` is null, the error leaves this function.
template <class Write>
[[gnu::cold]] bool try_to_write(file_problem problem, Write&& write) {
    if (!problem) {
        write();
        return true;
    }
    bool reported = false;
    const std::exception_ptr failed = tutti::internal::caught([&] {
        tutti::internal::on_failure<error>(write, [&](const error& e) {
            reported = true;
            problem(e);
        });
    });
    if (failed && !reported) std::rethrow_exception(failed);
    return !failed;
}

/// Creates a folder and its missing parents.
///
/// Throws: `tutti::error` that names the folder and the reason.
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
        if (!made) raise_for_file(folder, "cannot be created as a folder");
    }
}

/// Converts a pass's name to a file name: characters with a meaning to the system or a shell become `_`.
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
