#pragma once

#include <tutti/relay/debug/reduce.hpp>

#include "trial.hpp"

#include <cstddef>
#include <functional>
#include <string>

// Reduction of failing programs and pipelines. Shared by `tutti reduce` and `tutti corpus`.

namespace program {

/// A reduced program and pipeline, and their failure.
struct reduced_failure {
    tutti::relay::reduction found;
    outcome latest;
};

/// Shrinks a program and its pipeline while their trial fails like `sought`. `goes_on` is called after each try, with
/// the number of earlier tries, and returns false to stop. Throws: `tutti::error` if the program is invalid.
reduced_failure reduce_failure(trial& tries, const tutti::relay::ir_module& m, const std::string& passes,
                               const outcome& sought, std::size_t max_tries,
                               const std::function<bool(const tutti::relay::reduction&, std::size_t)>& goes_on);

} // namespace program
