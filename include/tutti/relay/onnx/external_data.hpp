#pragma once

#include <tutti/error.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/onnx/tensor_view.hpp>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::onnx {

/// A file's bytes, as a tensor of uint8.
///
/// Throws: `tutti::error` with its name and what the system says if it cannot be read.
inline tensor read_bytes(const std::string& path) {
    struct open_file {
        std::FILE* file;
        ~open_file() {
            if (file != nullptr) std::fclose(file);
        }
    };
    const open_file opened{std::fopen(path.c_str(), "rb")};
    const auto fail = [&] { throw error(path, std::string("cannot be read: ") + std::strerror(errno), "a file"); };
    if (opened.file == nullptr || std::fseek(opened.file, 0, SEEK_END) != 0) fail();
    const long size = std::ftell(opened.file);
    if (size < 0 || std::fseek(opened.file, 0, SEEK_SET) != 0) fail();
    tensor bytes;
    const std::int64_t shape[]{size};
    bytes.reset(dtype::uint8, shape);
    const auto wanted = static_cast<std::size_t>(size);
    if (wanted != 0 && std::fread(bytes.mutable_memory(), 1, wanted, opened.file) != wanted) fail();
    return bytes;
}

/// Where the file lies that a tensor of a model names: in the model's folder, or in one within it.
///
/// Throws: `tutti::error` if the location would lead out of the folder.
inline std::string external_path(const tensor_view& t, std::string_view model_path) {
    const std::string_view location = t.external("location");
    const auto refuse = [&] {
        t.refuse("external data at `" + std::string(location) + "`", "a file in the model's folder, named without `..`");
    };
    if (location.empty() || location.front() == '/' || location.find('\0') != std::string_view::npos) refuse();
    for (std::size_t at = 0; at < location.size();) {
        const std::size_t end = std::min(location.find_first_of("/\\", at), location.size());
        if (location.substr(at, end - at) == ".." || location.substr(at, end - at).find(':') != std::string_view::npos)
            refuse();
        at = end + 1;
    }
    const std::size_t slash = model_path.rfind('/');
    return std::string(slash == std::string_view::npos ? "" : model_path.substr(0, slash + 1)) + std::string(location);
}

/// The tensor whose elements lie in another file.
///
/// Throws: `tutti::error` that names the tensor and the file.
inline tensor read_external(const tensor_view& t, std::string_view model_path) {
    const std::string path = external_path(t, model_path);
    const auto number = [&](std::string_view key) -> std::optional<std::uint64_t> {
        const std::string_view text = t.external(key);
        if (text.empty()) return std::nullopt;
        std::uint64_t value = 0;
        for (const char c : text) {
            if (c < '0' || c > '9' || value > (~std::uint64_t{0} - 9) / 10)
                t.refuse(std::string(key) + " `" + std::string(text) + "` of external data", "a number of bytes");
            value = value * 10 + static_cast<std::uint64_t>(c - '0');
        }
        return value;
    };
    const std::uint64_t offset = number("offset").value_or(0);
    const tensor bytes = read_bytes(path);
    const auto size = static_cast<std::uint64_t>(bytes.size());
    if (offset > size)
        t.refuse("external data from byte " + std::to_string(offset) + " of " + path,
                 "no more than the file's " + std::to_string(size));
    const std::uint64_t length = number("length").value_or(size - offset);
    if (length > size - offset)
        t.refuse(std::to_string(length) + " bytes from byte " + std::to_string(offset) + " of " + path,
                 "no more than the file's " + std::to_string(size));
    const auto* first = length == 0 ? nullptr : static_cast<const unsigned char*>(bytes.memory()) + offset;
    return t.value_of({first, static_cast<std::size_t>(length), static_cast<std::size_t>(offset)});
}

} // namespace tutti::relay::onnx
