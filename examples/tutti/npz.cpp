#include "npz.hpp"

#include <tutti/error.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include <zlib.h>

namespace program {

namespace {

using tutti::error;
using tutti::kernel::dtype;
using tutti::kernel::tensor;

[[noreturn]] void refuse(std::string problem, std::string expected = {}) {
    throw error("", std::move(problem), std::move(expected));
}

// The number of that many bytes at a place, the least significant first.
std::uint64_t number(std::string_view bytes, std::uint64_t at, std::size_t size) {
    if (at > bytes.size() || size > bytes.size() - at) refuse("the file ends too early");
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

std::string_view part(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
    if (at > bytes.size() || size > bytes.size() - at) refuse("the file ends too early");
    return bytes.substr(at, size);
}

// The header of an .npy file: a Python literal such as {'descr': '<f4', 'fortran_order': False, 'shape': (2,
// 3), }.
class npy_header {
public:
    explicit npy_header(std::string_view text) : rest_(text) {
        expect('{');
        while (!take('}')) {
            const std::string_view key = quoted();
            expect(':');
            if (key == "descr")
                element = type_of(quoted());
            else if (key == "fortran_order")
                fortran = truth();
            else if (key == "shape")
                read_shape();
            else
                refuse("the array's header has the key " + std::string(key));
            if (!take(',')) {
                expect('}');
                break;
            }
        }
        if (element == dtype::none || !has_shape_) refuse("the array's header does not say its type and shape");
    }

    dtype element = dtype::none;
    bool fortran = false;
    std::vector<std::int64_t> shape;
    std::uint64_t count = 1;

private:
    void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n\t\r"), rest_.size())); }
    bool take(char c) {
        skip();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!take(c)) refuse("the array's header is broken", std::string("`") + c + "` in it");
    }
    std::string_view quoted() {
        expect('\'');
        const std::size_t end = rest_.find('\'');
        if (end == std::string_view::npos) refuse("the array's header is broken", "a quote that ends");
        const std::string_view text = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return text;
    }
    bool truth() {
        skip();
        for (const std::string_view word : {"True", "False"}) {
            if (!rest_.starts_with(word)) continue;
            rest_.remove_prefix(word.size());
            return word == "True";
        }
        refuse("the array's header is broken", "True or False after fortran_order");
    }
    void read_shape() {
        has_shape_ = true;
        expect('(');
        while (!take(')')) {
            skip();
            std::int64_t d = 0;
            const auto [end, bad] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), d);
            if (bad != std::errc() || d < 0) refuse("the array's shape is broken", "numbers from 0");
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            const auto size = static_cast<std::uint64_t>(d);
            if (count != 0 && size > (std::uint64_t{1} << 48) / count) refuse("the array is too large");
            count *= size;
            shape.push_back(d);
            if (!take(',')) {
                expect(')');
                break;
            }
        }
    }
    static dtype type_of(std::string_view descr) {
        struct {
            std::string_view code;
            dtype type;
        } static constexpr known[]{{"b1", dtype::boolean}, {"i1", dtype::int8},    {"i2", dtype::int16},
                                   {"i4", dtype::int32},   {"i8", dtype::int64},   {"u1", dtype::uint8},
                                   {"u2", dtype::uint16},  {"u4", dtype::uint32},  {"u8", dtype::uint64},
                                   {"f2", dtype::float16}, {"f4", dtype::float32}, {"f8", dtype::float64}};
        for (const auto& [code, type] : known) {
            const bool one_byte = tutti::kernel::bytes(type) == 1;
            if (descr.size() == 3 && descr.substr(1) == code && (descr[0] == '<' || (one_byte && descr[0] == '|')))
                return type;
        }
        refuse("the array's elements are of type " + std::string(descr),
               "little-endian numbers or bools: <f4, <f8, <f2, <i8, |u1, |b1 and the like");
    }

    std::string_view rest_;
    bool has_shape_ = false;
};

// The elements of an array whose first axis changes fastest, in row-major order.
template <class T>
void from_columns(std::span<const T> from, std::span<T> to, std::span<const std::int64_t> shape) {
    std::vector<std::int64_t> strides;
    std::int64_t stride = 1;
    for (const std::int64_t d : shape) {
        strides.push_back(stride);
        stride *= d;
    }
    std::vector<std::int64_t> at(shape.size(), 0);
    std::int64_t source = 0;
    for (T& value : to) {
        value = from[static_cast<std::size_t>(source)];
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            source += strides[axis];
            if (++at[axis] < shape[axis]) break;
            source -= strides[axis] * shape[axis];
            at[axis] = 0;
        }
    }
}

// The entry of a zip archive, unpacked.
std::string unpack(std::string_view packed, std::uint64_t method, std::uint64_t size) {
    if (method == 0) {
        if (packed.size() != size) refuse("an entry's sizes do not agree");
        return std::string(packed);
    }
    if (method != 8) refuse("an entry is compressed by method " + std::to_string(method), "none, or deflate");
    constexpr std::uint64_t most = 1032; // no more bytes come of one
    if (size > (packed.size() + 1) * most) refuse("an entry's sizes do not agree");
    std::string out(size, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) refuse("cannot be unpacked");
    constexpr std::size_t step = std::size_t{1} << 30;
    std::size_t read = 0;
    std::size_t written = 0;
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data())) + read;
        stream.avail_in = static_cast<uInt>(std::min(step, packed.size() - read));
        stream.next_out = reinterpret_cast<Bytef*>(out.data()) + written;
        stream.avail_out = static_cast<uInt>(std::min(step, out.size() - written));
        const uInt in = stream.avail_in;
        const uInt space = stream.avail_out;
        status = inflate(&stream, Z_NO_FLUSH);
        read += in - stream.avail_in;
        written += space - stream.avail_out;
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END || written != size) refuse("an entry cannot be unpacked: it is damaged");
    return out;
}

