#pragma once

#include <tutti/base/form.hpp>
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

/// Attributes of scatter and scatter_add: the axis of the data that the indices address.
struct scatter_attributes {
    dim axis = 0;

    static constexpr option_list<&scatter_attributes::axis> options{"axis"};
};

/// Attributes of scatter_nd: the mode, "update", "add", "mul", "min" or "max", which combines an element with an
/// update. The mode cannot be None, although the text format allows None.
struct scatter_nd_attributes {
    required<std::optional<std::string_view>> mode{};

    static constexpr option_list<&scatter_nd_attributes::mode> options{"mode"};
};

namespace op {

/// Base of operators that write updates at integer indices. Updates and result have the data's element type.
struct scattering {
    static constexpr std::array<std::string_view, 3> arguments{"data", "indices", "updates"};
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static TUTTI_CONSTEXPR bool ready(relation& r);
};

/// Base of scatter and scatter_add. Each index has an update. The tensor of updates may be larger than the tensor of
/// indices; the updates without an index are ignored.
struct scattering_along : scattering {
    using attributes = scatter_attributes;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Replaces elements of the data at indices along an axis.
struct scatter : scattering_along, named<"scatter", precision_rule::follow> {
    static constexpr std::string_view kept_as = "relay.attrs.ScatterAttrs";
};

/// Adds updates to the data at indices along an axis.
struct scatter_add : scattering_along, named<"scatter_add"> {
    static constexpr bool rounds = true;
    static constexpr std::string_view kept_as = "relay.attrs.ScatterAddAttrs";
};

/// Writes slices to the data at positions given by the columns of the indices.
struct scatter_nd : scattering, named<"scatter_nd"> {
    using attributes = scatter_nd_attributes;
    static constexpr bool rounds = true;
    static constexpr std::string_view kept_as = "relay.attrs.ScatterNDAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op

/// Operators that scatter elements by indices.
using scatter_ops = op_list<op::scatter, op::scatter_add, op::scatter_nd>;

TUTTI_CONSTEXPR expr scatter(expr data, expr indices, expr updates, const scatter_attributes& attributes = {});
TUTTI_CONSTEXPR expr scatter_add(expr data, expr indices, expr updates, const scatter_attributes& attributes = {});
TUTTI_CONSTEXPR expr scatter_nd(expr data, expr indices, expr updates, std::string_view mode = "update");

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/scatter.ipp>
#endif
