#pragma once

#include <tutti/relay/eval/evaluate.hpp>

#include "made_model.hpp"

#include <initializer_list>
#include <span>

namespace tutti::test {

/// Imports a model and returns its first output for these inputs.
inline kernel::tensor result_of(const made_model& m, std::initializer_list<kernel::tensor> inputs) {
    return relay::evaluate(relay::onnx::import_model(model_of(m)),
                           std::span<const kernel::tensor>(inputs.begin(), inputs.size()))[0];
}

} // namespace tutti::test
