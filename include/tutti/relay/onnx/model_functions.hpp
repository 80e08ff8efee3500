#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/model.hpp>
#include <tutti/relay/onnx/operator_index.hpp>

#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// The functions of a model, which nodes call by name.
///
/// Requires: the model outlives this object.
/// Cost:     linear in the number of functions to build, constant per lookup.
class model_functions {
public:
    explicit model_functions(const model& m) {
        for (const wire_field& f : m.root().fields(field::model::functions)) {
            const function_view made(f.payload);
            if (names_.add(made.name(), made.domain()) == parts_.size()) parts_.push_back(f.payload);
        }
    }

    /// Returns the first function with this name and domain; a nonexistent view if there is none.
    function_view find(std::string_view name, std::string_view domain) {
        if (parts_.empty()) return {};
        const std::uint32_t found = names_.add(name, domain);
        return found < parts_.size() ? function_view(parts_[found]) : function_view();
    }

private:
    operator_index names_; // the functions, followed by other names that were looked up
    plain_vector<file_part> parts_;
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
