#pragma once

#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay {

/// Attributes of concatenate: the axis.
struct concatenate_attributes {
    std::int64_t axis = 0;

    static constexpr option_list<&concatenate_attributes::axis> options{"axis"};
};

/// Attributes of stack: the position of the new axis.
struct stack_attributes {
    dim axis = 0;

    static constexpr option_list<&stack_attributes::axis> options{"axis"};
};

/// Attributes of split: a number of equal parts, or the positions at which parts after the first begin; and the axis.
struct split_attributes {
    required<one_or_more> indices_or_sections{};
    std::int64_t axis = 0;

    static constexpr option_list<&split_attributes::indices_or_sections, &split_attributes::axis> options{
        "indices_or_sections", "axis"};
};

/// Attributes of meshgrid: "ij" if the first vector varies along the first axis, "xy" if along the second.
struct meshgrid_attributes {
    std::string_view indexing = "ij";

    static constexpr option_list<&meshgrid_attributes::indexing> options{"indexing"};
};

namespace layout_rules {

/// Concatenation has the same axis if all arguments have one layout; otherwise all are required in the known one.
///
/// Arguments after the tensors are scales and zero points.
constexpr bool concatenation(layout_query& q, std::size_t tensors) {
    attribute_edit edit = q.edit();
    std::int64_t axis = edit.integer("axis");
    if (axis < 0) axis += static_cast<std::int64_t>(q.rank(0));
    maybe_layout all;
    bool alike = q.altered;
    for (std::size_t i = 0; alike && i < tensors; ++i) alike = q.new_in[i] == q.new_in[0];
    if (alike) {
        if (!q.old_in[0] || !q.new_in[0]) return false;
        const auto joined = relay::detail::axis_at(*q.old_in[0], axis);
        const auto to = relay::detail::moved_axis(*q.old_in[0], *q.new_in[0], axis);
        if (!to || joined->block != 0) return false;
        edit.set("axis", *to);
        q.attributes = edit.commit();
        all = q.new_in[0];
    } else {
        for (const maybe_layout& l : q.old_in.first(tensors))
            if (l && !all) all = l;
        if (!all) return false;
        const auto a = relay::detail::axis_at(*all, axis);
        if (!a || a->block != 0) return false;
    }
    q.in.assign(tensors, all);
    q.rest_in(*layout::parse("C"));
    q.out.assign(1, all);
    return true;
}
constexpr bool concatenate(layout_query& q) { return !q.arguments.empty() && concatenation(q, q.arguments.size()); }

/// The axis of split moves along, and the positions count blocks if possible.
constexpr bool split(layout_query& q) {
    if (!q.first() || !q.old_in[0]) return false;
    layout all = *q.first();
    attribute_edit edit = q.edit();
    dims places = edit.numbers("indices_or_sections");
    const bool is_list = edit.is_list("indices_or_sections");
    if (q.old_in[0]->rank() != q.rank(0) || !q.old_in[0]->fits(q.shape(0))) return false;
    const auto cut = relay::detail::axis_at(*q.old_in[0], edit.integer("axis"));
    if (!cut || cut->block != 0) return false; // another block size
    const auto parts = is_list ? places.size() + 1 : static_cast<std::size_t>(edit.integer("indices_or_sections"));
    if (q.altered && all != *q.old_in[0]) {
        const auto to = relay::detail::moved_axis(*q.old_in[0], all, edit.integer("axis"));
        if (!to || q.old_in[0]->find(cut->letter, true)) return false; // positions in blocks do not address the axis
        const std::int64_t factor = relay::detail::factor(all, cut->letter);
        bool divisible = true;
        if (factor > 1 && is_list) {
            for (dim& d : places) {
                divisible = divisible && d.value() % factor == 0;
                d = d.value() / factor;
            }
            if (divisible) edit.set("indices_or_sections", places);
        }
        if (factor > 1 && !is_list) {
            const dim size = q.old_in[0]->size(q.shape(0), cut->letter);
            divisible = !size.is_any() && size.value() / factor % static_cast<std::int64_t>(parts) == 0;
        }
        if (divisible)
            edit.set("axis", *to);
        else
            all = *q.old_in[0];
        q.attributes = edit.commit();
    }
    q.in.assign(1, all);
    q.out.assign(parts, all);
    return true;
}

} // namespace layout_rules

namespace op {

/// Base of operators on a tuple of tensors with one element type and rank.
struct joining {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    /// Returns the shapes of the tuple's tensors. Throws: `tutti::error` if the tuple is empty, or element types or
    /// ranks differ.
    static constexpr vector<dims> shapes(const relation& r) {
        const type_table& types = r.types();
        const auto fields = r.fields(0);
        if (fields.empty()) r.refuse(0, "one tensor or more");
        vector<dims> all;
        for (const type_id t : fields) {
            if (types.element(t) != types.element(fields[0])) r.refuse(0, "tensors of one element type");
            if (types.shape(t).size() != types.shape(fields[0]).size())
                r.refuse(0, "tensors of the same number of dimensions");
            all.emplace_back(types.shape(t));
        }
        return all;
    }
    static constexpr dtype element(const relation& r) { return r.types().element(r.fields(0)[0]); }

