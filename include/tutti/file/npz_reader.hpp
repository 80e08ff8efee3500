#pragma once

#include <tutti/base/byte_order.hpp>
#include <tutti/base/error.hpp>
#include <tutti/file/crc32.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/file/npy_header.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/narrow.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::file {

/// Decompresses bytes in order, on demand.
class unpacker {
public:
    virtual ~unpacker() = default;

    /// Writes the next `size` bytes to `to`. Throws: `tutti::error` if they are damaged or too few.
    virtual void read(void* to, std::size_t size) = 0;
    /// True if all bytes have been read. Requires: nothing is read afterwards.
    virtual bool at_end() = 0;
};

/// A function that creates an unpacker for deflated bytes (RFC 1951), such as `unpack_with_zlib` of zlib_unpacker.hpp.
/// The bytes must outlive the unpacker.
using unpacker_of_deflated = std::unique_ptr<unpacker> (*)(std::string_view packed);

/// An array of an .npz file, not unpacked yet.
struct npz_entry {
    std::string name;        ///< without `.npy`
    std::string_view packed; ///< the bytes in the file, as stored
    std::uint64_t method = 0;
    std::uint64_t size = 0; ///< number of bytes when unpacked, including the header
    std::uint64_t checksum = 0;
};

namespace detail {

[[noreturn, gnu::cold]] inline void npz_refuse(std::string problem, std::string expected = {}) {
    throw error("", std::move(problem), std::move(expected));
}

inline std::string_view npz_part(std::string_view bytes, std::uint64_t at, std::uint64_t size) {
    if (at > bytes.size() || size > bytes.size() - at) npz_refuse("the file ends too early");
    return bytes.substr(at, size);
}

// Returns the little-endian integer of `size` bytes at offset `at`.
inline std::uint64_t npz_number(std::string_view bytes, std::uint64_t at, std::size_t size) {
    const std::string_view digits = npz_part(bytes, at, size);
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(digits[i]);
    return value;
}

// Copies an array whose first axis changes fastest, and reorders it to row-major order. An element has `element` bytes.
inline void from_columns(const unsigned char* from, unsigned char* to, std::size_t element,
                         std::span<const std::int64_t> shape) {
    std::vector<std::int64_t> strides;
    std::int64_t stride = static_cast<std::int64_t>(element);
    for (const std::int64_t d : shape) {
        strides.push_back(stride);
        stride *= d;
    }
    std::vector<std::int64_t> at(shape.size(), 0);
    std::int64_t source = 0;
    for (std::int64_t left = kernel::element_count(shape); left != 0; --left, to += element) {
        std::memcpy(to, from + source, element);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            source += strides[axis];
            if (++at[axis] < shape[axis]) break;
            source -= strides[axis] * shape[axis];
            at[axis] = 0;
        }
    }
}

// The bytes of an entry, read in order, on demand.
class npz_bytes {
public:
    npz_bytes(const npz_entry& e, unpacker_of_deflated unpack)
        : stored_(e.packed), left_(e.size), checksum_(e.checksum) {
        if (e.method != 0 && (e.method != 8 || unpack == nullptr))
            npz_refuse("is compressed with method " + std::to_string(e.method),
                       unpack == nullptr ? "no compression, as numpy.savez writes" : "no compression, or deflate");
        if (e.method == 0 && e.packed.size() != e.size) npz_refuse("its sizes are inconsistent");
        if (e.method == 8) packed_ = unpack(e.packed);
    }

    std::uint64_t left() const { return left_; }

    void read(void* to, std::size_t size) {
        if (size > left_) npz_refuse("the array ends too early");
        if (packed_ == nullptr) {
            const std::string_view bytes = in_place(size);
            if (size != 0) std::memcpy(to, bytes.data(), size);
            return;
        }
        left_ -= size;
        packed_->read(to, size);
        crc_ = crc32({static_cast<const char*>(to), size}, crc_);
    }

    bool is_stored() const { return packed_ == nullptr; }
    // Returns the next bytes without a copy. Requires: `size` bytes are left, and the entry is not compressed.
    std::string_view in_place(std::size_t size) {
        const std::string_view bytes = stored_.substr(0, size);
        stored_.remove_prefix(size);
        left_ -= size;
        crc_ = crc32(bytes, crc_);
        return bytes;
    }

    // Reads and checks the remaining bytes, unless more than 1 MiB remains.
    void skip() {
        if (left_ > std::size_t{1} << 20) return;
        std::string rest(left_, '\0');
        read(rest.data(), rest.size());
        finish();
    }

    // Checks that no bytes follow and that the checksum matches.
    void finish() {
        if (packed_ != nullptr && !packed_->at_end()) npz_refuse("is damaged: it is longer than its recorded size");
        if (crc_ != checksum_) npz_refuse("is damaged: its checksum does not match");
    }

private:
    std::string_view stored_;
    std::unique_ptr<unpacker> packed_;
    std::uint64_t left_;
    std::uint64_t checksum_;
    std::uint32_t crc_ = 0;
};

