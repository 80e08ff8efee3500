#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/model.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Selects where the elements of constants are written.
enum class constant_place : std::uint8_t {
    automatic, ///< in the model; beside it if they exceed 2^31 - 2^24 bytes, the most that a model can hold
    inside,    ///< in the model; more than 2^31 - 2^24 bytes are an error
    beside,    ///< constants of 1,024 bytes or more in the file NAME.data, smaller ones in the model
};

/// Options of `write_model`.
struct write_options {
    /// The version of ONNX's operators, 17 or later. 0 selects the earliest version that has all operators needed.
    std::int64_t opset = 0;
    /// The model that the module was imported from, or null. The written model keeps this model's metadata, its
    /// documentation, and its names of inputs, outputs and dimensions.
    const model* like = nullptr;
    constant_place constants = constant_place::automatic;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
