#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/onnx/write_options.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Receives the bytes of a model in order.
struct model_output {
    std::function<void(std::string_view)> model{};
    /// Receives the bytes of constants stored beside the model. All calls precede the first call of `model`.
    std::function<void(std::string_view)> constants{};
    std::string constants_name{}; ///< file name of the constants as stored in the model, without a folder
};

/// Returns a module's `main` as a model in ONNX's format. Calls of functions are replaced by the functions' bodies.
///
/// Cost:    linear in the module and in the bodies written for calls; types are inferred on a copy.
/// Throws:  `tutti::error` if there is no `main`, or if ONNX cannot express the module; one error names all operators
///          without a form in ONNX.
/// Example: `const std::string bytes = onnx::model_bytes(m);`
TUTTI_INLINE std::string model_bytes(const ir_module& m, const write_options& options = {});

/// Passes a module's `main` to `to` as a model in ONNX's format, piece by piece. Does not copy all constants at once.
///
/// Throws: `tutti::error` like `model_bytes`, before the first byte is passed; anything that the functions of `to`
///         throw.
TUTTI_INLINE void write_model(const ir_module& m, const model_output& to, const write_options& options = {});

/// Writes a module's `main` to a file, whole or not at all. Constants stored beside the model go to `path`.data, which
/// is written first.
///
/// Throws: `tutti::error` like `model_bytes`, and if a file cannot be written.
TUTTI_INLINE void write_model(const ir_module& m, const std::string& path, const write_options& options = {});

} // namespace tutti::relay::inline TUTTI_FORM::onnx

#ifndef TUTTI_COMPILED
#include <tutti/relay/onnx/write_model.ipp>
#endif
