#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <string>
#include <vector>

namespace tutti::test {

/// Imports the model file of a test. Sequence inputs take their lengths and shapes from the test data; so do tensors
/// whose shape differs from the model's. Defined in a separate source file to save compile time.
///
/// Throws: `tutti::error`.
relay::ir_module import_test(const std::string& model, const std::string& data);

/// Writes the module to a file as a model, with the names of the original file. Throws: `tutti::error`.
void write_to(const relay::ir_module& m, const std::string& model, const std::string& file);

/// Returns the module after it is written as a model, with the names of the original file, and imported again.
///
/// Throws: `tutti::error`.
relay::ir_module written_and_imported(const relay::ir_module& m, const std::string& model);

/// Returns the values of a test's inputs or outputs (`kind` is "input" or "output") from a folder of data with one
/// file per value: one tensor, or the tensors of a sequence or an optional.
///
/// Throws: `tutti::error`.
std::vector<std::vector<kernel::tensor>> read_values(const std::string& model, const std::string& data,
                                                     const std::string& kind);

} // namespace tutti::test
