#pragma once

#include <tutti/relay/op/op_def.hpp>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tutti::relay {

/// The attributes of a call, read and changed by their names, for what is the same for operators whose attributes are
/// different structures: an axis, a layout. What is read is copied, or valid until a string is added to the graph.
///
/// Requires, throughout: the operator has an attribute of that name (see `has`) and type.
/// Cost:     linear in the number of values; nothing is instantiated for an operator.
/// Example:  `attribute_edit edit(g, op::nn::conv2d, id); edit.set("data_layout", "NHWC"); id = edit.commit();`
class attribute_edit {
public:
    constexpr attribute_edit(graph& g, const op_def& op, attrs_id id) : graph_(&g), fields_(op.attributes) {
        const auto given = g.attrs()[id];
        values_.assign(given.begin(), given.end());
        if (id != attrs_id::none) return;
        for (const attr_field& f : fields_) {
            const std::size_t first = values_.size();
            const auto standard = f.standard_values();
            if (standard.empty())
                values_.push_back({});
            else
                values_.insert(values_.end(), standard.begin(), standard.end());
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
    /// A list of numbers; none if the attribute is None.
    constexpr dims numbers(std::string_view name) const {
        const std::size_t at = place(name);
        dims out;
        for (std::size_t i = 1; i <= values_[at].count; ++i) out.push_back(values_[at + i].number());
        return out;
    }

    constexpr void set(std::string_view name, std::int64_t number) {
        values_[place(name)] = attr_value::of(dim(number));
    }
    constexpr void set(std::string_view name, dtype element) { values_[place(name)] = attr_value::of(element); }
    constexpr void set(std::string_view name, std::string_view text) {
        values_[place(name)] = attr_value::of(graph_->strings().add(text));
    }
    constexpr void set(std::string_view name, const dims& numbers) {
        std::vector<attr_value> list{attr_value::list(numbers.size())};
        for (const dim d : numbers) list.push_back(attr_value::of(d));
        set(name, list);
    }
    /// The value as the table keeps it, a list before its elements.
    constexpr void set(std::string_view name, std::span<const attr_value> with) {
        const auto at = values_.begin() + static_cast<std::ptrdiff_t>(place(name));
        const std::size_t was = extent(std::span<const attr_value>(values_).subspan(place(name)));
        values_.insert(values_.erase(at, at + static_cast<std::ptrdiff_t>(was)), with.begin(), with.end());
    }
    /// The value as the table keeps it, until another is set.
    constexpr std::span<const attr_value> values(std::string_view name) const {
        const auto rest = std::span<const attr_value>(values_).subspan(place(name));
        return rest.first(extent(rest));
    }

    /// Keeps the attributes in the graph.
    constexpr attrs_id commit() const { return fields_.empty() ? attrs_id::none : graph_->attrs().add(values_); }

private:
    constexpr const attr_value& value(std::string_view name) const { return values_[place(name)]; }

    constexpr std::size_t place(std::string_view name) const {
        std::size_t at = 0;
        for (const attr_field& f : fields_) {
            if (f.name == name) return at;
            at += extent(std::span<const attr_value>(values_).subspan(at));
        }
        assert(false && "the operator has no attribute of that name");
        return 0;
    }

    graph* graph_;
    std::span<const attr_field> fields_;
    std::vector<attr_value> values_;
};

} // namespace tutti::relay
