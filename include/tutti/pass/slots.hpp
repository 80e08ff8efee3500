#pragma once

#include <tutti/base/folder.hpp>

#include <cstddef>
#include <utility>

namespace tutti {

namespace detail {

template <std::size_t I, class T>
struct slot {
    [[no_unique_address]] T value;

    // Not an aggregate: Clang 15 fails on aggregates with an empty value.
    constexpr slot() = default;
    constexpr slot(T given) : value(static_cast<T&&>(given)) {}
};

template <class Indices, class... T>
struct slots_of;

template <std::size_t... I, class... T>
struct slots_of<std::index_sequence<I...>, T...> : slot<I, T>... {
    static constexpr std::size_t size = sizeof...(T);

    template <class F>
    constexpr void each(F&& f) {
        (void(f(slot<I, T>::value)), ...);
    }
    template <class F>
    constexpr void each(F&& f) const {
        (void(f(slot<I, T>::value)), ...);
    }
    template <class F>
    constexpr decltype(auto) apply(F&& f) {
        return f(slot<I, T>::value...);
    }
    template <class F>
    constexpr decltype(auto) apply(F&& f) const {
        return f(slot<I, T>::value...);
    }
};

/// The library's own tuple. It holds passes, options and instruments. `each(f)` calls `f` for each element in order,
/// and `apply(f)` calls `f` once with all elements.
///
/// Time in ms to compile a set of 8 instruments that are called in turn, at -O0, excluding the headers:
/// ```
///                 GCC 12   Clang 19
///     slots          6.7        2.4    with each
///     hana::tuple   18.7       13.2    with hana::for_each
///     std::tuple    45.3       39.3    with std::apply and a fold
/// ```
template <class... T>
using slots = detail::slots_of<std::index_sequence_for<T...>, T...>;

/// Returns the element at this index.
template <std::size_t I, class T>
constexpr const T& at(const detail::slot<I, T>& s) {
    return s.value;
}
template <std::size_t I, class T>
constexpr T& at(detail::slot<I, T>& s) {
    return s.value;
}

} // namespace detail

} // namespace tutti
