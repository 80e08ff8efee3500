#pragma once

#include <tutti/base/form.hpp>

#include <concepts>
#ifdef TUTTI_COMPILED
#include <string_view>
#include <vector>
#endif

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
const kernel_set& widest_blocked(); // in src/relay/blocked_kernels.cpp
#endif

} // namespace detail

#ifdef TUTTI_COMPILED
/// The blocked kernels that the library has for some processors.
struct blocked_choice {
    /// "build" for the processors of the library's build, or a name such as "x86-64-v3" or "x86-64-v4+vnni".
    std::string_view processors;
    const kernel_set* kernels;
};

/// Returns the blocked kernels that run on this processor, those with the narrowest vectors first. `blocked()` returns
/// the last. Sums of floating-point products differ in their last bits between processors with and without fused
/// multiplication and addition; all other results are the same bits.
std::vector<blocked_choice> blocked_choices();
#endif

/// Returns kernels optimised for the cache and for vectors. In the compiled form, they are those with the widest
/// vectors that the processor supports; in the header-only form, vectors have the build's width (`-march=native`).
///
/// They support float32, small integers (products, pooling and arithmetic), and operators on quantised elements. Other
/// convolutions and products are computed in blocks that the compiler vectorises. The reference kernels compute
/// everything else.
template <std::same_as<void> T = void>
TUTTI_CONSTEXPR const kernel_set& blocked() {
#ifdef TUTTI_COMPILED
    return detail::widest_blocked();
#else
    return detail::blocked_set<T>::value;
#endif
}

} // namespace kernels
} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/eval/blocked.ipp>
#endif
