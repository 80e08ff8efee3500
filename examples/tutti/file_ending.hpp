#pragma once

#include <string>
#include <string_view>

// File formats by the ending of a name.

namespace program {

/// True for `.npz`, in either case.
bool is_npz(std::string_view file);

/// Ends the program if a file's name has the ending of a format other than the one that is written: `opt net.onnx -o net.onnx` would
/// replace a model by Relay text. Endings that name no format are taken, as is a name without one.
///
/// `what` names the written content, `endings` the suggestions: "Relay text", ".relay or .txt".
void check_ending(std::string_view option, std::string_view file, std::string_view what, std::string_view endings);

/// The same for Relay text; also if the file has an ONNX model in it, whatever its name is.
void check_relay_ending(std::string_view option, const std::string& file);

/// The same for a file of NumPy arrays.
void check_npz_ending(std::string_view option, std::string_view file);

} // namespace program
