#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/parallel/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// Options of an evaluator.
struct evaluate_options {
    /// The function to evaluate.
    std::string_view entry = "main";
    /// Limit on nested calls of functions, so that infinite recursion ends in an error.
    std::size_t max_depth = 250'000;
    /// Limit on the bytes of the evaluator's live tensors, including memory that kernels keep.
    std::uint64_t max_bytes = std::uint64_t{1} << 32;
    /// Limit on the steps of a run. Each call counts 4,096 steps. An operator also counts 16 for each element that it
    /// reads, 64 for each element that it writes, 1 for each product in a convolution or a matrix product, and 1 for
    /// each cell of a window.
    std::uint64_t max_work = std::uint64_t{1} << 40;
    /// Executor for the kernels' loops. It must outlive the evaluator. Results are bit-identical for all executors.
    executor_ref on{};
    /// The allowance of another evaluator, or null for a separate allowance. The other evaluator's `max_bytes` then
    /// limits both evaluators together.
    const kernel::allowance* allowance = nullptr;
};

/// Bytes of an evaluator's tensors, without constants and memory that kernels keep.
struct tensor_memory {
    std::uint64_t planned =
        0; ///< bytes of planned values; known after the first run, or after the second if types leave sizes open
    std::uint64_t other = 0; ///< bytes of values that are not planned, in all runs so far
    /// Peak of the bytes of live values. An operator's operands are live together with its results. Values that are not
    /// planned contribute their peak in the runs so far.
    std::uint64_t largest_alive = 0;
};

} // namespace tutti::relay::inline TUTTI_FORM
