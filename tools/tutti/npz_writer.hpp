#pragma once

#include <tutti/file/npz_writer.hpp>
#include <tutti/kernel/tensor.hpp>

#include "program.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace program {

/// Writes an .npz file, one array at a time. The file appears when `done` is called. Errors end the program.
class npz_writer {
public:
    explicit npz_writer(std::string file) : file_(std::move(file)) {}

    /// Adds an array. Requires: names are distinct.
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
