#pragma once

#include <tutti/file/npz_reader.hpp>
#include <tutti/file/npz_writer.hpp>
#include <tutti/kernel/tensor.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace test {

/// Collects the written bytes in one string.
struct written_text {
    std::string text;
    void write(std::string_view bytes) { text += bytes; }
};

/// Returns the bytes of an .npz file with these arrays.
inline std::string npz_of(const std::vector<tutti::kernel::named_tensor>& arrays) {
    written_text out;
    tutti::file::npz_writer<written_text> writer(out);
    for (const auto& [name, value] : arrays) writer.add(name, value);
    writer.done();
    return std::move(out.text);
}

/// Returns a reader of these bytes.
inline tutti::file::npz_reader reader_of(std::string bytes, tutti::file::unpacker_of_deflated unpack = nullptr) {
    using tutti::file::mapped_file;
    return tutti::file::npz_reader(std::make_shared<const mapped_file>(mapped_file::read_bytes{std::move(bytes)}),
                                   unpack);
}

} // namespace test
