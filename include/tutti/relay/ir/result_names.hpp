#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// The attribute that holds the names of a function's results: `output_tensor_names=["y"]`. The reference's TFLite
/// importer also writes it.
inline constexpr std::string_view result_names_attribute = "output_tensor_names";

/// Returns the names of a function's results; empty if the function has no such attribute.
///
/// Example: `result_names(*m.find("main"))`
inline vector<std::string> result_names(const function& f) {
    if (f.root == expr_id::none) return {};
    const graph& g = f.graph;
    const attr_value* const list = find_attribute(g, f.root, result_names_attribute);
    if (list == nullptr || list->kind != attr_kind::list) return {};
    vector<std::string> names;
    for (const attr_value& each : std::span(list + 1, list->count)) {
        if (each.kind != attr_kind::string) return {};
        names.emplace_back(g.strings()[each.string()]);
    }
    return names;
}

/// Sets the names of a function's results, which are the outputs of a model. The printer writes these names, and passes
/// keep them.
///
/// Cost:    linear in the function's attributes.
/// Example: `set_result_names(*m.find("main"), std::vector<std::string>{"logits", "probabilities"});`
inline void set_result_names(function& f, std::span<const std::string> names) {
    graph& g = f.graph;
    plain_vector<attr_value> all;
    std::span<const attr_value> rest = g.attrs()[g.function_attributes(f.root)];
    while (!rest.empty()) {
        const std::size_t size = 1 + extent(rest.subspan(1));
        if (g.strings()[rest.front().string()] != result_names_attribute)
            for (const attr_value& each : rest.first(size)) all.push_back(each);
        rest = rest.subspan(size);
    }
    if (!names.empty()) {
        all.push_back(attr_value::of(g.strings().add(result_names_attribute)));
        all.push_back(attr_value::list(names.size()));
        for (const std::string& each : names) all.push_back(attr_value::of(g.strings().add(each)));
    }
    g.set_function_attributes(f.root, all.empty() ? attrs_id::none : g.attrs().add(all.all()));
}

} // namespace tutti::relay::inline TUTTI_FORM
