#pragma once

#include <tutti/relay/onnx/model.hpp>

#include "program.hpp"

#include <optional>
#include <string>
#include <vector>

// Programs read from ONNX models.

namespace program {

/// A model that a program was imported from.
struct original_model {
    tutti::relay::onnx::model model;
};

/// Returns the model that a program was imported from, or null if there is none.
inline const tutti::relay::onnx::model* model_of(const source& from) {
    return from.original ? &from.original->model : nullptr;
}

/// Reads a model from a file, mapped if possible. If the file neither begins like a model nor ends in `.onnx`, returns
/// no model and stores the contents in `bytes`. Errors end the program.
std::optional<tutti::relay::onnx::model> model_in(const std::string& file,
                                                  std::shared_ptr<const tutti::file::mapped_file>& bytes);

/// True if a file exists and begins like a model.
bool holds_model(const std::string& file);

/// Imports a model with the dimensions and limits in the options. Errors end the program.
source imported(const tutti::relay::onnx::model& m, const read_options& options);

/// Returns the total size of the external files that hold a model's initializers.
std::uint64_t external_bytes(const tutti::relay::onnx::model& m);

/// Lists a model's inputs, outputs and operators, and marks operators that cannot be imported.
std::string description(const tutti::relay::onnx::model& m);

} // namespace program
