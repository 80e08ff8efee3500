#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <span>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// The functions of `reference`. A template, so that the kernels are compiled only where they are used.
template <class T = void>
struct reference_set {
    /// Number of the kernels: one for each built-in operator.
    static constexpr std::size_t count = 251;

    /// All kernels by name.
    static TUTTI_CONSTEXPR std::span<const kernel_entry> all();
    /// The kernel of the built-in operator with this name, or null.
    static TUTTI_CONSTEXPR kernel_function named(std::string_view op);
    static TUTTI_CONSTEXPR kernel_function find(const op_def& op);
    /// The memory of the operator's result.
    static TUTTI_CONSTEXPR result_memory find_result_memory(const op_def& op);
    /// Nothing is known about custom kernels.
    static constexpr bool is_concurrent(const op_def& op) { return op.evaluate == nullptr; }
};

} // namespace detail

/// The reference kernels of the built-in operators, and the custom kernels of other operators.
struct reference : detail::reference_set<> {};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/eval/reference.ipp>
#endif
