#pragma once

#include <tutti/base/form.hpp>

#include <concepts>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

class kernel_set; // relay/eval/kernel_set.hpp

namespace kernels {

namespace detail {

/// The kernel set `reference`. It is a template, so that its kernels are compiled only where they are used.
template <class T>
struct reference_set {
    static const kernel_set value;
};
#ifdef TUTTI_COMPILED
extern template struct reference_set<void>;
#endif

} // namespace detail

/// The reference kernels of the built-in operators.
template <std::same_as<void> T = void>
constexpr const kernel_set& reference() {
    return detail::reference_set<T>::value;
}

} // namespace kernels
} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/eval/reference.ipp>
#endif
