#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/onnx/import_options.hpp>
#include <tutti/relay/onnx/model.hpp>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Imports a model as a module with inferred types. The model's graph becomes `main`, which returns a tuple if there
/// are several results.
///
/// Shape arithmetic is evaluated, so that operators have known shapes wherever possible.
///
/// Cost:   linear in the model, and in the unrolled loops and recurrent operators, up to `max_work`. Used initialisers
///         are copied once, or stay in the file if they are aligned there. Memory: up to 64 times the model's bytes,
///         because a name or node of a few bytes becomes several table entries, plus 32 times `max_work`, plus
///         `max_bytes`.
/// Throws: `tutti::error` that names the file, the node and the mistake. One error names all unsupported operators.
/// Example: `const ir_module m = onnx::import_model(onnx::open_model("squeezenet.onnx"), {.dims = {{"batch", 1}}});`
TUTTI_INLINE ir_module import_model(const model& m, const import_options& options = {});

} // namespace tutti::relay::inline TUTTI_FORM::onnx

#ifndef TUTTI_COMPILED
#include <tutti/relay/onnx/import.ipp>
#endif