std::uint64_t checksum(std::string_view bytes) {
    return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

} // namespace

tensor read_npy(std::string_view bytes) {
    if (!bytes.starts_with("\x93NUMPY")) refuse("is no array", "a file that begins with \\x93NUMPY");
    const std::uint64_t version = number(bytes, 6, 1);
    if (version < 1 || version > 3) refuse("the array is of version " + std::to_string(version), "1, 2 or 3");
    const std::size_t width = version == 1 ? 2 : 4;
    const std::uint64_t length = number(bytes, 8, width);
    const npy_header header(part(bytes, 8 + width, length));
    const std::string_view elements = bytes.substr(8 + width + length);
    const std::uint64_t size = header.count * tutti::kernel::bytes(header.element);
    if (elements.size() != size)
        refuse("the array has " + std::to_string(elements.size()) + " bytes of elements", std::to_string(size));
    tensor made(header.element, header.shape);
    tutti::kernel::with_element_type(header.element, [&]<class T>(std::type_identity<T>) {
        const std::span<T> to = made.mutable_elements<T>();
        std::vector<unsigned char> raw(elements.begin(), elements.end());
        if constexpr (std::endian::native == std::endian::big)
            for (std::size_t i = 0; i < raw.size(); i += sizeof(T))
                std::reverse(raw.data() + i, raw.data() + i + sizeof(T));
        std::vector<T> columns;
        if constexpr (!std::is_same_v<T, bool>) {
            if (!raw.empty()) std::memcpy(to.data(), raw.data(), raw.size());
            if (header.fortran) {
                columns.assign(to.begin(), to.end());
                from_columns<T>(columns, to, header.shape);
            }
        } else {
            if (header.fortran) {
                const std::vector<unsigned char> first = raw;
                from_columns<unsigned char>(first, raw, header.shape);
            }
            for (std::size_t i = 0; i < to.size(); ++i) to[i] = raw[i] != 0;
        }
    });
    return made;
}

std::vector<std::pair<std::string, tensor>> read_npz(std::string_view bytes) {
    // The archive's directory is found from its end record, behind which a comment may stand.
    constexpr std::size_t end_size = 22;
    const std::size_t from = bytes.size() < end_size + 65535 ? 0 : bytes.size() - end_size - 65535;
    const std::size_t end = bytes.rfind(std::string_view("PK\5\6", 4));
    if (end == std::string_view::npos || end < from) refuse("is no .npz file", "a zip archive");
    if (end + end_size + number(bytes, end + 20, 2) != bytes.size()) refuse("is no .npz file: it does not end as one");
    std::uint64_t count = number(bytes, end + 10, 2);
    std::uint64_t at = number(bytes, end + 16, 4);
    if ((count == 0xFFFF || at == 0xFFFFFFFF) && end >= 20 &&
        number(bytes, end - 20, 4) == 0x07064B50) { // a larger record
        const std::uint64_t large = number(bytes, end - 20 + 8, 8);
        count = number(bytes, large + 32, 8);
        at = number(bytes, large + 48, 8);
    }
    std::vector<std::pair<std::string, tensor>> arrays;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (number(bytes, at, 4) != 0x02014B50) refuse("the archive's directory is damaged");
        const std::uint64_t flags = number(bytes, at + 8, 2);
        const std::uint64_t method = number(bytes, at + 10, 2);
        const std::uint64_t crc = number(bytes, at + 16, 4);
        std::uint64_t packed = number(bytes, at + 20, 4);
        std::uint64_t size = number(bytes, at + 24, 4);
        const std::uint64_t name_length = number(bytes, at + 28, 2);
        const std::uint64_t extra_length = number(bytes, at + 30, 2);
        std::uint64_t local = number(bytes, at + 42, 4);
        std::string name(part(bytes, at + 46, name_length));
        const std::string_view extra = part(bytes, at + 46 + name_length, extra_length);
        at += 46 + name_length + extra_length + number(bytes, at + 32, 2);
        if (name.ends_with(".npy")) name.resize(name.size() - 4);
        try {
            // Numbers that have no room stand in an extra field, those only, in this order.
            for (std::uint64_t e = 0; e + 4 <= extra.size(); e += 4 + number(extra, e + 2, 2)) {
                if (number(extra, e, 2) != 1) continue;
                std::uint64_t next = e + 4;
                for (std::uint64_t* value : {&size, &packed, &local}) {
                    if (*value != 0xFFFFFFFF) continue;
                    *value = number(extra, next, 8);
                    next += 8;
                }
            }
            if ((flags & 1) != 0) refuse("is encrypted");
            const std::uint64_t begin = local + 30 + number(bytes, local + 26, 2) + number(bytes, local + 28, 2);
            const std::string unpacked = unpack(part(bytes, begin, packed), method, size);
            if (checksum(unpacked) != crc) refuse("is damaged: its checksum is another one");
            arrays.emplace_back(name, read_npy(unpacked));
        } catch (const error& e) {
            throw error("array " + name, e.problem(), e.expected());
        }
    }
    return arrays;
}

} // namespace program
