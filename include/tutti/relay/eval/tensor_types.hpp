#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_table.hpp>
#include <tutti/relay/ir/type_text.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// True if a tensor is of this tensor type. An unknown dimension matches any size.
inline bool is_of(const kernel::tensor& t, const type_table& types, type_id type) {
    const auto shape = types.shape(type);
    if (t.type() != types.element(type) || t.rank() != shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (!shape[i].is_any() && shape[i].value() != t.shape()[i]) return false;
    return true;
}

/// Returns a tensor's type for error messages: `Tensor[(2, 3), float32]`.
inline std::string type_said(const kernel::tensor& t) {
    if (t.empty()) return "an empty tensor";
    type_table types;
    plain_vector<dim> shape;
    for (const std::int64_t d : t.shape()) shape.push_back(d);
    return to_text(types, types.tensor(shape, t.type()));
}

/// Returns the size in bytes of a tensor of this type. 0 if it is not a tensor type or the size is unknown.
inline std::size_t bytes_of(const type_table& types, type_id type) {
    if (!types.is_tensor(type)) return 0;
    const auto count = static_cast<std::size_t>(element_count(types.shape(type)).value_or(0));
    return count * kernel::bytes(types.element(type));
}

} // namespace tutti::relay::inline TUTTI_FORM::detail
