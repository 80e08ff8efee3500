#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/shape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of reductions: the reduced axes (all if none are given). With `exclude`, all other axes are reduced.
/// `keepdims` keeps the reduced axes with size 1.
struct reduce_attributes {
    std::optional<dims> axis{};
    bool keepdims = false;
    bool exclude = false;

    static constexpr option_list<&reduce_attributes::axis, &reduce_attributes::keepdims, &reduce_attributes::exclude>
        options{"axis", "keepdims", "exclude"};
};

/// Attributes of argmax and argmin. Ties go to the first element, or to the last with `select_last_index`.
struct arg_reduce_attributes {
    std::optional<dims> axis{};
    bool keepdims = false;
    bool select_last_index = false;
    bool exclude = false;

    static constexpr option_list<&arg_reduce_attributes::axis, &arg_reduce_attributes::keepdims,
                                 &arg_reduce_attributes::select_last_index, &arg_reduce_attributes::exclude>
        options{"axis", "keepdims", "select_last_index", "exclude"};
};

/// Attributes of variance. With `unbiased`, the divisor is the number of elements minus one.
struct variance_attributes {
    std::optional<dims> axis{};
    bool keepdims = false;
    bool exclude = false;
    bool unbiased = false;

    static constexpr option_list<&variance_attributes::axis, &variance_attributes::keepdims,
                                 &variance_attributes::exclude, &variance_attributes::unbiased>
        options{"axis", "keepdims", "exclude", "unbiased"};
};

namespace layout_rules {

/// Moves the axes of a reduction with the layout, including the axes' blocks. Reduced axes disappear from the result's
/// layout. A second argument has the shape of the first, or size 1 along reduced axes.
TUTTI_CONSTEXPR bool reduction(layout_query& q);

/// Relates the layouts of argmax and argmin. The reduced axes must keep their order, because the order determines the
/// positions in the result.
TUTTI_CONSTEXPR bool place_reduction(layout_query& q);

} // namespace layout_rules

namespace op {

/// Base of reductions.
struct reduction {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    static constexpr fusion_pattern pattern = fusion_pattern::comm_reduce;
    static constexpr auto layout = &layout_rules::reduction;

    /// Returns the shape of the first argument after the reduction.
    template <class Attributes>
    static constexpr dims reduced(const relation& r, const Attributes& a) {
        const dims data = r.shape(0);
        const bool all = !a.axis || a.axis->empty();
        small_vector<char, 6> away(data.size(), all || a.exclude ? 1 : 0);
        if (!all)
            for (const dim axis : *a.axis) away[checked_axis(r, "axis", axis.value(), data.size())] = a.exclude ? 0 : 1;
        return kernel::without_axes<dims>(data, away, a.keepdims);
    }
};

/// A reduction whose result has the argument's element type.
struct value_reduction : reduction {
    using attributes = reduce_attributes;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Base of sums and products, whose results are rounded.
struct rounded_reduction : value_reduction {
    static constexpr bool rounds = true;
};
/// For bool: true if all elements are true. `any` is true if any element is true.
struct all : value_reduction, named<"all"> {};
struct any : value_reduction, named<"any"> {};
struct max : value_reduction, named<"max", precision_rule::follow> {};
struct mean : rounded_reduction, named<"mean", precision_rule::never> {};
struct min : value_reduction, named<"min", precision_rule::follow> {};
/// Product
struct prod : rounded_reduction, named<"prod"> {};
struct sum : rounded_reduction, named<"sum", precision_rule::never> {};

/// A reduction to the position of an element. Positions are row-major indices into the reduced axes.
struct place_reduction : reduction {
    using attributes = arg_reduce_attributes;
    static constexpr auto layout = &layout_rules::place_reduction;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};
struct argmax : place_reduction, named<"argmax", precision_rule::follow> {};
struct argmin : place_reduction, named<"argmin", precision_rule::follow> {};

/// Base of the inverse of broadcasting: sums the elements that broadcasting to the first argument's shape would repeat.
struct collapsing_sum {
    static constexpr bool rounds = true;
    static constexpr fusion_pattern pattern = fusion_pattern::comm_reduce;

    static TUTTI_CONSTEXPR type_id collapsed(relation& r, const dims& shape);
};
/// Sums to the second argument's shape.
struct collapse_sum_like : collapsing_sum {
    static constexpr std::string_view name = "collapse_sum_like";
    static constexpr std::array<std::string_view, 2> arguments{"data", "collapse_type"};
    using attributes = no_attributes;
    static constexpr auto shape_from = shape_source::second;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};
/// Sums to the shape in the attribute. The second argument repeats this shape.
struct collapse_sum_to : collapsing_sum {
    static constexpr std::string_view name = "collapse_sum_to";
    static constexpr std::string_view kept_as = "relay.attrs.InitOpAttrs";
    static constexpr std::array<std::string_view, 2> arguments{"data", "shape"};
    using attributes = broadcast_to_attributes;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// The mean of the squared distances from a given mean.
struct variance : reduction {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "variance";
    static constexpr std::array<std::string_view, 2> arguments{"data", "mean"};
    using attributes = variance_attributes;
    static constexpr auto precision = precision_rule::never;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op

/// Reductions.
using reduce_ops = op_list<op::all, op::any, op::argmax, op::argmin, op::collapse_sum_like, op::collapse_sum_to,
                           op::max, op::mean, op::min, op::prod, op::sum, op::variance>;

TUTTI_CONSTEXPR expr all(expr data, const reduce_attributes& attributes = {});
TUTTI_CONSTEXPR expr any(expr data, const reduce_attributes& attributes = {});
TUTTI_CONSTEXPR expr argmax(expr data, const arg_reduce_attributes& attributes = {});
TUTTI_CONSTEXPR expr argmin(expr data, const arg_reduce_attributes& attributes = {});
TUTTI_CONSTEXPR expr collapse_sum_like(expr data, expr collapse_type);
TUTTI_CONSTEXPR expr collapse_sum_to(expr data, expr shape, const broadcast_to_attributes& attributes);
TUTTI_CONSTEXPR expr max(expr data, const reduce_attributes& attributes = {});
TUTTI_CONSTEXPR expr mean(expr data, const reduce_attributes& attributes = {});
TUTTI_CONSTEXPR expr min(expr data, const reduce_attributes& attributes = {});
TUTTI_CONSTEXPR expr prod(expr data, const reduce_attributes& attributes = {});
TUTTI_CONSTEXPR expr sum(expr data, const reduce_attributes& attributes = {});
TUTTI_CONSTEXPR expr variance(expr data, expr mean, const variance_attributes& attributes = {});

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/reduce.ipp>
#endif
