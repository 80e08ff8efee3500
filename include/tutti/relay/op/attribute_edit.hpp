#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/attribute_reading.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Reads and changes a call's attributes by name, such as an axis or a layout. Serves code that handles operators with
/// different attribute structures. Strings that are read stay valid until a string is added to the graph; other values
/// are copies.
///
/// Requires: each attribute is read as its own type.
/// Throws:   `tutti::error` that names the operator and its attributes if no attribute has the name (see `has`), or if
///           a new value is of the wrong kind. The attributes then keep their values.
/// Cost:     linear in the number of values; no instantiation per operator.
/// Example:  `attribute_edit edit(g, op::nn::conv2d, id); edit.set("data_layout", "NHWC"); id = edit.commit();`
class attribute_edit {
public:
    constexpr attribute_edit(graph& g, const op_def& op, attrs_id id) : graph_(&g), op_(&op), fields_(op.attributes) {
        const auto given = g.attrs()[id];
        values_.append(given);
        if (id != attrs_id::none) return;
        for (const attr_field& f : fields_) {
            const std::size_t first = values_.size();
            values_.append(f.standard_values());
            if (values_.size() == first) values_.push_back({});
            if (values_[first].kind == attr_kind::string) values_[first] = attr_value::of(g.strings().add(f.text));
        }
    }

    constexpr bool has(std::string_view name) const {
        for (const attr_field& f : fields_)
            if (f.name == name) return true;
        return false;
    }

    constexpr bool is_none(std::string_view name) const { return value(name).kind == attr_kind::none; }
    constexpr bool boolean(std::string_view name) const { return value(name).boolean(); }
    constexpr std::int64_t integer(std::string_view name) const { return value(name).number().value(); }
    constexpr dtype element(std::string_view name) const { return value(name).element(); }
    constexpr std::string_view text(std::string_view name) const { return graph_->strings()[value(name).string()]; }
    constexpr bool is_list(std::string_view name) const { return value(name).kind == attr_kind::list; }
    /// Returns a list of numbers, which is empty if the attribute is None.
    constexpr dims numbers(std::string_view name) const {
        const std::size_t at = place(name);
        dims out;
        for (std::size_t i = 1; i <= values_[at].count; ++i) out.push_back(values_[at + i].number());
        return out;
    }

    constexpr void set(std::string_view name, std::int64_t number) { set_one(name, attr_value::of(dim(number))); }
    constexpr void set(std::string_view name, dtype element) { set_one(name, attr_value::of(element)); }
    constexpr void set(std::string_view name, std::string_view text) {
        set_one(name, attr_value::of(graph_->strings().add(text)));
    }
    constexpr void set(std::string_view name, const dims& numbers) {
        plain_vector<attr_value> list{attr_value::list(numbers.size())};
        for (const dim d : numbers) list.push_back(attr_value::of(d));
        set(name, list.all());
    }
    /// Sets a value given in the attribute table's representation: a list is followed by its elements.
    constexpr void set(std::string_view name, std::span<const attr_value> with) {
        const std::size_t at = place(name);
        const std::size_t end = at + values(name).size();
        const attr_field& f = field(name);
        plain_vector<attr_value> normal;
        if (!detail::attr_normaliser(*graph_, with, normal).take(f))
            detail::refuse_attribute(*op_, name, "is set to " + detail::what_was_given(*graph_, with),
                                     detail::what_is_expected(f));
        plain_vector<attr_value> made;
        made.append(values_.data(), at);
        made.append(normal.all());
        made.append(values_.data() + end, values_.size() - end);
        values_ = std::move(made);
    }
    /// Returns a value in the attribute table's representation. The view is valid until another value is set.
    constexpr std::span<const attr_value> values(std::string_view name) const {
        const auto rest = values_.all().subspan(place(name));
        return rest.first(extent(rest));
    }

    /// Stores the attributes in the graph.
    constexpr attrs_id commit() const { return fields_.empty() ? attrs_id::none : graph_->attrs().add(values_.all()); }

private:
    constexpr void set_one(std::string_view name, attr_value value) {
        set(name, std::span<const attr_value>(&value, 1));
    }

    constexpr const attr_field& field(std::string_view name) const {
        for (const attr_field& f : fields_)
            if (f.name == name) return f;
        detail::refuse_unknown_attribute(*op_, name);
    }

    constexpr const attr_value& value(std::string_view name) const { return values_[place(name)]; }

    constexpr std::size_t place(std::string_view name) const {
        std::size_t at = 0;
        for (const attr_field& f : fields_) {
            if (f.name == name) return at;
            at += extent(values_.all().subspan(at));
        }
        detail::refuse_unknown_attribute(*op_, name);
    }

    graph* graph_;
    const op_def* op_;
    std::span<const attr_field> fields_;
    plain_vector<attr_value> values_;
};

} // namespace tutti::relay::inline TUTTI_FORM
