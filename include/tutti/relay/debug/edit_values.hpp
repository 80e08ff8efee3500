#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/debug/edit_function.hpp>
#include <tutti/relay/debug/program_size.hpp>
#include <tutti/relay/op/attribute_edit.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Returns a tensor filled with a value.
inline tensor filled(dtype type, vector<std::int64_t> shape, float value) {
    tensor made(type, std::move(shape));
    for (std::int64_t i = 0; i < made.size(); ++i) kernel::number(value).put(made, i);
    return made;
}

/// Resets attributes of calls to their defaults.
inline ir_module drop_attributes(const ir_module& m, instrument::edit_choice& choice) {
    return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
        const graph& from = r.from();
        const expr_id made = r.rebuild(e);
        const op_def* const op = from.called_op(e);
        if (!op || from.call_attributes(e) == attrs_id::none) return made;
        const std::uint64_t said = op->printed(from, from.call_attributes(e));
        attribute_edit attributes(r.to(), *op, from.call_attributes(e));
        bool any = false;
        for (std::size_t i = 0; i < op->attributes.size() && i < 64; ++i) {
            const attr_field& field = op->attributes[i];
            if ((said >> i & 1) == 0 || field.required || !edit.choice()) continue;
            if (field.standard[0].kind == attr_kind::string)
                attributes.set(field.name, field.text);
            else
                attributes.set(field.name, field.standard_values());
            any = true;
        }
        if (!any) return made;
        plain_vector<expr_id> arguments;
        for (const expr_id o : from.arguments(e)) arguments.push_back(r[o]);
        const attrs_id id = attributes.commit();
        return r.to().call(r[from.callee(e)], arguments.all(), id);
    });
}

namespace detail {

// A change of sizes. All dimensions of a chosen size change together.
struct resizing {
    plain_vector<std::int64_t> sizes; // the sizes that become `to`
    std::int64_t to;

    std::int64_t operator()(std::int64_t size) const {
        for (const std::int64_t each : sizes)
            if (each == size) return to;
        return size;
    }
    dim operator()(dim d) const {
        if (d.is_any()) return d;
        const std::int64_t size = (*this)(d.value());
        return size == d.value() ? d : d.is_wide() ? dim::wide(size) : dim(size);
    }
    type_id operator()(type_table& types, type_id t) const {
        if (t == type_id::none) return t;
        if (types.is_tensor(t)) {
            dims shape;
            for (const dim d : types.shape(t)) shape.push_back((*this)(d));
            return types.tensor({shape.begin(), shape.size()}, types.element(t));
        }
        if (types.kind(t) != type_kind::tuple) return t;
        plain_vector<type_id> fields;
        fields.append(types.fields(t));
        for (type_id& each : fields) each = (*this)(types, each);
        return types.tuple(fields.all());
    }
    // Returns the elements of a tensor at the lowest indices in each dimension, as many as the new sizes allow.
    tensor operator()(const tensor& t) const {
        vector<std::int64_t> shape;
        for (const std::int64_t d : t.shape()) shape.push_back((*this)(d));
        if (std::ranges::equal(shape, t.shape())) return t;
        tensor made(t.type(), shape);
        const std::size_t bytes = kernel::bytes(t.type());
        const auto* const from = static_cast<const char*>(t.memory());
        auto* const into = static_cast<char*>(made.mutable_memory());
        for (std::int64_t i = 0; i < made.size(); ++i) {
            std::int64_t rest = i, place = 0, stride = 1;
            for (std::size_t d = shape.size(); d-- > 0;) {
                place += rest % shape[d] * stride;
                rest /= shape[d];
                stride *= t.shape()[d];
            }
            std::memcpy(into + static_cast<std::size_t>(i) * bytes, from + static_cast<std::size_t>(place) * bytes,
                        bytes);
        }
        return made;
    }
};

// True for the names of attributes that hold sizes.
inline bool is_sizes(std::string_view attribute) {
    constexpr std::string_view known[]{"channels",    "units",     "kernel_size", "newshape", "shape", "groups",
                                       "output_size", "pool_size", "depth",       "size",     "end",   "k"};
    return std::ranges::find(known, attribute) != std::end(known);
}

inline attrs_id resized_attributes(rewriter& r, const op_def& op, attrs_id id, const resizing& resize) {
    if (id == attrs_id::none || resize.sizes.empty()) return id;
    attribute_edit attributes(r.to(), op, id);
    for (const attr_field& field : op.attributes) {
        if (!is_sizes(field.name)) continue;
        plain_vector<attr_value> values;
        values.append(attributes.values(field.name));
        bool is_one_open = field.name != "newshape"; // one size of newshape may become -1 in place of a product
        for (const attr_value& each : values)
            is_one_open = is_one_open || (each.kind == attr_kind::number && each.number() == dim(-1));
        for (attr_value& each : values) {
            if (each.kind != attr_kind::number || each.number().is_any()) continue;
            const dim old = each.number();
            const bool is_product = !is_one_open && resize(old) == old && old.value() > resize.to;
            each = attr_value::of(is_product ? dim(-1) : resize(old));
            is_one_open = is_one_open || is_product;
        }
        attributes.set(field.name, values.all());
    }
    return attributes.commit();
}

// Calls `f(size)` for each known size in a type.
template <class F>
void each_size(const type_table& types, type_id t, F&& f) {
    if (t == type_id::none) return;
    if (types.is_tensor(t)) {
        for (const dim d : types.shape(t))
            if (!d.is_any()) f(d.value());
    } else if (types.kind(t) == type_kind::tuple) {
        for (const type_id field : types.fields(t)) each_size(types, field, f);
    }
}

} // namespace detail

