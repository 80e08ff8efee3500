#pragma once

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

namespace tutti::relay {

/// Attributes of reshape: the new sizes, in which 0 keeps a size (with `allowzero` it is a size), -1 infers a size
/// (once), -2 keeps all remaining, -3 merges two, and -4 splits one into the two that follow (one of which may be -1).
struct reshape_attributes {
    required<dims> newshape{};
    bool allowzero = false;

    static constexpr option_list<&reshape_attributes::newshape, &reshape_attributes::allowzero> options{"newshape",
                                                                                                        "allowzero"};
};

/// Attributes of reshape_like: the axes of the first argument to replace, and those of the second that replace them;
/// None is the end.
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

/// Returns the shape encoded by the attributes for the first argument; see `reshape_attributes`.
constexpr dims new_shape(const relation& r, const reshape_attributes& a, kernel::shape_code direction) {
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

/// Rejects the first argument if both numbers of elements are known and differ.
constexpr void check_elements(const relation& r, const dims& shape) {
    if (may_equal(product(r.shape(0)), product(shape))) return;
    std::string count;
    append_dim(count, product(shape));
    r.refuse(0, count + " elements, as the new shape has");
}

} // namespace detail

namespace op {

/// Base of operators that decode a new shape from one end.
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

/// As reshape, decoding the shape from the right.
struct contrib_reverse_reshape : reshaping<kernel::shape_code::from_right> {
    static constexpr std::string_view name = "contrib_reverse_reshape";
};

/// Returns the same elements with some axes' sizes from another tensor.
struct reshape_like {
    static constexpr std::string_view name = "reshape_like";
    static constexpr std::array<std::string_view, 2> arguments{"data", "shape_like"};
    using attributes = reshape_like_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        const dims data = r.shape(0);
        const dims like = r.shape(1);
        const auto lhs = range(r, "lhs_begin", "lhs_end", a.lhs_begin, a.lhs_end, data.size());
        const auto rhs = range(r, "rhs_begin", "rhs_end", a.rhs_begin, a.rhs_end, like.size());
        const dims shape = kernel::with_replaced_axes<dims>(data, lhs, like, rhs);
        detail::check_elements(r, shape);
        return r.tensor(shape, r.element(0));
    }

private:
    static constexpr kernel::axis_interval range(const relation& r, std::string_view begin_name,
                                                 std::string_view end_name, std::int64_t begin, std::optional<dim> end,
                                                 std::size_t rank) {
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
};

} // namespace op

/// Operators that change the shape and keep the elements.
using reshape_ops = op_list<op::contrib_reverse_reshape, op::reshape, op::reshape_like>;

constexpr expr reshape(expr data, const reshape_attributes& attributes) {
    return call_op<op::reshape>(attributes, data);
}
constexpr expr contrib_reverse_reshape(expr data, const reshape_attributes& attributes) {
    return call_op<op::contrib_reverse_reshape>(attributes, data);
}
constexpr expr reshape_like(expr data, expr shape_like, const reshape_like_attributes& attributes = {}) {
    return call_op<op::reshape_like>(attributes, data, shape_like);
}

} // namespace tutti::relay
