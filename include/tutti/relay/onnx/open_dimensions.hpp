#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/string_table.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/import_options.hpp>
#include <tutti/relay/onnx/model.hpp>

#include <algorithm>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Returns the names of the input dimensions whose sizes are not set, each once. `import_options::dims` can set the
/// sizes.
///
/// Cost: linear in the inputs, times the number of bindings.
inline string_table open_dimensions(const graph_view& g, const import_options& options) {
    string_table names;
    for (const wire_field& f : g.inputs())
        for (const wire_field& d : value_view(f.payload).dimensions()) {
            const std::string_view name = message(d.payload).text(field::dimension::dim_param);
            if (!name.empty() && std::ranges::find(options.dims, name, &dim_binding::name) == options.dims.end())
                names.add(name);
        }
    return names;
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
