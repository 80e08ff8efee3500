#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// The attributes of a call by name. Unlike `attribute_edit`, this class does not change the graph.
///
/// Requires: the operator has the attribute, and the attribute has the type that is read.
/// Cost:     linear in the number of values; no instantiation per operator.
class attribute_values {
public:
    attribute_values(const graph& g, const op_def& op, attrs_id id) : graph_(&g), op_(&op), given_(g.attrs()[id]) {}

    bool is_none(std::string_view name) const {
        const std::span<const attr_value> all = values(name);
        return all.empty() || all[0].kind == attr_kind::none;
    }
    bool flag(std::string_view name) const { return values(name)[0].boolean(); }
    dim number(std::string_view name) const { return values(name)[0].number(); }
    std::int64_t integer(std::string_view name) const { return number(name).value(); }
    double real(std::string_view name) const { return values(name)[0].floating(); }
    dtype element(std::string_view name) const { return values(name)[0].element(); }
    std::string_view text(std::string_view name) const {
        if (given_.empty()) return field(name).text;
        return graph_->strings()[values(name)[0].string()];
    }
    bool is_list(std::string_view name) const { return values(name)[0].kind == attr_kind::list; }
    /// Returns a list of numbers, which is empty if the attribute is None. A list of lists is flattened.
    dims numbers(std::string_view name) const {
        dims all;
        for (const attr_value& v : values(name))
            if (v.kind == attr_kind::number) all.push_back(v.number());
        return all;
    }

    /// Returns a list of floating-point numbers, which is empty if the attribute is None.
    vector<double> reals(std::string_view name) const {
        vector<double> all;
        for (const attr_value& v : values(name))
            if (v.kind == attr_kind::floating) all.push_back(v.floating());
        return all;
    }

private:
    const attr_field& field(std::string_view name) const {
        std::size_t at = 0;
        while (op_->attributes[at].name != name) ++at;
        return op_->attributes[at];
    }
    std::span<const attr_value> values(std::string_view name) const {
        std::span<const attr_value> rest = given_;
        if (rest.empty()) return field(name).standard_values();
        for (const attr_field& f : op_->attributes) {
            const std::size_t size = extent(rest);
            if (f.name == name) return rest.first(size);
            rest = rest.subspan(size);
        }
        return {};
    }

    const graph* graph_;
    const op_def* op_;
    std::span<const attr_value> given_;
};

} // namespace tutti::relay::inline TUTTI_FORM
