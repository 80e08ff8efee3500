#pragma once

#include <tutti/file/npz_writer.hpp>
#include <tutti/kernel/tensor.hpp>

#include "program.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace program {

/// Writes a NumPy file of arrays, an array at a time. The file is there when it is done; what cannot be written ends the program.
class npz_writer {
public:
    explicit npz_writer(std::string file) : file_(std::move(file)) {}

    /// Requires: no two arrays have one name.
    void add(std::string_view name, const tutti::kernel::tensor& array) { writer_.add(name, array); }
    void done() {
        writer_.done();
        file_.done();
    }

private:
    new_file file_;
    tutti::file::npz_writer<new_file> writer_{file_};
};

} // namespace program