inline npy_header npz_header(npz_bytes& from) {
    const auto number = [&](std::size_t size) {
        char bytes[8]{};
        from.read(bytes, size);
        return npz_number({bytes, size}, 0, size);
    };
    char magic[6]{};
    if (from.left() >= sizeof magic) from.read(magic, sizeof magic);
    if (std::string_view(magic, sizeof magic) != "\x93NUMPY")
        npz_refuse("is not an array", "a file that begins with \\x93NUMPY");
    const std::uint64_t version = number(1);
    number(1);
    if (version < 1 || version > 3) npz_refuse("the array has version " + std::to_string(version), "1, 2 or 3");
    const std::uint64_t length = number(version == 1 ? 2 : 4);
    if (length > 65536) npz_refuse("the array's header has " + std::to_string(length) + " bytes", "at most 65536");
    std::string text(length, '\0');
    from.read(text.data(), text.size());
    npy_header header(text);
    if (from.left() != header.size())
        npz_refuse("the array has " + std::to_string(from.left()) + " bytes of elements",
                   std::to_string(header.size()));
    return header;
}

inline bool npz_usable_in_place(const npy_header& header, std::string_view elements) {
    const std::size_t size = kernel::bytes(header.element);
    if (header.fortran || header.size() == 0) return false;
    if (!tutti::internal::is_little_endian && size != 1) return false;
    if (reinterpret_cast<std::uintptr_t>(elements.data()) % size != 0) return false;
    return header.element != kernel::dtype::boolean ||
           std::all_of(elements.begin(), elements.end(), [](char c) { return c == 0 || c == 1; });
}

inline kernel::tensor npz_array(npz_bytes& from, const std::shared_ptr<const mapped_file>& file) {
    const npy_header header = npz_header(from);
    kernel::tensor made;
    if (from.is_stored()) {
        const std::string_view elements = from.in_place(header.size());
        if (npz_usable_in_place(header, elements))
            return kernel::tensor::referring(header.element, header.shape, elements.data(), file);
        made.reset(header.element, header.shape);
        if (!elements.empty()) std::memcpy(made.mutable_memory(), elements.data(), elements.size());
        file->forget(elements);
    } else {
        made.reset(header.element, header.shape);
        from.read(made.mutable_memory(), header.size());
    }
    auto* elements = static_cast<unsigned char*>(made.mutable_memory());
    const std::size_t element = kernel::bytes(header.element);
    tutti::internal::swap_little_endian(elements, header.size(), element);
    kernel::make_valid(header.element, elements, header.size());
    if (!header.fortran) return made;
    kernel::tensor rows;
    rows.reset(header.element, header.shape);
    from_columns(elements, static_cast<unsigned char*>(rows.mutable_memory()), element, header.shape);
    return rows;
}

// Reads the directory entry at `at` and advances it.
inline npz_entry read_npz_entry(std::string_view bytes, std::uint64_t& at) {
    if (npz_number(bytes, at, 4) != 0x02014B50) npz_refuse("the archive's directory is damaged");
    npz_entry e;
    const std::uint64_t flags = npz_number(bytes, at + 8, 2);
    e.method = npz_number(bytes, at + 10, 2);
    e.checksum = npz_number(bytes, at + 16, 4);
    std::uint64_t packed = npz_number(bytes, at + 20, 4);
    e.size = npz_number(bytes, at + 24, 4);
    const std::uint64_t name_length = npz_number(bytes, at + 28, 2);
    const std::uint64_t extra_length = npz_number(bytes, at + 30, 2);
    const std::uint64_t comment_length = npz_number(bytes, at + 32, 2);
    std::uint64_t local = npz_number(bytes, at + 42, 4);
    e.name = npz_part(bytes, at + 46, name_length);
    const std::string_view extra = npz_part(bytes, at + 46 + name_length, extra_length);
    at += 46 + name_length + extra_length + comment_length;
    if (e.name.ends_with(".npy")) e.name.resize(e.name.size() - 4);
    try {
        // Numbers that do not fit in 32 bits are in an extra field, in the order of the inner loop.
        for (std::uint64_t f = 0; f + 4 <= extra.size(); f += 4 + npz_number(extra, f + 2, 2)) {
            if (npz_number(extra, f, 2) != 1) continue;
            std::uint64_t next = f + 4;
            for (std::uint64_t* value : {&e.size, &packed, &local}) {
                if (*value != 0xFFFFFFFF) continue;
                *value = npz_number(extra, next, 8);
                next += 8;
            }
        }
        if ((flags & 1) != 0) npz_refuse("is encrypted");
        if (npz_number(bytes, local, 4) != 0x04034B50) npz_refuse("does not begin where the directory states");
        const std::uint64_t begin = local + 30 + npz_number(bytes, local + 26, 2) + npz_number(bytes, local + 28, 2);
        e.packed = npz_part(bytes, begin, packed);
        constexpr std::uint64_t most = 1032; // a deflated byte expands to at most this many bytes
        if (e.size > (e.packed.size() + 1) * most) npz_refuse("its sizes are inconsistent");
    } catch (const error& what) {
        throw error("array " + e.name, what.problem(), what.expected());
    }
    return e;
}

