#pragma once

#include <tutti/relay/onnx/rule.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tutti::relay::onnx {

/// The size that a dimension with a name has.
struct dim_binding {
    std::string name;
    std::int64_t size = 0;
};

/// What becomes of a model's initialisers, its trained values: constants, or parameters of `main` behind the inputs, with their names.
enum class initializers { constants, parameters };

/// How a model is imported.
struct import_options {
    /// What the dimensions with names are; others are `?`. A name that the model's inputs do not have is an error.
    std::vector<dim_binding> dims{};
    /// Rules of one's own, which are looked at first.
    rule_list rules{};
    onnx::initializers initializers = onnx::initializers::constants;
};

} // namespace tutti::relay::onnx
