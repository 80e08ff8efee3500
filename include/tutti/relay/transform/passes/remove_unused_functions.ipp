#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/transform/passes/remove_unused_functions.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

constexpr std::string_view name_of(const ir_module& m, std::size_t i) {
    return m.begin()[static_cast<std::ptrdiff_t>(i)].name;
}

} // namespace detail

TUTTI_CONSTEXPR void remove_unused_functions::operator()(ir_module& m, const pass_notes& notes) const {
    plain_vector<char> used(m.size(), 0);
    plain_vector<std::size_t> open;
    const auto use = [&](std::string_view name) {
        const std::size_t i = m.place_of(name);
        if (i == m.size()) throw not_in_module("RemoveUnusedFunctions: @" + std::string(name), m, name);
        if (std::exchange(used[i], 1) == 0) open.push_back(i);
    };
    if (entry_functions.empty()) use("main");
    for (const std::string& name : entry_functions) use(name);
    const auto use_callees = [&] {
        while (!open.empty()) {
            const function& f = m.begin()[static_cast<std::ptrdiff_t>(open.back())].function;
            open.pop_back();
            for (const expr_id e : post_order(f.graph, f.root))
                if (f.graph.kind(e) == expr_kind::global) use(f.graph.global_name(e));
        }
    };
    use_callees();
    if (notes.used()) {
        plain_vector<char> kept(m.size(), 0);
        for (std::size_t i = 0; i < m.size(); ++i)
            kept[i] = used[i] == 0 && !notes.in(detail::name_of(m, i)).may_apply("removed") ? 1 : 0;
        for (std::size_t i = 0; i < m.size(); ++i)
            if (kept[i] != 0) use(detail::name_of(m, i));
        use_callees();
    }
    std::size_t i = 0;
    m.remove_if([&](const ir_module::definition& d) {
        const bool unused = used[i++] == 0;
        if (unused) notes.in(d.name).applied("removed");
        return unused;
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
