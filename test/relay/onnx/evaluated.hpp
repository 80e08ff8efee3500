#pragma once

#include <tutti/relay/eval/evaluate.hpp>

#include "made_model.hpp"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace tutti::test {

/// Imports a model and evaluates it with these inputs. Returns the first output.
inline kernel::tensor result_of(const made_model& m, std::initializer_list<kernel::tensor> inputs) {
    return relay::evaluate(relay::onnx::import_model(model_of(m)),
                           std::span<const kernel::tensor>(inputs.begin(), inputs.size()))[0];
}

/// The shape and the float32 elements of a tensor.
struct shape_and_floats {
    std::vector<std::int64_t> shape;
    std::vector<float> elements;

    explicit shape_and_floats(const kernel::tensor& t)
        : shape(t.shape().begin(), t.shape().end()), elements(t.elements<float>().begin(), t.elements<float>().end()) {}
    shape_and_floats(std::initializer_list<std::int64_t> s, std::initializer_list<float> e) : shape(s), elements(e) {}
    bool operator==(const shape_and_floats&) const = default;
};

} // namespace tutti::test
