#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/eval/reference_kernels.hpp>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

template <class T>
constexpr kernel_set reference_set<T>::value{reference_kernels<T>};

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM::kernels
