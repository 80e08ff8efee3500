#pragma once

#include <tutti/file/npz_reader.hpp>

#include "kernels.hpp"
#include "program.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Where the values of parameters come from.

namespace program {

/// The limits of an evaluation that knows nothing of its model, less than the library's: what somebody tries ends soon.
inline constexpr tutti::relay::evaluate_options usual_limits{.max_bytes = std::uint64_t{1} << 29,
                                                             .max_work = std::uint64_t{1} << 34};

/// Returns the arrays of a file, or of standard input for "-". Throws: `tutti::error` if it has none, without its name.
tutti::file::npz_reader arrays_of(const std::string& name);

/// Adds `--inputs` and `--seed` to a command.
void add_input_options(CLI::App& command, input_options& options);

/// What the command line says of the limits of an evaluation.
struct limit_options {
    std::optional<std::uint64_t> max_bytes{}, max_work{}; ///< none: by the machine and the model, see `limits_for`
    std::size_t max_depth = usual_limits.max_depth;
};
/// Adds `--max-bytes`, `--max-work` and `--max-depth` to a command that evaluates.
void add_limit_options(CLI::App& command, limit_options& limits);
/// Returns the limits for evaluating a program: half of the memory that the process may have; and as many steps as a small program
/// may take, with some for each byte of the constants that its files have, and of its parameters.
tutti::relay::evaluate_options limits_for(const limit_options& options, const tutti::relay::ir_module& m,
                                          std::uint64_t constant_bytes);
/// Names the switches that help in an error of an evaluation: of a limit, or of dimensions that a model leaves open.
std::string with_switches(const source& from, std::string message);

/// Adds to an error of a run that the inputs are synthetic, if some are integers: they may be no indices.
std::string with_input_hint(const evaluator& e, const input_options& inputs, std::string message);

/// Ends the program if `main` has a parameter of a data type or a reference, whose value no array can be.
void refuse_values(const source& from);

/// The inputs of a program, in the order of its parameters, taken from what the evaluator may take; what is wrong with the file ends the
/// program. Throws: `tutti::error` if synthetic ones cannot be made.
std::vector<tutti::relay::tensor> inputs_of(evaluator& e, const input_options& options);

} // namespace program
