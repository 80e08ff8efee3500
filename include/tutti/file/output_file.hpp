#pragma once

#include <tutti/error.hpp>
#include <tutti/failure.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::file {

/// A file that is written bit by bit, as `NAME.part`, which takes the name when it is done: it is there whole, or as it was. Without
/// `done` it is as if it had never been begun.
///
/// Throws: `tutti::error` that names the file and says why it cannot be written.
class output_file {
public:
    explicit output_file(std::string name) : name_(std::move(name)), beside_(name_ + ".part") {
        errno = 0;
        file_ = std::fopen(beside_.c_str(), "wb");
        if (file_ == nullptr) fail("cannot be opened");
    }
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file() {
        if (file_ == nullptr) return;
        std::fclose(file_);
        std::remove(beside_.c_str());
    }

    void write(std::string_view bytes) {
        errno = 0;
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("cannot be written");
    }

    void done() {
        errno = 0;
        if (std::fclose(std::exchange(file_, nullptr)) == 0 && std::rename(beside_.c_str(), name_.c_str()) == 0) return;
        const int code = errno;
        std::remove(beside_.c_str());
        errno = code;
        fail("cannot be written");
    }

private:
    [[noreturn, gnu::cold]] void fail(std::string problem) const {
        if (errno != 0) problem.append(": ").append(std::strerror(errno));
        raise(error(name_, std::move(problem)));
    }

    std::string name_, beside_;
    std::FILE* file_ = nullptr;
};

} // namespace tutti::file
