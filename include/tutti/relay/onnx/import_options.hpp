#pragma once

#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/vector.hpp>

#include <cstdint>
#include <string>

namespace tutti::relay::onnx {

/// The size that a dimension with a name has.
struct dim_binding {
    std::string name;
    std::int64_t size = 0;
};

/// The shapes of an input's tensors: one of a tensor, one for each of a sequence's; of an optional those of what it holds, or none
/// where it holds nothing.
struct input_shapes {
    std::string name;
    vector<relay::dims> shapes;
};

/// What becomes of a model's initialisers, its trained values: constants, or parameters of `main` behind the inputs, with their names.
enum class initializers { constants, parameters };

/// How a model is imported.
struct import_options {
    /// What the dimensions with names are; others are `?`. A name that the model's inputs do not have is an error.
    vector<dim_binding> dims{};
    /// Shapes of inputs: those of sequences must be given, since a model does not say how long they are; others that are given stand
    /// in place of what the model says. A name that no input has is an error.
    vector<input_shapes> inputs{};
    /// Rules of one's own, which are looked at first.
    rule_list rules{};
    onnx::initializers initializers = onnx::initializers::constants;
    /// The most bytes of constants, beyond four times the model's.
    std::uint64_t max_bytes = std::uint64_t{1} << 28;
    /// The most steps of importing, beyond as many as the model has bytes: 16 for a node, at each turn of a loop that is unrolled, 4 for an
    /// expression that is made, 1 for each of its operands and of its type's dimensions. Each takes up to 32 bytes of memory.
    std::uint64_t max_work = std::uint64_t{1} << 24;
};

} // namespace tutti::relay::onnx
