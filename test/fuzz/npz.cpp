// A fuzz target for NumPy files: any bytes are arrays or an error. The first byte selects whether the remaining bytes
// are an archive or an array. An array is put into an archive with correct sizes and checksum, which a fuzzer would not
// find by chance.

#include <tutti/base/error.hpp>
#include <tutti/file/crc32.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/file/npz_reader.hpp>
#include <tutti/file/zlib_unpacker.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void append(std::string& to, std::uint64_t number, int bytes) {
    for (; bytes != 0; --bytes, number >>= 8) to += static_cast<char>(number & 0xFF);
}

// Returns a zip archive with one uncompressed entry that contains these bytes.
std::string archive_of(std::string_view bytes) {
    constexpr std::string_view name = "x.npy";
    const std::uint64_t crc = tutti::file::crc32(bytes);
    std::string all;
    const auto header = [&](std::uint64_t signature, bool in_directory) {
        append(all, signature, 4);
        if (in_directory) append(all, 20, 2); // version made by
        append(all, 20, 2);                   // version needed to extract
        append(all, 0, 2 + 2 + 4);            // flags, method, time
        append(all, crc, 4);
        append(all, bytes.size(), 4);
        append(all, bytes.size(), 4);
        append(all, name.size(), 2);
        append(all, 0, 2); // extra fields
        if (in_directory) append(all, 0, 2 + 2 + 2 + 4 + 4);
        all += name;
    };
    header(0x04034B50, false);
    all += bytes;
    const std::size_t directory = all.size();
    header(0x02014B50, true);
    const std::size_t size = all.size() - directory;
    append(all, 0x06054B50, 4);
    append(all, 0, 4);
    append(all, 1, 2);
    append(all, 1, 2);
    append(all, size, 4);
    append(all, directory, 4);
    append(all, 0, 2);
    return all;
}

void check(const tutti::kernel::tensor& t) {
    require(tutti::kernel::element_count(t.shape()) == t.size());
    if (t.type() != tutti::kernel::dtype::boolean) return;
    const auto* const bytes = static_cast<const unsigned char*>(t.memory());
    for (std::int64_t i = 0; i < t.size(); ++i) require(bytes[i] < 2);
}

// Unpacks all arrays that fit in the memory of a fuzzer.
void read_all(std::string archive) {
    using tutti::file::mapped_file;
    auto file = std::make_shared<const mapped_file>(mapped_file::read_bytes{std::move(archive)});
    const tutti::file::npz_reader reader(std::move(file), tutti::file::unpack_with_zlib);
    for (const tutti::file::npz_entry& each : reader.entries())
        if (each.size <= 1 << 24) check(reader.read(each));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
    try {
        read_all(*data % 2 == 0 ? std::string(bytes) : archive_of(bytes));
    } catch (const tutti::error& e) {
        require(!e.problem().empty());
    }
    return 0;
}
