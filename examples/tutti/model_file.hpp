#pragma once

#include <tutti/relay/onnx/model.hpp>

#include "program.hpp"

#include <optional>
#include <string>
#include <vector>

// Programs that are ONNX models.

namespace program {

/// The model that a file holds, mapped if it can be; nothing if it begins otherwise than a model does, and is not called one; then `text` is what it holds. What
/// is wrong with it ends the program.
std::optional<tutti::relay::onnx::model> model_in(const std::string& file,
                                                  std::shared_ptr<const tutti::file::mapped_file>& bytes);

/// True if a file is there and begins as a model does.
bool holds_model(const std::string& file);

/// Imports a model with the dimensions and the limits that the options say. What is wrong ends the program.
source imported(const tutti::relay::onnx::model& m, const read_options& options);

/// Returns how many bytes the other files have that a model's initializers lie in.
std::uint64_t external_bytes(const tutti::relay::onnx::model& m);

/// Lists the inputs, outputs and operators of a model, and which of these cannot be imported.
std::string description(const tutti::relay::onnx::model& m);

} // namespace program
