#pragma once

#include <tutti/kernel/tensor.hpp>

#include "program.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace program {

/// Writes a NumPy file of arrays, a zip archive without compression, an array at a time: of them all it keeps the names. The file is there
/// when it is done; what cannot be written ends the program.
class npz_writer {
public:
    explicit npz_writer(std::string file) : name_(file), file_(std::move(file)) {}

    /// Requires: no two arrays have one name.
    void add(std::string_view name, const tutti::kernel::tensor& array);
    void done();

private:
    void write(std::string_view bytes);

    std::string name_;
    new_file file_;
    std::string directory_; // what stands at the end of the file
    std::uint64_t written_ = 0, count_ = 0;
};

} // namespace program
