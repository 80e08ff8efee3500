#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of repeat: the count and the axis. If the axis is None, the tensor is flattened first.
struct repeat_attributes {
    required<dim> repeats{};
    std::optional<dim> axis{};

    static constexpr option_list<&repeat_attributes::repeats, &repeat_attributes::axis> options{"repeats", "axis"};
};

/// Attributes of tile: the counts along the axes, aligned at the last axis.
struct tile_attributes {
    required<dims> reps{};

    static constexpr option_list<&tile_attributes::reps> options{"reps"};
};

namespace op {

/// Repeats each element, along an axis or in the flattened tensor.
struct repeat {
    static constexpr std::string_view name = "repeat";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = repeat_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Repeats the whole tensor.
struct tile {
    static constexpr std::string_view name = "tile";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = tile_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op

/// Operators that repeat elements.
using repeat_ops = op_list<op::repeat, op::tile>;

TUTTI_CONSTEXPR expr repeat(expr data, const repeat_attributes& attributes);
TUTTI_CONSTEXPR expr tile(expr data, const tile_attributes& attributes);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/repeat.ipp>
#endif
