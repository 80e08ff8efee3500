#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include "choices.hpp"

#include <cstdint>
#include <vector>

namespace tutti::test {

/// A program that follows from choices, and what its `main` is called with.
struct random_module {
    relay::ir_module program;
    std::vector<kernel::tensor> inputs;
};

/// Makes a program of up to `most` steps, which is right by construction.
///
/// Throws: `tutti::error` if an operator's type relation does not take what it should.
random_module make_random_module(choices& c, std::int64_t most = 12);

} // namespace tutti::test
