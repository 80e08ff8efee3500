#pragma once

#include <string>
#include <string_view>

// File formats, recognised by the ending of the name.

namespace program {

/// True if the name ends in `.onnx`, in upper or lower case.
bool is_onnx(std::string_view file);

/// True if the name ends in `.npz`, in upper or lower case.
bool is_npz(std::string_view file);

/// The format of an output file.
enum class content { relay_text, program, results, comparison, arrays, page, trace };

/// Rejects an output file with the ending of another format, and an existing ONNX model that another format would
/// replace. Accepts unknown endings, and names without an ending.
///
/// Throws: `failure`, which ends the program
void check_output(std::string_view command, std::string_view option, const std::string& file, content what);

/// Checks an instrument's file like `check_output`. Used as `instrument_request::check_file`.
///
/// Throws: `tutti::input_error`
void check_instrument_file(std::string_view instrument, const std::string& file);

} // namespace program
