#pragma once

#include <tutti/base/error.hpp>
#include <tutti/file/npz_reader.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>

#include <zlib.h>

namespace tutti::file {

namespace detail {

class zlib_unpacker final : public unpacker {
public:
    explicit zlib_unpacker(std::string_view packed) : packed_(packed) {
        if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) throw error("", "cannot be unpacked");
    }
    zlib_unpacker(const zlib_unpacker&) = delete;
    ~zlib_unpacker() override { inflateEnd(&stream_); }

    void read(void* to, std::size_t size) override {
        auto* next = static_cast<unsigned char*>(to);
        while (size != 0) {
            const std::size_t part = std::min(step, size);
            fill(next, part);
            const std::size_t made = part - stream_.avail_out;
            if (made == 0) throw error("", "is damaged: it cannot be unpacked");
            next += made;
            size -= made;
        }
    }

    bool at_end() override {
        if (ended_) return true;
        unsigned char more = 0;
        fill(&more, 1);
        return ended_ && stream_.avail_out != 0;
    }

private:
    static constexpr std::size_t step = std::size_t{1} << 30; // maximum bytes per call of zlib

    void fill(unsigned char* to, std::size_t size) {
        const std::size_t given = std::min(step, packed_.size());
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
        stream_.avail_in = static_cast<uInt>(given);
        stream_.next_out = to;
        stream_.avail_out = static_cast<uInt>(size);
        const int status = ended_ ? Z_STREAM_END : inflate(&stream_, Z_NO_FLUSH);
        ended_ = status == Z_STREAM_END;
        if (!ended_ && status != Z_OK && status != Z_BUF_ERROR) throw error("", "is damaged: it cannot be unpacked");
        packed_.remove_prefix(given - stream_.avail_in);
    }

    std::string_view packed_;
    bool ended_ = false;
    z_stream stream_{};
};

} // namespace detail

/// Creates an unpacker that uses zlib, for `npz_reader`. Programs that include this header must link zlib.
///
/// Example: `npz_reader arrays(std::make_shared<const mapped_file>("weights.npz"), unpack_with_zlib);`
inline std::unique_ptr<unpacker> unpack_with_zlib(std::string_view packed) {
    return std::make_unique<detail::zlib_unpacker>(packed);
}

} // namespace tutti::file
