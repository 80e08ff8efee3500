#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::test {

/// Imports a model file; its dimensions with names are bound to these sizes. Compiled by itself.
///
/// Throws: `tutti::error`.
relay::ir_module import_file(const std::string& path,
                             const std::vector<std::pair<std::string, std::int64_t>>& dims = {});

/// A tensor that is a file of its own, as the node tests' inputs and outputs are. Throws: `tutti::error`.
kernel::tensor read_tensor(const std::string& path);

} // namespace tutti::test
