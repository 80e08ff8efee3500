#pragma once

#include <tutti/pass/change.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/infer.hpp>

#include <cstddef>

namespace tutti::relay {

/// Infers the types of all expressions; see `infer_types`.
///
/// Ensures: variables and functions without annotations get them; nothing else changes.
/// Cost:    linear in the module.
/// Throws:  `tutti::error`; the module is unchanged.
struct infer_type {
    static constexpr pass_info info{.name = "InferType"};

    constexpr void operator()(ir_module& m) const { infer_types(m); }

    /// Functions that call no others run in parallel if the context has an executor.
    template <class Context>
        requires requires(const Context& ctx) { ctx.runs_at_once(0); }
    constexpr void operator()(ir_module& m, Context& ctx) const {
        if constexpr (Context::parts_at_once)
            if (ctx.runs_at_once(m.size()))
                return infer_types_at_once(m, [&](auto&& each) {
                    ctx.for_each_part(m.size(), [&](std::size_t i, auto&) {
                        each(i);
                        return unchanged;
                    });
                });
        infer_types(m);
    }
};

} // namespace tutti::relay
