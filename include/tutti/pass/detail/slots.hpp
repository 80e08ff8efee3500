#pragma once

#include <cstddef>
#include <utility>

namespace tutti::detail {

template <std::size_t I, class T>
struct slot {
    [[no_unique_address]] T value;
};

template <class Indices, class... T>
struct slots_of;

// The tuple of the core: passes, options and instruments live in one. What a set of 8 instruments that are
// called in turn costs the compiler, measured by bench/compile_time.py at -O0, the headers not counted, in
// ms:
//                 GCC 12   Clang 19
//     this, folds    6.7        2.4
//     hana::tuple   18.7       13.2    with hana::for_each
//     std::tuple    45.3       39.3    with std::apply and a fold
template <std::size_t... I, class... T>
struct slots_of<std::index_sequence<I...>, T...> : slot<I, T>... {
    static constexpr std::size_t size = sizeof...(T);

    // f(element) for each, in order
    template <class F>
    constexpr void each(F&& f) {
        (void(f(slot<I, T>::value)), ...);
    }
    template <class F>
    constexpr void each(F&& f) const {
        (void(f(slot<I, T>::value)), ...);
    }
    // f(elements...)
    template <class F>
    constexpr decltype(auto) apply(F&& f) const {
        return f(slot<I, T>::value...);
    }
};

template <class... T>
using slots = slots_of<std::index_sequence_for<T...>, T...>;

template <std::size_t I, class T>
constexpr const T& at(const slot<I, T>& s) {
    return s.value;
}
template <std::size_t I, class T>
constexpr T& at(slot<I, T>& s) {
    return s.value;
}

} // namespace tutti::detail
