#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>

#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// An input of an evaluator. A tuple parameter becomes several inputs: `x.0`, `x.1`, ….
struct parameter {
    std::string name; ///< without `%`
    type_id type;     ///< in the evaluator's `types()`
};

/// An input, identified by the parameter's name.
struct named_input {
    std::string_view name; ///< without `%`
    const tensor* value = nullptr;
};

} // namespace tutti::relay::inline TUTTI_FORM
