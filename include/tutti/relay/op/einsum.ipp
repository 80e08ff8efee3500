#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/einsum.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id einsum::infer(relation& r, const attributes& a) {
    if (!r.knows_tuple(0)) return type_id::none;
    const type_table& types = r.types();
    const auto fields = r.fields(0);
    kernel::subscripts read(a.equation.value);
    if (read.operands() != fields.size()) refuse(r, a, "not a part for each tensor");
    std::array<dim, kernel::all_labels> sizes;
    sizes.fill(1);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (types.element(fields[i]) != types.element(fields[0])) r.refuse(0, "tensors of one element type");
        const auto shape = types.shape(fields[i]);
        const kernel::extents labels = read.operand(i, shape.size());
        if (!read.problem().empty()) refuse(r, a, read.problem());
        for (std::size_t d = 0; d < labels.size(); ++d)
            if (!kernel::join_label(sizes[static_cast<std::size_t>(labels[d])], shape[d]))
                r.refuse(0, "sizes that agree along each letter of \"" + std::string(a.equation.value) + "\"");
    }
    const kernel::extents wanted = read.result();
    if (!read.problem().empty()) refuse(r, a, read.problem());
    dims shape;
    for (const std::int64_t label : wanted) shape.push_back(sizes[static_cast<std::size_t>(label)]);
    return r.tensor(shape, types.element(fields[0]));
}

} // namespace op

TUTTI_CONSTEXPR expr einsum(expr data, const einsum_attributes& attributes) {
    return call_op<op::einsum>(attributes, data);
}

} // namespace tutti::relay::inline TUTTI_FORM
