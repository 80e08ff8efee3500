#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/onnx/import_options.hpp>
#include <tutti/relay/onnx/importer.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/standard_rules.hpp>
#include <tutti/relay/onnx/unsupported.hpp>
#include <tutti/relay/op/infer.hpp>

#include <string>

namespace tutti::relay::inline TUTTI_FORM::onnx {

TUTTI_INLINE ir_module import_model(const model& m, const import_options& options) {
    try {
        check_supported(m, options, standard_rules);
        ir_module made(importer(m, options, standard_rules).main());
        infer_types(made);
        return made;
    } catch (const error& e) {
        throw error(m.name() + (e.where().empty() ? "" : ", " + e.where()), e.problem(), e.expected());
    }
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
