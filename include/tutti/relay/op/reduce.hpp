#pragma once

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

namespace tutti::relay {

/// Attributes of reductions: the axes (all if none are given; all others with `exclude`); `keepdims` keeps them with
/// size 1.
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

/// Attributes of variance. With `unbiased` the divisor is the number of elements minus one.
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

/// The axes of a reduction move along, including blocks; reduced axes disappear from the result's layout. A second
/// argument has the shape of the first, or size 1 along reduced axes.
constexpr bool reduction(layout_query& q) {
    if (!q.first() || !q.old_in[0] || q.old_in[0]->rank() != q.rank(0)) return false;
    const layout& old = *q.old_in[0];
    const layout in = *q.first();
    attribute_edit edit = q.edit();
    const bool exclude = edit.boolean("exclude");
    const bool keep = edit.boolean("keepdims");
    const dims named_axes = edit.numbers("axis"); // without any, all axes are reduced
    small_vector<char, 8> reduced(old.rank(), named_axes.empty() || exclude ? 1 : 0);
    for (dim axis : named_axes) {
        if (axis.value() < 0) axis = axis.value() + static_cast<std::int64_t>(old.rank());
        if (axis.value() < 0 || axis.value() >= static_cast<std::int64_t>(old.rank())) return false;
        reduced[static_cast<std::size_t>(axis.value())] = exclude ? 0 : 1;
    }
    for (std::size_t i = 0; i < old.rank(); ++i) { // an axis is reduced with all its parts
        const auto at = old.find(old.axes()[i].letter);
        if (!at || reduced[i] != reduced[*at]) return false;
    }
    const auto is_reduced = [&](char letter) {
        const auto at = old.find(letter);
        return at && reduced[*at] != 0;
    };
    dims axes;
    layout out;
    for (std::size_t i = 0; i < in.rank(); ++i) {
        layout::axis a = in.axes()[i];
        const bool named = is_reduced(a.letter) != exclude;
        if (named) axes.push_back(static_cast<std::int64_t>(i));
        if (is_reduced(a.letter)) {
            if (!keep) continue;
            if (a.block != 0) a.block = 1;
        }
        out.push_back(a);
    }
    if (out.rank() == 0) return false;
    if (q.altered) {
        edit.set("axis", axes);
        q.attributes = edit.commit();
    }
    q.in.assign(1, in);
    const auto has_one = [&](std::size_t argument,
                             char letter) { // size 1 along the axis and its blocks
        bool one = old.find(letter).has_value();
        for (std::size_t d = 0; d < old.rank() && d < q.rank(argument); ++d)
            one = one && (old.axes()[d].letter != letter || q.shape(argument)[d].same_number(1));
        return one;
    };
    for (std::size_t i = 1; i < q.arguments.size(); ++i) {
        layout other;
        for (layout::axis a : in.axes()) {
            if (a.block != 0 && has_one(i, a.letter)) a.block = 1;
            other.push_back(a);
        }
        q.in.push_back(other);
    }
    q.out.assign(1, out);
    return true;
}

/// A reduction to positions: only if the axes keep their order, so that positions keep their numbers.
constexpr bool place_reduction(layout_query& q) {
    attribute_edit was = q.edit();
    if (!reduction(q)) return false;
    if (!q.altered) return true;
    attribute_edit is = q.edit();
    const auto counted = [](const attribute_edit& e, const layout& l) {
        std::string letters;
        dims axes = e.numbers("axis");
        for (dim& axis : axes)
            if (axis.value() < 0) axis = axis.value() + static_cast<std::int64_t>(l.rank());
        for (std::size_t i = 0; i < l.rank(); ++i) {
            bool named = false;
            for (const dim axis : axes) named = named || axis == dim(static_cast<std::int64_t>(i));
            const char letter = l.axes()[i].letter;
            const bool counts = axes.empty() || named != e.boolean("exclude");
            if (!counts) continue;
            const bool whole = l.axes()[i].block == 0;
            if (whole)
                letters += letter;
            else if (letters.empty() || letters.back() != letter) // blocks after their axis continue its numbering
                letters += static_cast<char>(letter - 'A' + 'a');
        }
        return letters;
    };
    const std::string before = counted(was, *q.old_in[0]);
    const bool apart =
        before.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos; // blocks apart from their axes
    return before == counted(is, *q.new_in[0]) && (!apart || *q.old_in[0] == *q.new_in[0]);
}

} // namespace layout_rules

namespace op {

/// Base of reductions.
struct reduction {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    static constexpr fusion_pattern pattern = fusion_pattern::comm_reduce;
    static constexpr auto layout = &layout_rules::reduction;

