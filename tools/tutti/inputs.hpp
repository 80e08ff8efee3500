#pragma once

#include <tutti/file/npz_reader.hpp>
#include <tutti/relay/onnx/model.hpp>

#include "kernels.hpp"
#include "program.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Values of parameters, and limits of evaluation.

namespace program {

/// Default limits for evaluating an unknown model: lower than the library's, so that a trial ends soon.
inline constexpr tutti::relay::evaluate_options usual_limits{.max_bytes = std::uint64_t{1} << 29,
                                                             .max_work = std::uint64_t{1} << 34};

/// Reads the arrays of a file, or of standard input for "-".
///
/// Throws: `tutti::error` if that fails. The message does not name the file.
tutti::file::npz_reader arrays_of(const std::string& name);

/// Adds `--inputs` and `--seed` to a command.
void add_input_options(CLI::App& command, input_options& options);

/// Limits of evaluation from the command line.
struct limit_options {
    std::optional<std::uint64_t> max_bytes{}, max_work{}; ///< none: the default of `limits_for`
    std::size_t max_depth = usual_limits.max_depth;
};
/// Adds `--max-bytes`, `--max-work` and `--max-depth` to a command that evaluates.
void add_limit_options(CLI::App& command, limit_options& limits);
/// Returns the limits for evaluating a program. The default memory limit is half of the memory available to the
/// process. The default work limit suffices for a small program, and grows with the sizes of parameters and of
/// constants in files.
tutti::relay::evaluate_options limits_for(const limit_options& options, const tutti::relay::ir_module& m,
                                          std::uint64_t constant_bytes);
/// Adds the switches that raise a limit, or that set a model's open dimensions, to an evaluation's error message.
std::string with_switches(const source& from, std::string message);

/// Adds a hint to a run's error message if integer inputs are synthetic, since synthetic integers may be invalid
/// indices.
std::string with_input_hint(const evaluator& e, const input_options& inputs, std::string message);

/// Ends the program if `main` has a parameter of a data type or a reference, which an array cannot represent.
void refuse_values(const source& from);

/// Returns a program's inputs in the order of its parameters. The inputs count against the evaluator's memory limit.
/// Errors in the file end the program. `model` is the model that the program was imported from, or null.
///
/// Throws: `tutti::error` if synthetic inputs cannot be created.
std::vector<tutti::relay::tensor> inputs_of(evaluator& e, const input_options& options,
                                            const tutti::relay::onnx::model* model);

} // namespace program
