#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/reshape.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

TUTTI_CONSTEXPR dims new_shape(const relation& r, const reshape_attributes& a, kernel::shape_code direction) {
    const auto refuse = [&](kernel::code_fault fault, dim number) {
        std::string text;
        append_dim(text, number);
        if (fault == kernel::code_fault::indivisible)
            r.refuse(0, "a number of elements that can be divided by " + text);
        const auto& [problem, expected] = kernel::code_fault_texts[static_cast<std::size_t>(fault)];
        const bool too_many = fault == kernel::code_fault::too_many;
        r.refuse_attribute("newshape", problem.empty() ? text : std::string(problem),
                           too_many ? "no more than " + to_text(r.types(), r.argument(0)) + " has"
                                    : std::string(expected));
    };
    const auto zero = a.allowzero ? kernel::zero_code::size : kernel::zero_code::keeps;
    const dims data = r.shape(0);
    return kernel::read_shape_code<dims>(data, a.newshape.value, direction, zero, static_cast<std::size_t>(-1), refuse);
}

TUTTI_CONSTEXPR void check_elements(const relation& r, const dims& shape) {
    if (may_equal(product(r.shape(0)), product(shape))) return;
    std::string count;
    append_dim(count, product(shape));
    r.refuse(0, count + " elements, as the new shape has");
}

} // namespace detail

namespace op {

TUTTI_CONSTEXPR type_id reshape_like::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    const dims data = r.shape(0);
    const dims like = r.shape(1);
    const auto lhs = range(r, "lhs_begin", "lhs_end", a.lhs_begin, a.lhs_end, data.size());
    const auto rhs = range(r, "rhs_begin", "rhs_end", a.rhs_begin, a.rhs_end, like.size());
    const dims shape = kernel::with_replaced_axes<dims>(data, lhs, like, rhs);
    detail::check_elements(r, shape);
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR kernel::axis_interval reshape_like::range(const relation& r, std::string_view begin_name,
                                                          std::string_view end_name, std::int64_t begin,
                                                          std::optional<dim> end, std::size_t rank) {
    const auto n = static_cast<std::int64_t>(rank);
    const auto place = [&](std::string_view attribute, std::int64_t i) {
        if (i < 0) i += n;
        if (i < 0 || i > n) r.refuse_attribute(attribute, "beyond the tensor's axes", "a number of axes");
        return static_cast<std::size_t>(i);
    };
    const std::size_t first = place(begin_name, begin);
    const std::size_t last = end ? place(end_name, end->value()) : rank;
    if (last < first) r.refuse_attribute(end_name, "before the begin", "that or more");
    return {first, last};
}

} // namespace op

TUTTI_CONSTEXPR expr reshape(expr data, const reshape_attributes& attributes) {
    return call_op<op::reshape>(attributes, data);
}
TUTTI_CONSTEXPR expr contrib_reverse_reshape(expr data, const reshape_attributes& attributes) {
    return call_op<op::contrib_reverse_reshape>(attributes, data);
}
TUTTI_CONSTEXPR expr reshape_like(expr data, expr shape_like, const reshape_like_attributes& attributes) {
    return call_op<op::reshape_like>(attributes, data, shape_like);
}

} // namespace tutti::relay::inline TUTTI_FORM
