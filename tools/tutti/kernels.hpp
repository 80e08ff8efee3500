#pragma once

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/kernel_set.hpp>

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

// Selection of the kernels that evaluate programs.

namespace program {

/// A named set of kernels.
struct kernel_choice {
    std::string name;
    std::string_view about;
    const tutti::relay::kernel_set* kernels = nullptr;
};

/// Returns all sets of the library, best first.
std::span<const kernel_choice> kernel_choices();

/// Adds `--kernels` to a command that evaluates.
void add_kernels_option(CLI::App& command);

/// Returns the set that `--kernels` selects. The default is the best available set.
const tutti::relay::kernel_set& chosen_kernels();

using evaluator = tutti::relay::evaluator;

/// A thread pool for an evaluation. Also makes oneDNN use the same number of OpenMP threads.
class evaluation_threads {
    tutti::thread_pool pool_;

public:
    explicit evaluation_threads(unsigned count);
    tutti::executor_ref executor() { return pool_; }
};

} // namespace program
