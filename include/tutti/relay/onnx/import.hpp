#pragma once

#include <tutti/error.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/onnx/import_options.hpp>
#include <tutti/relay/onnx/importer.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/standard_rules.hpp>
#include <tutti/relay/onnx/unsupported.hpp>
#include <tutti/relay/op/infer.hpp>

#include <string>

namespace tutti::relay::onnx {

/// A model as a module with all types inferred; its graph is `main`, of whose several results a tuple is made.
///
/// What shapes are computed with is computed here, so that operators come out with shapes that are known wherever they can be.
///
/// Cost:   linear in the model, and in what loops and recurrent operators are unrolled to, up to `max_work`; the initialisers that are
///         used are copied once, or stay in the file where they are aligned. Memory: up to 64 times the model's bytes, since a name or a
///         node of a few bytes becomes entries in tables, with 32 times `max_work`, and `max_bytes`.
/// Throws: `tutti::error` that says the file, the node and what is wrong; all operators that cannot be imported are named in one.
/// Example: `const ir_module m = onnx::import_model(onnx::open_model("squeezenet.onnx"), {.dims = {{"batch", 1}}});`
inline ir_module import_model(const model& m, const import_options& options = {}) {
    try {
        check_supported(m, options, standard_rules);
        ir_module made(importer(m, options, standard_rules).main());
        infer_types(made);
        return made;
    } catch (const error& e) {
        throw error(m.name() + (e.where().empty() ? "" : ", " + e.where()), e.problem(), e.expected());
    }
}

} // namespace tutti::relay::onnx
