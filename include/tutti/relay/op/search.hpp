#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of searchsorted: whether to insert after or before equal elements, and the element type of the positions.
struct searchsorted_attributes {
    bool right = false;
    kernel::dtype dtype = kernel::dtype::int32;

    static constexpr option_list<&searchsorted_attributes::right, &searchsorted_attributes::dtype> options{"right",
                                                                                                           "dtype"};
};

/// Attributes of unique: whether the elements are sorted or in the order of their first occurrence, and whether
/// occurrences are counted.
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

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Returns the inverse of a permutation: the positions of 0, 1, 2, … in it.
struct invert_permutation {
    static constexpr std::string_view name = "invert_permutation";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque; // each element determines where it is written
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Returns the distinct elements of a vector, the position of the first occurrence of each, the index of every element
/// of the vector among the distinct elements, the number of distinct elements, and optionally how often each occurs.
/// All results but the number are as long as the vector, even if there are fewer distinct elements.
struct unique {
    static constexpr std::string_view name = "unique";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = unique_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr std::string_view kept_as = "relay.attrs.UniqueAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Converts row-major positions to indices along the axes of a shape. The result has one row per axis.
struct unravel_index {
    static constexpr std::string_view name = "unravel_index";
    static constexpr std::array<std::string_view, 2> arguments{"data", "shape"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

} // namespace op

/// Operators that search for positions or convert them.
using search_ops = op_list<op::invert_permutation, op::searchsorted, op::unique, op::unravel_index>;

TUTTI_CONSTEXPR expr searchsorted(expr sorted_sequence, expr values, const searchsorted_attributes& attributes = {});
TUTTI_CONSTEXPR expr invert_permutation(expr data);
/// Calls unique. The result is a tuple of four tensors, or of five with counts.
TUTTI_CONSTEXPR expr unique(expr data, const unique_attributes& attributes = {});
TUTTI_CONSTEXPR expr unravel_index(expr data, expr shape);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/search.ipp>
#endif
