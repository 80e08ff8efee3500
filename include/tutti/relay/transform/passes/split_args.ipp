#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/tuple.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/split_args.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// Returns flags indexed by expression: 1 for concatenations directly inside stop_fusion, as this pass builds them.
constexpr plain_vector<char> parts_of(const function& f) {
    plain_vector<char> parts(f.graph.size(), 0);
    for_each_from(f.graph, f.root, [&](expr_id e) {
        if (calls<op::annotation::stop_fusion>(f.graph, e))
            if (const expr_id part = f.graph.arguments(e)[0]; calls<op::concatenate>(f.graph, part))
                parts[index(part)] = 1;
    });
    return parts;
}

// True if all fields of a tuple are concatenations inside stop_fusion. An earlier run then split the concatenation of
// the tuple.
constexpr bool is_cut(const graph& g, expr_id tuple) {
    for (const expr_id field : g.operands(tuple))
        if (!calls<op::annotation::stop_fusion>(g, field) || !calls<op::concatenate>(g, g.arguments(field)[0]))
            return false;
    return g.operand_count(tuple) != 0;
}

// Splits a concatenation. `limit` is the option `max_function_args`.
constexpr expr_id split_call(rewriter& r, expr_id e, std::int64_t limit, const plain_vector<char>& parts,
                             const pass_notes& notes) {
    const graph& from = r.from();
    if (limit < 0 || !calls<op::concatenate>(from, e)) return r.rebuild(e);
    const expr_id data = from.arguments(e)[0];
    const auto most = static_cast<std::uint64_t>(limit - 1);
    if (from.kind(data) != expr_kind::tuple) {
        notes.missed(from, e, "the tuple is not written out");
        return r.rebuild(e);
    }
    const std::size_t count = from.operand_count(data);
    if (count < most || (count == most && parts[index(e)] != 0) || is_cut(from, data)) return r.rebuild(e);
    if (!notes.may_apply(from, e, "cut")) return r.rebuild(e);
    notes.applied(from, e, "cut");
    const auto attributes = get_attributes<concatenate_attributes>(from, from.call_attributes(e));
    graph& to = r.to();
    const auto concatenation = [&](std::span<const expr_id> tensors) {
        return add_call<op::concatenate>(to, {to.tuple(tensors)}, attributes);
    };
    vector<expr_id> tensors;
    for (const expr_id field : from.operands(data)) tensors.push_back(r[field]);
    vector<expr_id> made;
    for (std::span<const expr_id> rest(tensors); !rest.empty();) {
        const std::size_t taken = std::min(static_cast<std::size_t>(most), rest.size());
        made.push_back(add_call<op::annotation::stop_fusion>(to, {concatenation(rest.first(taken))}));
        rest = rest.subspan(taken);
    }
    return concatenation(made);
}

} // namespace detail

TUTTI_CONSTEXPR void split_args::apply(ir_module& m, module_context&& ctx) const {
    if (max_function_args == 0 || max_function_args == 1)
        throw error("SplitArgs", "max_function_args leaves no argument for a tensor",
                    "2 or more, or -1 for any number");
    transform_functions(m, ctx, info, [this](const function& f, const pass_notes& notes) {
        const plain_vector<char> parts = detail::parts_of(f);
        return rewriter(f).rewrite(
            [&](rewriter& r, expr_id e) { return detail::split_call(r, e, max_function_args, parts, notes); });
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
