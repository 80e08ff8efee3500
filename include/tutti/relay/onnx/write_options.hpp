#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/model.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Where the elements of constants are written.
enum class constant_place : std::uint8_t {
    automatic, ///< in the model, or beside it if they have more than 2^31 - 2^24 bytes, which a model file cannot hold
    inside,    ///< in the model; more than 2^31 - 2^24 bytes are an error
    beside,    ///< in the file NAME.data, for each constant of 1,024 bytes or more
};

/// Options of `write_model`.
struct write_options {
    /// The version of ONNX's operators, 17 or later; 0 for the earliest such version that has all operators.
    std::int64_t opset = 0;
    /// The model that the module was imported from, or null. Its names of inputs, outputs and dimensions, its metadata
    /// and its documentation are kept.
    const model* like = nullptr;
    constant_place constants = constant_place::automatic;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