/// Shrinks dimensions to the size `to`. Each greater size is one edit, the greatest size first. The edit changes all
/// dimensions of this size in types of variables, in constants, and in attributes that hold sizes. Constants keep the
/// elements at the lowest indices.
inline ir_module shrink_dimensions(const ir_module& m, instrument::edit_choice& choice, std::int64_t to) {
    plain_vector<std::int64_t> sizes;
    const auto note = [&](std::int64_t size) {
        if (size > to && std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(size);
    };
    for (const auto& [name, f] : m)
        for (const expr_id e : post_order(f.graph, f.root)) {
            if (f.graph.kind(e) == expr_kind::variable) detail::each_size(f.graph.types(), f.graph.annotation(e), note);
            if (f.graph.kind(e) == expr_kind::constant)
                for (const std::int64_t d : f.graph.constant_value(e).shape()) note(d);
        }
    std::sort(sizes.begin(), sizes.end(), [](std::int64_t a, std::int64_t b) { return a > b; });
    detail::resizing resize{{}, to};
    for (const std::int64_t size : sizes)
        if (choice()) resize.sizes.push_back(size);
    vector<ir_module::definition> made;
    for (const auto& [name, f] : m) {
        const graph& g = f.graph;
        function edited = rewriter(f).rewrite([&](rewriter& r, expr_id e) {
            switch (g.kind(e)) {
            case expr_kind::variable: {
                const expr_id variable = r.rebuild(e);
                r.to().set_annotation(variable, resize(r.to().types(), g.annotation(e)));
                r.to().set_type(variable, type_id::none);
                return variable;
            }
            case expr_kind::constant:
                return r.to().constant(resize(g.constant_value(e)));
            case expr_kind::call:
                if (const op_def* op = g.called_op(e)) {
                    const attrs_id id = detail::resized_attributes(r, *op, g.call_attributes(e), resize);
                    plain_vector<expr_id> arguments;
                    for (const expr_id o : g.arguments(e)) arguments.push_back(r[o]);
                    return r.to().call(r[g.callee(e)], arguments.all(), id);
                }
                return r.rebuild(e);
            default:
                return r.rebuild(e);
            }
        });
        made.push_back({name, std::move(edited)});
    }
    ir_module out = m.emptied();
    out.set(std::move(made));
    return out;
}
template <std::int64_t To>
ir_module shrink_to(const ir_module& m, instrument::edit_choice& choice) {
    return shrink_dimensions(m, choice, To);
}

namespace detail {

template <class Make>
ir_module edit_constants(const ir_module& m, instrument::edit_choice& choice, bool (*takes)(const tensor&), Make make) {
    vector<ir_module::definition> made;
    for (const auto& [name, f] : m) {
        function edited = rewriter(f).rewrite([&](rewriter& r, expr_id e) {
            const graph& from = r.from();
            if (from.kind(e) != expr_kind::constant || !takes(from.constant_value(e)) || !choice()) return r.rebuild(e);
            return r.to().constant(make(from.constant_value(e)));
        });
        made.push_back({name, std::move(edited)});
    }
    ir_module out = m.emptied();
    out.set(std::move(made));
    return out;
}

} // namespace detail

/// Replaces a constant by its first element as a scalar.
inline ir_module drop_dimensions(const ir_module& m, instrument::edit_choice& choice) {
    return detail::edit_constants(
        m, choice, [](const tensor& t) { return t.rank() != 0 && t.size() != 0; },
        [](const tensor& t) {
            tensor made(t.type(), {});
            std::memcpy(made.mutable_memory(), t.memory(), kernel::bytes(t.type()));
            return made;
        });
}

/// Replaces constants other than zeros and ones by ones.
inline ir_module simplify_constants(const ir_module& m, instrument::edit_choice& choice) {
    return detail::edit_constants(
        m, choice, [](const tensor& t) { return !is_zeros_or_ones(t); },
        [](const tensor& t) { return filled(t.type(), {t.shape().begin(), t.shape().end()}, 1); });
}

} // namespace tutti::relay::inline TUTTI_FORM
