#include "npz.hpp"

#include <tutti/error.hpp>
#include <tutti/kernel/check.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

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
            if ((key == "descr" && element != dtype::none) || (key == "shape" && has_shape_))
                refuse("the array's header has the key " + std::string(key) + " twice");
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

    std::uint64_t size() const {
        return static_cast<std::uint64_t>(tutti::kernel::element_count(shape)) * tutti::kernel::bytes(element);
    }

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
            shape.push_back(d);
            if (!take(',')) {
                expect(')');
                break;
            }
        }
        if (tutti::kernel::checked_element_count(shape) < 0)
            refuse("the array is too large: of shape " + tutti::kernel::text(shape), "fewer than 2^48 elements");
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

// The elements of an array whose first axis changes fastest, each of so many bytes, in row-major order.
void from_columns(const unsigned char* from, unsigned char* to, std::size_t element,
                  std::span<const std::int64_t> shape) {
    std::vector<std::int64_t> strides;
    std::int64_t stride = static_cast<std::int64_t>(element);
    for (const std::int64_t d : shape) {
        strides.push_back(stride);
        stride *= d;
    }
    std::vector<std::int64_t> at(shape.size(), 0);
    std::int64_t source = 0;
    for (std::int64_t left = tutti::kernel::element_count(shape); left != 0; --left, to += element) {
        std::memcpy(to, from + source, element);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            source += strides[axis];
            if (++at[axis] < shape[axis]) break;
            source -= strides[axis] * shape[axis];
            at[axis] = 0;
        }
    }
}

// Unpacks an entry of a zip archive, from its beginning, as far as it is asked for.
class unpacker {
public:
    explicit unpacker(const npz_entry& e)
        : packed_(e.packed), left_(e.size), checksum_(e.checksum), plain_(e.method == 0) {
        if (e.method != 0 && e.method != 8)
            refuse("is compressed by method " + std::to_string(e.method), "none, or deflate");
        if (plain_ && e.packed.size() != e.size) refuse("its sizes do not agree");
        if (!plain_ && inflateInit2(&stream_, -MAX_WBITS) != Z_OK) refuse("cannot be unpacked");
    }
    unpacker(const unpacker&) = delete;
    ~unpacker() {
        if (!plain_) inflateEnd(&stream_);
    }

    std::uint64_t left() const { return left_; }

    void read(void* to, std::size_t size) {
        if (size > left_) refuse("the array ends too early");
        left_ -= size;
        auto* next = static_cast<unsigned char*>(to);
        if (plain_) {
            if (size != 0) std::memcpy(next, packed_.data(), size);
            packed_.remove_prefix(size);
        } else {
            inflate_to(next, size);
        }
        crc_ = crc32_z(crc_, next, size);
    }

    // Reads what is left, if it is not much, and checks it.
    void skip() {
        if (left_ > std::size_t{1} << 20) return;
        std::string rest(left_, '\0');
        read(rest.data(), rest.size());
        finish();
    }

    // Nothing is left, and what was read is what was packed.
    void finish() {
        if (!plain_ && !ended_) {
            unsigned char more = 0;
            fill(&more, 1);
            if (!ended_ || stream_.avail_out == 0) refuse("is damaged: it is longer than it says");
        }
        if (crc_ != checksum_) refuse("is damaged: its checksum is another one");
    }

private:
    static constexpr std::size_t step = std::size_t{1} << 30; // what zlib takes at once

    void inflate_to(unsigned char* to, std::size_t size) {
        while (size != 0) {
            const std::size_t part = std::min(step, size);
            fill(to, part);
            const std::size_t made = part - stream_.avail_out;
            if (made == 0) refuse("is damaged: it cannot be unpacked");
            to += made;
            size -= made;
        }
    }

    void fill(unsigned char* to, std::size_t size) {
        const std::size_t given = std::min(step, packed_.size());
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
        stream_.avail_in = static_cast<uInt>(given);
        stream_.next_out = to;
        stream_.avail_out = static_cast<uInt>(size);
        const int status = ended_ ? Z_STREAM_END : inflate(&stream_, Z_NO_FLUSH);
        ended_ = status == Z_STREAM_END;
        if (!ended_ && status != Z_OK && status != Z_BUF_ERROR) refuse("is damaged: it cannot be unpacked");
        packed_.remove_prefix(given - stream_.avail_in);
    }

    std::string_view packed_;
    std::uint64_t left_;
    std::uint64_t checksum_;
    bool plain_;
    bool ended_ = false;
    std::uint64_t crc_ = 0;
    z_stream stream_{};
};

// A number of that many bytes, the least significant first.
std::uint64_t number(unpacker& from, std::size_t size) {
    char bytes[8]{};
    from.read(bytes, size);
    return number(std::string_view(bytes, size), 0, size);
}

