#pragma once

#include "kernels.hpp"
#include "program.hpp"

#include <cstdint>
#include <vector>

// Where the values of parameters come from.

namespace program {

/// Less than the library's, so that what somebody tries ends soon.
inline constexpr tutti::relay::evaluate_options usual_limits{.max_bytes = std::uint64_t{1} << 29,
                                                             .max_work = std::uint64_t{1} << 34};

/// Adds `--inputs` and `--seed` to a command.
void add_input_options(CLI::App& command, input_options& options);

/// Adds `--max-bytes`, `--max-work` and `--max-depth` to a command that evaluates.
void add_limit_options(CLI::App& command, tutti::relay::evaluate_options& limits);

/// Ends the program if `main` has a parameter of a data type or a reference, whose value no array can be.
void refuse_values(const source& from);

/// The inputs of a program, in the order of its parameters, taken from what the evaluator may take; what is wrong with the file ends the
/// program. Throws: `tutti::error` if synthetic ones cannot be made.
std::vector<tutti::relay::tensor> inputs_of(evaluator& e, const input_options& options);

} // namespace program
