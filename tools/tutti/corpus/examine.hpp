#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include "row.hpp"
#include "settings.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace program::corpus {

/// A module as read: the program, and inputs that belong to it.
struct read_module {
    tutti::relay::ir_module program;
    std::vector<tutti::relay::tensor> inputs{}; ///< of a random program
    bool is_random = false;
};

/// Reads a file, or makes a random program. Throws: `failure` and `tutti::error`.
read_module read(const std::string& name, const run_settings& settings);
/// Makes the random program of these bytes.
read_module random_module_of(const std::vector<std::uint8_t>& bytes);

/// Calls made while a module is examined, so that they survive a crash.
struct progress_of_module {
    std::function<void(std::string_view)> pass_begins;
};

/// Runs the passes over a module and checks the result. Catches exceptions, but a pass may end the process.
module_row examine(const std::string& name, const run_settings& settings, const progress_of_module& progress);
/// Runs the passes over a module that has been read, and adds the result to the row.
void examine(const read_module& m, const run_settings& settings, const progress_of_module& progress, module_row& row);

} // namespace program::corpus
