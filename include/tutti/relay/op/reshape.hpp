#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/shape_code.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of reshape: the new sizes. 0 keeps a size (with `allowzero`, 0 is a size), -1 stands for the one inferred
/// size, -2 keeps all remaining sizes, -3 merges two sizes, and -4 splits a size into the two numbers that follow, one
/// of which may be -1.
struct reshape_attributes {
    required<dims> newshape{};
    bool allowzero = false;

    static constexpr option_list<&reshape_attributes::newshape, &reshape_attributes::allowzero> options{"newshape",
                                                                                                        "allowzero"};
};

/// Attributes of reshape_like: the axes of the first argument to replace, and the axes of the second argument that
/// replace them. An end of None is the rank of the argument.
struct reshape_like_attributes {
    std::int64_t lhs_begin = 0;
    std::optional<dim> lhs_end{};
    std::int64_t rhs_begin = 0;
    std::optional<dim> rhs_end{};

    static constexpr option_list<&reshape_like_attributes::lhs_begin, &reshape_like_attributes::lhs_end,
                                 &reshape_like_attributes::rhs_begin, &reshape_like_attributes::rhs_end>
        options{"lhs_begin", "lhs_end", "rhs_begin", "rhs_end"};
};

namespace detail {

/// Returns the shape that the attributes encode for the first argument: see `reshape_attributes`.
TUTTI_CONSTEXPR dims new_shape(const relation& r, const reshape_attributes& a, kernel::shape_code direction);

/// Rejects the first argument if its number of elements and that of `shape` are known and differ.
TUTTI_CONSTEXPR void check_elements(const relation& r, const dims& shape);

} // namespace detail

namespace op {

/// Base of operators that decode a new shape, starting at one end.
template <kernel::shape_code Direction>
struct reshaping {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = reshape_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr bool reshapes = true;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const dims shape = detail::new_shape(r, a, Direction);
        detail::check_elements(r, shape);
        return r.tensor(shape, r.element(0));
    }
};

/// Returns the same elements in the same order with another shape.
struct reshape : reshaping<kernel::shape_code::from_left> {
    static constexpr std::string_view name = "reshape";
    static constexpr auto precision = precision_rule::follow;
};

/// Like reshape, but decodes the shape from the right.
struct contrib_reverse_reshape : reshaping<kernel::shape_code::from_right> {
    static constexpr std::string_view name = "contrib_reverse_reshape";
};

/// Returns the same elements, with the sizes of some axes taken from another tensor.
struct reshape_like {
    static constexpr std::string_view name = "reshape_like";
    static constexpr std::array<std::string_view, 2> arguments{"data", "shape_like"};
    using attributes = reshape_like_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);

private:
    static TUTTI_CONSTEXPR kernel::axis_interval range(const relation& r, std::string_view begin_name,
                                                       std::string_view end_name, std::int64_t begin,
                                                       std::optional<dim> end, std::size_t rank);
};

} // namespace op

/// Operators that change the shape and keep the elements.
using reshape_ops = op_list<op::contrib_reverse_reshape, op::reshape, op::reshape_like>;

TUTTI_CONSTEXPR expr reshape(expr data, const reshape_attributes& attributes);
TUTTI_CONSTEXPR expr contrib_reverse_reshape(expr data, const reshape_attributes& attributes);
TUTTI_CONSTEXPR expr reshape_like(expr data, expr shape_like, const reshape_like_attributes& attributes = {});

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/reshape.ipp>
#endif
