#pragma once

#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tutti::relay {

/// Attributes of repeat: the count and the axis; if None, the tensor is flattened first.
struct repeat_attributes {
    required<dim> repeats{};
    std::optional<dim> axis{};

    static constexpr option_list<&repeat_attributes::repeats, &repeat_attributes::axis> options{"repeats", "axis"};
};

/// Attributes of tile: the counts along the axes, aligned at the last.
struct tile_attributes {
    required<dims> reps{};

    static constexpr option_list<&tile_attributes::reps> options{"reps"};
};

namespace op {

/// Repeats each element.
struct repeat {
    static constexpr std::string_view name = "repeat";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = repeat_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (a.repeats.value.is_any() || a.repeats.value.value() < 1)
            r.refuse_attribute("repeats", "less than once", "1 or more");
        dims shape = r.shape(0);
        if (!a.axis) return r.tensor(dims{times(product(shape), a.repeats)}, r.element(0));
        const std::size_t axis = checked_axis(r, "axis", a.axis->value(), shape.size());
        shape[axis] = times(shape[axis], a.repeats);
        return r.tensor(shape, r.element(0));
    }
};

/// Repeats the whole tensor.
struct tile {
    static constexpr std::string_view name = "tile";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = tile_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const dims shape = kernel::tiled<dims>(r.shape(0), a.reps.value, [&](dim size, dim count) {
            if (!is_known(count) || count.value() < 1)
                r.refuse_attribute("reps", "less than once", "1 or more for each axis");
            return times(size, count);
        });
        return r.tensor(shape, r.element(0));
    }
};

} // namespace op

/// Operators that repeat elements.
using repeat_ops = op_list<op::repeat, op::tile>;

constexpr expr repeat(expr data, const repeat_attributes& attributes) { return call_op<op::repeat>(attributes, data); }
constexpr expr tile(expr data, const tile_attributes& attributes) { return call_op<op::tile>(attributes, data); }

} // namespace tutti::relay