    /// Returns the shape of the reduced first argument.
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
    static constexpr type_id infer(relation& r, const attributes& a) {
        return r.knows(0) ? r.tensor(reduced(r, a), r.element(0)) : type_id::none;
    }
};

/// Base of sums and products: results are rounded.
struct rounded_reduction : value_reduction {
    static constexpr bool rounds = true;
};
/// For bool: all elements are true; any element is true
struct all : value_reduction, named<"all"> {};
struct any : value_reduction, named<"any"> {};
struct max : value_reduction, named<"max", precision_rule::follow> {};
struct mean : rounded_reduction, named<"mean", precision_rule::never> {};
struct min : value_reduction, named<"min", precision_rule::follow> {};
/// Product
struct prod : rounded_reduction, named<"prod"> {};
struct sum : rounded_reduction, named<"sum", precision_rule::never> {};

/// A reduction to the position of an element, numbered over the reduced axes.
struct place_reduction : reduction {
    using attributes = arg_reduce_attributes;
    static constexpr auto layout = &layout_rules::place_reduction;
    static constexpr type_id infer(relation& r, const attributes& a) {
        return r.knows(0) ? r.tensor(reduced(r, a), dtype::int32) : type_id::none;
    }
};
struct argmax : place_reduction, named<"argmax", precision_rule::follow> {};
struct argmin : place_reduction, named<"argmin", precision_rule::follow> {};

/// Sums the elements that broadcasting to the first argument's shape would repeat.
struct collapsing_sum {
    static constexpr bool rounds = true;
    static constexpr fusion_pattern pattern = fusion_pattern::comm_reduce;

    static constexpr type_id collapsed(relation& r, const dims& shape) {
        if (!kernel::stretches(shape, r.shape(0))) r.refuse(0, "a shape that the new one broadcasts to");
        return r.tensor(shape, r.element(0));
    }
};
/// To the second argument's shape.
struct collapse_sum_like : collapsing_sum {
    static constexpr std::string_view name = "collapse_sum_like";
    static constexpr std::array<std::string_view, 2> arguments{"data", "collapse_type"};
    using attributes = no_attributes;
    static constexpr auto shape_from = shape_source::second;
    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        r.expect_element(1, r.element(0));
        return collapsed(r, r.shape(1));
    }
};
/// To the shape of the attribute, which the second argument repeats.
struct collapse_sum_to : collapsing_sum {
    static constexpr std::string_view name = "collapse_sum_to";
    static constexpr std::string_view kept_as = "relay.attrs.InitOpAttrs";
    static constexpr std::array<std::string_view, 2> arguments{"data", "shape"};
    using attributes = broadcast_to_attributes;
    static constexpr type_id infer(relation& r, const attributes& a) {
        return r.knows(0) && r.knows(1) ? collapsed(r, a.shape.value) : type_id::none;
    }
};

/// The mean of the squared distances from a given mean.
struct variance : reduction {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "variance";
    static constexpr std::array<std::string_view, 2> arguments{"data", "mean"};
    using attributes = variance_attributes;
    static constexpr auto precision = precision_rule::never;
    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        r.expect_element(1, r.element(0));
        const dims data = r.shape(0);
        const dims mean = r.shape(1);
        if (mean.size() != data.size() || !kernel::stretches(mean, data))
            r.refuse(1, "the size of `data` or 1 along each axis");
        return r.tensor(reduced(r, a), r.element(0));
    }
};

} // namespace op

/// Reductions.
using reduce_ops = op_list<op::all, op::any, op::argmax, op::argmin, op::collapse_sum_like, op::collapse_sum_to,
                           op::max, op::mean, op::min, op::prod, op::sum, op::variance>;

constexpr expr all(expr data, const reduce_attributes& attributes = {}) { return call_op<op::all>(attributes, data); }
constexpr expr any(expr data, const reduce_attributes& attributes = {}) { return call_op<op::any>(attributes, data); }
constexpr expr argmax(expr data, const arg_reduce_attributes& attributes = {}) {
    return call_op<op::argmax>(attributes, data);
}
constexpr expr argmin(expr data, const arg_reduce_attributes& attributes = {}) {
    return call_op<op::argmin>(attributes, data);
}
constexpr expr collapse_sum_like(expr data, expr collapse_type) {
    return call_op<op::collapse_sum_like>({}, data, collapse_type);
}
constexpr expr collapse_sum_to(expr data, expr shape, const broadcast_to_attributes& attributes) {
    return call_op<op::collapse_sum_to>(attributes, data, shape);
}
constexpr expr max(expr data, const reduce_attributes& attributes = {}) { return call_op<op::max>(attributes, data); }
constexpr expr mean(expr data, const reduce_attributes& attributes = {}) { return call_op<op::mean>(attributes, data); }
constexpr expr min(expr data, const reduce_attributes& attributes = {}) { return call_op<op::min>(attributes, data); }
constexpr expr prod(expr data, const reduce_attributes& attributes = {}) { return call_op<op::prod>(attributes, data); }
constexpr expr sum(expr data, const reduce_attributes& attributes = {}) { return call_op<op::sum>(attributes, data); }
constexpr expr variance(expr data, expr mean, const variance_attributes& attributes = {}) {
    return call_op<op::variance>(attributes, data, mean);
}

} // namespace tutti::relay
