#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>

namespace tutti::test {

/// Writes the inputs and outputs of a model to `folder` for onnxruntime.js. The file data.txt has a line for each
/// tensor with its kind, type and shape. A file for each tensor holds its elements.
inline void write_data(const std::filesystem::path& folder, std::span<const kernel::tensor> inputs,
                       std::span<const kernel::tensor> outputs) {
    std::ofstream list(folder / "data.txt");
    const auto add = [&](const std::string& kind, std::span<const kernel::tensor> all) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            list << kind << ' ' << kernel::name(all[i].type());
            for (const std::int64_t d : all[i].shape()) list << ' ' << d;
            list << '\n';
            const auto bytes = static_cast<std::size_t>(all[i].size()) * kernel::bytes(all[i].type());
            std::ofstream(folder / (kind + std::to_string(i)), std::ios::binary)
                .write(static_cast<const char*>(all[i].memory()), static_cast<std::streamsize>(bytes));
        }
    };
    add("input", inputs);
    add("output", outputs);
}

} // namespace tutti::test
