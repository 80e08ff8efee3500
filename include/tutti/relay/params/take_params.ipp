#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/text_name.hpp>
#include <tutti/relay/op/call_inference.hpp>
#include <tutti/relay/params/take_params.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Generates parameter names whose form in the text differs from the names of all other variables of the function.
class free_parameter_names {
public:
    explicit free_parameter_names(const graph& g) {
        for (std::uint32_t i = 0; i < g.size(); ++i)
            if (g.kind(expr_id{i}) == expr_kind::variable) used_.insert(text_name(g.variable_name(expr_id{i})));
    }

    /// Returns `source`, or `source_1` and so on if that name is taken. If `source` is empty, returns `p0` and so on.
    std::string next(std::string_view source) {
        std::string name(source);
        std::size_t& number = numbers_[name];
        while (name.empty() || !used_.insert(text_name(name)).second)
            name =
                source.empty() ? "p" + std::to_string(number++) : std::string(source) + '_' + std::to_string(++number);
        return name;
    }

private:
    std::unordered_set<std::string> used_;
    std::unordered_map<std::string, std::size_t> numbers_; // last used suffix by source; for "", the next
};

} // namespace detail

TUTTI_INLINE vector<kernel::named_tensor> take_params(function& f) {
    vector<kernel::named_tensor> taken;
    plain_vector<expr_id> params; // one per taken value
    intern_index places;
    detail::free_parameter_names names(f.graph);
    rewriter r(f);
    f = r.rewrite([&](rewriter& into, expr_id e) {
        const graph& from = into.from();
        if (from.kind(e) == expr_kind::constant && from.constant_value(e).rank() != 0) {
            const tensor& value = from.constant_value(e);
            const auto same = [&](std::uint32_t i) {
                return taken[i].value.same_elements(value) && same_elements(taken[i].value.shape(), value.shape());
            };
            return params[places.find_or_add(hash_finish(value.identity()), same, [&] {
                taken.push_back({names.next(from.source_name(e)), value});
                params.push_back(into.to().variable(text_name(taken.back().name), type_of_constant(into.to(), value)));
            })];
        }
        if (e != f.root || taken.empty()) return into.rebuild(e);
        plain_vector<expr_id> all;
        for (const expr_id p : from.params(e)) all.push_back(into[p]);
        all.append(params.all());
        return into.to().function(all.all(), into[from.body(e)], from.result_annotation(e), from.function_attributes(e),
                                  from.type_params(e));
    });
    return taken;
}

} // namespace tutti::relay::inline TUTTI_FORM
