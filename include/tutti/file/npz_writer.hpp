#pragma once

#include <tutti/base/byte_order.hpp>
#include <tutti/base/error.hpp>
#include <tutti/file/crc32.hpp>
#include <tutti/file/npy_header.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::file {

/// Writes an .npz file, a zip archive without compression, one array at a time. Keeps only the archive's directory in
/// memory. Elements begin at multiples of 64 bytes, so that a mapped file can be used in place. Archives above 4 GiB
/// or with more than 65,534 arrays are written as zip64.
///
/// `To` has a member `write(std::string_view)`, which receives the file's bytes in order.
template <class To>
class npz_writer {
public:
    explicit npz_writer(To& to) : to_(&to) {}

    /// Adds an array. Elements of types that NumPy does not have are written as float32, int8 or uint8, which hold
    /// their values.
    ///
    /// Requires: no two arrays share a name; the array is not `empty()`.
    /// Throws:   `tutti::error` if the name is too long for an archive.
    void add(std::string_view name, const kernel::tensor& array) {
        if (numpy_type(array.type()) != array.type()) {
            kernel::tensor wide;
            kernel::cast(array, numpy_type(array.type()), wide);
            return add(name, wide);
        }
        const std::string header = npy_beginning(array);
        const std::size_t element = kernel::bytes(array.type());
        std::string swapped;
        const std::string_view elements = tutti::internal::little_endian_bytes(
            array.memory(), static_cast<std::size_t>(array.size()) * element, element, swapped);
        const std::uint64_t size = header.size() + elements.size();
        const std::uint64_t begin = written_;
        const bool large = size >= no_room;
        const bool far = begin >= no_room;
        const std::string file = std::string{name} + ".npy";
        if (file.size() > 0xFFFF)
            throw error("array " + std::string(name.substr(0, 40)) + "...",
                        "has a name of " + std::to_string(name.size()) + " bytes", "at most 65,531");
        std::string facts;                     // shared by the local header and the directory
        put(facts, large || far ? 45 : 20, 2); // required version
        put(facts, 0x0800, 2);                 // names are UTF-8
        put(facts, 0, 2);                      // no compression
        put(facts, 0x00210000, 4);             // 1980-01-01
        put(facts, crc32(elements, crc32(header)), 4);
        put(facts, large ? no_room : size, 4);
        put(facts, large ? no_room : size, 4);
        put(facts, file.size(), 2);

        std::string extra; // zip64 sizes, and the padding that aligns the elements
        if (large) {
            put(extra, 1, 2);
            put(extra, 16, 2);
            put(extra, size, 8);
            put(extra, size, 8);
        }
        const std::uint64_t front = begin + 30 + file.size() + extra.size() + 6;
        put(extra, 0xD935, 2); // the alignment field of Android's archives
        put(extra, 2 + (64 - front % 64) % 64, 2);
        put(extra, 64, 2);
        extra.append((64 - front % 64) % 64, '\0');
        std::string local = "PK\x03\x04" + facts;
        put(local, extra.size(), 2);
        write(local + file + extra);
        write(header);
        write(elements);

        std::string places;
        if (large) put(places, size, 8);
        if (large) put(places, size, 8);
        if (far) put(places, begin, 8);
        directory_.append("PK\x01\x02\x2D\x00", 6).append(facts);
        put(directory_, places.empty() ? 0 : places.size() + 4, 2);
        put(directory_, 0, 10); // zeros: no comment, first disk, no attributes
        put(directory_, far ? no_room : begin, 4);
        directory_ += file;
        if (!places.empty()) {
            put(directory_, 1, 2);
            put(directory_, places.size(), 2);
            directory_ += places;
        }
        ++count_;
    }

    /// Writes the directory, which ends the file.
    void done() {
        const std::uint64_t begin = written_;
        const std::uint64_t size = directory_.size();
        write(directory_);
        std::string end;
        if (begin >= no_room || size >= no_room || count_ >= 0xFFFF) {
            const std::uint64_t record = written_;
            end.append("PK\x06\x06", 4);
            put(end, 44, 8);
            put(end, 45, 2);
            put(end, 45, 2);
            put(end, 0, 8); // zeros: the first disk
            put(end, count_, 8);
            put(end, count_, 8);
            put(end, size, 8);
            put(end, begin, 8);
            end.append("PK\x06\x07", 4);
            put(end, 0, 4);
            put(end, record, 8);
            put(end, 1, 4);
        }
        end.append("PK\x05\x06\x00\x00\x00\x00", 8);
        put(end, count_ < 0xFFFF ? count_ : 0xFFFF, 2);
        put(end, count_ < 0xFFFF ? count_ : 0xFFFF, 2);
        put(end, size < no_room ? size : no_room, 4);
        put(end, begin < no_room ? begin : no_room, 4);
        put(end, 0, 2);
        write(end);
    }

private:
    static constexpr std::uint64_t no_room = 0xFFFFFFFF; // marks a number that needs more than 32 bits

    static void put(std::string& to, std::uint64_t number, int bytes) {
        for (; bytes > 0; --bytes, number >>= 8) to += static_cast<char>(number & 0xFF);
    }

    void write(std::string_view bytes) {
        to_->write(bytes);
        written_ += bytes.size();
    }

    To* to_;
    std::string directory_; // written at the end of the file
    std::uint64_t written_ = 0, count_ = 0;
};

} // namespace tutti::file
