#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/base/posix.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#if defined(TUTTI_POSIX)
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace tutti::file {

/// The bytes of a file, read-only. They are mapped into memory, so that pages take memory only once they are read.
/// A file that cannot be mapped, such as a pipe, is read into memory instead; it may have up to 2^30 bytes.
///
/// Tensors may refer to the bytes: `kernel::tensor::referring(type, shape, bytes.data() + at, std::make_shared<…>(…))`.
///
/// Requires: the file does not shrink while it is mapped, because the system ends a program that reads beyond the end.
///           Replacing the file by renaming another file is safe: the object keeps the old bytes.
/// Throws:   `tutti::error` that names the file and says why it cannot be opened or read.
class mapped_file {
public:
    explicit mapped_file(const std::string& name) {
        struct opened {
            std::FILE* file;
            ~opened() {
                if (file != nullptr) std::fclose(file);
            }
        };
        errno = 0;
        const opened from{std::fopen(name.c_str(), "rb")};
        if (from.file == nullptr) fail(name, "cannot be opened", errno);
        map(from.file);
        if (!is_mapped_) read(from.file, name);
    }
    /// Bytes in memory, used as if they had been read from a file.
    struct read_bytes {
        std::string bytes;
    };
    explicit mapped_file(read_bytes from) : read_(std::move(from.bytes)), bytes_(read_) {}
    /// Bytes of the caller, used in place. They must outlive the object unless `keeper` keeps them alive.
    struct borrowed_bytes {
        std::string_view bytes;
        std::shared_ptr<const void> keeper{};
    };
    explicit mapped_file(borrowed_bytes from) : bytes_(from.bytes), keeper_(std::move(from.keeper)) {}
    mapped_file(const mapped_file&) = delete;
    mapped_file& operator=(const mapped_file&) = delete;
    ~mapped_file() {
#if defined(TUTTI_POSIX)
        if (is_mapped_) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
#endif
    }

    std::string_view bytes() const { return bytes_; }
    /// True if the bytes are mapped from a file.
    bool is_mapped() const { return is_mapped_; }

    /// Releases the memory of a part of the bytes until they are next read.
    void forget([[maybe_unused]] std::string_view part) const {
#if defined(TUTTI_POSIX)
        if (!is_mapped_) return;
        const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        const auto first = reinterpret_cast<std::uintptr_t>(part.data());
        const std::uintptr_t begin = (first + page - 1) / page * page; // keeps pages shared with other parts
        const std::uintptr_t end = (first + part.size()) / page * page;
        if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
#endif
    }

private:
    [[noreturn, gnu::cold]] static void fail(const std::string& name, std::string_view problem, int code) {
        std::string text{problem};
        if (code != 0) text.append(": ").append(std::strerror(code));
        raise(error(name, std::move(text)));
    }

    void map([[maybe_unused]] std::FILE* from) {
#if defined(TUTTI_POSIX)
        struct stat about{};
        if (::fstat(::fileno(from), &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0) return;
        if (static_cast<std::uintmax_t>(about.st_size) > ~std::size_t{0}) return;
        const auto size = static_cast<std::size_t>(about.st_size);
        void* const at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, ::fileno(from), 0);
        is_mapped_ = at != MAP_FAILED;
        if (is_mapped_) bytes_ = {static_cast<const char*>(at), size};
#endif
    }

    void read(std::FILE* from, const std::string& name) {
        constexpr limit most{"", "bytes in a file that is not regular", "", std::uint64_t{1} << 30};
        char part[1 << 14];
        while (std::feof(from) == 0) { // a terminal reports its end only once
            errno = 0;
            const std::size_t size = std::fread(part, 1, sizeof part, from);
            if (std::ferror(from) != 0) fail(name, "cannot be read", errno);
            if (size > most.most - read_.size()) fail(name, most.complaint().what(), 0);
            read_.append(part, size);
        }
        bytes_ = read_;
    }

    std::string read_;
    std::string_view bytes_;
    std::shared_ptr<const void> keeper_;
    bool is_mapped_ = false;
};

} // namespace tutti::file
