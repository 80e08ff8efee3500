#include "npz_writer.hpp"

#include <tutti/kernel/dtype.hpp>

#include <bit>
#include <cstddef>

#include <zlib.h>

namespace program {

namespace {

using tutti::kernel::dtype;
using tutti::kernel::tensor;

void put(std::string& to, std::uint64_t number, int bytes) {
    for (; bytes > 0; --bytes, number >>= 8) to += static_cast<char>(number & 0xFF);
}

std::string_view type_name(dtype element) {
    switch (element) {
    case dtype::none:
    case dtype::boolean:
        return "|b1";
    case dtype::int8:
        return "|i1";
    case dtype::int16:
        return "<i2";
    case dtype::int32:
        return "<i4";
    case dtype::int64:
        return "<i8";
    case dtype::uint8:
        return "|u1";
    case dtype::uint16:
        return "<u2";
    case dtype::uint32:
        return "<u4";
    case dtype::uint64:
        return "<u8";
    case dtype::float16:
        return "<f2";
    case dtype::float32:
        return "<f4";
    case dtype::float64:
        break;
    }
    return "<f8";
}

// The header of an .npy file, whose length is a multiple of 64.
std::string header_of(const tensor& t) {
    std::string shape;
    for (const std::int64_t d : t.shape()) shape += std::to_string(d) + ", ";
    std::string text = "{'descr': '";
    text.append(type_name(t.type())).append("', 'fortran_order': False, 'shape': (").append(shape).append("), }");
    text.append(63 - (10 + text.size()) % 64, ' ').append("\n");
    std::string header{"\x93NUMPY\x01\x00", 8};
    put(header, text.size(), 2);
    return header + text;
}

} // namespace

void npz_writer::write(std::string_view bytes) {
    file_.write(bytes);
    written_ += bytes.size();
}

void npz_writer::add(std::string_view name, const tensor& array) {
    static_assert(std::endian::native == std::endian::little, "arrays are written as they are in memory");
    const std::string header = header_of(array);
    const std::string_view elements{static_cast<const char*>(array.memory()),
                                    static_cast<std::size_t>(array.size()) * tutti::kernel::bytes(array.type())};
    const std::uint64_t size = header.size() + elements.size();
    constexpr std::uint64_t most_bytes = 0xFFFF0000U, most_arrays = 65534; // of an archive without extensions
    if (count_ == most_arrays || size + name.size() + directory_.size() + 256 > most_bytes - written_)
        throw failure{wrong_input,
                      message(name_, "cannot hold more than " + std::to_string(count_) +
                                         " arrays: an archive has 4 GiB and 65,534 of them at most; expected "
                                         "--trace-values=summary, or a smaller program")};
    unsigned long checksum = crc32_z(0, reinterpret_cast<const Bytef*>(header.data()), header.size());
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(elements.data()), elements.size());
    const std::string file = std::string{name} + ".npy";
    std::string facts;         // which both places have
    put(facts, 20, 2);         // version that is needed
    put(facts, 0x0800, 2);     // names are UTF-8
    put(facts, 0, 2);          // no compression
    put(facts, 0x00210000, 4); // 1980-01-01
    put(facts, checksum, 4);
    put(facts, size, 4);
    put(facts, size, 4);
    put(facts, file.size(), 2);
    put(facts, 0, 2);
    directory_.append("PK\x01\x02\x14\x00", 6).append(facts);
    put(directory_, 0, 10); // no comment, the first disk, attributes
    put(directory_, written_, 4);
    directory_ += file;
    write("PK\x03\x04" + facts + file);
    write(header);
    write(elements);
    ++count_;
}

void npz_writer::done() {
    std::string end{"PK\x05\x06\x00\x00\x00\x00", 8};
    put(end, count_, 2);
    put(end, count_, 2);
    put(end, directory_.size(), 4);
    put(end, written_, 4);
    put(end, 0, 2);
    write(directory_);
    write(end);
    file_.done();
}

} // namespace program
