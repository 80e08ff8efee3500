#pragma once

#include "program.hpp"

#include <cstdint>
#include <string>

// Programs written as ONNX models.

namespace program {

/// How to write a model.
struct model_file_options {
    std::int64_t opset = 0; ///< 0: the least that the operators need
    bool beside = false;    ///< constants in a file beside the model
    bool simplify = false;  ///< run `simplifying_passes`, show what became of the operators, and check the result
    bool unchecked = false; ///< do not check it
};
/// Adds the options for writing models to a command.
void add_target_options(CLI::App& command, model_file_options& options);
/// As `add_target_options`, with those for `simplify`.
void add_model_options(CLI::App& command, model_file_options& options);

/// The passes of --simplify, all of which leave operators that ONNX has.
extern const char* const simplifying_passes;

/// Writes a program as a model, whole or not at all. With `simplify`, a table of operators and the result of the check
/// go to standard error; a model that computes something else is not written. Errors end the program.
void write_model_file(source& from, const std::string& file, const model_file_options& options);

} // namespace program
