#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/file/mapped_file.hpp>
#include <tutti/file/paths.hpp>
#include <tutti/relay/onnx/import_options.hpp>
#include <tutti/relay/onnx/model.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Returns the path of a tensor's external file, which is in the model's folder or below it.
///
/// Throws: `tutti::error` if the location may lead out of the folder.
inline std::string external_path(const tensor_view& t, std::string_view model_path) {
    const std::string_view location = t.external("location");
    const auto refuse = [&] {
        t.refuse("external data at `" + std::string(location) + "`",
                 "a file in the model's folder, named without `..`");
    };
    if (location.empty() || location.front() == '/' || location.find('\0') != std::string_view::npos) refuse();
    for (std::size_t at = 0; at < location.size();) {
        const std::size_t end = std::min(location.find_first_of("/\\", at), location.size());
        if (location.substr(at, end - at) == ".." || location.substr(at, end - at).find(':') != std::string_view::npos)
            refuse();
        at = end + 1;
    }
    return std::string(file::folder_of(model_path)) + std::string(location);
}

/// True if a model may read a file. The file must be a regular file that lies, after links are resolved, in the model's
/// folder. If the model's path is a link, as in model caches, the file may also lie in the folder of the linked model.
inline bool is_external_file(const std::string& path, const std::string& model_path) {
    if (!file::is_regular(path)) return false;
    const std::string model = file::real_path(model_path);
    return file::lies_within(path, std::string(file::folder_of(model_path))) ||
           (!model.empty() && file::lies_within(path, std::string(file::folder_of(model))));
}

/// Reads the external files of a model's tensors. Keeps the last file open.
class external_files {
public:
    /// Creates a reader. `model_path` is the path of the model. If `find` is set, it provides the files.
    explicit external_files(std::string_view model_path, external_finder find = {})
        : model_path_(model_path), find_(find) {}

    /// Returns a tensor whose elements are in another file. The tensor refers to the elements in that file if they are
    /// aligned there; otherwise it holds a copy.
    ///
    /// Throws: `tutti::error` that names the tensor and the file.
    tensor value_of(const tensor_view& t) {
        const std::string path = find_ ? std::string(t.external("location")) : external_path(t, model_path_);
        if (open_ == nullptr || path != path_) {
            open_ = find_ ? found(t, path) : opened(t, path);
            path_ = path;
        }
        const std::uint64_t offset = number(t, "offset").value_or(0);
        const std::string_view bytes = open_->bytes();
        if (offset > bytes.size())
            t.refuse("external data from byte " + std::to_string(offset) + " of " + path,
                     "no more than the file's " + std::to_string(bytes.size()));
        const std::uint64_t rest = bytes.size() - offset;
        const std::uint64_t length = number(t, "length").value_or(rest);
        if (length > rest)
            t.refuse(std::to_string(length) + " bytes from byte " + std::to_string(offset) + " of " + path,
                     "no more than the file's " + std::to_string(bytes.size()));
        const auto* first = reinterpret_cast<const unsigned char*>(bytes.data()) + offset;
        return t.value_of({first, static_cast<std::size_t>(length), static_cast<std::size_t>(offset)}, open_);
    }

private:
    shared_file found(const tensor_view& t, const std::string& location) const {
        shared_file file = find_(location);
        if (file == nullptr)
            t.refuse("external data at `" + location + "` is not found", "bytes from import_options::external");
        return file;
    }

    shared_file opened(const tensor_view& t, const std::string& path) const {
        if (!file::real_path(path).empty() && !is_external_file(path, model_path_))
            t.refuse("external data at `" + path + "`",
                     "a regular file in the model's folder, not behind a link out of it");
        try {
            return std::make_shared<const file::mapped_file>(path);
        } catch (const error& e) {
            t.refuse("external data: " + std::string(e.what()), "a file in the model's folder");
        }
    }

    static std::optional<std::uint64_t> number(const tensor_view& t, std::string_view key) {
        const std::string_view text = t.external(key);
        if (text.empty()) return std::nullopt;
        std::uint64_t value = 0;
        for (const char c : text) {
            if (c < '0' || c > '9' || value > (~std::uint64_t{0} - 9) / 10)
                t.refuse(std::string(key) + " `" + std::string(text) + "` of external data", "a number of bytes");
            value = value * 10 + static_cast<std::uint64_t>(c - '0');
        }
        return value;
    }

    std::string model_path_;
    external_finder find_;
    std::string path_;
    shared_file open_;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
