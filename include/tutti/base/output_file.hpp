#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/posix.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#if defined(TUTTI_POSIX)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

// All files are written through this header. It avoids <filesystem> and <fstream>, which are slow to compile.

namespace tutti {

/// Throws a `tutti::error` about a file or folder. If `errno` is set, the system's message for it is appended.
[[noreturn, gnu::cold]] inline void raise_for_file(const std::string& path, std::string_view problem) {
    const int code = errno;
    std::string text{problem};
    if (code != 0) text.append(": ").append(std::strerror(code));
    raise(error{path, std::move(text)});
}

namespace detail {

struct file_place {
    std::string path;        // with symbolic links resolved
    bool exists = false;     // true for a file of any kind
    bool is_regular = false; // also true if nothing exists there
    bool is_folder = false;
    int stream = -1; // 1 or 2 if standard output or standard error writes to this file, else -1
    int problem = 0; // the `errno` if the file cannot be looked up; otherwise 0
#if defined(TUTTI_POSIX)
    struct stat about{};
#endif
};

[[gnu::cold]] inline file_place place_of(const std::string& name) {
    file_place found{.path = name};
#if defined(TUTTI_POSIX)
    for (int links = 0; links < 40; ++links) {
        struct stat link{};
        if (::lstat(found.path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) break;
        std::string target(4096, '\0');
        const ssize_t size = ::readlink(found.path.c_str(), target.data(), target.size());
        if (size <= 0 || static_cast<std::size_t>(size) == target.size()) break;
        target.resize(static_cast<std::size_t>(size));
        const std::size_t slash = found.path.rfind('/');
        if (target.front() != '/' && slash != std::string::npos) target.insert(0, found.path, 0, slash + 1);
        found.path = std::move(target);
    }
    found.exists = ::stat(name.c_str(), &found.about) == 0;
    found.is_folder = found.exists && S_ISDIR(found.about.st_mode);
    if (!found.exists) {
        found.is_regular = errno == ENOENT && !name.empty();
        if (!found.is_regular) found.problem = errno;
        return found;
    }
    found.is_regular = S_ISREG(found.about.st_mode);
    for (const int stream : {1, 2}) {
        struct stat written{};
        if (::fstat(stream, &written) == 0 && written.st_dev == found.about.st_dev &&
            written.st_ino == found.about.st_ino)
            found.stream = stream;
    }
#else
    std::FILE* const there = std::fopen(name.c_str(), "rb");
    found.exists = there != nullptr;
    found.is_regular = true;
    if (there != nullptr) std::fclose(there);
#endif
    return found;
}

/// Creates a new file beside `path` and stores its name in `made`. Null if that is not possible. Never opens an
/// existing file or follows a link.
[[gnu::cold]] inline std::FILE* open_beside(const std::string& path, std::string& made) {
    constexpr std::size_t longest = 200; // names are usually limited to 255 bytes
    const std::size_t slash = path.rfind('/');
    const std::string beginning = path.substr(0, (slash == std::string::npos ? 0 : slash + 1) + longest);
    for (int i = 0; i < 1000; ++i) {
        made = beginning + "." + std::to_string(i) + ".part";
        errno = 0;
        if (std::FILE* const file = std::fopen(made.c_str(), "wbx")) return file;
        if (errno != EEXIST) break;
    }
    made.clear();
    return nullptr;
}

} // namespace detail

/// A file that is written piece by piece and gets its name once it is complete. An existing file of that name is
/// unchanged until `done()` returns, and stays unchanged if `done()` is never called.
///
/// A regular file is first written to a new file `NAME.N.part` in the same folder. The new file gets the permissions of
/// the file that it replaces, and the owner if the system allows that. A symbolic link stays; the file that the link
/// points to is replaced. Some files are written directly: devices, pipes, files to which standard output or standard
/// error is redirected, and files in a folder where no new file can be created.
///
/// Throws: `tutti::error` that names the file and says why it cannot be opened or written.
class output_file {
public:
    explicit output_file(std::string name) : name_(std::move(name)) {
        const detail::file_place place = detail::place_of(name_);
        path_ = place.path;
        if (place.stream >= 0)
            open_stream(place.stream);
        else if (place.is_regular)
            open_new(place);
        errno = place.problem;
        if (file_ == nullptr && place.exists) file_ = std::fopen(name_.c_str(), "wb");
        if (file_ == nullptr && !place.exists && errno == 0) {
            file_ = std::fopen(path_.c_str(), "wbx");
            if (file_ != nullptr) created_ = path_;
        }
        if (file_ == nullptr) raise_for_file(name_, "cannot be opened");
    }
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file() {
        if (file_ == nullptr) return;
        std::fclose(file_);
        discard();
    }

    void write(std::string_view bytes) {
        errno = 0;
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size())
            raise_for_file(name_, "cannot be written");
    }

    /// Flushes everything written so far to the system, so that the file named `unfinished()` is up to date.
    void flush() {
        errno = 0;
        if (std::fflush(file_) != 0) raise_for_file(name_, "cannot be written");
    }

    void done() {
        errno = 0;
        finish(std::fclose(std::exchange(file_, nullptr)) == 0);
    }

    /// Completes the file like `done()`, but keeps it open: further writes append to it. The caller closes it.
    [[nodiscard]] std::FILE* keep() {
        errno = 0;
        std::FILE* const file = std::exchange(file_, nullptr);
        const bool flushed = std::fflush(file) == 0;
        internal::on_unwind([&] { finish(flushed); }, [&] { std::fclose(file); });
        return file;
    }

