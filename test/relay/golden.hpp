#pragma once

#include "test_paths.hpp"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace tutti::test {

/// Returns the content of a file. Throws if it cannot be read.
inline std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the content of a file in the folder `test/data`.
inline std::string recorded(const std::string& name) { return file_text(std::string(data_dir) + '/' + name); }

/// Returns the n-th definition (from 0) in a recorded text, up to its closing brace. Throws if there is none.
inline std::string definition_in(const std::string& text, std::size_t number) {
    std::size_t at = text.find("def @");
    for (; number != 0 && at != std::string::npos; --number) at = text.find("def @", at + 1);
    if (at == std::string::npos) throw std::runtime_error("no such definition");
    return text.substr(at, text.find("\n}\n", at) + 3 - at);
}

} // namespace tutti::test