inline std::vector<npz_entry> npz_directory(std::string_view bytes) {
    // The end record locates the directory; an archive comment may follow it.
    constexpr std::size_t end_size = 22;
    const std::size_t from = bytes.size() < end_size + 65535 ? 0 : bytes.size() - end_size - 65535;
    const std::size_t end = bytes.rfind(std::string_view("PK\5\6", 4));
    if (bytes.starts_with("\x93NUMPY"))
        npz_refuse("is an .npy file, of one array", "an .npz file, as `numpy.savez(file, name=array)` writes it");
    if (end == std::string_view::npos || end < from) npz_refuse("is not an .npz file", "a zip archive");
    if (end + end_size + npz_number(bytes, end + 20, 2) != bytes.size())
        npz_refuse("is not an .npz file: its end record is missing or damaged");
    std::uint64_t count = npz_number(bytes, end + 10, 2);
    std::uint64_t at = npz_number(bytes, end + 16, 4);
    if ((count == 0xFFFF || at == 0xFFFFFFFF) && end >= 20 &&
        npz_number(bytes, end - 20, 4) == 0x07064B50) { // the zip64 locator
        const std::uint64_t large = npz_number(bytes, end - 20 + 8, 8);
        if (npz_number(bytes, large, 4) != 0x06064B50) npz_refuse("the archive's directory is damaged");
        count = npz_number(bytes, large + 32, 8);
        at = npz_number(bytes, large + 48, 8);
    }
    std::vector<npz_entry> entries;
    for (std::uint64_t i = 0; i < count; ++i) entries.push_back(read_npz_entry(bytes, at));
    std::vector<std::string_view> names;
    for (const npz_entry& e : entries) names.push_back(e.name);
    std::sort(names.begin(), names.end());
    if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
        throw error("array " + std::string(*twice), "occurs twice");
    return entries;
}

} // namespace detail

/// The arrays of an .npz file: a zip archive, with or without compression. Arrays are read and unpacked on demand.
///
/// `numpy.savez` and `npz_writer` write uncompressed arrays. Such an array is not copied if it is aligned for its
/// element type: the tensor refers to the mapped bytes. `npz_writer` aligns all arrays.
///
/// Throws: `tutti::error` if the file is damaged or has two arrays of the same name. The error names the array if
///         possible.
class npz_reader {
public:
    explicit npz_reader(std::shared_ptr<const mapped_file> file, unpacker_of_deflated unpack = nullptr)
        : file_(std::move(file)), unpack_(unpack), entries_(detail::npz_directory(file_->bytes())) {}

    std::span<const npz_entry> entries() const { return {entries_.data(), entries_.size()}; }

    /// Returns the array called `name`, or null.
    const npz_entry* find(std::string_view name) const {
        for (const npz_entry& e : entries_)
            if (e.name == name) return &e;
        return nullptr;
    }

    /// Reads an array: an .npy file of version 1 to 3, in row-major or column-major order.
    ///
    /// Cost:   reads the bytes once, for the checksum. Allocates memory for the elements if they are compressed or
    ///         misaligned, twice that memory if they are in column-major order, otherwise none.
    /// Throws: `tutti::error` that names the array, if it is damaged or not supported.
    kernel::tensor read(const npz_entry& e) const {
        try {
            detail::npz_bytes from(e, unpack_);
            kernel::tensor made;
            try {
                made = detail::npz_array(from, file_);
            } catch (const error&) {
                from.skip(); // if the bytes are damaged, throws that error instead
                throw;
            }
            from.finish();
            return made;
        } catch (const error& what) {
            throw error("array " + e.name, what.problem(), what.expected());
        }
    }

private:
    std::shared_ptr<const mapped_file> file_;
    unpacker_of_deflated unpack_;
    std::vector<npz_entry> entries_;
};

/// Reads an .npy file, which holds one array. Its elements stay in the file if they are aligned; see `npz_reader`.
///
/// Cost:   linear in the size of the file.
/// Throws: `tutti::error` if the file is damaged or not supported.
inline kernel::tensor read_npy(const std::shared_ptr<const mapped_file>& file) {
    npz_entry whole{.name = {}, .packed = file->bytes()};
    whole.size = whole.packed.size();
    detail::npz_bytes from(whole, nullptr);
    return detail::npz_array(from, file);
}

} // namespace tutti::file
