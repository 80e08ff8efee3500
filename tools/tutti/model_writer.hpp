#pragma once

#include "program.hpp"

#include <cstdint>
#include <string>

// Programs written as ONNX models.

namespace program {

/// Options for writing a model.
struct model_file_options {
    std::int64_t opset = 0; ///< 0: the lowest opset that supports all operators
    bool beside = false;    ///< write constants to a separate file
    bool simplify = false;  ///< run `simplifying_passes`, count operators before and after, check the result
    bool unchecked = false; ///< do not check the result
};
/// Adds the options for writing models to a command.
void add_target_options(CLI::App& command, model_file_options& options);
/// Adds the options of `add_target_options`, and those for `simplify`.
void add_model_options(CLI::App& command, model_file_options& options);

/// The passes of --simplify, which only produce operators that ONNX supports.
extern const char* const simplifying_passes;

/// Writes a program as a model, atomically. With `simplify`, also writes a table of operators and the result of the
/// check to standard error. A model whose results differ is not written. Errors end the program.
void write_model_file(source& from, const std::string& file, const model_file_options& options);

} // namespace program
