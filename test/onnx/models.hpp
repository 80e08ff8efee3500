#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <string>
#include <vector>

namespace tutti::test {

/// Imports the model file of a test. Sequence inputs take their lengths and shapes from the test data. Tensor inputs do
/// so if their shape differs from the model's. Defined in a separate source file to save compile time.
///
/// Throws: `tutti::error`.
relay::ir_module import_test(const std::string& model, const std::string& data);

/// Writes the module as a model to `file`, with the names of the original model. Throws: `tutti::error`.
void write_to(const relay::ir_module& m, const std::string& model, const std::string& file);

/// Writes the module as a model, with the names of the original model. Imports the written model and returns it.
///
/// Throws: `tutti::error`.
relay::ir_module written_and_imported(const relay::ir_module& m, const std::string& model);

/// Reads the inputs of a test if `kind` is "input", or its outputs if `kind` is "output". The folder `data` has one
/// file per value: a tensor, or the tensors of a sequence or an optional.
///
/// Throws: `tutti::error`.
std::vector<std::vector<kernel::tensor>> read_values(const std::string& model, const std::string& data,
                                                     const std::string& kind);

} // namespace tutti::test
