#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/type_agreement.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/call_inference.hpp>
#include <tutti/relay/transform/passes/bind_params.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

TUTTI_CONSTEXPR function bind_values(const function& f, parameter_values& value_of) {
    rewriter r(f);
    vector<std::pair<expr_id, expr_id>> bound; // parameters and their constants
    vector<expr_id> left;
    const vector<expr_id> params(f.graph.params(f.root).begin(), f.graph.params(f.root).end());
    for (const expr_id p : params) {
        const std::string_view name = f.graph.variable_name(p);
        const tensor* value = value_of(name);
        if (value == nullptr) {
            left.push_back(p);
            continue;
        }
        const auto fail = [&](std::string problem, std::string expected) {
            throw error("parameter `%" + std::string(name) + "`", std::move(problem), std::move(expected));
        };
        for (const auto& [other, constant] : bound)
            if (f.graph.variable_name(other) == name)
                fail("two parameters have this name, and there is a value for it", "different names");
        const type_id declared = f.graph.annotation(p);
        const type_id type = type_of_constant(r.to(), *value);
        if (declared != type_id::none && !agree(r.to().types(), type, declared))
            fail("a value of type " + to_text(r.to().types(), type), to_text(r.to().types(), declared));
        bound.emplace_back(p, r.to().constant(*value));
    }
    plain_vector<expr_id> constant_of(f.graph.size(), expr_id::none);
    for (const auto& [p, constant] : bound) constant_of[index(p)] = constant;
    return r.rewrite([&](rewriter& into, expr_id e) {
        if (constant_of[index(e)] != expr_id::none) return constant_of[index(e)];
        if (e != f.root || bound.empty()) return into.rebuild(e);
        for (expr_id& p : left) p = into[p];
        return into.to().function(left, into[f.graph.body(e)], f.graph.result_annotation(e),
                                  f.graph.function_attributes(e), f.graph.type_params(e));
    });
}

} // namespace detail

TUTTI_INLINE function bind_params_by_name(const function& f, const std::map<std::string, tensor, std::less<>>& values) {
    return bind_params(f, [&](std::string_view name) {
        const auto at = values.find(name);
        return at == values.end() ? nullptr : &at->second;
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
