#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/debug/agreement.hpp>
#include <tutti/relay/onnx/model.hpp>

#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

// Comparison of results with recorded results: --expect.

namespace program {

struct expected_results {
    std::string from{}; ///< file or folder for `given_arrays`; empty: no comparison
    tutti::relay::closeness close{};

    explicit operator bool() const { return !from.empty(); }
};
/// Adds `--expect`, `--rtol` and `--atol` to a command.
void add_expect_options(CLI::App& command, expected_results& options);

struct agreement_report {
    std::string text; ///< a line for each result
    bool same = true;
};
/// Compares results with the expected values. `model` is the model that the program was imported from, or null. Errors
/// in the file end the program.
agreement_report compare_results(std::span<const tutti::kernel::tensor> results, std::span<const std::string> names,
                                 const expected_results& expected, const tutti::relay::onnx::model* model);

} // namespace program
