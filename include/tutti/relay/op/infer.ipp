#pragma once

#include <tutti/base/form.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/module_inference.hpp>

#include <algorithm>
#include <cstddef>

namespace tutti::relay::inline TUTTI_FORM {

TUTTI_CONSTEXPR void infer_types(ir_module& m) {
    detail::inferred_functions inferred(m);
    try {
        inferred.infer_others();
    } catch (...) {
        inferred.undo();
        throw;
    }
}

TUTTI_INLINE void infer_types(ir_module& m, executor_ref on) {
    if (lanes(on, m.size()) <= 1) return infer_types(m);
    const std::size_t grain = std::min<std::size_t>(coarse_grain(on, m.size()), 16); // smaller grains for few functions
    infer_types_at_once(m, [&](auto&& f) { for_each_index(on, m.size(), f, grain); });
}

} // namespace tutti::relay::inline TUTTI_FORM