tensor array_of(unpacker& from) {
    char magic[6]{};
    if (from.left() >= sizeof magic) from.read(magic, sizeof magic);
    if (std::string_view(magic, sizeof magic) != "\x93NUMPY")
        refuse("is no array", "a file that begins with \\x93NUMPY");
    const std::uint64_t version = number(from, 1);
    number(from, 1);
    if (version < 1 || version > 3) refuse("the array is of version " + std::to_string(version), "1, 2 or 3");
    const std::uint64_t length = number(from, version == 1 ? 2 : 4);
    if (length > 65536) refuse("the array's header has " + std::to_string(length) + " bytes", "no more than 65536");
    std::string text(length, '\0');
    from.read(text.data(), text.size());
    const npy_header header(text);
    if (from.left() != header.size())
        refuse("the array has " + std::to_string(from.left()) + " bytes of elements", std::to_string(header.size()));
    tensor made;
    made.reset(header.element, header.shape);
    auto* elements = static_cast<unsigned char*>(made.mutable_memory());
    const std::size_t element = tutti::kernel::bytes(header.element);
    from.read(elements, header.size());
    if constexpr (std::endian::native == std::endian::big)
        for (std::size_t i = 0; i < header.size(); i += element) std::reverse(elements + i, elements + i + element);
    if (header.element == dtype::boolean)
        for (std::size_t i = 0; i < header.size(); ++i) elements[i] = elements[i] != 0 ? 1 : 0;
    if (!header.fortran) return made;
    tensor rows;
    rows.reset(header.element, header.shape);
    from_columns(elements, static_cast<unsigned char*>(rows.mutable_memory()), element, header.shape);
    return rows;
}

// An entry as the directory at that place has it, which moves on.
npz_entry read_entry(std::string_view bytes, std::uint64_t& at) {
    if (number(bytes, at, 4) != 0x02014B50) refuse("the archive's directory is damaged");
    npz_entry e;
    const std::uint64_t flags = number(bytes, at + 8, 2);
    e.method = number(bytes, at + 10, 2);
    e.checksum = number(bytes, at + 16, 4);
    std::uint64_t packed = number(bytes, at + 20, 4);
    e.size = number(bytes, at + 24, 4);
    const std::uint64_t name_length = number(bytes, at + 28, 2);
    const std::uint64_t extra_length = number(bytes, at + 30, 2);
    const std::uint64_t comment_length = number(bytes, at + 32, 2);
    std::uint64_t local = number(bytes, at + 42, 4);
    e.name = part(bytes, at + 46, name_length);
    const std::string_view extra = part(bytes, at + 46 + name_length, extra_length);
    at += 46 + name_length + extra_length + comment_length;
    if (e.name.ends_with(".npy")) e.name.resize(e.name.size() - 4);
    try {
        // Numbers that have no room stand in an extra field, those only, in this order.
        for (std::uint64_t f = 0; f + 4 <= extra.size(); f += 4 + number(extra, f + 2, 2)) {
            if (number(extra, f, 2) != 1) continue;
            std::uint64_t next = f + 4;
            for (std::uint64_t* value : {&e.size, &packed, &local}) {
                if (*value != 0xFFFFFFFF) continue;
                *value = number(extra, next, 8);
                next += 8;
            }
        }
        if ((flags & 1) != 0) refuse("is encrypted");
        if (number(bytes, local, 4) != 0x04034B50) refuse("does not begin where the directory says");
        const std::uint64_t begin = local + 30 + number(bytes, local + 26, 2) + number(bytes, local + 28, 2);
        e.packed = part(bytes, begin, packed);
        constexpr std::uint64_t most = 1032; // no more bytes come of one
        if (e.size > (e.packed.size() + 1) * most) refuse("its sizes do not agree");
    } catch (const error& what) {
        throw error("array " + e.name, what.problem(), what.expected());
    }
    return e;
}

} // namespace

tensor read_array(const npz_entry& e) {
    try {
        unpacker from(e);
        tensor made;
        try {
            made = array_of(from);
        } catch (const error&) {
            from.skip(); // bytes that are damaged are said to be that
            throw;
        }
        from.finish();
        return made;
    } catch (const error& what) {
        throw error("array " + e.name, what.problem(), what.expected());
    }
}

std::vector<npz_entry> read_npz(std::string_view bytes) {
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
        if (number(bytes, large, 4) != 0x06064B50) refuse("the archive's directory is damaged");
        count = number(bytes, large + 32, 8);
        at = number(bytes, large + 48, 8);
    }
    std::vector<npz_entry> entries;
    for (std::uint64_t i = 0; i < count; ++i) entries.push_back(read_entry(bytes, at));
    std::vector<std::string_view> names;
    for (const npz_entry& e : entries) names.push_back(e.name);
    std::ranges::sort(names);
    if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
        throw error("array " + std::string(*twice), "is there twice");
    return entries;
}

} // namespace program
