#pragma once

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

/// Attributes of scatter and scatter_add: the axis of the indices.
struct scatter_attributes {
    dim axis = 0;

    static constexpr option_list<&scatter_attributes::axis> options{"axis"};
};

/// Attributes of scatter_nd: the combination of an element with an update: "update", "add", "mul", "min" or "max". It
/// cannot be None, although the text format would allow it.
struct scatter_nd_attributes {
    required<std::optional<std::string_view>> mode{};

    static constexpr option_list<&scatter_nd_attributes::mode> options{"mode"};
};

namespace op {

/// Base of operators that write updates at integer indices. Updates and result have the data's element type.
struct scattering {
    static constexpr std::array<std::string_view, 3> arguments{"data", "indices", "updates"};
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static constexpr bool ready(relation& r) {
        if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return false;
        if (!kernel::is_integer(r.element(1))) r.refuse(1, "integers");
        r.expect_element(2, r.element(0));
        return true;
    }
};

/// Base of scatter and scatter_add: an index per update, or for the first ones along each axis.
struct scattering_along : scattering {
    using attributes = scatter_attributes;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!ready(r)) return type_id::none;
        const dims data = r.shape(0);
        const dims indices = r.shape(1);
        const dims updates = r.shape(2);
        if (a.axis.is_any()) r.refuse_attribute("axis", "is not known", "an axis");
        static_cast<void>(checked_axis(r, "axis", a.axis.value(), data.size()));
        if (indices.size() != data.size()) r.refuse(1, "as many dimensions as the data");
        bool fits = updates.size() == indices.size();
        for (std::size_t i = 0; i < indices.size() && fits; ++i)
            fits = indices[i].is_any() || updates[i].is_any() || indices[i].value() <= updates[i].value();
        if (!fits) r.refuse(2, "at least the sizes of the indices");
        return r.argument(0);
    }
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

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!ready(r)) return type_id::none;
        const std::string_view mode = a.mode.value.value_or("None");
        if (mode != "update" && mode != "add" && mode != "mul" && mode != "min" && mode != "max")
            r.refuse_attribute("mode", '"' + std::string(mode) + '"',
                               "\"update\", \"add\", \"mul\", \"min\" or \"max\"");
        const dims data = r.shape(0);
        const dims indices = r.shape(1);
        if (indices.empty() || indices[0].is_any()) r.refuse(1, "a first axis whose size is known");
        const std::int64_t axes = indices[0].value();
        if (axes < 0 || axes > static_cast<std::int64_t>(data.size()))
            r.refuse(1, "no more indices per column than the data has axes");
        dims shape;
        for (std::size_t i = 1; i < indices.size(); ++i) shape.push_back(indices[i]);
        for (auto i = static_cast<std::size_t>(axes); i < data.size(); ++i) shape.push_back(data[i]);
        const dims updates = r.shape(2);
        bool fits = updates.size() == shape.size();
        for (std::size_t i = 0; i < shape.size() && fits; ++i) fits = may_equal(updates[i], shape[i]);
        if (!fits) r.refuse(2, "a slice of the data for each column of indices");
        return r.argument(0);
    }
};

} // namespace op

/// Operators that scatter elements by indices.
using scatter_ops = op_list<op::scatter, op::scatter_add, op::scatter_nd>;

constexpr expr scatter(expr data, expr indices, expr updates, const scatter_attributes& attributes = {}) {
    return call_op<op::scatter>(attributes, data, indices, updates);
}
constexpr expr scatter_add(expr data, expr indices, expr updates, const scatter_attributes& attributes = {}) {
    return call_op<op::scatter_add>(attributes, data, indices, updates);
}
constexpr expr scatter_nd(expr data, expr indices, expr updates, std::string_view mode = "update") {
    return call_op<op::scatter_nd>({.mode = std::optional<std::string_view>(mode)}, data, indices, updates);
}

} // namespace tutti::relay
