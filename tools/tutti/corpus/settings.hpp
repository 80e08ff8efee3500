#pragma once

#include "../program.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace program::corpus {

/// Random programs: `count` of them, with seeds from `seed`.
struct random_programs {
    std::uint64_t seed = 0, count = 0;
};

/// The options of `tutti corpus run`.
struct run_options {
    std::vector<std::string> models; ///< files, folders, patterns, and @lists
    std::vector<std::string> random; ///< SEED:COUNT
    pass_options passes;
    std::string check = "verify"; ///< crash, verify, numerics, or baseline=DB
    double tolerance = 1e-4;
    double time_limit = 10;            ///< seconds for a module
    std::uint64_t memory_limit = 4096; ///< MiB for a module; 0: none
    bool reduce = false;
    std::uint64_t max_tries = 300;
    bool resume = false;
    unsigned jobs = 0; ///< 0: one for each processor, or one for each rank
    std::string output;
};

/// The options as workers use them.
struct run_settings {
    run_options options;
    wanted_passes passes{};
    std::string baseline{};       ///< the database of --check=baseline=DB
    std::string passes_options{}; ///< options for the passes, as written on the command line
    std::vector<std::pair<std::string, std::string>> configuration{}; ///< options that change rows, by name

    bool verifies() const { return options.check != "crash"; }
    bool computes() const { return options.check == "numerics"; }
};

} // namespace program::corpus
