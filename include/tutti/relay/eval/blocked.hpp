#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <span>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// The functions of `blocked`; a template like `reference_set`.
template <class T = void>
struct blocked_set {
    /// The kernels that differ from the reference's.
    static TUTTI_CONSTEXPR std::span<const kernel_entry> own();
    /// The kernel of the built-in operator with this name, or null.
    static TUTTI_CONSTEXPR kernel_function named(std::string_view op);
    static TUTTI_CONSTEXPR kernel_function find(const op_def& op);
    /// The preparation for calls of the built-in operator with this name, or null.
    static TUTTI_CONSTEXPR prepare_function prepare_named(std::string_view op);
    static TUTTI_CONSTEXPR prepare_function find_prepare(const op_def& op);
    static TUTTI_CONSTEXPR result_memory find_result_memory(const op_def& op);
    static constexpr bool is_concurrent(const op_def& op) { return reference::is_concurrent(op); }
    static TUTTI_CONSTEXPR const block_step_entry* find_block_step(const op_def& op);
};

} // namespace detail

/// Kernels for the cache and for vectors of the build's width (`-march=native`): float32; products of
/// small integers, their pooling and arithmetic, and operators on quantised elements. All other convolutions and
/// products are computed in blocks that the compiler vectorises, everything else by the reference kernels.
struct blocked : detail::blocked_set<> {};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/eval/blocked.ipp>
#endif