    /// The name of the temporary file; empty if the file is written directly. Remove the temporary file if the process
    /// has to end before `done()`.
    const std::string& unfinished() const { return created_; }

private:
    void open_stream([[maybe_unused]] int stream) {
#if defined(TUTTI_POSIX)
        std::fflush(stream == 1 ? stdout : stderr);
        const int own = ::dup(stream);
        if (own < 0) return;
        file_ = ::fdopen(own, "wb");
        if (file_ == nullptr) ::close(own);
#endif
    }

    void open_new([[maybe_unused]] const detail::file_place& place) {
#if defined(TUTTI_POSIX)
        if (place.exists) { // the file may be write-protected although its folder is not
            errno = 0;
            const int there = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
            if (there < 0) raise_for_file(name_, "cannot be opened");
            ::close(there);
        }
#endif
        file_ = detail::open_beside(path_, created_);
#if defined(TUTTI_POSIX)
        if (file_ == nullptr || !place.exists) return;
        const int file = ::fileno(file_);
        if (::fchown(file, place.about.st_uid, place.about.st_gid) != 0) errno = 0; // this user then stays the owner
        if (::fchmod(file, place.about.st_mode & 07777) != 0) errno = 0;
#endif
    }

    void discard() noexcept {
        if (!created_.empty()) std::remove(created_.c_str());
    }

    void finish(bool written) {
        if (written && (created_.empty() || created_ == path_ || moves_in())) return;
        const int code = errno;
        discard();
        errno = code;
        raise_for_file(name_, "cannot be written");
    }
    bool moves_in() const {
#if defined(_WIN32)
        std::remove(path_.c_str()); // Windows does not rename over an existing file
#endif
        return std::rename(created_.c_str(), path_.c_str()) == 0;
    }

    std::string name_, path_, created_;
    std::FILE* file_ = nullptr;
};

/// Writes a file completely or not at all; see `output_file`.
///
/// Throws: `tutti::error` that names the file and the cause.
[[gnu::cold]] inline void write_file(const std::string& path, std::string_view text) {
    output_file to(path);
    to.write(text);
    to.done();
}

/// Appends text to a file.
///
/// Throws: `tutti::error` that names the file and the cause.
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

/// A file that `begin` replaces and `add` then appends to. Each addition reaches the system at once, so it survives if
/// the process dies.
///
/// Throws: `tutti::error` that names the file and says why it cannot be opened or written.
class growing_file {
public:
    growing_file() = default;
    explicit growing_file(std::string name) : name_(std::move(name)) {}
    growing_file(growing_file&& other) noexcept
        : name_(std::move(other.name_)), file_(std::exchange(other.file_, nullptr)) {}
    growing_file& operator=(growing_file&& other) noexcept {
        std::swap(name_, other.name_);
        std::swap(file_, other.file_);
        return *this;
    }
    ~growing_file() {
        if (file_ != nullptr) std::fclose(file_);
    }

    void begin(std::string_view text) {
        output_file made(name_);
        made.write(text);
        file_ = made.keep();
    }
    /// Appends text. Requires: `begin` has been called.
    void add(std::string_view text) {
        errno = 0;
        if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0)
            raise_for_file(name_, "cannot be written");
    }

private:
    std::string name_;
    std::FILE* file_ = nullptr;
};

/// Checks that a file can probably be written. Leaves existing files unchanged and opens no pipe.
///
/// Throws: `tutti::error` that names the file and says why it cannot be written.
[[gnu::cold]] inline void check_writable(const std::string& path) {
    const detail::file_place place = detail::place_of(path);
    const auto refuse = [&](int code) {
        errno = code;
        raise_for_file(path, "cannot be written");
    };
    if (place.is_folder) refuse(EISDIR);
    if (place.exists) {
#if defined(TUTTI_POSIX)
        errno = 0;
        if (::access(path.c_str(), W_OK) != 0) refuse(errno);
#endif
        return;
    }
    if (place.problem != 0) refuse(place.problem);
    std::string made;
    std::FILE* const file = detail::open_beside(place.path, made);
    if (file == nullptr) refuse(errno);
    std::fclose(file);
    std::remove(made.c_str());
}

/// True if a file of any kind has this name; follows links.
[[gnu::cold]] inline bool file_exists(const std::string& path) { return detail::place_of(path).exists; }

/// True if a regular file has this name; follows links.
[[gnu::cold]] inline bool is_regular_file(const std::string& path) {
    const detail::file_place place = detail::place_of(path);
    return place.exists && place.is_regular;
}

/// Returns the bytes of a file; empty if the file is not regular or cannot be read.
[[gnu::cold]] inline std::string read_file(const std::string& path) {
    std::string text;
    if (!is_regular_file(path)) return text;
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) return text;
    char part[1 << 14];
    while (const std::size_t size = std::fread(part, 1, sizeof part, file)) text.append(part, size);
    std::fclose(file);
    return text;
}

/// Removes a regular file; a symbolic link to it stays. Anything else is left alone.
[[gnu::cold]] inline void remove_file(const std::string& path) {
    const detail::file_place place = detail::place_of(path);
    if (place.exists && place.is_regular) std::remove(place.path.c_str());
}

/// True if both names refer to the same existing file.
[[gnu::cold]] inline bool is_same_file(const std::string& a, const std::string& b) {
#if defined(TUTTI_POSIX)
    struct stat first{}, second{};
    return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
#else
    return a == b;
#endif
}

} // namespace tutti
