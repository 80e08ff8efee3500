#pragma once

#include <tutti/base/posix.hpp>

#include <cstdlib>
#include <string>
#include <string_view>

#if __has_include(<sys/stat.h>)
#include <sys/stat.h>
#endif

namespace tutti::file {

/// True if a name refers, directly or through links, to a regular file. False for pipes and devices, which could block
/// a reader.
inline bool is_regular(const std::string& name) {
#if __has_include(<sys/stat.h>) && defined(S_ISREG)
    struct stat about{};
    return ::stat(name.c_str(), &about) == 0 && S_ISREG(about.st_mode);
#else
    return !name.empty();
#endif
}

/// Resolves all links in a name and returns an absolute name; empty if there is no such file.
inline std::string real_path(const std::string& name) {
#if !defined(TUTTI_POSIX)
    return name;
#else
    char* const found = ::realpath(name.c_str(), nullptr);
    if (found == nullptr) return {};
    std::string text{found};
    std::free(found);
    return text;
#endif
}

/// Returns the folder part of a name, with its slash; empty if there is none.
constexpr std::string_view folder_of(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    return name.substr(0, slash == std::string_view::npos ? 0 : slash + 1);
}

/// True if a file is in a folder or below it after all links are resolved. False if either does not exist.
inline bool lies_within(const std::string& file, const std::string& folder) {
    std::string outer = real_path(folder.empty() ? "." : folder);
    const std::string inner = real_path(file);
    if (outer.empty() || inner.empty()) return false;
    if (!outer.ends_with('/')) outer += '/';
    return inner.starts_with(outer);
}

} // namespace tutti::file
