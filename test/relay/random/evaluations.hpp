#pragma once

#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tutti::test {

using tensors = std::vector<kernel::tensor>;

/// What a module's `main` computes for these inputs. Throws: `tutti::error` if it cannot be evaluated.
tensors evaluated(const relay::ir_module& m, std::span<const kernel::tensor> inputs);

/// The same so many times, each with noise where it rounds: see noise.hpp.
std::vector<tensors> evaluated_with_noise(const relay::ir_module& m, std::span<const kernel::tensor> inputs, int times,
                                          std::uint64_t seed);

} // namespace tutti::test
