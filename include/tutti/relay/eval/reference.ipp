#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/kernel_entry.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/eval/reference_kernels.hpp>
#include <tutti/relay/op/default_operators.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

template <class T>
TUTTI_CONSTEXPR std::span<const kernel_entry> reference_set<T>::all() {
    static_assert(reference_kernels<T>.all().size() == count);
    return reference_kernels<T>.all();
}

template <class T>
TUTTI_CONSTEXPR kernel_function reference_set<T>::named(std::string_view op) {
    return reference_kernels<T>.find(op);
}

template <class T>
TUTTI_CONSTEXPR kernel_function reference_set<T>::find(const op_def& op) {
    if (op.evaluate != nullptr) return op.evaluate;
    return is_built_in(op) ? named(op.name) : nullptr;
}

template <class T>
TUTTI_CONSTEXPR result_memory reference_set<T>::find_result_memory(const op_def& op) {
    const bool own = op.evaluate != nullptr || !is_built_in(op);
    return own ? result_memory::own : reference_kernels<T>.find_memory(op.name);
}

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM::kernels
