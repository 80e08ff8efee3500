#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <optional>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of cumsum and cumprod: the axis (of the flattened data if None), the result's element type (the data's if
/// none), and whether each element is excluded from its own sum or product.
struct scan_attributes {
    std::optional<dim> axis{};
    kernel::dtype dtype = kernel::dtype::none;
    std::optional<bool> exclusive = false;

    static constexpr option_list<&scan_attributes::axis, &scan_attributes::dtype, &scan_attributes::exclusive> options{
        "axis", "dtype", "exclusive"};
};

namespace op {

/// Base of prefix scans.
struct scan {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = scan_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr bool rounds = true;
    static constexpr std::string_view kept_as = "relay.attrs.ScanopAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Computes the product of all elements up to each element along an axis.
struct cumprod : scan {
    static constexpr std::string_view name = "cumprod";
};

/// Computes the sum of all elements up to each element along an axis.
struct cumsum : scan {
    static constexpr std::string_view name = "cumsum";
};

} // namespace op

/// Prefix scans.
using scan_ops = op_list<op::cumprod, op::cumsum>;

TUTTI_CONSTEXPR expr cumprod(expr data, const scan_attributes& attributes = {});
TUTTI_CONSTEXPR expr cumsum(expr data, const scan_attributes& attributes = {});

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/scan.ipp>
#endif
