#pragma once

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/eval/block_step.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/kernel_entry.hpp>
#include <tutti/relay/eval/kernel_set.hpp>

#include <span>
#include <string_view>

namespace CLI {
class App;
}

// The kernels that evaluate programs.

namespace program {

/// A set of kernels.
struct kernel_choice {
    std::string_view name;
    std::string_view about;
    tutti::relay::kernel_function (*find)(const tutti::relay::op_def&) = nullptr;
    tutti::relay::block_step_finder find_block_step = nullptr;
    tutti::relay::prepare_finder find_prepare = nullptr;
    tutti::relay::result_memory_finder find_result_memory = nullptr;
    /// Operators that the set computes itself.
    std::span<const tutti::relay::kernel_entry> own{};
};

/// Returns all sets, best first.
std::span<const kernel_choice> kernel_choices();

/// Adds `--kernels` to a command that evaluates.
void add_kernels_option(CLI::App& command);

/// The set selected by `--kernels`; by default the best available.
struct chosen_kernels {
    static tutti::relay::kernel_function find(const tutti::relay::op_def& op);
    static const tutti::relay::block_step_entry* find_block_step(const tutti::relay::op_def& op);
    static tutti::relay::prepare_function find_prepare(const tutti::relay::op_def& op);
    static tutti::relay::result_memory find_result_memory(const tutti::relay::op_def& op);
};

using evaluator = tutti::relay::evaluator<chosen_kernels>;

/// A thread pool for an evaluation. oneDNN uses the same number of OpenMP threads.
class evaluation_threads {
    tutti::thread_pool pool_;

public:
    explicit evaluation_threads(unsigned count);
    tutti::executor_ref executor() { return pool_; }
};

} // namespace program
