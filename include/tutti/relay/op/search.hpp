#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::relay {

/// Attributes of searchsorted: insert after equal elements or before, and the element type of the positions.
struct searchsorted_attributes {
    bool right = false;
    kernel::dtype dtype = kernel::dtype::int32;

    static constexpr option_list<&searchsorted_attributes::right, &searchsorted_attributes::dtype> options{"right",
                                                                                                           "dtype"};
};

/// Attributes of unique: ascending order or order of first occurrence, and whether occurrences are counted.
struct unique_attributes {
    bool sorted = true;
    bool return_counts = false;

    static constexpr option_list<&unique_attributes::sorted, &unique_attributes::return_counts> options{
        "sorted", "return_counts"};
};

namespace op {

/// Finds the insertion positions of values in sorted rows.
struct searchsorted {
    static constexpr std::string_view name = "searchsorted";
    static constexpr std::array<std::string_view, 2> arguments{"sorted_sequence", "values"};
    using attributes = searchsorted_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"int32\"");
        const dims sorted = r.shape(0);
        const dims values = r.shape(1);
        if (sorted.empty()) r.refuse(0, "one dimension or more");
        if (values.empty()) r.refuse(1, "one dimension or more");
        r.expect_element(1, r.element(0));
        bool fits = sorted.size() == 1 || sorted.size() == values.size();
        for (std::size_t d = 0; fits && sorted.size() != 1 && d + 1 < sorted.size(); ++d)
            fits = may_equal(sorted[d], values[d]);
        if (!fits) r.refuse(0, "one row, or one for each row of the values");
        return r.tensor(values, a.dtype);
    }
};

/// Returns the position of each number from 0 on.
struct invert_permutation {
    static constexpr std::string_view name = "invert_permutation";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque; // each element decides its own position
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0)) return type_id::none;
        if (r.shape(0).size() != 1 || !kernel::is_integer(r.element(0))) r.refuse(0, "a vector of integers");
        return r.argument(0);
    }
};

/// Returns the distinct elements of a vector, their first positions, the index of each element among them, their
/// number, and optionally their counts. Except for the number, all are as long as the vector, even with fewer distinct
/// elements.
struct unique {
    static constexpr std::string_view name = "unique";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = unique_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr std::string_view kept_as = "relay.attrs.UniqueAttrs";

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const dims shape = r.shape(0);
        if (shape.size() != 1) r.refuse(0, "a vector");
        const type_id values = r.argument(0);
        const type_id places = r.tensor(shape, kernel::dtype::int32);
        const type_id fields[]{values, places, places, r.tensor(dims{1}, kernel::dtype::int32), places};
        return r.types().tuple({fields, a.return_counts ? std::size_t{5} : std::size_t{4}});
    }
};

/// Converts row-major positions to indices along the axes of a shape: one row per axis.
struct unravel_index {
    static constexpr std::string_view name = "unravel_index";
    static constexpr std::array<std::string_view, 2> arguments{"data", "shape"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        const dims places = r.shape(0);
        const dims shape = r.shape(1);
        if (places.size() > 1 || !kernel::is_integer(r.element(0))) r.refuse(0, "a vector of integers or one integer");
        if (shape.size() != 1 || !kernel::is_integer(r.element(1))) r.refuse(1, "a vector of integers");
        dims out{shape[0]};
        if (!places.empty()) out.push_back(places[0]);
        return r.tensor(out, r.element(0));
    }
};

} // namespace op

/// Operators that search positions.
using search_ops = op_list<op::invert_permutation, op::searchsorted, op::unique, op::unravel_index>;

constexpr expr searchsorted(expr sorted_sequence, expr values, const searchsorted_attributes& attributes = {}) {
    return call_op<op::searchsorted>(attributes, sorted_sequence, values);
}
constexpr expr invert_permutation(expr data) { return call_op<op::invert_permutation>({}, data); }
/// Calls unique; the result is a tuple of four, or of five with counts.
constexpr expr unique(expr data, const unique_attributes& attributes = {}) {
    return call_op<op::unique>(attributes, data);
}
constexpr expr unravel_index(expr data, expr shape) { return call_op<op::unravel_index>({}, data, shape); }

} // namespace tutti::relay
