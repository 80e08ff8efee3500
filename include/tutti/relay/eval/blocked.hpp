#pragma once

#include <tutti/base/form.hpp>

#include <concepts>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

class kernel_set; // relay/eval/kernel_set.hpp

namespace kernels {

namespace detail {

/// The set that `blocked()` returns. It is a template, like `reference_set`, so that only its uses compile the kernels.
template <class T>
struct blocked_set {
    static const kernel_set value;
};
#ifdef TUTTI_COMPILED
extern template struct blocked_set<void>;
#endif

} // namespace detail

/// Returns kernels optimised for the cache and for vectors of the build's width (`-march=native`).
///
/// They support float32, small integers (products, pooling and arithmetic), and operators on quantised elements. Other
/// convolutions and products are computed in blocks that the compiler vectorises. The reference kernels compute
/// everything else.
template <std::same_as<void> T = void>
constexpr const kernel_set& blocked() {
    return detail::blocked_set<T>::value;
}

} // namespace kernels
} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/eval/blocked.ipp>
#endif