    /// Throws: `tutti::error` if sizes along an axis are known to differ.
    static constexpr void check_agree(const relation& r, const vector<dims>& all, std::size_t axis) {
        dim known = dim::any();
        for (const dims& each : all) {
            if (!may_equal(known, each[axis])) r.refuse(0, "tensors that agree along the other axes");
            if (known.is_any()) known = each[axis];
        }
    }
};

/// Concatenates the tensors of a tuple along an axis.
///
/// If only some tensors have a known size along another axis, the result's size is known, as in the reference, if the
/// size along the axis is not.
struct concatenate : joining {
    static constexpr std::string_view name = "concatenate";
    using attributes = concatenate_attributes;
    static constexpr auto layout = &layout_rules::concatenate;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows_tuple(0)) return type_id::none;
        const vector<dims> all = shapes(r);
        dims out = all[0];
        const std::size_t axis = checked_axis(r, "axis", a.axis, out.size());
        for (std::size_t i = 1; i < all.size(); ++i) out[axis] = plus(out[axis], all[i][axis]);
        for (std::size_t d = 0; d < out.size(); ++d) {
            if (d == axis) continue;
            check_agree(r, all, d);
            for (const dims& each : all)
                if (out[axis].is_any() ? out[d].is_any() : each[d].is_any()) out[d] = each[d];
        }
        return r.tensor(out, element(r));
    }
};

/// Stacks the tensors of a tuple, which have the shape of the first, along a new axis.
struct stack : joining {
    static constexpr std::string_view name = "stack";
    using attributes = stack_attributes;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows_tuple(0)) return type_id::none;
        const vector<dims> all = shapes(r);
        const dims& one = all[0];
        for (std::size_t d = 0; d < one.size(); ++d) check_agree(r, all, d);
        const std::size_t axis = checked_axis(r, "axis", a.axis.value(), one.size() + 1);
        const auto count = static_cast<std::int64_t>(all.size());
        return r.tensor(kernel::with_axes<dims>(one, axis, 1, count), element(r));
    }
};

/// The coordinates of a grid: for each vector of a tuple, a tensor with one axis per vector.
struct meshgrid {
    static constexpr std::string_view name = "meshgrid";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = meshgrid_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows_tuple(0)) return type_id::none;
        if (a.indexing != "ij" && a.indexing != "xy")
            r.refuse_attribute("indexing", "\"" + std::string(a.indexing) + "\"", "\"ij\" or \"xy\"");
        const type_table& types = r.types();
        const auto fields = r.fields(0);
        if (fields.empty() || fields.size() > kernel::max_rank) r.refuse(0, "1 to 32 vectors");
        dims shape;
        for (const type_id t : fields) {
            if (types.element(t) != types.element(fields[0])) r.refuse(0, "tensors of one element type");
            if (types.shape(t).size() > 1) r.refuse(0, "tensors of at most one dimension");
            shape.push_back(types.shape(t).empty() ? dim(1) : types.shape(t)[0]);
        }
        if (a.indexing == "xy" && shape.size() > 1) std::swap(shape[0], shape[1]);
        const plain_vector<type_id> grids(shape.size(), r.tensor(shape, types.element(fields[0])));
        return r.types().tuple(grids.all());
    }
};

/// Splits a tensor along an axis into a tuple of parts.
struct split {
    static constexpr std::string_view name = "split";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = split_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto layout = &layout_rules::split;
    static constexpr auto precision = precision_rule::follow;

    /// Limits the parts, so that a number in the text cannot use up all memory.
    static constexpr std::int64_t most_sections = 1 << 16;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        dims shape = r.shape(0);
        const dtype element = r.element(0);
        const std::size_t axis = checked_axis(r, "axis", a.axis, shape.size());
        const dim size = shape[axis];
        const one_or_more& where = a.indices_or_sections;
        plain_vector<type_id> parts;
        if (where.is_list) {
            dim begin = 0;
            for (const dim end : where.numbers) {
                if (end.is_any() || end.value() < begin.value() || (!size.is_any() && end.value() > size.value()))
                    r.refuse_attribute("indices_or_sections", "indices that do not rise, or that are outside the axis",
                                       "rising indices within the axis");
                shape[axis] = minus(end, begin);
                parts.push_back(r.tensor(shape, element));
                begin = end;
            }
            shape[axis] = minus(size, begin);
            parts.push_back(r.tensor(shape, element));
        } else {
            const dim sections = where.numbers[0];
            if (sections.is_any() || sections.value() < 1 || sections.value() > most_sections)
                r.refuse_attribute("indices_or_sections", "out of range", "1 to 65536");
            if (!size.is_any() && size.value() % sections.value() != 0) {
                std::string count;
                append_dim(count, sections);
                r.refuse(0, "a size that can be divided by " + count + " along the axis");
            }
            shape[axis] = quotient(size, sections);
            parts.assign(static_cast<std::size_t>(sections.value()), r.tensor(shape, element));
        }
        return r.types().tuple(parts.all());
    }
};

} // namespace op

/// Operators that join tensors or split them.
using tuple_ops = op_list<op::concatenate, op::meshgrid, op::split, op::stack>;

/// Calls concatenate; `data` is a tuple.
constexpr expr concatenate(expr data, const concatenate_attributes& attributes = {}) {
    return call_op<op::concatenate>(attributes, data);
}
/// Calls stack; `data` is a tuple.
constexpr expr stack(expr data, const stack_attributes& attributes = {}) {
    return call_op<op::stack>(attributes, data);
}
/// Calls meshgrid; `data` and the result are tuples.
constexpr expr meshgrid(expr data, const meshgrid_attributes& attributes = {}) {
    return call_op<op::meshgrid>(attributes, data);
}
/// Calls split; the result is a tuple of the parts.
constexpr expr split(expr data, const split_attributes& attributes) { return call_op<op::split>(attributes, data); }

} // namespace tutti::relay
