#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <string>
#include <vector>

namespace tutti::test {

/// Imports a test's model file. Inputs that are sequences have as many tensors, and of the shapes, as those in the folder of data; a
/// tensor has the shape of its data where that is not what the model says. Compiled by itself.
///
/// Throws: `tutti::error`.
relay::ir_module import_test(const std::string& model, const std::string& data);

/// The values in a folder of data, each a file of its own, of a test's inputs or outputs (`kind` is "input" or "output"): one tensor, or
/// those of a sequence or an optional.
///
/// Throws: `tutti::error`.
std::vector<std::vector<kernel::tensor>> read_values(const std::string& model, const std::string& data,
                                                     const std::string& kind);

} // namespace tutti::test
